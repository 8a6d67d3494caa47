"""Reading a formula can only lower the confidence in it."""

from __future__ import annotations

import pytest

import texlift


@pytest.mark.parametrize("latex", ["x+1", r"\int_0^1\frac{dx}{1+x^2}", "a_n f(x)", r"\Gamma(z+1)", "y''+y=0"])
def test_code_is_never_surer_than_its_translation(latex: str) -> None:
    answer = texlift.load().translate(latex)
    assert 0 < answer.confidence_in(answer.converted("sympy")) <= answer.confidence


def test_a_warning_lowers_the_confidence_in_the_code() -> None:
    plain, doubtful = (texlift.load().translate(latex) for latex in ("x(x+1)", "h(x+1)"))
    conversions = [answer.converted("sympy") for answer in (plain, doubtful)]
    assert not conversions[0].warnings
    assert conversions[1].warnings
    assert plain.confidence_in(conversions[0]) > doubtful.confidence_in(conversions[1])
