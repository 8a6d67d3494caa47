"""Which matches are readings at all: conditions that hold whatever the scorer says.

A match shows that a macro would print what stands there. It is a reading only if it leaves the author's writing alone:

- one argument takes no list, and an argument that the macro hides takes nothing that is shown (`{}_2F_1(a,b,c,z)`);
- it reads no part of a word and takes no word for a number (`trace(P)`, `T_{eff}`);
- it takes no part out of the author's braces (`\\log{c\\log{x}}`);
- a script behind several factors belongs to the last of them (`2A^T`);
- a letter that is an index is no constant (`a_{i}`), a bar inside an argument or a set does not divide;
- its arguments have the letters of its convention (`K(m)` is of the parameter).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from texlift.grammar.braces import crosses, groups
from texlift.grammar.conditions import Conditions, Special
from texlift.grammar.indices import bound_letters, is_index
from texlift.grammar.match import Bound, SpanRef
from texlift.grammar.pattern import Pattern
from texlift.grammar.words import is_label, word_spans
from texlift.latex.canonical import Element, FontElement, Row

__all__ = ["FormulaAdmission", "Holder", "RowAdmission", "is_list"]

_SCRIPTS: Final = frozenset("_'^")
_SEPARATORS: Final = frozenset([",", ";", ":", r"\mid"])
_OF_LISTS: Final = _SEPARATORS | {"|"}
_SHORT_WORD: Final = 2  # letters of \\text{...} that are a word of the sentence and no function


class Holder:
    """What holds a row: element `at` of the row above, and what holds that."""

    __slots__ = ("above", "at", "row")

    def __init__(self, row: Row, at: int, above: Holder | None) -> None:
        self.row = row
        self.at = at
        self.above = above

    @property
    def label(self) -> str:
        return self.row.elements[self.at].label


class FormulaAdmission:
    """What holds for all rows of a formula. Most have no list and no prescripts, so nothing is asked about them."""

    __slots__ = ("_names", "bound", "fonts", "labels", "listing", "prescripts", "with_lexicon")

    def __init__(self, root: Row, with_lexicon: bool = True) -> None:
        self.with_lexicon = with_lexicon  # in another language an upright word as a subscript may be a macro
        self.labels: set[str] = set()  # that occur in the formula
        self.fonts: set[str] = set()  # around single letters: another language may have a macro that prints one
        self.listing: dict[int, list[str]] = {}  # labels of the rows with separators, by the ids of the rows
        rows = [root]
        for row in rows:  # grows while it is gone through
            labels = [element.label for element in row.elements]
            self.labels.update(labels)
            if not _OF_LISTS.isdisjoint(labels):
                self.listing[id(row)] = labels
            for element in row.elements:
                if element.rows:
                    rows += element.rows
                elif type(element) is FontElement:
                    self.fonts.add(element.font)
        self.bound = bound_letters(rows, self.labels)  # letters over which a sum or product goes
        self.prescripts = "{}" in self.labels
        self._names: dict[int, bool] = {}

    def is_name(self, row: Row) -> bool:
        """Whether a script is a word that names something, found once a row."""
        known = self._names.get(id(row))
        if known is None:
            known = self._names[id(row)] = is_label(row)
        return known


class RowAdmission:
    """What is known of one row: its words and groups, found when they are first asked for."""

    __slots__ = ("_careful", "_groups", "_label", "_words", "formula", "holder", "row")

    def __init__(self, formula: FormulaAdmission, row: Row, holder: Holder | None) -> None:
        self.formula = formula
        self.row = row
        self.holder = holder
        self._careful: bool | None = None  # whether the row has anything that a match must leave whole

    def admitted(self, ways: list[Bound], start: int, pattern: Pattern) -> list[Bound]:
        """Those of the ways to match a pattern at one place that leave words, braces and indices whole."""
        if self._careful is None:
            self._look()
        first = self.row.elements[start]
        if not self._careful and first.style != "text":
            return ways
        if first.style == "text" and len(first.label) <= _SHORT_WORD:
            return []  # `\\text{si }x<2` is prose, in whatever language
        if self._label or self._is_prescripted(start):
            return []
        return [way for way in ways if self._leaves_whole(way, start, pattern)]

    def _look(self) -> None:
        row, formula = self.row, self.formula
        subscript = self.holder is not None and self.holder.label == "_"
        self._label = formula.with_lexicon and subscript and formula.is_name(row)
        self._words = word_spans(row, subscript)
        self._groups = groups(row) if row.dissolved else []
        self._careful = bool(
            self._label
            or self._words
            or self._groups
            or formula.prescripts
            or (formula.listing and any(map(self._counts, row.elements)))
        )

    def _leaves_whole(self, way: Bound, start: int, pattern: Pattern) -> bool:
        end, holes, scripts, _ = way
        if self._words and not self._outside_words(start, end, holes, pattern):
            return False
        if self._groups:
            if crosses(self._groups, start, end):
                return False
            for span in holes.values():
                if span.row is self.row and crosses(self._groups, span.start, span.end):
                    return False
        return not any(self._counts(self.row.elements[at]) for at in scripts)

    def _counts(self, element: Element) -> bool:
        """Whether a script is a list of indices, which a macro would have as parameters."""
        return element.label == "_" and "," in self.formula.listing.get(id(element.rows[0]), ())

    def _outside_words(self, start: int, end: int, holes: dict[int, SpanRef], pattern: Pattern) -> bool:
        """Whether a match takes words as a whole: as its own name, or inside an argument."""
        for first, behind in self._words:
            if start == behind and self.row.elements[behind].label == "( )":
                return False  # the argument of a word is no pair
            if end <= first or behind <= start:
                continue
            if start == first and pattern.items and _spells(pattern, behind - first):
                continue
            ends = [start, end]
            for span in holes.values():
                if span.row is self.row:
                    ends += (span.start, span.end)
            if any(first < at < behind for at in ends) or first <= start < behind:
                return False
        return True

    def _is_prescripted(self, at: int) -> bool:
        """Whether scripts stand before a symbol that are its own: there is no Coulomb function in `{}_0F_1(a,z)`."""
        elements = self.row.elements
        before = at - 1
        while before >= 0 and elements[before].label in _SCRIPTS:
            before -= 1
        return 0 <= before < at - 1 and elements[before].label == "{}"

    def meets(self, conditions: Conditions, way: Bound, start: int) -> bool:
        """Whether a way to match what a rule shows is what the rule asks for."""
        end, holes, _, _ = way
        if self.formula.listing:
            for hole in conditions.single:
                if hole in holes and self._is_list(holes[hole]):
                    return False
            if conditions.head and self._before_others(end, conditions.head):
                return False
        for hole in conditions.parameters:
            if hole in holes:
                row = holes[hole].row
                elements = row.elements
                several = len(elements) != 1 or len(elements[0].label) > 1  # characters; one is no word
                if several and row is not self.row and self.formula.is_name(row):
                    return False  # a parameter that is a word
        return conditions.special is None or self._meets(conditions.special, holes, start)

    def _meets(self, special: Special, holes: dict[int, SpanRef], start: int) -> bool:
        if special.beside and not all(map(_is_symbol, holes.values())):
            return False
        if special.raised in holes and not _is_operand(holes[special.raised]):
            return False
        if special.constant and is_index(self.row, start, self.holder, self.formula.bound):
            return False
        if special.divides and self._separates(start):
            return False
        if special.spelled and self._runs_on(start, special.spelled):
            return False
        return all(convention.fits(_letters(holes[hole])) for hole, convention in special.conventions if hole in holes)

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
        row, start, end = span.row, span.start, span.end
        if self.formula.with_lexicon and row is self.row and end - start == 1 and row.elements[start].label == "( )":
            row = row.elements[start].rows[0]
            start, end = 0, len(row.elements)
        labels = self.formula.listing.get(id(row))
        return labels is not None and _parts(labels[start:end]) > 1

    def _before_others(self, end: int, variables: int) -> bool:
        """Whether several arguments follow, and another number than the function has: then it is another function."""
        elements = self.row.elements
        if end >= len(elements) or elements[end].label != "( )":
            return False
        inside = self.formula.listing.get(id(elements[end].rows[0]))
        if inside is None:
            return False
        parts, groups = _parts(inside), _parts(inside, ";")
        return parts > 1 and variables != parts and (groups == 1 or variables != groups)

    def _runs_on(self, start: int, letters: int) -> bool:
        """Whether letters typed one by one go on without a space: `lit` is no logarithmic integral of t."""
        elements = self.row.elements
        if len(elements[start].label) != 1 or start + letters >= len(elements):
            return False
        last, behind = elements[start + letters - 1], elements[start + letters]
        return behind.start == last.end and _is_letter(behind)


def is_list(span: SpanRef) -> bool:
    """Whether an argument is several, with separators between them."""
    return _parts([element.label for element in span.elements]) > 1


def _parts(labels: list[str], signs: Collection[str] = _SEPARATORS) -> int:
    """How many parts a list has between separators; a bar that has no partner separates too."""
    return 1 + sum([label in signs for label in labels]) + labels.count("|") % 2


def _is_symbol(span: SpanRef) -> bool:
    """Whether an argument is one letter or number, with its scripts."""
    first, *rest = span.elements
    label = first.label
    named = label.isalnum() or (label[0] == "\\" and label[1:].isalpha()) or ":" in label
    return named and all(element.label in _SCRIPTS for element in rest)


def _is_operand(span: SpanRef) -> bool:
    """Whether an argument is one thing with its scripts: a script behind `2A` belongs to A alone."""
    return all(element.label in _SCRIPTS for element in span.elements[1:])


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
