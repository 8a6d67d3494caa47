"""Training examples of the translator: forests with the gold reading of every place that gold visits."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from texlift.corpus.habits import EVERYDAY, TEXTBOOK, Habits
from texlift.corpus.notation import rewritten, rewritten_context, variants
from texlift.corpus.pair import Context, Pair
from texlift.corpus.primer import is_primer
from texlift.errors import FormulaError
from texlift.grammar.alignment import Aligner
from texlift.grammar.grammar import Grammar
from texlift.grammar.readings import Forest, Reader, identity
from texlift.latex.canonical import canonical
from texlift.macros.semantic import semantic_row
from texlift.translate.encoding import Encoded, Encoder

__all__ = ["Example", "examples", "gold_readings", "marked_constants"]

_CONSTANT = re.compile(r"\\[A-Za-z]+")

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Example:
    """An encoded formula; `gold[p]` is the right reading (0: literal) of place p, -1 where gold does not go."""

    encoded: Encoded
    gold: NDArray[np.int32]  # (P,)
    variant: bool  # in another notation than the pair's
    primed: bool = False  # of the primer: its context is always shown


def gold_readings(forest: Forest, semantic: str, aligner: Aligner) -> dict[tuple[int, int], int] | None:
    """(id(row), position) -> index of the gold reading; None if gold is not among the forest's readings."""
    alignment = aligner.align(semantic_row(semantic), forest.root)
    if alignment is None:
        return None
    gold: dict[tuple[int, int], int] = {}
    for step in alignment.steps:
        matches = forest.places[id(step.row)][step.position]
        index = 0
        if step.match is not None:
            wanted = identity(step.match)
            index = next((k for k, match in enumerate(matches, 1) if identity(match) == wanted), -1)
            if index < 0:
                return None
        gold.setdefault((id(step.row), step.position), index)  # a hole may start where its match starts
    return gold


def examples(
    pairs: Iterable[Pair],
    grammar: Grammar,
    encoder: Encoder,
    notations: int = 1,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> list[Example]:
    """Examples of all pairs that the grammar explains, each also in `notations` other notations."""
    reader = Reader(grammar)
    aligner = Aligner(grammar.rules)
    found: list[Example] = []
    for number, pair in enumerate(pairs):
        if progress:
            progress(number)
        found += _examples(pair.generic, pair.context, pair, reader, aligner, encoder)
        for generic, habits in _other_notations(pair.generic, notations, seed):
            found += _examples(generic, rewritten_context(pair.context, habits), pair, reader, aligner, encoder)
    return found


def _other_notations(generic: str, count: int, seed: int) -> Sequence[tuple[str, Habits]]:
    """Other ways to write a formula, with the habits of who writes so around it."""
    if not count:
        return []
    habits = TEXTBOOK if crc32(generic.encode()) % _TEXTBOOKS == 0 else EVERYDAY
    try:
        plain = rewritten(generic, habits)
        others = [plain] if plain != generic else []
        if count > 1:
            others += variants(generic, seed, count - 1)
        return [(other, habits) for other in others[:count]]
    except FormulaError:
        return []


_TEXTBOOKS = 4  # every fourth formula is also shown as a textbook has it, the others in everyday notation


def _examples(
    generic: str, context: Context | None, pair: Pair, reader: Reader, aligner: Aligner, encoder: Encoder
) -> Iterator[Example]:
    try:
        forest = reader.read(canonical(generic))
        gold = gold_readings(forest, pair.semantic, aligner)
    except FormulaError as error:
        log.warning("%s skipped: %s", pair.id, error)
        return
    if gold is None:
        return
    for constants in (False, True):
        if constants:
            marked = marked_constants(forest, gold, pair)
            if marked is None:
                return
            gold = marked
        encoded = encoder.encode(forest, generic, context, constants)
        wanted = [gold.get((id(place.row), place.position), -1) for place in encoded.places]
        encoded.places = []  # the trees are not needed any more, and large
        yield Example(encoded, np.array(wanted, np.int32), generic != pair.generic, is_primer(pair))


def marked_constants(forest: Forest, gold: dict[tuple[int, int], int], pair: Pair) -> dict[tuple[int, int], int] | None:
    """Gold with every constant marked that the pair's list of symbols names; None if the list says nothing.

    A constant is a macro without arguments in that list; it is marked wherever gold leaves its symbol literal.
    """
    if not pair.symbols:
        return None
    constants = {symbol.semantic for symbol in pair.symbols if _CONSTANT.fullmatch(symbol.semantic)}
    marked = dict(gold)
    possible = False
    for row in forest.rows:
        for position, matches in enumerate(forest.places[id(row)]):
            for index, match in enumerate(matches, 1):
                if match.rule.call == match.rule.name and match.end - len(match.trailing) == position + 1:
                    possible = True
                    if match.rule.call in constants and gold.get((id(row), position)) == 0:
                        marked[id(row), position] = index
    return marked if possible else None
