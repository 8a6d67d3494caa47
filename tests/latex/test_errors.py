"""What a person sees when a formula is broken: message, place, caret, hint."""

from __future__ import annotations

import json

import pytest

from texlift.errors import FormulaError, TexliftError
from texlift.latex.parser import parse


def broken(source: str) -> FormulaError:
    with pytest.raises(FormulaError) as caught:
        parse(source)
    return caught.value


def test_the_whole_message() -> None:
    assert str(broken(r"\frac{a}{b")) == (
        "line 1, column 9: { is never closed\n"
        "\\frac{a}{b\n"
        "        ^\n"
        "hint: add the missing }"
    )  # fmt: skip


def test_place_in_several_lines() -> None:
    error = broken("a+\nb+}\nc")
    assert (error.line, error.column) == (2, 3)
    assert error.excerpt() == "b+}\n  ^"


def test_long_lines_are_cut_around_the_place() -> None:
    error = broken("x" * 500 + "}" + "y" * 500)
    line, caret = error.excerpt().splitlines()
    assert len(line) < 90
    assert line[caret.index("^")] == "}"
    assert line.startswith("…")
    assert line.endswith("…")


def test_unprintable_characters_do_not_reach_the_terminal() -> None:
    with pytest.raises(FormulaError) as caught:
        parse("a\x1b[2Jb")
    assert "\x1b" not in str(caught.value)


def test_json_form() -> None:
    record = broken(r"x^{1").as_dict()
    assert record == {
        "code": "syntax",
        "message": "{ is never closed",
        "position": 2,
        "end": 3,
        "line": 1,
        "column": 3,
        "hint": "add the missing }",
    }
    json.dumps(record)


def test_one_family() -> None:
    assert issubclass(FormulaError, TexliftError)


def test_place_at_the_very_end_has_a_caret() -> None:
    error = FormulaError("something is missing", "abc", (3, 3))
    assert error.excerpt() == "abc\n   ^"
    assert FormulaError("empty", "", (0, 0)).excerpt() == "\n^"
