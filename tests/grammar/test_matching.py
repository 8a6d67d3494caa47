"""Where rules occur in a formula, and what is in their holes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from texlift.grammar.match import Match
from texlift.grammar.matching import Matcher
from texlift.grammar.rule import Rule
from texlift.latex.canonical import canonical
from texlift.latex.slicing import cut

BESSEL = Rule(r"\BesselJ{#1}#'@{#2}", r"J_{#1}#'\left(#2\right)")
SINE = Rule(r"\sin#'@@{#1}", r"{\sin#'}#1", longest=3)
DERIV = Rule(r"\deriv[#1]{#2}{#3}", r"\frac{{\mathrm{d}}^{#1}#2}{{\mathrm{d}#3}^{#1}}")
TRANSPOSE = Rule(r"\transpose{#1}", r"#1^{\mathrm{T}}", longest=1)


def matches(rule: Rule, source: str, start: int = 0) -> list[Match]:
    row = canonical(source)
    return Matcher(rule, frozenset("xyz")).at(row, start, len(row.elements))


def holes(rule: Rule, source: str, start: int = 0) -> list[list[str]]:
    """The texts of the holes, for each match."""
    found = []
    for match in matches(rule, source, start):
        spans = [match.holes[hole] for hole in sorted(match.holes)]
        found.append([cut(source, span.row, span.start, span.end).strip() for span in spans])
    return found


@pytest.mark.parametrize(
    "source", [r"J_\nu(z+1)", r"J_{\nu}\left(z+1\right)", r"J_\nu\!\bigl(z+1\bigr)", r"{J_\nu}(z+1)"]
)
def test_notation_does_not_matter(source: str) -> None:
    assert holes(BESSEL, source) == [[r"\nu", "z+1"]]


@pytest.mark.parametrize("source", ["J", "J_n", "J(z)", "Y_n(z)", "J_n[z]", "J_n^2", r"\mathbf{J}_n(z)"])
def test_what_is_not_a_match(source: str) -> None:
    assert matches(BESSEL, source) == []


def test_scripts_of_the_call() -> None:
    (match,) = matches(BESSEL, "J_n'^2(z)")
    assert match.scripts == (2, 3)
    assert match.trailing == ()
    (match,) = matches(BESSEL, "J_n(z)^2")
    assert (match.scripts, match.trailing, match.end) == ((), (3,), 4)


def test_bare_arguments_end_at_every_place_they_may() -> None:
    assert holes(SINE, r"\sin xyz") == [["x"], ["xy"], ["xyz"]]
    assert holes(SINE, r"\sin x+y") == [["x"]]  # + was never seen inside
    assert holes(SINE, "sin x") == [["x"]]
    assert holes(SINE, r"\sin^2 x") == [["x"]]


def test_no_words_inside_words() -> None:
    integral = Rule(r"\logint@@{#1}", r"\operatorname{li}#1", longest=1)
    assert holes(integral, "a li x", 1) == [["x"]]
    assert holes(integral, "ali x", 1) == [["x"]]
    assert holes(integral, "equality", 4) == []


def test_arguments_without_brackets_end_before_a_relation() -> None:
    mellin = Rule(r"\Mellintrans@@{#1}@{#2}", r"\mathscr{M}#1\left(#2\right)", longest=3)
    assert holes(mellin, r"\mathscr{M}f(z)=g(z)") == [["f", "z"]]
    assert holes(mellin, r"\mathscr{M}x=g(z)") == []
    assert holes(SINE, r"\sin=x") == []
    assert holes(SINE, r"\sin,x") == []


def test_hidden_arguments() -> None:
    rule = Rule(r"\compellintKk@@{k}", "K")
    (match,) = matches(rule, "K")
    assert match.holes == {}


def test_a_hole_used_twice_must_hold_the_same() -> None:
    assert holes(DERIV, r"\frac{\mathrm{d}^2 w}{\mathrm{d}z^2}") == [["2", "w", "z"]]
    assert matches(DERIV, r"\frac{\mathrm{d}^2 w}{\mathrm{d}z^3}") == []


def test_holes_that_come_first() -> None:
    assert holes(TRANSPOSE, r"A^{\mathrm{T}}") == [["A"]]
    assert holes(TRANSPOSE, r"(AB)^{T}") == [["(AB)"]]
    assert matches(TRANSPOSE, "A^{2}") == []


def test_argument_lists() -> None:
    rule = Rule(r"\genhyperF{2}{1}@{#3}{#4}{#5}", r"{}_2F_1\left(#3;#4;#5\right)")
    assert holes(rule, "{}_2F_1(a,b;c;z)") == [["a,b", "c", "z"]]


def test_work_is_bounded(promptly: Callable[..., AbstractContextManager[None]]) -> None:
    rule = Rule(r"\HeunHl@{#1}{#2}{#3}{#4}", r"F\left(#1,#2,#3,#4\right)")
    row = canonical("F(" + "a," * 3000 + "b)")
    with promptly():
        assert len(Matcher(rule, None).at(row, 0, len(row.elements))) <= 200
