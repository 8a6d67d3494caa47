"""What stands in a source around some elements of a row without being seen: spacing, braces, wrappers."""

from __future__ import annotations

from functools import lru_cache

from texlift.errors import Span
from texlift.latex.canonical import Row, canonical

__all__ = ["around", "frame", "framed", "reach", "text_before", "text_behind", "unspaced"]


def reach(row: Row, start: int, end: int) -> tuple[Span, Span]:
    """Of elements `start:end`: where they stand, and where their neighbours, or the row, leave off."""
    elements = row.elements
    some = elements[start:end]
    left, right = min([e.start for e in some]), max([e.end for e in some])
    low = max([row.start, *[e.end for e in elements[:start]]])
    high = min([row.end, *[e.start for e in elements[end:]]])
    return (left, right), (min(low, left), max(high, right))


def around(source: str, row: Row, start: int, end: int) -> tuple[str, str]:
    """What stands directly before and behind elements `start:end`, up to their neighbours."""
    (left, right), (low, high) = reach(row, start, end)
    return source[low:left], source[right:high]


def unspaced(text: str) -> str:
    """Text without white space."""
    return "".join(text.split())


@lru_cache(maxsize=8192)
def frame(template: str) -> tuple[str, str]:
    """What a template has before its first symbol and behind its last one, without white space."""
    row = canonical(template)
    if not row.elements:
        return "", ""
    before, behind = around(template, row, 0, len(row.elements))
    return unspaced(before), unspaced(behind)


def framed(source: str, row: Row, start: int, end: int, template: str) -> Span | None:
    """Where elements `start:end` stand together with what the template has around them; None if that is not there.

    If only one side of it is, and is complete by itself, that side.
    """
    lead, tail = frame(template)
    if not (lead or tail):
        return None
    (left, right), (low, high) = reach(row, start, end)
    first, last = text_before(source, low, left, lead), text_behind(source, right, high, tail)
    if first >= 0 and last >= 0:
        return first, last
    if first >= 0 and lead and _closed(lead):
        return first, right
    if last >= 0 and tail and _closed(tail):
        return left, last
    return None


def text_before(source: str, low: int, at: int, text: str) -> int:
    """Where `text` starts that ends at `at` in the source, white space aside; -1 if it is not there."""
    for character in reversed(text):
        at -= 1
        while at >= low and source[at].isspace():
            at -= 1
        if at < low or source[at] != character:
            return -1
    return at


def text_behind(source: str, at: int, high: int, text: str) -> int:
    """Where `text` ends that starts at `at` in the source, white space aside; -1 if it is not there."""
    for character in text:
        while at < high and source[at].isspace():
            at += 1
        if at >= high or source[at] != character:
            return -1
        at += 1
    return at if not text or _ends(source, at, high) else -1


def _ends(source: str, at: int, high: int) -> bool:
    """Whether a command that ends at `at` does not go on: `\\quad` is no part of `\\quadrature`."""
    if at >= high or not source[at].isalpha() or not source[at - 1].isalpha():
        return True
    while at and source[at - 1].isalpha():
        at -= 1
    return not at or source[at - 1] != "\\"


def _closed(text: str) -> bool:
    """Whether every brace in a text has its partner there."""
    depth = 0
    for character in text:
        depth += (character == "{") - (character == "}")
        if depth < 0:
            return False
    return depth == 0
