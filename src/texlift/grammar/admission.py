"""Which matches are readings at all: conditions that hold whatever a scorer thinks.

A match shows that a macro would print what stands there. It is a reading only if it leaves the author's writing alone:

- one argument takes no list, and an argument that the macro hides takes nothing that is shown (`{}_2F_1(a,b,c,z)`);
- it reads no part of a word and takes no word for a number (`trace(P)`, `T_{eff}`);
- it takes no part out of the author's braces (`\\log{c\\log{x}}`);
- a letter that is an index is no constant (`a_{i}`), a bar inside an argument or a set does not divide;
- its arguments have the letters of its convention (`K(m)` is of the parameter).

What the lexicon says of its macros holds for its language only; in another one an argument may be what it was in pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Final

from texlift.grammar.braces import crosses, groups
from texlift.grammar.indices import bound_letters, is_index
from texlift.grammar.match import Match, SpanRef
from texlift.grammar.pattern import Pattern
from texlift.grammar.rule import Rule
from texlift.grammar.words import is_label, word_spans
from texlift.latex.canonical import Element, Row
from texlift.macros.conventions import Convention, conventions_of
from texlift.macros.lexicon import lexicon
from texlift.macros.semantic import Language, packaged_language

__all__ = ["Admission", "Holder", "RowAdmission", "is_list"]

_SCRIPTS: Final = frozenset("_'^")
_SEPARATORS: Final = frozenset([",", ";", ":", r"\mid"])
_CONSTANTS: Final = frozenset([r"\iunit", r"\expe"])
_DIVIDES: Final = frozenset([r"\divides"])


@dataclass(frozen=True, slots=True)
class Holder:
    """What holds a row: element `at` of the row above, and what holds that."""

    row: Row
    at: int
    above: Holder | None

    @property
    def label(self) -> str:
        return self.row.elements[self.at].label


@dataclass(frozen=True, slots=True)
class _Conditions:
    """What a rule asks of its matches."""

    single: tuple[int, ...]  # holes that take no list
    parameters: tuple[int, ...]  # holes for numbers that are shown as scripts
    beside: bool  # holes stand side by side, so each is one symbol
    head: int  # of how many arguments the function is that it names without them
    constant: bool
    divides: bool
    spelled: int  # letters of the word it starts with, if no pair has it without brackets around its argument
    conventions: tuple[tuple[int, Convention], ...]

    @property
    def none(self) -> bool:
        return not (self.single or self.parameters or self.head or self.constant or self.divides or self.spelled)


_SHORT_WORD: Final = 2  # letters of \\text{...} that are a word of the sentence and no function


class Admission:
    """Admits matches; keeps what rules ask for."""

    def __init__(self, language: Language | None = None) -> None:
        self.language = language or packaged_language()
        self._known: dict[int, tuple[Rule, _Conditions]] = {}

    def of_formula(self, root: Row) -> FormulaAdmission:
        """The admission of matches in one formula."""
        return FormulaAdmission(self.conditions, bound_letters(root), self.language.with_lexicon)

    def conditions(self, rule: Rule) -> _Conditions:
        """What a rule asks for; the rule is kept, so that its id stays its own."""
        known = self._known.get(id(rule))
        if known is None:
            known = self._known[id(rule)] = (
                rule,
                _conditions(rule) if self.language.of_lexicon(rule.name) else _seen(rule),
            )
        return known[1]


@dataclass(frozen=True, slots=True)
class FormulaAdmission:
    """What holds for all rows of a formula."""

    conditions: Callable[[Rule], _Conditions]
    bound: frozenset[str]  # letters over which a sum or product goes
    with_lexicon: (
        bool  # the language is the lexicon's: what is known of functions holds, an upright subscript is a label
    )


class RowAdmission:
    """What is known of one row: its words and groups, found when they are first asked for."""

    __slots__ = ("_groups", "_label", "_words", "formula", "holder", "row")

    def __init__(self, formula: FormulaAdmission, row: Row, holder: Holder | None) -> None:
        self.formula = formula
        self.row = row
        self.holder = holder
        self._label = False
        self._words: list[tuple[int, int]] | None = None
        self._groups: list[tuple[int, int]] | None = None

    def admitted(self, matches: list[Match]) -> list[Match]:
        """Those of the matches at one place that are readings."""
        kept = [match for match in matches if self._admits(match)]
        return matches if len(kept) == len(matches) else kept

    def _admits(self, match: Match) -> bool:
        first = self.row.elements[match.start]
        if first.style == "text" and len(first.label) <= _SHORT_WORD:
            return False  # `\\text{si }x<2` is prose, in whatever language
        if self._words is None:
            subscript = self.holder is not None and self.holder.label == "_"
            self._label = self.formula.with_lexicon and subscript and is_label(self.row)
            self._words = word_spans(self.row, subscript)
            self._groups = groups(self.row) if self.row.dissolved else []
        if self._label or (self._words and not self._outside_words(match)) or self._is_prescripted(match.start):
            return False
        if self._groups and (
            crosses(self._groups, match.start, match.end)
            or any(
                span.row is self.row and crosses(self._groups, span.start, span.end) for span in match.holes.values()
            )
        ):
            return False
        if match.scripts and any(map(self._counts, match.scripts)):
            return False
        conditions = self.formula.conditions(match.rule)
        return conditions.none or self._meets(match, conditions)

    def _counts(self, at: int) -> bool:
        """Whether a script of a call is a list of indices, which its macro would have as parameters."""
        element = self.row.elements[at]
        return element.label == "_" and any(inner.label == "," for inner in element.rows[0].elements)

    def _outside_words(self, match: Match) -> bool:
        """Whether a match takes words as a whole: as its own name, or inside an argument."""
        assert self._words is not None
        for start, end in self._words:
            if match.start == end and self.row.elements[end].label == "( )":
                return False  # the argument of a word is no pair
            if match.end <= start or end <= match.start:
                continue
            if match.start == start and match.rule.pattern.items and _spells(match.rule.pattern, end - start):
                continue
            ends = [match.start, match.end]
            for span in match.holes.values():
                if span.row is self.row:
                    ends += (span.start, span.end)
            if any(start < at < end for at in ends) or start <= match.start < end:
                return False
        return True

    def _is_prescripted(self, at: int) -> bool:
        """Whether scripts stand before a symbol that are its own: there is no Coulomb function in `{}_0F_1(a,z)`."""
        elements = self.row.elements
        before = at - 1
        while before >= 0 and elements[before].label in _SCRIPTS:
            before -= 1
        return 0 <= before < at - 1 and elements[before].label == "{}"

    def _meets(self, match: Match, conditions: _Conditions) -> bool:
        holes = match.holes
        if conditions.single and any(self._is_list(holes[hole]) for hole in conditions.single if hole in holes):
            return False
        if conditions.beside and not all(map(_is_symbol, holes.values())):
            return False
        if any(hole in holes and self._names_something(holes[hole]) for hole in conditions.parameters):
            return False
        if conditions.head and self._before_others(match.end, conditions.head):
            return False
        if conditions.constant and is_index(self.row, match.start, self.holder, self.formula.bound):
            return False
        if conditions.divides and self._separates(match.start):
            return False
        if conditions.spelled and self._runs_on(match, conditions.spelled):
            return False
        return all(
            convention.fits(_letters(holes[hole])) for hole, convention in conditions.conventions if hole in holes
        )

    def _names_something(self, span: SpanRef) -> bool:
        """Whether a parameter is a word, or a part of one."""
        return span.row is not self.row and is_label(span.row)

    def _separates(self, at: int) -> bool:
        """Whether a bar is the first of its row in a list of arguments or a set: `P(A\\mid B)`, `\\{x\\mid x>0\\}`."""
        holder = self.holder
        if holder is None or not holder.label.startswith(("( ", "[ ", r"\{ ")):
            return False
        labels = [element.label for element in self.row.elements]
        if any(label in ("|", r"\mid", ":") for label in labels[:at]):
            return False
        if holder.label.startswith(r"\{ "):
            return True
        return holder.at > 0 and _is_name(holder.row.elements, holder.at)

    def _is_list(self, span: SpanRef) -> bool:
        """Whether an argument is several; without parentheses of a function of the lexicon, `(a,b)` is too."""
        elements = span.elements
        if self.formula.with_lexicon and span.row is self.row and len(elements) == 1 and elements[0].label == "( )":
            elements = elements[0].rows[0].elements
        return _parts(elements) > 1

    def _before_others(self, end: int, variables: int) -> bool:
        """Whether several arguments follow, and another number than the function has: then it is another function."""
        elements = self.row.elements
        if end >= len(elements) or elements[end].label != "( )":
            return False
        inside = elements[end].rows[0].elements
        groups = _parts(inside, ";")
        return _parts(inside) > 1 and variables != _parts(inside) and (groups == 1 or variables != groups)

    def _runs_on(self, match: Match, letters: int) -> bool:
        """Whether letters typed one by one go on without a space: `lit` is no logarithmic integral of t."""
        elements = self.row.elements
        start = match.start
        if len(elements[start].label) != 1 or start + letters >= len(elements):
            return False
        last, behind = elements[start + letters - 1], elements[start + letters]
        return behind.start == last.end and _is_letter(behind)


def is_list(span: SpanRef) -> bool:
    """Whether an argument is several, with separators between them."""
    return _parts(span.elements) > 1


def _seen(rule: Rule) -> _Conditions:
    """What a rule asks for of which nothing is known but its pairs."""
    free = set(rule.lists) | _alone(rule.pattern)
    single = tuple([hole for hole in rule.shape.arguments if isinstance(hole, int) and hole not in free])
    return _Conditions(single, (), False, 0, False, False, 0, ())


def _alone(pattern: Pattern) -> set[int]:
    """The holes that are all of a row: what stands in such a bracket or script is the argument, list or not."""
    found: set[int] = set()
    for item in pattern.items:
        for row in (*item.rows, *(argument for _, argument in item.scripts if argument is not None)):
            found |= {row.only} if row.only >= 0 else _alone(row)
    return found


def _conditions(rule: Rule) -> _Conditions:
    macro = lexicon().lookup(rule.name)
    lists = macro.lists if macro else ()
    options, parameters = rule.shape.layout[:2]
    numbered = enumerate(rule.shape.arguments, -options)  # options have the numbers below 0
    holes = {argument: index for index, argument in numbered if isinstance(argument, int)}
    items = rule.pattern.items
    first = items[0] if items else None
    bare = len(items) > 1 and items[1].hole >= 0 and not rule.count
    return _Conditions(
        tuple(hole for hole, index in holes.items() if index not in lists),
        tuple(hole for hole, index in holes.items() if index < parameters),
        _side_by_side(rule.pattern) and rule.name != r"\ClebschGordan",
        macro.variables if macro and "@" not in rule.call else 0,
        rule.name in _CONSTANTS,
        rule.name in _DIVIDES,
        len(first.letters) if first is not None and bare else 0,
        tuple(
            (hole, c)
            for hole, index in holes.items()
            for c in conventions_of(rule.name, rule.call)
            if c.argument == index
        ),
    )


def _side_by_side(pattern: Pattern) -> bool:
    """Whether two holes follow each other with nothing between them."""
    pairs = zip(pattern.items, pattern.items[1:], strict=False)
    if any(one.hole >= 0 and other.hole >= 0 and not one.scripts for one, other in pairs):
        return True
    inner = [row for item in pattern.items for row in item.rows]
    inner += [argument for item in pattern.items for _, argument in item.scripts if argument is not None]
    return any(map(_side_by_side, inner))


def _parts(elements: Sequence[Element], signs: Collection[str] = _SEPARATORS) -> int:
    """How many parts elements have between separators; a bar that has no partner separates too."""
    labels = [element.label for element in elements]
    return 1 + sum([label in signs for label in labels]) + labels.count("|") % 2


def _is_symbol(span: SpanRef) -> bool:
    """Whether an argument is one letter or number, with its scripts."""
    first, *rest = span.elements
    label = first.label
    named = label.isalnum() or (label[0] == "\\" and label[1:].isalpha()) or ":" in label
    return named and all(element.label in _SCRIPTS for element in rest)


def _letters(span: SpanRef) -> frozenset[str]:
    """The symbols of an argument, those of its scripts aside."""
    found: set[str] = set()
    waiting = list(span.elements)
    while waiting:
        element = waiting.pop()
        if element.label in _SCRIPTS:
            continue
        found.add(element.label)
        for row in element.rows:
            waiting += row.elements
    return frozenset(found)


def _spells(pattern: Pattern, length: int) -> bool:
    """Whether a rule's name is a word of so many letters."""
    return len(pattern.items[0].letters) == length


def _is_letter(element: Element) -> bool:
    return len(element.label) == 1 and element.label.isalpha() and element.label.isascii()


def _is_name(elements: list[Element], at: int) -> bool:
    """Whether a name stands before element `at`, maybe with scripts: the P of `P(A)`."""
    before = at - 1
    while before >= 0 and elements[before].label in _SCRIPTS:
        before -= 1
    if before < 0:
        return False
    label = elements[before].label
    return label.isalpha() or ":" in label or (label[0] == "\\" and label[1:].isalpha() and not elements[before].rows)
