"""All readings of a formula."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from texlift.grammar.grammar import Grammar
from texlift.grammar.packaged import packaged_grammar
from texlift.grammar.readings import MAX_READINGS, Reader
from texlift.grammar.rule import Rule
from texlift.latex.canonical import canonical

RULES = [
    Rule(r"\BesselJ{#1}#'@{#2}", r"J_{#1}#'\left(#2\right)", 9),
    Rule(r"\BesselJ{#1}", "J_{#1}", 3),
    Rule(r"\AngerJ{#1}#'@{#2}", r"J_{#1}#'\left(#2\right)", 1),
    Rule(r"\sin#'@@{#1}", r"{\sin#'}#1", 9, 2),
    Rule(r"\transpose{#1}", r"#1^{\mathrm{T}}", 2, 1),
]


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(Grammar(RULES, frozenset("xn")))


def calls(reader: Reader, source: str) -> list[list[str]]:
    """The macros that may start at each place of the outermost row."""
    row = canonical(source)
    forest = reader.read(row)
    return [[match.rule.name for match in places] for places in forest.places[id(row)]]


def test_places(reader: Reader) -> None:
    assert calls(reader, "a+J_n(z)") == [[], [], [r"\BesselJ", r"\BesselJ", r"\AngerJ"], [], []]


def test_words_are_read_letter_by_letter_too(reader: Reader) -> None:
    assert calls(reader, r"\operatorname{sin}x")[0] == [r"\sin"]
    assert calls(reader, "sin x")[0] == [r"\sin"]
    assert calls(reader, r"{\rm sin}x")[0] == [r"\sin"]


def test_no_words_inside_upright_words(reader: Reader) -> None:
    assert not any(calls(reader, r"{\rm cosine}"))
    assert not any(calls(reader, r"{\rm sinus}+{\rm basin}"))


@pytest.mark.parametrize(
    ("source", "found"),
    [
        (r"\sin x$ as $\sin y", 2),
        (r"n$ by \sin$ x", 0),
        (r"$\sin x$ by \sin $\sin y$", 2),
        (r"\sin x$\sin y", 2),  # a lone dollar says nothing
    ],
)
def test_words_between_formulae_are_words(reader: Reader, source: str, found: int) -> None:
    assert sum(names == [r"\sin"] for names in calls(reader, source)) == found


def test_holes_first(reader: Reader) -> None:
    assert calls(reader, r"B+A^{\mathrm{T}}")[2] == [r"\transpose"]
    assert calls(reader, r"B+A^{2}")[2] == []


def ends(reader: Reader, source: str) -> set[int]:
    row = canonical(source)
    return {match.end for match in reader.read(row).places[id(row)][0]}


def test_bars_close_an_argument(reader: Reader) -> None:
    assert ends(reader, r"\sin|a+b-c|+d") == {8}
    assert ends(reader, r"\sin|a") == set()  # a bar alone is no argument


def test_a_function_name_is_followed_by_its_argument(reader: Reader) -> None:
    assert 4 in ends(reader, r"\sin\sin\sin w")
    assert 4 in ends(reader, r"\sin2mx")


def test_unseen_rules_that_show_more_stay() -> None:
    seen = Rule(r"\asech#'@@{#1}", r"\operatorname{arcsech}#'#1", 9, 1)
    unseen = Rule(r"\asech#'@{#1}", r"\operatorname{arcsech}#'\left(#1\right)")
    other = Rule(r"\other#'@@{#1}", r"\operatorname{arcsech}#'#1", 0, 1)
    row = canonical(r"\operatorname{arcsech}(x)")
    forest = Reader(Grammar([seen, unseen, other])).read(row)
    assert [match.rule for match in forest.places[id(row)][0]] == [seen, unseen]


def test_a_formula_that_is_only_a_name_keeps_unseen_readings() -> None:
    rules = [Rule(r"\paraW", "W", 3), Rule(r"\LambertW", "W")]
    reader = Reader(Grammar(rules))
    assert calls(reader, "W") == [[r"\paraW", r"\LambertW"]]
    assert calls(reader, "2W")[1] == [r"\paraW"]


def test_inner_rows_are_read_once(reader: Reader) -> None:
    row = canonical(r"J_n(J_m(z))")
    forest = reader.read(row)
    inner = row.elements[2].rows[0]
    assert inner in forest.rows
    assert [match.rule.name for match in forest.places[id(inner)][0]].count(r"\BesselJ") == 2


def test_a_superscript_is_no_power_of_a_function_that_has_a_parameter_there() -> None:
    laguerre = [
        Rule(r"\LaguerrepolyL[#1]{#2}#'@{#3}", r"L^{(#1)}_{#2}#'\left(#3\right)", 9),
        Rule(r"\LaguerrepolyL[]{#1}#'@{#2}", r"L_{#1}#'\left(#2\right)", 9),
        Rule(r"\LaguerrepolyL[]{#1}", r"L_{#1}", 9),
    ]
    reader = Reader(Grammar([*RULES, *laguerre], frozenset("xn")))
    assert not any(calls(reader, r"L_{n}^{\alpha}(x)"))
    assert calls(reader, r"L_{n}^{(\alpha)}(x)")[0] == [r"\LaguerrepolyL"]
    assert calls(reader, r"L_{n}'(x)")[0] == [r"\LaguerrepolyL", r"\LaguerrepolyL"]
    assert calls(reader, r"J_{n}^{2}(x)")[0] == [r"\BesselJ", r"\BesselJ", r"\AngerJ"]


def test_matches_within_a_span(reader: Reader) -> None:
    row = canonical("J_n(z)w")
    forest = reader.read(row)
    assert {match.end for match in forest.at(row, 0, 2)} == {2}
    assert {match.end for match in forest.at(row, 0, 4)} == {2, 3}


@pytest.mark.parametrize(
    "source",
    [
        "x+" * 5000,
        ")" * 5000,
        "K" * 5000,
        r"\sin " * 2000 + "x",
        "F(" + "a," * 1500 + "b)",
        r"\Gamma(x)" * 1000,
        "A^T" * 1000,
        "|" * 3000,
        "|x" * 1500,
    ],
    ids=lambda source: str(source)[:8],
)
def test_reading_is_linear(source: str, promptly: Callable[..., AbstractContextManager[None]]) -> None:
    row = canonical(source)
    reader = Reader(packaged_grammar())
    with promptly(4):
        forest = reader.read(row)
    assert max(map(len, forest.places[id(row)])) <= MAX_READINGS
