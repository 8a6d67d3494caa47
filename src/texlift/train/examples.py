"""Training examples of the translator: forests with the gold reading of every place that gold visits."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from texlift.context.memory import Memory
from texlift.corpus.habits import EVERYDAY, LETTERS, TEXTBOOK, Habits
from texlift.corpus.notation import rewritten, rewritten_context, variants
from texlift.corpus.pair import Context, Pair
from texlift.corpus.primer import is_primer
from texlift.errors import FormulaError
from texlift.grammar.grammar import Grammar
from texlift.grammar.induction.alignment import Aligner, Alignment
from texlift.grammar.readings import Forest, Reader, identity
from texlift.latex.canonical import canonical
from texlift.scorer.encoding import Encoded, Encoder
from texlift.train.ledger import Ledger, Remembered
from texlift.train.names import Names
from texlift.tuning import Tuning

__all__ = ["Example", "examples", "gold_readings", "marked_constants"]

_CONSTANT = re.compile(r"\\[A-Za-z]+")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Example:
    """An encoded formula; `gold[p]` is the right reading (0: literal) of place p, -1 where gold does not go."""

    encoded: Encoded
    gold: NDArray[np.int32]  # (P,)
    further: bool  # in another notation than the pair's, or a name of the pair: not shown in every epoch
    source: str = ""  # the pair's formula; for a name alone, the name
    primed: bool = False  # of the primer, or a name alone: its context is always shown
    own: bool = False  # the pair unchanged: what it makes of a symbol is remembered
    remembered: Remembered | None = None  # what the other formulae make of its symbols


def gold_readings(forest: Forest, semantic: str, aligner: Aligner) -> dict[tuple[int, int], int] | None:
    """(id(row), position) -> index of the gold reading; None if gold is not among the forest's readings."""
    alignment = aligner.align(aligner.language.row(semantic), forest.root)
    return None if alignment is None else _readings_of(forest, alignment)


def _readings_of(forest: Forest, alignment: Alignment) -> dict[tuple[int, int], int] | None:
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
    names: bool = True,
    progress: Callable[[int], None] | None = None,
    tuning: Tuning | None = None,
) -> tuple[list[Example], Memory]:
    """Examples of all pairs that the grammar explains, each also in `notations` other notations and by its names.

    With them the memory of what they make of symbols; each example has what the others say.
    """
    maker = _Maker(grammar, encoder, notations, seed, names)
    found: list[Example] = []
    for number, pair in enumerate(pairs):
        if progress:
            progress(number)
        found += maker.examples(pair)
    ledger = Ledger(tuning or Tuning())
    for example in found:
        if example.own:
            ledger.enter(example.source, example.encoded.symbols, example.gold)
    remembered = ledger.remembered([(example.source, example.encoded.symbols) for example in found])
    return [replace(example, remembered=one) for example, one in zip(found, remembered, strict=True)], ledger.memory()


class _Maker:
    """Makes examples, one pair after the other."""

    def __init__(self, grammar: Grammar, encoder: Encoder, notations: int, seed: int, names: bool) -> None:
        self.reader = Reader(grammar)
        self.aligner = Aligner(grammar.rules, 0, grammar.language)
        self.encoder = encoder
        self.notations = notations
        self.seed = seed
        self.names = Names(grammar.rules) if names else None

    def examples(self, pair: Pair) -> Iterator[Example]:
        """The pair as it is, in other notations, and the names it uses alone."""
        derivation = self._derivation(pair.generic, pair)
        yield from self._encoded(pair.generic, pair.context, pair, derivation)
        for generic, habits in _other_notations(pair.generic, self.notations, self.seed):
            context = rewritten_context(pair.context, habits)
            yield from self._encoded(generic, context, pair, self._derivation(generic, pair), further=True)
        if derivation is not None and self.names is not None and not is_primer(pair):
            for name in self.names.of(pair, *derivation):
                alone = self._derivation(name.generic, name)
                yield from self._encoded(name.generic, name.context, name, alone, further=True, primed=True)

    def _derivation(self, generic: str, pair: Pair) -> tuple[Forest, Alignment] | None:
        """The readings of a formula, and which of them gold consists of."""
        try:
            forest = self.reader.read(canonical(generic))
            alignment = self.aligner.align(self.aligner.language.row(pair.semantic), forest.root)
        except FormulaError as error:
            log.warning("%s skipped: %s", pair.id, error)
            return None
        return None if alignment is None else (forest, alignment)

    def _encoded(
        self,
        generic: str,
        context: Context | None,
        pair: Pair,
        derivation: tuple[Forest, Alignment] | None,
        further: bool = False,
        primed: bool = False,
    ) -> Iterator[Example]:
        if derivation is None:
            return
        forest, alignment = derivation
        gold = _readings_of(forest, alignment)
        if gold is None:
            return
        primed = primed or is_primer(pair)
        for constants in (False, True):
            own = not (further or primed or constants)
            if constants:
                marked = marked_constants(forest, gold, pair)
                if marked is None:
                    return
                gold = marked
            encoded = self.encoder.encode(forest, generic, context, constants)
            wanted = [gold.get((id(place.row), place.position), -1) for place in encoded.at]
            encoded = encoded._replace(at=(), where={})  # the trees are not needed any more, and large
            yield Example(encoded, np.array(wanted, np.int32), further, pair.generic, primed, own)


def _other_notations(generic: str, count: int, seed: int) -> Sequence[tuple[str, Habits]]:
    """Other ways to write a formula, with the habits of who writes so around it."""
    if not count:
        return []
    habits = _HABITS[crc32(generic.encode()) % len(_HABITS)]
    try:
        plain = rewritten(generic, habits)
        others = [plain] if plain != generic else []
        if count > 1:
            others += variants(generic, seed, count - 1)
        return [(other, habits) for other in others[:count]]
    except FormulaError:
        return []


_HABITS = (TEXTBOOK, EVERYDAY, LETTERS, EVERYDAY)  # in which formulae are shown too, by turns


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
