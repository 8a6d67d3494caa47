"""The packed forest of readings: for every place of a formula, all rules that may stand there.

A place is an element of a row that is not a script. Its readings are the literal one and every match of a rule
that starts there. The forest is packed: a match refers to spans of rows, and what can stand inside a span is
found once, whatever match it belongs to.

Bound: a row of n elements has n places; at each, a rule has at most one match per way to place the ends of
its holes. Holes closed by delimiters end at one of at most n separators, holes without at one of at most
`longest` elements, so r rules with h holes give O(r n^h) matches of a row, with h = 1 but for argument lists;
MAX_READINGS caps a place and MAX_SIZE a formula, and the caps are reported.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Final

from texlift.grammar.grammar import Grammar
from texlift.grammar.matching import Bound, Match, Matcher
from texlift.latex.canonical import Row

__all__ = ["MAX_READINGS", "MAX_SIZE", "Candidates", "Forest", "Reader", "identity"]

MAX_READINGS = 60
"""Readings kept at one place besides the literal one."""

MAX_SIZE = 60_000
"""Readings of a whole formula, counted with the lengths of what they hold: deciding takes time in proportion."""

_SCRIPTS: Final = frozenset("_'^")
_SLACK = 1  # elements a hole without delimiters may be longer than any seen in training


def identity(match: Match) -> tuple[object, ...]:
    """What makes two matches at one place the same reading."""
    holes = tuple(sorted((hole, id(span.row), span.start, span.end) for hole, span in match.holes.items()))
    return (match.rule.call, match.rule.generic, match.start, match.end, holes, match.scripts, match.trailing)


class Forest:
    """All readings of one formula. `places[id(row)][i]` are the matches that start at element i of the row."""

    __slots__ = ("_candidates", "_cut", "_room", "capped", "labels", "places", "quiet", "reader", "root", "rows")

    def __init__(self, reader: Reader, root: Row) -> None:
        self.reader = reader
        self.root = root
        self.rows: list[Row] = []
        self.places: dict[int, list[list[Match]]] = {}
        self.capped = False
        self._room = MAX_SIZE
        self.quiet: set[int] = set()  # ids of rows in which nothing is to be decided, nor below them
        self._cut: dict[tuple[int, int, int], list[Match]] = {}
        self.labels: set[str] = set()  # that occur in the formula
        _labels(root, self.labels)
        self._candidates = reader.candidates(self.labels)
        self._read(root)

    @property
    def ambiguous(self) -> bool:
        """Whether any place has a reading besides the literal one."""
        return id(self.root) not in self.quiet

    def _read(self, row: Row) -> bool:
        """Find the readings of a row and of those below it; whether there are none."""
        self.rows.append(row)
        elements = row.elements
        places: list[list[Match]] = [_NO_MATCHES] * len(elements)
        self.places[id(row)] = places
        quiet = True
        candidates = self._candidates
        entries, anywhere = candidates.by_label, candidates.hole_first
        for index, element in enumerate(elements):
            label = element.label
            if (label in entries or anywhere) and label not in _SCRIPTS and self._room >= 0:
                matches = self.reader.matches(row, index, len(elements), candidates, row is self.root)
                if matches:
                    if len(matches) > MAX_READINGS:
                        self.capped = True
                        del matches[MAX_READINGS:]
                    for match in matches:
                        self._room -= 1
                        for span in match.holes.values():
                            self._room -= span.end - span.start
                    self.capped |= self._room < 0
                    places[index] = matches
                    quiet = False
            if element.rows:
                for child in element.rows:
                    quiet &= self._read(child)
        if quiet:
            self.quiet.add(id(row))
        return quiet

    def at(self, row: Row, position: int, end: int) -> list[Match]:
        """Matches at a place that do not reach beyond `end`."""
        matches = self.places[id(row)][position]
        elements = row.elements
        if end == len(elements):
            return matches
        fitting = [match for match in matches if match.end <= end]
        if elements[end].label in _SCRIPTS:
            # the span ends between a symbol and its scripts (`\\mathrm{d}z^{2}`): a match may end there too
            key = (id(row), position, end)
            if key not in self._cut:
                found = self.reader.matches(row, position, end, self._candidates)
                self._cut[key] = [match for match in found if match.end == end][:MAX_READINGS]
            have = {identity(match) for match in fitting}
            fitting += [match for match in self._cut[key] if identity(match) not in have]
        return fitting


@dataclass(frozen=True, slots=True)
class Candidates:
    """The rules that can match in one formula, by the label they start with: most rules need labels it lacks."""

    by_label: dict[str, list[_Start]]
    hole_first: list[tuple[str, str, Matcher]]


_NO_MATCHES: Final[list[Match]] = []
_NO_SCRIPTS: frozenset[str] = frozenset()

_Start = tuple[frozenset[str], str, str, Matcher]
"""Scripts the first symbol must carry, the label that must follow it, the label its first row must start with (each
may be empty), the matcher."""

_Entry = tuple[frozenset[str], tuple[tuple[str, str], ...], str, _Start]
"""Labels and words that must occur in the formula, the label that follows, and the rest."""


def _labels(row: Row, present: set[str]) -> None:
    elements = row.elements
    present.update([element.label for element in elements])
    for element in elements:
        if element.rows:
            for child in element.rows:
                _labels(child, present)


class Reader:
    """A grammar made ready to read: rules indexed by the label they start with."""

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self.by_label: dict[str, list[_Entry]] = defaultdict(list)
        self.hole_first: list[tuple[str, str, Matcher]] = []
        self._kinds: dict[tuple[object, ...], int] = {}
        for rule, needs in zip(grammar.rules, grammar.needs, strict=True):
            if needs is None:
                continue
            matcher = Matcher(rule, grammar.inside, MAX_READINGS)
            matcher.longest = max(rule.longest + _SLACK, 2)
            if needs.anchor:
                self.hole_first.append((needs.anchor, needs.content, matcher))
                continue
            labels = needs.labels - {needs.first}
            start = (needs.scripts, needs.follow, needs.inner, matcher)
            self.by_label[needs.first].append((labels, needs.words, needs.follow, start))
            if needs.letters:
                first, second = needs.letters
                self.by_label[first].append((labels, needs.words, second, (_NO_SCRIPTS, second, "", matcher)))

    def _kind(self, matcher: Matcher) -> int:
        shows = (matcher.longest, matcher.rule.pattern.structure)
        matcher.kind = self._kinds.setdefault(shows, len(self._kinds))
        return matcher.kind

    def read(self, row: Row) -> Forest:
        """The forest of a formula's canonical row."""
        return Forest(self, row)

    def candidates(self, present: set[str]) -> Candidates:
        """The rules that can match anywhere in a formula in which the labels `present` occur."""
        by_label = {}
        for label in self.by_label.keys() & present:
            usable = [
                start
                for labels, words, follow, start in self.by_label[label]
                if (not follow or follow in present)
                and (not labels or labels <= present)
                and (not words or not any(map(present.isdisjoint, words)))
            ]
            if usable:
                by_label[label] = usable
        hole_first = [
            entry
            for entry in self.hole_first
            if entry[0] in present and (len(entry[1]) != 1 or entry[1] in present)  # one character is a label
        ]
        return Candidates(by_label, hole_first)

    def matches(self, row: Row, position: int, end: int, candidates: Candidates, entire: bool = False) -> list[Match]:
        """All matches at one place; `entire`: the row is the whole formula."""
        found: list[Match] = []
        elements = row.elements
        element = elements[position]
        entries = candidates.by_label.get(element.label)
        if entries:
            at = position + 1
            while at < end and elements[at].label in _SCRIPTS:
                at += 1
            kinds = {element.label for element in elements[position + 1 : at]}
            following = elements[at].label if at < end else ""
            inside = element.rows[0].elements if element.rows else ()
            inner = inside[0].label if inside else ""
            known: dict[int, list[Bound]] = {}
            for scripts, follow, within, matcher in entries:
                if (
                    (follow and follow != following)
                    or (within and within != inner)
                    or (scripts and not scripts <= kinds)
                ):
                    continue
                kind = matcher.kind if matcher.kind >= 0 else self._kind(matcher)
                ways = known.get(kind)
                if ways is None:
                    ways = known[kind] = matcher.ways(row, position, end)
                rule = matcher.rule
                if rule.common:
                    found += matcher.matches(row, position, ways)
                else:
                    for stop, holes, own, trailing in ways:
                        found.append(Match(rule, row, position, stop, holes, own, trailing))
        for label, content, matcher in candidates.hole_first:
            if _near(row, position, end, label, content, matcher.longest):
                found += matcher.at(row, position, end)
        if len(found) < 2:
            return found
        # a formula that is nothing but a name (`U`) mentions the function itself, which few pairs do
        return _without_guesses(found, end if entire and not position else -1)


def _without_guesses(found: list[Match], keep: int) -> list[Match]:
    """Without rules that no pair uses where one that pairs use covers as much, shows as much and leaves no script over.

    `\\operatorname{arcsech}\\left(#1\\right)`, never seen, stays beside `\\operatorname{arcsech}#1`. So do those that
    end at `keep` and are names without arguments.
    """
    for match in found:
        if not match.rule.count:
            break
    else:
        return found
    used = [
        (match.end, match.rule.pattern.literals)
        for match in found
        if match.rule.count and not match.scripts and not match.trailing
    ]
    if not used:
        return found
    reach = max([end for end, _ in used])
    kept = []
    for match in found:
        if not match.rule.count and match.end <= reach and (match.end != keep or match.rule.has_ats):
            literals = match.rule.pattern.literals
            if any(end >= match.end and shown >= literals for end, shown in used):
                continue
        kept.append(match)
    return kept


def _near(row: Row, position: int, end: int, label: str, content: str, longest: int) -> bool:
    """Whether the anchor stands behind a hole of at most `longest` symbols that starts at `position`."""
    elements = row.elements
    symbols = 1
    for index in range(position + 1, end):
        element = elements[index]
        if element.label == label and (not content or element.rows[0].key == content):
            return True
        if element.label not in _SCRIPTS:
            symbols += 1
            if symbols > longest + 1:
                return False
    return False
