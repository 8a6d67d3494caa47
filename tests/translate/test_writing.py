"""How somebody writes, and what no macro of theirs has printed."""

from __future__ import annotations

import pytest

from texlift.context.exactness import exactness
from texlift.context.style import (
    HOLLOW,
    LIST,
    NOTHING,
    PRINTED,
    SOMETHING,
    SYMBOL,
    Writing,
    contents,
    printed_word,
    writing_of,
)
from texlift.grammar.grammar import Grammar
from texlift.grammar.match import Match
from texlift.grammar.readings import Reader
from texlift.grammar.rule import Rule
from texlift.latex.canonical import canonical

RULES = Grammar(
    [
        Rule(r"\BesselJ{#1}#'@{#2}", r"J_{#1}#'\left(#2\right)", 9),
        Rule(r"\incBeta{#1}@{#2}{#3}", r"B_{#1}\left(#2,#3\right)", 9),
        Rule(r"\abs{#1}", r"\left|#1\right|", 9),
        Rule(r"\MeijerG{}{}{}{}", r"{G}", 0),
        Rule(r"\iunit", r"\mathrm{i}", 9),
        Rule(r"\divides", r"\mathbin{|}", 9),
        Rule(r"\Jacobiellsnk@{#1}{#2}", r"\operatorname{sn}\left(#1,#2\right)", 9),
    ]
)


def match_of(latex: str) -> tuple[Match, int]:
    """The reading of a formula that starts it, and how nearly it would print the source."""
    forest = Reader(RULES).read(canonical(latex))
    match = forest.places[id(forest.root)][0][0]
    return match, exactness(match, latex)


@pytest.mark.parametrize(
    ("latex", "plainest"),
    [
        (r"f(x)+\left|x\right|", NOTHING),
        (r"f\left(x\right)", SYMBOL),
        (r"\Gamma\left( \nu \right)+\left(a+b\right)", SYMBOL),
        (r"f\left(z\middle|\tau\right)", LIST),
        (r"B\left(a,b\right)", LIST),
        (r"B\left(a,b+1\right)", SOMETHING),
        (r"f\left(x_{1}\right)", SOMETHING),
    ],
)
def test_the_simplest_in_left(latex: str, plainest: int) -> None:
    assert writing_of(latex).plainest_left == plainest


def test_two_texts_by_one_writer() -> None:
    both = writing_of(r"B\left(a,b\right)") | writing_of(r"\mathrm{i}x+\operatorname{sn}(x)")
    assert both == Writing(LIST, frozenset({r"\mathrm{i}", r"\operatorname{sn}"}))


@pytest.mark.parametrize(
    ("latex", "kind"),
    [
        (r"J_{\nu}\left(z\right)", 0),
        (r"J_{\nu}(z)", SYMBOL),
        (r"J_\nu(z_{1})", SYMBOL),
        (r"B_{x}(a,b)", LIST),
        (r"B_{x}(a,b+1)", SOMETHING),
        (r"J_{\nu}(2z)", SOMETHING),
        (r"|z|", SYMBOL),
        (r"|a+b|", SOMETHING),
        ("G", HOLLOW),
        ("{G}", 0),
        (r"\mathbin{|}n", PRINTED),
        ("|n", 0),
    ],
)
def test_what_stands_in_plain_parentheses(latex: str, kind: int) -> None:
    assert contents(*match_of(latex), latex) == kind


@pytest.mark.parametrize(
    ("latex", "word"),
    [("i", r"\mathrm{i}"), (r"\mathrm{i}", ""), (r"\mathrm{sn}(x,k)", r"\operatorname{sn}"), (r"J_{\nu}(z)", "")],
)
def test_the_word_in_its_font(latex: str, word: str) -> None:
    assert printed_word(match_of(latex)[0], latex) == word


def test_parentheses_drawn_in_by_hand_are_no_macros_print() -> None:
    r"""`f\!\left(x\right)`: no macro prints that, so it does not tell that whoever writes it prints as macros do."""
    assert writing_of(r"E_{2}\!\left(\tau\right)+\eta(\tau)").plainest_left == NOTHING
    assert writing_of(r"E_{2}\! \left(\tau\right)+\eta\left(\tau\right)").plainest_left == SYMBOL
