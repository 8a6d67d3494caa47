"""Which rule produced which part of a generic formula, given its semantic side.

The semantic row is walked along the generic row: literal elements must be equal, calls must match one of
their rules, with the contents of the holes aligned to the arguments in turn. The result is the derivation: for
every place that was visited, the match that stands there or None for a literal element.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from texlift.grammar.match import Match
from texlift.grammar.matching import Matcher
from texlift.grammar.rule import Rule, layout
from texlift.latex.canonical import CallElement, Element, Row
from texlift.macros.semantic import Language, packaged_language

__all__ = ["Aligner", "Alignment", "Gap", "Step"]

_SCRIPTS = frozenset("_'^")
_MOST_CALLS = 150  # calls in a row or inside each other; each is a level of recursion
_BUDGET = 20_000  # element comparisons for one pair; the longest pair of the DLMF needs a tenth


@dataclass(frozen=True, slots=True)
class Step:
    """At element `position` of `row` stands `match`, the print of `call`, or a literal element."""

    row: Row
    position: int
    match: Match | None
    call: CallElement | None = None


@dataclass(frozen=True, slots=True)
class Gap:
    """A call that no rule explains, standing for elements `start:end` of `row`."""

    call: CallElement
    row: Row
    start: int
    end: int


@dataclass(slots=True)
class Alignment:
    """A derivation; with `gaps`, for calls without a rule, if they were allowed."""

    steps: list[Step] = field(default_factory=list)
    gaps: list[Gap] = field(default_factory=list)

    def __add__(self, other: Alignment) -> Alignment:
        return Alignment(self.steps + other.steps, self.gaps + other.gaps)


class Aligner:
    """Aligns pairs of a language with a set of rules; `gaps` is how many unexplained calls each row may have."""

    def __init__(self, rules: Iterable[Rule], gaps: int = 0, language: Language | None = None) -> None:
        self.gaps = gaps
        self.language = language or packaged_language()
        self.matchers: dict[str, list[Matcher]] = defaultdict(list)
        for rule in rules:
            # any extent of a bare argument may be gold: no limit on labels inside, a wide one on length
            wide = Rule(rule.call, rule.generic, rule.count, 40)  # and no common labels asked for
            matcher = Matcher(wide, None)
            matcher.rule = rule
            matcher.open = True
            self.matchers[rule.name].append(matcher)
        self._budget = 0
        self._depth = 0

    def align(self, semantic: Row, generic: Row) -> Alignment | None:
        """The derivation of `generic` from `semantic`, or None if the rules do not explain it."""
        self._budget = _BUDGET
        self._depth = 0
        return self.span(semantic.elements, generic, 0, len(generic.elements))

    def knows(self, call: CallElement) -> bool:
        """Whether there is a rule for calls like this one."""
        return any(self.fits(matcher.rule, call) for matcher in self.matchers.get(call.label, ()))

    def span(self, items: list[Element], row: Row, start: int, end: int, gaps: int | None = None) -> Alignment | None:
        """Align semantic `items` with elements `start:end` of `row`."""
        return self._from(items, 0, row, start, end, self.gaps if gaps is None else gaps)

    def _from(self, items: list[Element], index: int, row: Row, at: int, end: int, gaps: int) -> Alignment | None:
        done = Alignment()
        elements = row.elements
        while index < len(items):
            self._budget -= 1
            if self._budget < 0 or at >= end:
                return None
            item = items[index]
            if isinstance(item, CallElement):
                if self._depth >= _MOST_CALLS:
                    return None
                self._depth += 1
                rest = self._call(item, items, index, row, at, end, gaps)
                self._depth -= 1
                return None if rest is None else done + rest
            element = elements[at]
            if element.label != item.label or len(element.rows) != len(item.rows):
                return None
            if element.label not in _SCRIPTS:
                done.steps.append(Step(row, at, None))
            for child, semantic in zip(element.rows, item.rows, strict=True):
                inner = self.span(semantic.elements, child, 0, len(child.elements))
                if inner is None:
                    return None
                done += inner
            index += 1
            at += 1
        return done if at == end else None

    def _call(
        self, call: CallElement, items: list[Element], index: int, row: Row, at: int, end: int, gaps: int
    ) -> Alignment | None:
        for match, inner, behind in self._matches(call, items, index, row, at, end):
            rest = self._from(items, behind, row, match.end, end, gaps)
            if rest is not None:
                return Alignment([Step(row, at, match, call)]) + inner + rest
        if gaps:
            for stop in range(at + 1, end + 1):
                rest = self._from(items, index + 1, row, stop, end, gaps - 1)
                if rest is not None:
                    return Alignment([], [Gap(call, row, at, stop)]) + rest
        return None

    def explained(
        self, call: CallElement, items: list[Element], index: int, row: Row, at: int, end: int
    ) -> Iterator[tuple[int, int]]:
        """Where rules say that a call ends in the generic row, and which semantic item comes behind it."""
        self._budget = _BUDGET
        for match, _, behind in self._matches(call, items, index, row, at, end):
            yield match.end, behind

    def _matches(
        self, call: CallElement, items: list[Element], index: int, row: Row, at: int, end: int
    ) -> Iterator[tuple[Match, Alignment, int]]:
        """Matches that explain a call, with the derivation of what they hold and the index of the item behind."""
        for matcher in self.matchers.get(call.label, ()):
            if not self.fits(matcher.rule, call):
                continue
            for match in matcher.at(row, at, end):
                inner = self._contents(call, match)
                if inner is None:
                    continue
                behind = index + 1 + len(match.trailing)
                literal = self._scripts(items[index + 1 : behind], match, match.trailing)
                if literal is not None:
                    yield match, inner + literal, behind

    def _contents(self, call: CallElement, match: Match) -> Alignment | None:
        """Align what the holes and the call's scripts hold."""
        done = self._scripts(call.scripts, match, match.scripts)
        if done is None:
            return None
        for argument_index, argument in enumerate(match.rule.shape.arguments):
            if isinstance(argument, int):
                hole = match.holes[argument]
                inner = self.span(call.rows[argument_index].elements, hole.row, hole.start, hole.end)
                if inner is None:
                    return None
                done += inner
        return done

    def _scripts(self, items: list[Element], match: Match, positions: tuple[int, ...]) -> Alignment | None:
        """Align semantic scripts with the scripts at `positions`."""
        if len(items) != len(positions):
            return None
        done = Alignment()
        for position, wanted in zip(positions, items, strict=True):
            element = match.row.elements[position]
            if element.label != wanted.label or len(element.rows) != len(wanted.rows):
                return None
            for child, semantic in zip(element.rows, wanted.rows, strict=True):
                inner = self.span(semantic.elements, child, 0, len(child.elements))
                if inner is None:
                    return None
                done += inner
        return done

    def fits(self, rule: Rule, call: CallElement) -> bool:
        """Whether the call has the rule's layout and constants."""
        shape = rule.shape
        if shape.layout != layout(call.node):
            return False
        for index, argument in enumerate(shape.arguments):
            if isinstance(argument, int) and not call.rows[index].elements:
                return False
        return all(call.rows[index].key == self.language.key(constant) for index, constant in rule.constants)
