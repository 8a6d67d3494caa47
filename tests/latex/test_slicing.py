"""Pieces of the source, cut out with their braces balanced."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from texlift.errors import FormulaError
from texlift.latex.canonical import canonical
from texlift.latex.slicing import cut, edit


@pytest.mark.parametrize(
    ("source", "start", "end", "text"),
    [
        ("a + b", 0, 1, "a"),
        ("a + b", 0, 3, "a + b"),
        ("{ab}c", 0, 2, "ab"),
        ("{ab}c", 0, 1, "a"),
        ("{ab}c", 1, 3, "bc"),
        ("{a{bc}}d", 1, 3, "bc"),
        (r"\left|x\right|y", 1, 2, "x"),
        (r"x^{2}+y", 0, 2, "x^{2}"),
        (r"\mathop{a+b}c", 0, 2, "a+"),
        ("{ab^2}^3", 1, 4, "{b^2}^3"),
        (r"{\rm ab}c", 1, 2, r"{\rm b}"),
        (r"{\rm ab}c", 1, 3, r"{\rm b}c"),
        (r"x{\bf ab}c", 0, 2, r"x{\bf a}"),
        (r"\mathbf{a+b}c", 2, 3, r"\mathbf{b}"),
        (r"x{a\over b }y", 0, 2, r"x{a\over b }"),
    ],
)
def test_cut(source: str, start: int, end: int, text: str) -> None:
    assert cut(source, canonical(source), start, end) == text


def test_edits_in_any_order() -> None:
    assert edit("abcdef", (1, 5), [((3, 4), "X"), ((1, 2), "")]) == "cXe"


@given(data=st.data())
def test_every_piece_parses_to_its_elements(data: st.DataObject, formulae: st.SearchStrategy[str]) -> None:
    source = data.draw(formulae)
    if r"\left|" in source:
        return  # half a pair of delimiters cannot stand alone
    try:
        row = canonical(source)
    except FormulaError:
        return
    scripts = ("_", "'", "^")
    for start in range(len(row.elements)):
        for end in range(start + 1, len(row.elements) + 1):
            wanted = row.elements[start:end]
            whole = end == len(row.elements) or row.elements[end].label not in scripts
            if wanted[0].label in (*scripts, "{}") or not whole:
                continue
            found = canonical(cut(source, row, start, end)).elements
            assert "".join(e.key for e in found).replace(" ", "") == "".join(e.key for e in wanted).replace(" ", "")
