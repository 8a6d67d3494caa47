"""The choices of standalone disambiguation: a generic symbol, and the macros that print as it.

A pair is aligned with the grammar; every macro call of the semantic side then stands at a symbol of the
generic side. The candidates are the macros with a template that begins with that symbol, so that only
predictions that make sense are possible (paper, section 3.2.2).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from texlift.corpus.pair import Pair
from texlift.errors import FormulaError
from texlift.grammar.grammar import Grammar
from texlift.grammar.induction.alignment import Aligner
from texlift.grammar.pattern import Pattern
from texlift.grammar.readings import Forest, Reader
from texlift.latex.canonical import Row, canonical
from texlift.macros.semantic import semantic_row

__all__ = ["Choice", "candidates_by_symbol", "choices_of", "occurrences"]


@dataclass(frozen=True, slots=True)
class Choice:
    """One decision: at character `start` of `formula` stands `symbol`, which means `macro`."""

    formula: str
    symbol: str
    start: int
    macro: str
    fold: int
    fitting: tuple[str, ...] = ()
    """The candidates of which a whole template fits at this place, not only its first symbol."""


def candidates_by_symbol(grammar: Grammar) -> dict[str, tuple[str, ...]]:
    """For every symbol the macros whose templates begin with it."""
    table: dict[str, set[str]] = defaultdict(set)
    for rule in grammar.rules:
        head = _head(rule.pattern)
        if head:
            table[head].add(rule.name)
    return {symbol: tuple(sorted(names)) for symbol, names in table.items()}


def _head(pattern: Pattern) -> str:
    for item in pattern.items:
        return "" if item.hole >= 0 else item.label
    return ""


def choices_of(pairs: Iterable[Pair], grammar: Grammar) -> list[Choice]:
    """All decisions of the pairs that the grammar can align, each formula once."""
    aligner = Aligner(grammar.rules)
    reader = Reader(grammar)
    found: dict[tuple[str, str], list[Choice]] = {}
    for pair in pairs:
        key = (pair.generic, pair.semantic)
        if key in found:
            continue
        found[key] = []
        if pair.trivial:
            continue
        try:
            generic = canonical(pair.generic)
            alignment = aligner.align(semantic_row(pair.semantic), generic)
        except FormulaError:
            continue
        if alignment is None:
            continue
        fitting = _fitting(Forest(reader, generic))
        for step in alignment.steps:
            if step.match is None:
                continue
            element = step.row.elements[step.position]
            fold = pair.fold if pair.fold is not None else 0
            names = fitting.get((element.label, element.start), frozenset())
            found[key].append(
                Choice(pair.generic, element.label, element.start, step.match.rule.name, fold, tuple(sorted(names)))
            )
    return [choice for choices in found.values() for choice in choices]


def _fitting(forest: Forest) -> dict[tuple[str, int], frozenset[str]]:
    """The macros that can be read at each (symbol, character position)."""
    found: dict[tuple[str, int], frozenset[str]] = defaultdict(frozenset)
    for row in forest.rows:
        for element, matches in zip(row.elements, forest.places[id(row)], strict=True):
            if matches:
                found[element.label, element.start] |= {match.rule.name for match in matches}
    return found


def occurrences(formula: str, candidates: Mapping[str, tuple[str, ...]]) -> list[tuple[str, int]]:
    """(symbol, character position) of every symbol of a formula that some macro prints as."""
    found: list[tuple[str, int]] = []
    rows: list[Row] = [canonical(formula)]
    while rows:
        for element in rows.pop().elements:
            if element.label in candidates:
                found.append((element.label, element.start))
            rows.extend(element.rows)
    return sorted(found, key=lambda occurrence: occurrence[1])
