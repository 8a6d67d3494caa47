"""Trees back to LaTeX, in one uniform way."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from texlift.errors import FormulaError
from texlift.latex.canonical import canonical_key
from texlift.latex.parser import parse
from texlift.latex.printing import join, print_nodes
from texlift.macros.semantic import parse_semantic


@pytest.mark.parametrize(
    ("source", "printed"),
    [
        ("x ^ 2", "x^{2}"),
        (r"\frac12", r"\frac{1}{2}"),
        (r"\alpha x", r"\alpha x"),
        (r"\alpha  2", r"\alpha2"),
        ("{ab}c", "abc"),
        ("{{x}}", "x"),
        ("x^{{{2}}}", "x^{2}"),
        ("^2x", "{}^{2}x"),
        ("{}_{2}F_1", "{}_{2}F_{1}"),
        ("{x^a}^b", "{x^{a}}^{b}"),
        (r"{a\over b}", r"{a\over b}"),
        ("{\\rm d}x", "{\\rm d}x"),
        (r"\left( x\right )", r"\left(x\right)"),
        (r"\bigl\langle x\bigr)", r"\bigl\langle x\bigr)"),
        (r"\sqrt [3] x", r"\sqrt[3]{x}"),
        (r"\text{ a  b }", r"\text{ a  b }"),
        (r"\mskip -3mu x", r"\mskip-3mux"),
        (r"\begin{cases} a & b \\ c \end{cases}", r"\begin{cases}a&b\\c\end{cases}"),
        ("a % note\n b", "ab"),
    ],
)
def test_uniform(source: str, printed: str) -> None:
    assert print_nodes(parse(source)) == printed


@pytest.mark.parametrize(
    ("left", "right", "joined"),
    [
        (r"\alpha", "x", r"\alpha x"),
        (r"\alpha", "2", r"\alpha2"),
        (r"\alpha", r"\beta", r"\alpha\beta"),
        ("a", "b", "ab"),
        (r"\\", "a", r"\\a"),
        (r"\,", "a", r"\,a"),
        (r"\operatorname", "*", r"\operatorname *"),
        ("", "x", "x"),
    ],
)
def test_join(left: str, right: str, joined: str) -> None:
    assert join(left, right) == joined


def round_trip(source: str) -> None:
    printed = print_nodes(parse(source))
    assert print_nodes(parse(printed)) == printed
    assert canonical_key(printed) == canonical_key(source)


@given(data=st.data())
def test_formulae_round_trip(data: st.DataObject, formulae: st.SearchStrategy[str]) -> None:
    round_trip(data.draw(formulae))


@given(data=st.data())
@example(data=None)
def test_soup_is_refused_or_round_trips(data: st.DataObject | None, token_soup: st.SearchStrategy[str]) -> None:
    source = r"\\{[}2]" if data is None else data.draw(token_soup)
    try:
        parse(source)
    except FormulaError:
        return
    round_trip(source)


def test_corpus_round_trips(corpus_sides: list[tuple[str, str]]) -> None:
    broken = set()
    for generic, semantic in corpus_sides:
        for source, reads in ((generic, parse), (semantic, parse_semantic)):
            try:
                printed = print_nodes(reads(source))
            except FormulaError as error:
                broken.add(error.source)
                continue
            assert print_nodes(reads(printed)) == printed
    assert len(broken) <= 5
