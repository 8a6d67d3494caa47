"""The best derivations of a forest, given the probability of every reading of every place.

Viterbi over spans: the best way to read elements a:b of a row is found once, from the right to the left; a
reading that reaches from i to j adds the best ways to read what is in its holes and the best way to read j:b.
The k best are kept in the same way. Time is linear in readings times spans; both are bounded by the forest.
Other ways to read a formula are the best derivation with one decision changed.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass
from itertools import islice
from typing import Final, NamedTuple, TypeAlias

from texlift.grammar.match import Match
from texlift.grammar.readings import Forest
from texlift.latex.canonical import Row
from texlift.scorer.encoding import Encoded
from texlift.tuning import Tuning

__all__ = ["Choice", "Derivation", "Probabilities", "decode", "flipped", "symbols_alike"]

Probabilities: TypeAlias = dict[tuple[int, int], list[float]]
"""(id(row), position) -> log-probabilities of the literal reading and of each match there."""

_DEFAULTS: Final = Tuning()
_EXCLUDED: Final = -60.0  # log-probability of a reading that must not be


@dataclass(slots=True, eq=False)
class Choice:
    """At a place, a match or (None) the literal reading; `log_probability` is its own, not of what is inside.

    `limit` is where the span ends that is read: a hole may start where its own match starts.
    """

    row: Row
    position: int
    limit: int
    match: Match | None
    log_probability: float

    @property
    def key(self) -> tuple[int, int, int]:
        return id(self.row), self.position, self.limit


class Derivation(NamedTuple):
    """One reading of a whole formula: a choice for each place it visits, and their log-probability together."""

    choices: tuple[Choice, ...]
    log_probability: float


_Chosen: TypeAlias = Choice | tuple[object, object] | None
"""Choices as a tree of pairs: putting two readings together takes no time, however long they are.

A pair is of two such trees; the type does not say so, because mypyc does not compile types that contain themselves.
"""
_Item: TypeAlias = tuple[float, _Chosen]

_EMPTY: Final[_Item] = (0.0, None)
_NOTHING: Final[list[_Item]] = [_EMPTY]


def decode(
    forest: Forest,
    probabilities: Probabilities,
    count: int = 1,
    width: float = math.inf,
    tuning: Tuning = _DEFAULTS,
) -> list[Derivation]:
    """The `count` most likely derivations, the best first; none less likely than the best by exp(-width)."""
    if count == 1:
        total, chosen = _Best(forest, probabilities, tuning.unscored).row(forest.root)
        return [Derivation(_flat(chosen), total)]
    decoder = _Decoder(forest, probabilities, count, width, tuning.unscored)
    best = decoder.row(forest.root)
    return [Derivation(_flat(chosen), total) for total, chosen in best]


def _flat(chosen: _Chosen) -> tuple[Choice, ...]:
    choices: list[Choice] = []
    stack: list[object] = [chosen]
    while stack:
        top = stack.pop()
        if isinstance(top, tuple):
            first, second = top
            stack.append(second)
            stack.append(first)
        elif isinstance(top, Choice):
            choices.append(top)
    return tuple(choices)


class _Best:
    """The best derivation alone: the same as `_Decoder` with a count of one, in half the time."""

    def __init__(self, forest: Forest, probabilities: Probabilities, unscored: float) -> None:
        self.forest = forest
        self.unscored = unscored
        self.probabilities = probabilities
        self.memo: dict[tuple[int, int, int], _Item] = {}
        self.quiet = forest.quiet

    def row(self, row: Row) -> _Item:
        return self.span(row, 0, len(row.elements))

    def span(self, row: Row, start: int, end: int) -> _Item:
        """The best way to read a span."""
        key = (id(row), start, end)
        found = self.memo.get(key)
        if found is not None:
            return found
        elements = row.elements
        places = self.forest.places[id(row)]
        quiet = self.quiet
        best: list[_Item] = [_EMPTY] * (end - start + 1)
        for position in range(end - 1, start - 1, -1):
            literal = best[position - start + 1]
            for child in elements[position].rows:
                if id(child) not in quiet:
                    literal = _joined(self.row(child), literal)
            matches = places[position]
            if not matches:
                best[position - start] = literal
                continue
            scores = self.probabilities[id(row), position]
            own = scores[0]
            if end < len(elements):
                matches, scores = _restricted(self.forest, row, position, end, scores, self.unscored)
                own = scores[0]
            top = own + literal[0]
            winner: Match | None = None
            inside = literal
            for index, match in enumerate(matches, 1):
                behind = best[match.end - start]
                if scores[index] + behind[0] <= top:
                    continue  # what is inside can only make it less likely
                within = _EMPTY
                for hole in match.holes.values():
                    if id(hole.row) not in quiet:
                        within = _joined(within, self.span(hole.row, hole.start, hole.end))
                for script in (*match.scripts, *match.trailing):
                    for child in elements[script].rows:
                        if id(child) not in quiet:
                            within = _joined(within, self.row(child))
                total = scores[index] + (within[0] + behind[0])
                if total > top:
                    top, own, winner = total, scores[index], match
                    inside = (total, behind[1] if within[1] is None else (within[1], behind[1]))
            best[position - start] = (top, (Choice(row, position, end, winner, own), inside[1]))
        self.memo[key] = best[0]
        return best[0]


def _joined(first: _Item, second: _Item) -> _Item:
    return (first[0] + second[0], (first[1], second[1]))


def _restricted(
    forest: Forest, row: Row, position: int, end: int, scores: list[float], unscored: float
) -> tuple[list[Match], list[float]]:
    """The matches at a place that fit into a span, and the scores of the literal reading and of them.

    What does not fit into the span is no choice there: the rest is all there is.
    """
    matches = forest.places[id(row)][position]
    fitting = forest.at(row, position, end)
    some = [scores[0], *(_score(match, matches, scores, unscored) for match in fitting)]
    total = math.log(math.exp(some[0]) + sum([math.exp(value) for value in some[1:]]))
    return fitting, [value - total for value in some]


class _Decoder:
    """The best derivations, `count` of them."""

    def __init__(self, forest: Forest, probabilities: Probabilities, count: int, width: float, unscored: float) -> None:
        self.forest = forest
        self.unscored = unscored
        self.probabilities = probabilities
        self.count = count
        self.width = width
        self.memo: dict[tuple[int, int, int], list[_Item]] = {}
        self.quiet = forest.quiet

    def row(self, row: Row) -> list[_Item]:
        return self.span(row, 0, len(row.elements))

    def span(self, row: Row, start: int, end: int) -> list[_Item]:
        """The best ways to read a span, best first, at most `count`."""
        key = (id(row), start, end)
        found = self.memo.get(key)
        if found is not None:
            return found
        elements = row.elements
        places = self.forest.places[id(row)]
        quiet = self.quiet
        best: list[list[_Item]] = [_NOTHING] * (end - start + 1)
        for position in range(end - 1, start - 1, -1):
            literal = best[position - start + 1]
            for child in elements[position].rows:
                if id(child) not in quiet:
                    literal = self.joined(self.row(child), literal)
            matches = places[position]
            if matches:
                scores = self.probabilities[id(row), position]
                if end < len(elements):
                    matches, scores = _restricted(self.forest, row, position, end, scores, self.unscored)
                own = scores[0]
                choice = Choice(row, position, end, None, own)
                options: list[list[_Item]] = [[(own + total, (choice, chosen)) for total, chosen in literal]]
                least = options[0][0][0] - self.width
                for match, own in zip(matches, scores[1:], strict=True):
                    behind = best[match.end - start]
                    if own + behind[0][0] < least:
                        continue  # what is inside can only make it less likely
                    inside = _NOTHING
                    for hole in match.holes.values():
                        if id(hole.row) not in quiet:
                            inside = self.joined(inside, self.span(hole.row, hole.start, hole.end))
                    if match.scripts or match.trailing:
                        for script in (*match.scripts, *match.trailing):
                            for child in elements[script].rows:
                                if id(child) not in quiet:
                                    inside = self.joined(inside, self.row(child))
                    choice = Choice(row, position, end, match, own)
                    inside = self.joined(inside, behind)
                    options.append([(own + total, (choice, chosen)) for total, chosen in inside])
                    least = max(least, options[-1][0][0] - self.width)
                best[position - start] = self.merged(options)
            else:
                best[position - start] = literal
        self.memo[key] = best[0]
        return best[0]

    def joined(self, first: list[_Item], second: list[_Item]) -> list[_Item]:
        """The best combinations of one way to read the first part and one to read the second."""
        if first is _NOTHING:
            return second
        if len(first) == 1 and len(second) == 1:
            return [_joined(first[0], second[0])]
        least = first[0][0] + second[0][0] - self.width
        pairs = [(a + b, (x, y)) for a, x in first for b, y in second if a + b >= least]
        return heapq.nlargest(self.count, pairs, key=_total)

    def merged(self, options: list[list[_Item]]) -> list[_Item]:
        if len(options) == 1:
            return options[0]
        least = max([option[0][0] for option in options]) - self.width
        likely = [option for option in options if option[0][0] >= least]
        if len(likely) == 1:
            return likely[0]
        return [item for item in islice(heapq.merge(*likely, key=_negative), self.count) if item[0] >= least]


def _score(match: Match, matches: list[Match], scores: list[float], unscored: float) -> float:
    """The log-probability of a match; of one that is cut short by its span that of its rule, if it was asked about."""
    for index, known in enumerate(matches, 1):
        if known is match:
            return scores[index]
    alike = [score for known, score in zip(matches, scores[1:], strict=True) if known.rule is match.rule]
    return max(alike, default=scores[0] + unscored)


def _total(item: _Item) -> float:
    return item[0]


def _negative(item: _Item) -> float:
    return -item[0]


def flipped(
    forest: Forest, encoded: Encoded, probabilities: Probabilities, best: Derivation, count: int, faint: float
) -> list[Derivation]:
    """The best derivation with one decision changed, wherever it holds; only the likeliest, and none below `faint`."""
    groups = encoded.places.group.tolist()
    where = encoded.where
    changes: dict[tuple[int, int], float] = {}
    for choice in best.choices:
        place = id(choice.row), choice.position
        matches = forest.places[place[0]][place[1]]
        own = 0 if choice.match is None else next((k for k, m in enumerate(matches, 1) if m is choice.match), -1)
        for reading, value in enumerate(probabilities[place]):
            if reading != own and value > faint:
                changes.setdefault((groups[where[place]], reading), value)
    found: list[Derivation] = []
    for (group, reading), _ in sorted(changes.items(), key=lambda item: -item[1])[:count]:
        steered = {
            place: [value if k == reading else _EXCLUDED for k, value in enumerate(own)] if here == group else own
            for (place, own), here in zip(probabilities.items(), groups, strict=True)
        }
        found += decode(forest, steered)
    return found


def symbols_alike(derivation: Derivation, encoded: Encoded) -> bool:
    """Whether one symbol, written alike, is read in one way: where its readings are the same, and as a constant."""
    groups = encoded.places.group.tolist()
    where = encoded.where
    calls: dict[int, str] = {}
    constants: dict[tuple[str, str], str] = {}
    for choice in derivation.choices:
        call = choice.match.rule.call if choice.match else ""
        if calls.setdefault(groups[where[id(choice.row), choice.position]], call) != call:
            return False
        if "{" not in call and "@" not in call:
            element = choice.row.elements[choice.position]
            if constants.setdefault((element.label, element.style), call) != call:
                return False
    return True
