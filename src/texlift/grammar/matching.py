"""Where a rule's pattern occurs in a row.

A match binds every hole to a span of elements of some row. All matches are enumerated: where a hole may end at
several places (`\\sin x y`, commas inside arguments), each is a match of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from texlift.grammar.rule import Item, Pattern, Rule
from texlift.latex.canonical import Element, Row

__all__ = ["Binding", "Match", "Matcher", "SpanRef", "span_key"]

_SCRIPTS = frozenset("_'^")


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


Binding = tuple["Binding | None", int, SpanRef]
"""Linked list of (rest, hole, span): cheap to extend while backtracking."""


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


class Matcher:
    """Finds one rule in rows. `limit` bounds the number of matches tried at one place."""

    __slots__ = ("inside", "items", "limit", "longest", "rule", "spent")

    def __init__(self, rule: Rule, inside: frozenset[str] | None, limit: int = 200) -> None:
        self.rule = rule
        self.items = rule.pattern.items
        self.inside = inside  # labels that may stand inside a hole without delimiters; None: any
        self.longest = max(rule.longest, 1)
        self.limit = limit
        self.spent = 0

    def at(self, row: Row, start: int, end: int) -> list[Match]:
        """All matches of the rule at `start` that end at or before `end`."""
        self.spent = 0
        matches = []
        for stop, binding, scripts in self._sequence(self.items, 0, row, start, end, None, (), False):
            holes: dict[int, SpanRef] = {}
            while binding is not None:
                binding, hole, span = binding
                holes[hole] = span
            own = tuple([position for position in scripts if position >= 0])
            trailing = tuple([~position for position in scripts if position < 0])
            matches.append(Match(self.rule, row, start, stop, holes, own, trailing))
            if len(matches) >= self.limit:
                break
        return matches

    def _sequence(
        self,
        items: list[Item],
        index: int,
        row: Row,
        at: int,
        end: int,
        binding: Binding | None,
        left: tuple[int, ...],
        anchored: bool,
    ) -> Iterator[tuple[int, Binding | None, tuple[int, ...]]]:
        """Match `items[index:]` from element `at`; anchored means that the row must be used up."""
        if index == len(items):
            if not anchored or at == end:
                yield at, binding, left
            return
        if at >= end:
            return
        self.spent += 1
        if self.spent > 4000:
            return
        item = items[index]
        if item.hole >= 0:
            yield from self._hole(items, index, row, at, end, binding, left, anchored)
            return
        elements = row.elements
        element = elements[at]
        after = at + 1
        if element.label != item.label:
            if not item.letters:
                return
            after = at + len(item.letters)
            if after > end:
                return
            for offset, letter in enumerate(item.letters):
                if elements[at + offset].label != letter:
                    return
        elif len(element.rows) != len(item.rows):
            return
        if item.rows:
            for bound in self._rows(item.rows, 0, element.rows, binding):
                yield from self._behind(items, index, row, after, end, bound, left, anchored)
        else:
            yield from self._behind(items, index, row, after, end, binding, left, anchored)

    def _rows(
        self, patterns: tuple[Pattern, ...], index: int, rows: tuple[Row, ...], binding: Binding | None
    ) -> Iterator[Binding | None]:
        """Match child rows one after the other, each completely."""
        if index == len(patterns):
            yield binding
            return
        pattern = patterns[index]
        row = rows[index]
        if not pattern.items:
            if not row.elements:
                yield from self._rows(patterns, index + 1, rows, binding)
            return
        for _, bound, _ in self._sequence(pattern.items, 0, row, 0, len(row.elements), binding, (), True):
            yield from self._rows(patterns, index + 1, rows, bound)

    def _behind(
        self,
        items: list[Item],
        index: int,
        row: Row,
        at: int,
        end: int,
        binding: Binding | None,
        left: tuple[int, ...],
        anchored: bool,
    ) -> Iterator[tuple[int, Binding | None, tuple[int, ...]]]:
        """Match the scripts behind the core of `items[index]`, then the rest."""
        item = items[index]
        elements = row.elements
        stop = at
        while stop < end and elements[stop].label in _SCRIPTS:
            stop += 1
        if stop == at and not item.scripts:
            yield from self._sequence(items, index + 1, row, stop, end, binding, left, anchored)
            return
        if stop - at < len(item.scripts):
            return
        last = index == len(items) - 1 and not anchored
        if stop - at > len(item.scripts) and not item.point and not last:
            return
        for bound, spare in self._scripts(item.scripts, 0, row, at, stop, binding, ()):
            if not spare or item.point:
                yield from self._sequence(items, index + 1, row, stop, end, bound, left + spare, anchored)
            if spare and last:
                # scripts behind the whole call are literal; their positions are kept complemented
                behind = tuple([~position for position in spare])
                yield from self._sequence(items, index + 1, row, stop, end, bound, left + behind, anchored)

    def _scripts(
        self,
        wanted: list[tuple[str, Pattern | None]],
        index: int,
        row: Row,
        at: int,
        stop: int,
        binding: Binding | None,
        spare: tuple[int, ...],
    ) -> Iterator[tuple[Binding | None, tuple[int, ...]]]:
        """Assign the wanted scripts, in order, to scripts `at:stop`; the others are spare."""
        if index == len(wanted):
            yield binding, (*spare, *range(at, stop))
            return
        if at >= stop:
            return
        kind, pattern = wanted[index]
        element = row.elements[at]
        if element.label == kind:
            if pattern is None:
                yield from self._scripts(wanted, index + 1, row, at + 1, stop, binding, spare)
            else:
                for bound in self._rows((pattern,), 0, element.rows, binding):
                    yield from self._scripts(wanted, index + 1, row, at + 1, stop, bound, spare)
        yield from self._scripts(wanted, index, row, at + 1, stop, binding, (*spare, at))

    def _hole(
        self,
        items: list[Item],
        index: int,
        row: Row,
        at: int,
        end: int,
        binding: Binding | None,
        left: tuple[int, ...],
        anchored: bool,
    ) -> Iterator[tuple[int, Binding | None, tuple[int, ...]]]:
        item = items[index]
        elements = row.elements
        if elements[at].label in _SCRIPTS:
            return
        last = index == len(items) - 1
        if anchored and last and not item.scripts:
            yield from self._bind(items, index, row, at, end, end, end, binding, left, anchored)
            return
        free = not anchored and (last or index == 0)  # no delimiter tells where it ends
        stop = at
        clusters = 0
        while stop < end:
            label = elements[stop].label
            if free and self.inside is not None and clusters and label not in self.inside:
                return
            stop += 1
            while stop < end and elements[stop].label in _SCRIPTS:
                stop += 1
            clusters += 1
            if free and clusters > self.longest:
                return
            content = stop - len(item.scripts)
            if content <= at:
                continue
            if item.scripts:
                bound: Binding | None = binding
                if [e.label for e in elements[content:stop]] != [kind for kind, _ in item.scripts]:
                    continue
                for with_scripts, _ in self._scripts(item.scripts, 0, row, content, stop, bound, ()):
                    yield from self._bind(items, index, row, at, content, stop, end, with_scripts, left, anchored)
            else:
                yield from self._bind(items, index, row, at, stop, stop, end, binding, left, anchored)

    def _bind(
        self,
        items: list[Item],
        index: int,
        row: Row,
        at: int,
        content: int,
        stop: int,
        end: int,
        binding: Binding | None,
        left: tuple[int, ...],
        anchored: bool,
    ) -> Iterator[tuple[int, Binding | None, tuple[int, ...]]]:
        """Bind the hole to `at:content` and go on behind `stop`; a hole used twice must hold the same."""
        if index + 1 < len(items):
            following = items[index + 1]
            if following.hole < 0 and (
                stop >= end
                or (row.elements[stop].label != following.label and not following.letters)
            ):
                return
        hole = items[index].hole
        earlier = binding
        while earlier is not None and earlier[1] != hole:
            earlier = earlier[0]
        if earlier is not None:
            if earlier[2].key != span_key(row, at, content):
                return
            bound: Binding | None = binding
        else:
            bound = (binding, hole, SpanRef(row, at, content))
        yield from self._sequence(items, index + 1, row, stop, end, bound, left, anchored)
