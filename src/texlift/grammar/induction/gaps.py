"""Calls that no rule explains yet, and what they can stand for.

Where several such calls stand in one row (`\\radMathieuMs{3}{n}@@{z}{h}\\radMathieuMs{4}{m}@@{z}{h}`), nothing says
where one ends and the next begins. All ways to cut the row are listed; which is right, the votes of the rules they
suggest decide.
"""

from __future__ import annotations

from collections.abc import Iterator

from texlift.grammar.induction.alignment import Aligner, Gap
from texlift.latex.canonical import CallElement, Element, Row

__all__ = ["cuts"]

_SCRIPTS = frozenset("_'^")
_MOST_CUTS = 60  # of one pair
_MOST_STEPS = 4000


def cuts(aligner: Aligner, semantic: Row, generic: Row, most_gaps: int) -> list[Gap]:
    """The gaps of all ways to align a pair with at most `most_gaps` calls of the row unexplained, each gap once."""
    search = _Search(aligner)
    found: dict[tuple[int, int, int, int], Gap] = {}
    elements = generic.elements
    for number, gaps in enumerate(search.row(semantic.elements, 0, generic, 0, len(elements), most_gaps)):
        if number == _MOST_CUTS:
            break
        for gap in gaps:
            found[id(gap.call), id(gap.row), gap.start, gap.end] = gap
    return list(found.values())


class _Search:
    """Backtracking over the extents of unexplained calls, within a budget."""

    def __init__(self, aligner: Aligner) -> None:
        self.aligner = aligner
        self.steps = _MOST_STEPS

    def row(
        self, items: list[Element], index: int, row: Row, at: int, end: int, most: int
    ) -> Iterator[tuple[Gap, ...]]:
        """All ways to align `items[index:]` with elements `at:end` of `row`."""
        self.steps -= 1
        if self.steps < 0:
            return
        if index == len(items):
            if at == end:
                yield ()
            return
        if at >= end:
            return
        item = items[index]
        if isinstance(item, CallElement):
            yield from self._call(item, items, index, row, at, end, most)
            return
        element = row.elements[at]
        if element.label != item.label or len(element.rows) != len(item.rows):
            return
        inside: tuple[Gap, ...] = ()
        for child, semantic in zip(element.rows, item.rows, strict=True):
            ways = self.row(semantic.elements, 0, child, 0, len(child.elements), most)
            first = next(ways, None)
            if first is None:
                return
            inside += first
            for other in ways:
                inside += other  # ways to cut a row below do not depend on the rest: one list holds them all
        for rest in self.row(items, index + 1, row, at + 1, end, most):
            yield inside + rest

    def _call(
        self, call: CallElement, items: list[Element], index: int, row: Row, at: int, end: int, most: int
    ) -> Iterator[tuple[Gap, ...]]:
        explained = False
        for stop, behind in self.aligner.explained(call, items, index, row, at, end):
            explained = True
            yield from self.row(items, behind, row, stop, end, most)
        if explained or not most:
            return
        scripted = index + 1 < len(items) and items[index + 1].label in _SCRIPTS
        for stop in range(at + 1, end + 1):
            if stop < end and row.elements[stop].label in _SCRIPTS and not scripted:
                continue  # a symbol's scripts are not torn off it
            for rest in self.row(items, index + 1, row, stop, end, most - 1):
                yield (Gap(call, row, at, stop), *rest)
