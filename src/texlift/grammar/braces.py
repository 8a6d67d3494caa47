"""The author's braces: what stands in `{...}` belongs together, and no reading takes a part of it away."""

from __future__ import annotations

from texlift.latex.canonical import Row

__all__ = ["behind_braces", "crosses", "groups"]

Group = tuple[int, int]
"""First element and element behind the last of what stood in one pair of braces."""


def groups(row: Row) -> list[Group]:
    """The groups of a row of two elements or more, in which braces (or a command's argument) were dissolved."""
    found: list[Group] = []
    elements = row.elements
    for opening, closing in row.dissolved:
        inside = [at for at, element in enumerate(elements) if opening[1] <= element.start < closing[0]]
        if len(inside) > 1:
            found.append((inside[0], inside[-1] + 1))
    return found


def crosses(some: list[Group], start: int, end: int) -> bool:
    """Whether elements `start:end` hold a part of a group together with something outside it."""
    return any((start < first < end < last) or (first < start < last < end) for first, last in some)


def behind_braces(row: Row, at: int, end: int) -> int:
    """Where braces end, scripts included, that open just before element `at`; 0 if none do.

    Whoever writes `\\log{c\\log{x}}` says what the argument is.
    """
    elements = row.elements
    before = elements[at - 1].end if at else row.start
    for opening, closing in row.dissolved:
        if opening[1] - opening[0] == 1 and before <= opening[0] and opening[1] <= elements[at].start < closing[0]:
            stop = at
            while stop < end and elements[stop].start < closing[0]:
                stop += 1
            while stop < end and elements[stop].label in "_'^":
                stop += 1
            return stop
    return 0
