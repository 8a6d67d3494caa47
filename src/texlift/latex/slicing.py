"""Cutting pieces out of the source and replacing parts of them, with braces kept balanced."""

from __future__ import annotations

import re

from texlift.errors import Span
from texlift.latex.canonical import Row
from texlift.latex.presentation import presentation

__all__ = ["cut", "edit", "piece"]

_SCRIPT = re.compile(r"\s*[_^']")
_COMMAND = re.compile(r"\\[A-Za-z]+")


def piece(row: Row, start: int, end: int, tight: bool = False) -> tuple[Span, list[Span]]:
    """Source span of elements `start:end`, and braces inside it that must go to keep it balanced.

    A dissolved pair of braces of which only one lies inside the span is widened to if the other touches the
    span, and otherwise dropped. All elements of a row are all of its source, spaces and style switches around them
    included, unless it is to be `tight`.
    """
    if start == 0 and end == len(row.elements) and not tight:
        return (row.start, row.end), []
    if end - start == 1:
        element = row.elements[start]
        left, right = element.start, element.end
    else:
        elements = row.elements[start:end]
        left = min([element.start for element in elements])
        right = max([element.end for element in elements])
    if not row.dissolved:
        return (left, right), []
    dropped: list[Span] = []
    changed = True
    while changed:
        changed = False
        dropped = []
        for opening, closing in row.dissolved:
            has_opening = left <= opening[0] and opening[1] <= right
            has_closing = left <= closing[0] and closing[1] <= right
            if has_opening == has_closing:
                continue
            if has_closing and opening[1] == left:
                left = opening[0]
                changed = True
            elif has_opening and closing[0] == right:
                right = closing[1]
                changed = True
            else:
                dropped.append(closing if has_closing else opening)
    return (left, right), dropped


def edit(source: str, span: Span, edits: list[tuple[Span, str]]) -> str:
    """`source[span]` with parts replaced; edits are spans in `source`, sorted or not, not overlapping."""
    parts = []
    at = span[0]
    for (start, end), text in sorted(edits, key=lambda item: item[0]):
        parts.append(source[at:start])
        parts.append(text)
        at = end
    parts.append(source[at : span[1]])
    return "".join(parts)


def cut(source: str, row: Row, start: int, end: int) -> str:
    """The source of elements `start:end`, balanced, in the font that holds there: `b` of `{\\rm ab}` is `{\\rm b}`."""
    span, dropped = piece(row, start, end)
    edits: list[tuple[Span, str]] = []
    for opening, closing in reversed(row.dissolved):  # the outermost first
        written = source[opening[0] : opening[1]]
        if not _sets_font(written):
            if closing not in dropped or not _SCRIPT.match(source, closing[1]):
                continue
            written = "{"  # `{ab^{2}}^{3}`: scripts of the group must not meet those inside it
        if opening in dropped:
            dropped.remove(opening)
            edits.append(((span[1], span[1]), "}"))
        elif closing in dropped:
            dropped.remove(closing)
            edits.append(((span[0], span[0]), written))
        elif opening[1] <= span[0] and span[1] <= closing[0]:
            edits += [((span[0], span[0]), written), ((span[1], span[1]), "}")]
    return edit(source, span, edits + [(brace, "") for brace in dropped])


def _sets_font(opening: str) -> bool:
    if "\\" not in opening:
        return False
    table = presentation()
    return any(name in table.fonts or name in table.font_switches for name in _COMMAND.findall(opening))
