"""The confidence in code is about meanings: a warning lowers it, the handbook's choice among spellings does not."""

from __future__ import annotations

import pytest

import texlift


def confidence(latex: str) -> float:
    answer = texlift.load().translate(latex)
    return answer.confidence_in(answer.converted("sympy"))


@pytest.mark.parametrize("latex", ["x+1", r"\int_0^1\frac{dx}{1+x^2}", "a_n f(x)", r"\Gamma(z+1)", "y''+y=0"])
def test_code_is_never_surer_than_any_decision(latex: str) -> None:
    answer = texlift.load().translate(latex)
    conversion = answer.converted("sympy")
    assert conversion.reading is not None
    structural = [one.probability for one in conversion.reading.decisions if one.probability is not None]
    assert 0 < answer.confidence_in(conversion) <= min([*answer.by_meaning(), *structural, 1.0])


def test_a_warning_lowers_the_confidence_in_the_code() -> None:
    plain, doubtful = (texlift.load().translate(latex) for latex in ("x(x+1)", "h(x+1)"))
    conversions = [answer.converted("sympy") for answer in (plain, doubtful)]
    assert not conversions[0].warnings
    assert conversions[1].warnings
    assert plain.confidence_in(conversions[0]) >= doubtful.confidence_in(conversions[1])


@pytest.mark.parametrize(
    "latex",
    ["ax^2+bx+c=0", r"\frac{a}{b}+\frac{c}{d}", r"\sin^2x+\cos^2x=1", r"\int_0^1x^2\,dx=\frac13", r"\sum_{k=1}^nk^2"],
)
def test_what_is_certain_has_a_high_confidence(latex: str) -> None:
    assert confidence(latex) >= 0.95


@pytest.mark.parametrize(
    "latex", [r"\hat\beta=(X^TX)^{-1}X^Ty", r"a\cdot b", r"\mathbf a\cdot(\mathbf b\times\mathbf c)"]
)
def test_two_spellings_of_one_meaning_count_as_one(latex: str) -> None:
    answer = texlift.load().translate(latex)
    assert min(answer.by_meaning()) > max(0.99, answer.confidence) - 0.01
    assert confidence(latex) > 0.85


def test_two_meanings_do_not_count_as_one() -> None:
    answer = texlift.load().translate(r"\cos\theta(t-s)")
    assert min(answer.by_meaning(), default=1.0) < 0.999
