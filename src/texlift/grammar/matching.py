"""Where a rule's pattern occurs in a row.

A match binds every hole to a span of elements of some row. All matches are enumerated: where a hole may end at
several places (`\\sin x y`, commas inside arguments), each is a match of its own.
"""

from __future__ import annotations

from typing import Final

from texlift.grammar.braces import behind_braces
from texlift.grammar.conditions import Conditions
from texlift.grammar.match import Binding, Bound, Match, SpanRef, span_key
from texlift.grammar.pattern import Item, Pattern
from texlift.grammar.rule import Rule
from texlift.grammar.words import in_word
from texlift.latex.canonical import Element, Row

__all__ = ["RELATIONS", "Bound", "Matcher", "first_cluster", "holds"]

_SCRIPTS: Final = frozenset("_'^")
_BARS: Final = frozenset({"|", "\\|"})


class _Scan:
    """What stays the same while one row is matched: `items` with elements up to `end` of `row`.

    Anchored means that the row must be used up; `found` collects the matches.
    """

    __slots__ = ("anchored", "end", "found", "items", "row")

    def __init__(self, items: list[Item], row: Row, end: int, anchored: bool, found: list[_Found]) -> None:
        self.items = items
        self.row = row
        self.end = end
        self.anchored = anchored
        self.found = found


_NO_HOLES: Final[dict[int, SpanRef]] = {}


class Matcher:
    """Finds one rule in rows. `limit` bounds the number of matches at one place."""

    __slots__ = ("conditions", "inside", "kind", "lacks_superscript", "limit", "longest", "rule", "spent")

    def __init__(self, rule: Rule, inside: frozenset[str] | None, limit: int = 200) -> None:
        self.rule = rule
        self.inside = inside  # labels that may stand inside a hole without delimiters; None: any
        self.longest = max(rule.longest, 1)
        self.limit = limit
        self.spent = 0
        self.lacks_superscript = False  # a function without the parameter that it may have as a superscript
        self.kind = -1  # a number a reader gives to rules that match in the same ways
        self.conditions: Conditions | None = None  # what a reader finds that the rule asks for

    def at(self, row: Row, start: int, end: int) -> list[Match]:
        """All matches of the rule at `start` that end at or before `end`."""
        return self.matches(row, start, self.ways(row, start, end))

    def matches(self, row: Row, start: int, ways: list[Bound]) -> list[Match]:
        """The matches of the rule, given the ways to match what it shows."""
        rule = self.rule
        if rule.common:
            ways = [way for way in ways if holds(way[1], rule.common)]
        return [Match(rule, row, start, stop, holes, own, trailing) for stop, holes, own, trailing in ways]

    def ways(self, row: Row, start: int, end: int) -> list[Bound]:
        """All ways to match the pattern at `start` that end at or before `end`."""
        pattern = self.rule.pattern
        if pattern.sole:
            elements = row.elements
            after = start + 1
            element = elements[start]
            bare = not element.rows and (after >= end or elements[after].label not in _SCRIPTS)
            if bare and element.label == pattern.items[0].label:
                return [(after, _NO_HOLES, (), ())]  # a symbol alone: one rule in three
        self.spent = 0
        found: list[_Found] = []
        self._sequence(_Scan(pattern.items, row, end, False, found), 0, start, None, ())
        ways: list[Bound] = []
        for stop, binding, scripts in found[: self.limit]:
            holes = _NO_HOLES
            if binding is not None:
                holes = {}
                while binding is not None:
                    holes[binding.hole] = binding.span
                    binding = binding.rest
            own = trailing = scripts
            if scripts:
                own = tuple([position for position in scripts if position >= 0])
                trailing = tuple([~position for position in scripts if position < 0])
            ways.append((stop, holes, own, trailing))
        return ways

    def _sequence(self, scan: _Scan, index: int, at: int, binding: Binding | None, left: tuple[int, ...]) -> None:
        """Match `items[index:]` from element `at`.

        A loop over what has one way to match; calls itself only where there are several.
        """
        items, end, anchored, found = scan.items, scan.end, scan.anchored, scan.found
        elements = scan.row.elements
        count = len(items)
        while True:
            if index == count:
                if not anchored or at == end:
                    found.append((at, binding, left))
                return
            if at >= end:
                return
            item = items[index]
            if item.hole >= 0:
                self.spent += 1
                if self.spent <= _MOST_WORK and len(found) <= self.limit:
                    self._hole(scan, index, at, binding, left)
                return
            element = elements[at]
            if element.label == item.label:
                after = at + 1
                if len(element.rows) != len(item.rows):
                    return
                if item.rows:
                    bindings = self._rows(item.rows, element.rows, binding)
                    if len(bindings) != 1:
                        for bound in bindings:
                            self._behind(scan, index, after, bound, left)
                        return
                    binding = bindings[0]
            else:
                letters = item.letters
                after = at + len(letters)
                if not letters or after > end:
                    return
                for offset, letter in enumerate(letters):
                    if elements[at + offset].label != letter:
                        return
                if in_word(elements, at, after):
                    return
            if item.scripts or (after < end and elements[after].label in _SCRIPTS):
                self._behind(scan, index, after, binding, left)
                return
            at = after
            index += 1

    def _rows(
        self, patterns: tuple[Pattern, ...], rows: tuple[Row, ...], binding: Binding | None
    ) -> list[Binding | None]:
        """All bindings with which every row matches its pattern completely."""
        if len(patterns) == 1 and patterns[0].only >= 0:  # `_{#1}`, `\\left(#1\\right)`: most rows
            row = rows[0]
            if not row.elements or row.elements[0].label in _SCRIPTS:
                return []
            bound = _bound(binding, patterns[0].only, row, 0, len(row.elements))
            return [] if bound is None else [bound]
        bindings = [binding]
        for pattern, row in zip(patterns, rows, strict=True):
            elements = row.elements
            hole = pattern.only
            if hole >= 0:
                if not elements or elements[0].label in _SCRIPTS:
                    return []
                ways = [_bound(bound, hole, row, 0, len(elements)) for bound in bindings]
                bindings = [way for way in ways if way is not None]
                if not bindings:
                    return []
                continue
            items = pattern.items
            if not items:
                if elements:
                    return []
                continue
            found: list[_Found] = []
            scan = _Scan(items, row, len(elements), True, found)
            for bound in bindings:
                self._sequence(scan, 0, 0, bound, ())
            if not found:
                return []
            bindings = [bound for _, bound, _ in found]
        return bindings

    def _behind(self, scan: _Scan, index: int, at: int, binding: Binding | None, left: tuple[int, ...]) -> None:
        """Match the scripts behind the core of `items[index]`, then the rest."""
        items, row, end = scan.items, scan.row, scan.end
        item = items[index]
        elements = row.elements
        stop = at
        while stop < end and elements[stop].label in _SCRIPTS:
            stop += 1
        wanted = len(item.scripts)
        if stop - at < wanted:
            return
        last = index == len(items) - 1 and not scan.anchored
        if stop - at > wanted and not item.point and not last:
            return
        if stop - at == wanted:  # no choice which script is which
            bindings = [binding]
            for kind, pattern in item.scripts:
                element = elements[at]
                if element.label != kind:
                    return
                if pattern is not None:
                    patterns = (pattern,)
                    if len(bindings) == 1:
                        bindings = self._rows(patterns, element.rows, bindings[0])
                    else:
                        bindings = [way for bound in bindings for way in self._rows(patterns, element.rows, bound)]
                    if not bindings:
                        return
                at += 1
            for bound in bindings:
                self._sequence(scan, index + 1, stop, bound, left)
            return
        for bound, spare in self._scripts(item.scripts, 0, row, at, stop, binding, ()):
            if not spare or item.point:
                self._sequence(scan, index + 1, stop, bound, left + spare)
            if spare and last:
                # scripts behind the whole call are literal; their positions are kept complemented
                behind = tuple([~position for position in spare])
                self._sequence(scan, index + 1, stop, bound, left + behind)

    def _scripts(
        self,
        wanted: list[tuple[str, Pattern | None]],
        index: int,
        row: Row,
        at: int,
        stop: int,
        binding: Binding | None,
        spare: tuple[int, ...],
    ) -> list[tuple[Binding | None, tuple[int, ...]]]:
        """Assign the wanted scripts, in order, to scripts `at:stop`; the others are spare."""
        if index == len(wanted):
            return [(binding, (*spare, *range(at, stop)))]
        if stop - at < len(wanted) - index:
            return []
        kind, pattern = wanted[index]
        element = row.elements[at]
        ways: list[tuple[Binding | None, tuple[int, ...]]] = []
        if element.label == kind:
            for bound in [binding] if pattern is None else self._rows((pattern,), element.rows, binding):
                ways += self._scripts(wanted, index + 1, row, at + 1, stop, bound, spare)
        ways += self._scripts(wanted, index, row, at + 1, stop, binding, (*spare, at))
        return ways

    def _hole(self, scan: _Scan, index: int, at: int, binding: Binding | None, left: tuple[int, ...]) -> None:
        """Bind the hole at `index` to every span that starts at `at` and lets the rest match."""
        items, row, end, anchored, found = scan.items, scan.row, scan.end, scan.anchored, scan.found
        item = items[index]
        elements = row.elements
        if elements[at].label in _SCRIPTS or (not anchored and elements[at].label in _BETWEEN):
            return
        last = index == len(items) - 1
        if anchored and last and not item.scripts:
            self._bind(scan, index, (at, end, end), binding, left)
            return
        free = not anchored and (last or index == 0)  # no delimiter tells where it ends
        if free and last and index and row.dissolved and not item.scripts:
            stop = behind_braces(row, at, end)
            if stop:
                self._bind(scan, index, (at, stop, stop), binding, left)
                return
        fence = items[index + 1].label if not (free or last) and " " in items[index + 1].label else ""
        stop = at
        clusters = 0
        inside = self.inside
        most = self.limit if anchored or free else min(self.limit, len(found) + _MOST_ENDS)
        while stop < end:
            if free and not clusters:
                stop = first_cluster(elements, at, end)
            else:
                label = elements[stop].label
                if not anchored and (label in RELATIONS or (fence and stop > at and elements[stop - 1].label == fence)):
                    return  # without a bracket around it an argument ends before the next relation or list of arguments
                if (
                    free
                    and inside is not None
                    and label not in inside
                    and not _continues(elements[stop - 1].label, label)
                ):
                    return
                stop += 1
                while stop < end and elements[stop].label in _SCRIPTS:
                    stop += 1
            clusters += 1
            if clusters > (self.longest if free else _WIDEST) or len(found) > most:
                return
            content = stop - len(item.scripts)
            if content <= at:
                continue
            if item.scripts:
                if [e.label for e in elements[content:stop]] != [kind for kind, _ in item.scripts]:
                    continue
                for bound, _ in self._scripts(item.scripts, 0, row, content, stop, binding, ()):
                    self._bind(scan, index, (at, content, stop), bound, left)
            else:
                self._bind(scan, index, (at, stop, stop), binding, left)

    def _bind(
        self, scan: _Scan, index: int, span: tuple[int, int, int], binding: Binding | None, left: tuple[int, ...]
    ) -> None:
        """Bind the hole to `at:content` of `span` and go on behind its `stop`; a hole used twice must hold the same."""
        items, row, end = scan.items, scan.row, scan.end
        at, content, stop = span
        if index + 1 < len(items):
            following = items[index + 1]
            if following.hole < 0 and (
                stop >= end or (row.elements[stop].label != following.label and not following.letters)
            ):
                return
        bound = _bound(binding, items[index].hole, row, at, content)
        if bound is not None:
            self._sequence(scan, index + 1, stop, bound, left)


def _bound(binding: Binding | None, hole: int, row: Row, start: int, end: int) -> Binding | None:
    """The binding with the hole bound to a span; None if it is bound already, and to something else."""
    earlier = binding
    while earlier is not None and earlier.hole != hole:
        earlier = earlier.rest
    if earlier is None:
        return Binding(binding, hole, SpanRef(row, start, end))
    return binding if earlier.span.key == span_key(row, start, end) else None


def first_cluster(elements: list[Element], at: int, end: int) -> int:
    """Where the symbol at `at` ends with its scripts; `|x|` is one symbol."""
    stop = at + 1
    if elements[at].label in _BARS:
        for index in range(stop + 1, end):
            if elements[index].label == elements[at].label:
                stop = index + 1
                break
    while stop < end and elements[stop].label in _SCRIPTS:
        stop += 1
    return stop


def _continues(label: str, following: str) -> bool:
    """Whether an argument certainly continues: `\\ln\\ln x`, and behind a number, `\\cos2mz`."""
    if label[0].isdigit():
        return len(following) == 1 and following.isalpha()
    return len(label) > 1 and label.isalpha() and following.isalpha()


def holds(holes: dict[int, SpanRef], labels: tuple[str, ...]) -> bool:
    """Whether the contents of the holes have all these labels."""
    present = {element.label for span in holes.values() for element in span.elements}
    return all(label in present for label in labels)


_Found = tuple[int, Binding | None, tuple[int, ...]]
"""Where a match ends, what the holes are bound to, which scripts are spare."""

_SIGNS = "leq geq neq equiv sim approx propto in notin to implies iff"
RELATIONS: Final = frozenset(["=", "<", ">", *(f"\\{name}" for name in _SIGNS.split())])
_BETWEEN: Final = RELATIONS | frozenset(",;:.")  # no argument without a bracket around it starts with one of these
_MOST_WORK: Final = 4000  # holes tried for one rule at one place
_WIDEST: Final = 300  # symbols in one argument of a list, or between bars
_MOST_ENDS: Final = 12  # of an argument that ends at a bar or bracket of the row it stands in: the nearest ones
