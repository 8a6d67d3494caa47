"""Cutting pieces out of the source and replacing parts of them, with braces kept balanced."""

from __future__ import annotations

from texlift.errors import Span
from texlift.latex.canonical import Row

__all__ = ["cut", "edit", "piece"]


def piece(row: Row, start: int, end: int) -> tuple[Span, list[Span]]:
    """Source span of elements `start:end`, and braces inside it that must go to keep it balanced.

    A dissolved pair of braces of which only one lies inside the span is widened to if the other touches the
    span, and otherwise dropped.
    """
    if start == 0 and end == len(row.elements):
        return (row.start, row.end), []
    left = min(element.start for element in row.elements[start:end])
    right = max(element.end for element in row.elements[start:end])
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
    """The source of elements `start:end`, balanced."""
    span, dropped = piece(row, start, end)
    return edit(source, span, [(brace, "") for brace in dropped])
