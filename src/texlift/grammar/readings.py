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

import re
from dataclasses import dataclass
from itertools import count
from typing import Final

from texlift.grammar.admission import FormulaAdmission, Holder, RowAdmission
from texlift.grammar.conditions import Conditions, conditions_of
from texlift.grammar.grammar import Grammar
from texlift.grammar.match import Match
from texlift.grammar.matching import Bound, Matcher, holds
from texlift.grammar.needs import needs_of
from texlift.grammar.rule import Rule
from texlift.grammar.starts import SCRIPT_BITS, Starts
from texlift.latex.canonical import FontElement, Row
from texlift.macros.conventions import judged_like, notations

__all__ = ["MAX_READINGS", "MAX_SIZE", "Candidates", "Forest", "Reader", "identity"]

MAX_READINGS = 60
"""Readings kept at one place besides the literal one."""

MAX_SIZE = 60_000
"""Readings of a whole formula, counted with the lengths of what they hold: deciding takes time in proportion."""

_SCRIPTS: Final = frozenset("_'^")
_SUPERSCRIPT: Final = re.compile(r"\^\{\(?#\d")  # a parameter
_SLACK = 1  # elements a hole without delimiters may be longer than any seen in training


def identity(match: Match) -> tuple[object, ...]:
    """What makes two matches at one place the same reading."""
    holes = tuple(sorted((hole, id(span.row), span.start, span.end) for hole, span in match.holes.items()))
    return (match.rule.call, match.rule.generic, match.start, match.end, holes, match.scripts, match.trailing)


class Forest:
    """All readings of one formula. `places[id(row)][i]` are the matches that start at element i of the row."""

    __slots__ = (
        "_admissions",
        "_candidates",
        "_cut",
        "_formula",
        "_room",
        "capped",
        "labels",
        "places",
        "quiet",
        "reader",
        "root",
        "rows",
    )

    def __init__(self, reader: Reader, root: Row) -> None:
        self.reader = reader
        self.root = root
        self.rows: list[Row] = []
        self.places: dict[int, list[list[Match]]] = {}
        self.capped = False
        self._room = MAX_SIZE
        self.quiet: set[int] = set()  # ids of rows in which nothing is to be decided, nor below them
        self._cut: dict[tuple[int, int, int], list[Match]] = {}
        self._formula = FormulaAdmission(root, reader.grammar.language.with_lexicon)
        self.labels = self._formula.labels  # that occur in the formula
        self._candidates = reader.candidates(self.labels | self._formula.fonts)
        self._admissions: dict[int, RowAdmission] = {}
        self._read(root, None)

    @property
    def size(self) -> int:
        """How much there is to keep and to decide: elements, and readings with the lengths of what they hold."""
        return MAX_SIZE - self._room + sum([len(row.elements) for row in self.rows])

    @property
    def ambiguous(self) -> bool:
        """Whether any place has a reading besides the literal one."""
        return id(self.root) not in self.quiet

    def _read(self, row: Row, holder: Holder | None) -> bool:
        """Find the readings of a row and of those below it; whether there are none."""
        self.rows.append(row)
        admission: RowAdmission | None = None
        elements = row.elements
        places: list[list[Match]] = [_NO_MATCHES] * len(elements)
        self.places[id(row)] = places
        quiet = True
        candidates = self._candidates
        entries, anywhere = self.reader.by_label, candidates.hole_first
        words = _words(row) if "$" in self.labels else ()
        for index, element in enumerate(elements):
            label = element.label
            font = type(element) is FontElement and element.font in entries
            if (
                (label in entries or anywhere or font)
                and (label not in _SCRIPTS or label in entries)
                and self._room >= 0
                and index not in words
            ):
                if admission is None:
                    admission = self._admissions[id(row)] = RowAdmission(self._formula, row, holder)
                matches = self.reader.matches(row, index, len(elements), candidates, admission, row is self.root)
                if matches:
                    if len(matches) > MAX_READINGS:
                        self.capped = True
                        del matches[MAX_READINGS:]
                    for match in matches:
                        self._room -= 1
                        if match.holes:
                            for span in match.holes.values():
                                self._room -= span.end - span.start
                    self.capped |= self._room < 0
                    places[index] = matches
                    quiet = False
            if element.rows:
                inside = Holder(row, index, holder)
                for child in element.rows:
                    quiet &= self._read(child, inside)
            elif font and isinstance(element, FontElement):
                self._read(element.inner, Holder(row, index, holder))
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
                found = self.reader.matches(row, position, end, self._candidates, self._admissions[id(row)])
                self._cut[key] = [match for match in found if match.end == end][:MAX_READINGS]
            have = {identity(match) for match in fitting}
            fitting += [match for match in self._cut[key] if identity(match) not in have]
        return fitting


@dataclass(frozen=True, slots=True)
class Candidates:
    """What tells which rules can match in one formula: its labels, and those rules that start with a hole."""

    present: set[str]
    hole_first: list[tuple[str, str, Matcher]]


_NO_MATCHES: Final[list[Match]] = []


def _words(row: Row) -> set[int]:
    """Where the words are between the formulae of a row: `x>0$ and $y>0`."""
    dollars = [index for index, element in enumerate(row.elements) if element.label == "$"]
    if len(dollars) % 2:
        return set()
    if dollars and not dollars[0]:  # the row starts with words, of which there are none: `$x$ and $y$`
        dollars = [*dollars[1:], len(row.elements)]
    return {index for start, end in zip(dollars[::2], dollars[1::2], strict=True) for index in range(start, end)}


class Reader:
    """A grammar made ready to read: rules indexed by the label they start with."""

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self.by_label: dict[str, Starts] = {}
        self.hole_first: list[tuple[str, str, Matcher]] = []
        self._kinds: dict[tuple[int, bool, str], int] = {}
        self._numbers = count()
        self._matchers: dict[int, Matcher] = {}
        self._superscripted = {rule.name for rule in grammar.rules if rule.has_ats and _SUPERSCRIPT.search(_head(rule))}
        further = _notations(grammar)
        replaced = {rule.call for rule in further}
        unnumbered = {rule.name for rule in grammar.rules if "{}" in rule.call and rule.count}
        for rule, needs in [*zip(grammar.rules, grammar.needs, strict=True), *((r, needs_of(r)) for r in further)]:
            own = not grammar.language.of_lexicon(rule.name)
            if needs is None or (not own and _invents(rule, unnumbered)):
                continue
            if own and not rule.count and "{}" in rule.call and _printed_by_others(rule, grammar):
                continue
            if rule.call in replaced and not rule.count:
                continue
            if needs.anchor:
                self.hole_first.append((needs.anchor, needs.content, self._matcher(rule)))
                continue
            self._starts(needs.first).add(rule, needs)
            if needs.letters:
                first, second = needs.letters
                self._starts(first).add_spelled(rule, needs, second)

    def _starts(self, label: str) -> Starts:
        found = self.by_label.get(label)
        if found is None:
            found = self.by_label[label] = Starts(self._matcher)
        return found

    def _matcher(self, rule: Rule) -> Matcher:
        """The matcher of a rule, made when it is first asked for; the rule is kept with it, so its id is its own."""
        matcher = self._matchers.get(id(rule))
        if matcher is None:
            own = not self.grammar.language.of_lexicon(rule.name)
            matcher = Matcher(rule, None if own else self.grammar.inside, MAX_READINGS)
            matcher.longest = max(rule.longest + _SLACK, 2)
            matcher.open = own
            # threads may ask at the same time: no number is given twice
            matcher.kind = self._kinds.setdefault((matcher.longest, own, rule.generic), next(self._numbers))
            matcher.lacks_superscript = rule.name in self._superscripted and not rule.common and "^" not in _head(rule)
            matcher = self._matchers.setdefault(id(rule), matcher)
        return matcher

    def read(self, row: Row) -> Forest:
        """The forest of a formula's canonical row."""
        return Forest(self, row)

    def candidates(self, present: set[str]) -> Candidates:
        """What tells which rules can match anywhere in a formula in which the labels `present` occur."""
        hole_first = [
            entry
            for entry in self.hole_first
            if entry[0] in present and (len(entry[1]) != 1 or entry[1] in present)  # one character is a label
        ]
        return Candidates(present, hole_first)

    def matches(
        self,
        row: Row,
        position: int,
        end: int,
        candidates: Candidates,
        admission: RowAdmission,
        entire: bool = False,
    ) -> list[Match]:
        """All readings at one place; `entire`: the row is the whole formula."""
        found: list[Match] = []
        elements = row.elements
        element = elements[position]
        for start in (element.label, element.font) if type(element) is FontElement else (element.label,):
            starts = self.by_label.get(start)
            if starts is None:
                continue
            at = position + 1
            scripts = 0
            while at < end and elements[at].label in _SCRIPTS:
                scripts |= SCRIPT_BITS[elements[at].label]
                at += 1
            following = elements[at].label if at < end else ""
            inside = element.rows[0].elements if element.rows else ()
            entries = starts.around(following, inside[0].label if inside else "", scripts)
            if not entries:
                continue
            present = candidates.present
            unlisted = not admission.formula.listing
            known: dict[int, list[Bound]] = {}
            for labels, words, matcher in entries:
                if (labels and not labels <= present) or (words and any(map(present.isdisjoint, words))):
                    continue
                ways = known.get(matcher.kind)
                if ways is None:
                    ways = matcher.ways(row, position, end)
                    if ways:
                        ways = admission.admitted(ways, position, matcher.rule.pattern)
                    known[matcher.kind] = ways
                if not ways:
                    continue
                rule = matcher.rule
                conditions = matcher.conditions or self._asked(matcher)
                sure = unlisted and conditions.only_lists
                for way in ways:
                    if sure or admission.meets(conditions, way, position):
                        stop, holes, own, trailing = way
                        if matcher.lacks_superscript and (own or trailing) and _is_raised(row, own + trailing):
                            continue
                        if not rule.common or holds(holes, rule.common):
                            found.append(Match(rule, row, position, stop, holes, own, trailing))
        for label, content, matcher in candidates.hole_first:
            if _near(row, position, end, label, content, end if matcher.open else matcher.longest):
                ways = admission.admitted(matcher.ways(row, position, end), position, matcher.rule.pattern)
                conditions = matcher.conditions or self._asked(matcher)
                ways = [way for way in ways if admission.meets(conditions, way, position)]
                found += matcher.matches(row, position, ways)
        if len(found) < 2 or not self.grammar.language.with_lexicon:
            return found
        # a formula that is nothing but a name (`U`) mentions the function itself, which few pairs do
        return _without_guesses(found, end if entire and not position else -1)

    def _asked(self, matcher: Matcher) -> Conditions:
        """What a rule asks of its matches, kept with its matcher."""
        matcher.conditions = conditions_of(matcher.rule, self.grammar.language)
        return matcher.conditions


def _invents(rule: Rule, unnumbered: set[str]) -> bool:
    """Whether a call that no pair uses would leave parameters empty that belong to it.

    `Li(x)` has no order; `H` alone is not `\\HankelH{}{}`, nor `M` Whittaker's `\\WhittakerconfhyperM{}{}`.
    """
    if rule.count or "{}" not in rule.call:
        return False
    if rule.shows_variables:
        return rule.name not in unnumbered
    return rule.call.count("{}") > 1 or rule.generic.startswith("{")


def _printed_by_others(rule: Rule, grammar: Grammar) -> bool:
    """Whether a call with empty arguments, which no pair uses, prints what one prints that pairs use."""
    return any(other.count and other.pattern.source == rule.pattern.source for other in grammar.rules)


def _notations(grammar: Grammar) -> list[Rule]:
    """The rules that are read for their convention, counted as often as the rules that they are scored like."""
    have = {rule.call: rule for rule in grammar.rules}
    like = judged_like()
    found = []
    for call, generic in notations():
        model = have.get(like[call])
        if model is not None and (call not in have or not have[call].count):
            found.append(Rule(call, generic, model.count, model.longest))
    return found


def _head(rule: Rule) -> str:
    """What a rule prints before its arguments."""
    return rule.generic.partition(r"\left")[0]


def _is_raised(row: Row, scripts: tuple[int, ...]) -> bool:
    """Whether a superscript is among some scripts of a call.

    Of a function that has a parameter there, and is read without it, that is hardly a power: `L_{n}^{\\alpha}(x)` is
    somebody's way to write `L^{(\\alpha)}_{n}(x)`, not a power of `L_{n}(x)`.
    """
    return any(row.elements[at].label == "^" for at in scripts)


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
