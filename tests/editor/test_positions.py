"""Places of the editor and offsets of the text are the same places."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from texlift.editor.positions import Lines, applied, unchanged

TEXTS = st.text(st.sampled_from("a$\\é𝔸\u2028\f\r\n"), max_size=30)


@pytest.mark.parametrize(
    ("encoding", "column"), [("utf-8", len("𝔸é ".encode())), ("utf-16", 4), ("utf-32", 3)], ids=lambda value: str(value)
)
def test_columns_are_code_units_of_the_agreed_encoding(encoding: str, column: int) -> None:
    lines = Lines("one\n𝔸é $x$", encoding)
    assert lines.position(7) == types.Position(1, column)
    assert lines.offset(types.Position(1, column)) == 7


def test_only_line_feeds_and_carriage_returns_end_lines() -> None:
    lines = Lines("a\r\nb\rc\nd\fe\u2028f\x0bg")
    assert [lines.position(at).line for at in (0, 3, 5, 7, 9, 13)] == [0, 1, 2, 3, 3, 3]


@given(TEXTS, st.sampled_from(["utf-8", "utf-16", "utf-32"]))
def test_every_offset_comes_back(text: str, encoding: str) -> None:
    lines = Lines(text, encoding)
    for offset in range(len(text) + 1):
        if text[offset - 1 : offset + 1] != "\r\n":  # between the two there is no position
            assert lines.offset(lines.position(offset)) == offset


def test_positions_outside_of_the_text_are_its_nearest_place() -> None:
    lines = Lines("ab\n𝔸c")
    assert lines.offset(types.Position(0, 99)) == 2
    assert lines.offset(types.Position(99, 0)) == 5
    assert lines.offset(types.Position(1, 1)) == 3  # the middle of a character
    assert lines.position(99) == types.Position(1, 3)


@given(TEXTS, TEXTS, st.data())
def test_an_edit_replaces_what_it_names(text: str, new: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    if "\r\n" in (text[start - 1 : start + 1], text[end - 1 : end + 1]):
        return
    change = types.TextDocumentContentChangePartial(Lines(text).range(start, end), new)
    assert applied(text, change) == text[:start] + new + text[end:]


@given(TEXTS, TEXTS)
def test_unchanged_ends_are_the_longest(old: str, new: str) -> None:
    before, behind = unchanged(old, new)
    assert old[:before] == new[:before]
    assert old[len(old) - behind :] == new[len(new) - behind :]
    shorter = min(len(old), len(new))
    assert before + behind <= shorter
    assert before == shorter or old[before] != new[before]
