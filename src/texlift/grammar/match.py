"""What a match is: a rule at some elements of a row, and what its holes are bound to."""

from __future__ import annotations

from texlift.grammar.rule import Rule
from texlift.latex.canonical import Element, Row

__all__ = ["Binding", "Bound", "Match", "SpanRef", "span_key"]


class SpanRef:
    """Elements `start:end` of `row`: what a hole is bound to."""

    __slots__ = ("end", "row", "start")

    def __init__(self, row: Row, start: int, end: int) -> None:
        self.row = row
        self.start = start
        self.end = end

    @property
    def elements(self) -> list[Element]:
        return self.row.elements[self.start : self.end]

    @property
    def whole(self) -> bool:
        """Whether it is the entire row."""
        return self.start == 0 and self.end == len(self.row.elements)

    @property
    def key(self) -> str:
        return span_key(self.row, self.start, self.end)


def span_key(row: Row, start: int, end: int) -> str:
    """Canonical text of a span."""
    if start == 0 and end == len(row.elements):
        return row.key
    return " ".join([element.key for element in row.elements[start:end]])


Bound = tuple[int, dict[int, SpanRef], tuple[int, ...], tuple[int, ...]]
"""A way to match a pattern: where it ends, what the holes are bound to, scripts of the call, scripts behind it."""


class Binding:
    """What `hole` is bound to, and the `rest` of the holes: a linked list, cheap to extend while backtracking."""

    __slots__ = ("hole", "rest", "span")

    def __init__(self, rest: Binding | None, hole: int, span: SpanRef) -> None:
        self.rest = rest
        self.hole = hole
        self.span = span


class Match:
    """A rule found at `start:end` of a row.

    `holes[k]` is what hole k is bound to; `scripts` are the positions of scripts that belong to the call (its
    primes, powers) and not to the pattern, `trailing` those that stand literally behind the call.
    """

    __slots__ = ("end", "holes", "row", "rule", "scripts", "start", "trailing")

    def __init__(
        self,
        rule: Rule,
        row: Row,
        start: int,
        end: int,
        holes: dict[int, SpanRef],
        scripts: tuple[int, ...],
        trailing: tuple[int, ...],
    ) -> None:
        self.rule = rule
        self.row = row
        self.start = start
        self.end = end
        self.holes = holes
        self.scripts = scripts
        self.trailing = trailing
