"""Closed forms of recurrences, solutions of differential equations after an arrow, powers of matrices to a letter."""

from __future__ import annotations

import pytest

from texlift.verify.checker import check_here
from texlift.verify.verdict import TRUE

FIBONACCI = (r"F_n=F_{n-1}+F_{n-2}", "F_0=0", "F_1=1")


@pytest.mark.parametrize(
    ("claim", "beside"),
    [
        ("a_n=2^n-1", ("a_{n+1}=2a_n+1", "a_0=0")),
        ("a_n=n!", ("a_n=na_{n-1}", "a_0=1")),
        (r"F_n=\frac{\phi^n-(-\phi)^{-n}}{\sqrt{5}}", (*FIBONACCI, r"\phi=\frac{1+\sqrt{5}}{2}")),
        (r"x_n=\cos@{n\theta}", (r"x_{n+1}=2\cos@{\theta}x_n-x_{n-1}", "x_0=1", r"x_1=\cos@{\theta}")),
    ],
)
def test_a_closed_form_solves_its_recurrence(claim: str, beside: tuple[str, ...]) -> None:
    assert check_here(claim, beside).verdict in TRUE


@pytest.mark.parametrize(
    ("claim", "beside"),
    [
        ("a_n=2^n", ("a_{n+1}=2a_n+1", "a_0=1")),  # wrong at every step
        ("a_n=2^n+1", ("a_{n+1}=2a_n-1", "a_0=1")),  # the recurrence holds, the first value does not
        ("F_n=2^{n-1}", ("F_n=F_{n-1}+F_{n-2}", "F_1=1", "F_2=2")),  # right for the first three
    ],
)
def test_a_wrong_closed_form_is_refuted(claim: str, beside: tuple[str, ...]) -> None:
    assert check_here(claim, beside).verdict == "refuted"


def test_without_its_first_values_a_sequence_is_not_known() -> None:
    found = check_here("a_n=2^n-1", ("a_{n+1}=2a_n+1",))
    assert found.verdict == "undecided" and "first values" in found.reason
    found = check_here(r"F_n=\frac{\phi^n-(-\phi)^{-n}}{\sqrt{5}}", (*FIBONACCI[:2], r"\phi=\frac{1+\sqrt{5}}{2}"))
    assert found.verdict not in TRUE


@pytest.mark.parametrize(
    ("semantic", "true"),
    [
        (r"y=\sin@@{x}\implies y''+y=0", True),
        (r"y=\sin@@{x}\implies y''-y=0", False),
        (r"f(x)=x^{2}\implies f'(x)=2x", True),
        (r"f(x)=x^{2}\implies f'(x)=3x", False),
    ],
)
def test_a_function_given_before_an_arrow_is_put_in(semantic: str, true: bool) -> None:
    found = check_here(semantic)
    assert found.verdict in TRUE if true else found.verdict == "refuted"


def test_powers_of_matrices_to_a_letter() -> None:
    claim = r"\begin{pmatrix}1&1\\0&1\end{pmatrix}^n=\begin{pmatrix}1&n\\0&1\end{pmatrix}"
    assert check_here(claim, (r"n=1,2,\dots",)).verdict in TRUE
    assert check_here(claim.replace("1&n", "1&2n"), (r"n=1,2,\dots",)).verdict == "refuted"


def test_quadratic_reciprocity() -> None:
    primes = (r"p\text{ prime}", r"q\text{ prime}", "p>2", "q>2", r"p\neq q")
    symbols = r"\Legendresym{p}{q}\Legendresym{q}{p}"
    assert check_here(rf"{symbols}=(-1)^{{\frac{{p-1}}{{2}}\frac{{q-1}}{{2}}}}", primes).verdict in TRUE
    assert check_here(rf"{symbols}=1", primes).verdict == "refuted"


def test_a_series_must_converge_where_the_conditions_hold() -> None:
    geometric = r"\frac{1}{1-x}=\sum_{n=0}^{\infty}x^{n}"
    assert check_here(geometric).verdict in TRUE  # meant where it converges
    assert check_here(geometric, ("-1<x<1",)).verdict in TRUE
    assert check_here(geometric, (r"x\neq1",)).verdict not in TRUE
    assert check_here(r"\exp@{x}=\sum_{n=0}^{\infty}\frac{x^{n}}{n!}", ("x>0",)).verdict in TRUE
    assert check_here(r"\sum_{n=1}^{\infty}\frac{1}{n^{s}}=\Riemannzeta@{s}", ("s>1",)).verdict in TRUE
