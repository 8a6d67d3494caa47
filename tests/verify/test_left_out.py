"""Nothing is verified where a part of the domain could not be tried."""

from __future__ import annotations

import pytest

from texlift.verify import TRUE, Task, check_all


@pytest.mark.parametrize(
    ("statement", "constraints"),
    [
        (r"\lim_{x\to\infty}\frac{x^a}{\expe^{bx}}=0", ("a>0",)),  # infinite for negative b
        (r"\lim_{x\to\infty}\expe^{-cx}=0", ()),
        (r"\lim_{n\to\infty}\frac{n^p}{2^{qn}}=0", ("p>0",)),
    ],
)
def test_a_limit_that_is_infinite_for_some_letters_is_not_verified(
    statement: str, constraints: tuple[str, ...]
) -> None:
    verdict = next(check_all([Task(statement, constraints)], 6))
    assert verdict.verdict not in TRUE


@pytest.mark.parametrize("seconds", [0.5, 1.0, 3.0])
def test_little_time_never_verifies_what_fails_elsewhere(seconds: float) -> None:
    verdict = next(check_all([Task(r"\int_{-1}^{1}\abs{x-a}\diff{x}=2\abs{a}")], seconds))
    assert verdict.verdict not in TRUE


def test_an_integral_that_diverges_for_some_letters_is_verified_where_it_exists() -> None:
    verdict = next(check_all([Task(r"\int_{0}^{\infty}\expe^{-ax}\diff{x}=\frac{1}{a}")], 10))
    assert verdict.verdict in TRUE
