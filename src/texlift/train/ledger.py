"""What formulae with known readings make of symbols: counted for the model, and shown to each formula by the others.

A formula in training does not see itself in memory, and at times nothing of its section.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from texlift.context.memory import SECTION, Memory, Symbols, formula_keys
from texlift.context.sections import Entry, SectionClassifier
from texlift.counts import Keys, Owned
from texlift.tuning import Tuning

__all__ = ["Ledger", "Remembered"]

_TOGETHER: Final = 512  # formulae that are handled at a time


@dataclass(frozen=True, slots=True, eq=False)
class Remembered:
    """What memory says of the readings of a formula, as numbers of features."""

    known: NDArray[np.int32]  # (C, COLUMNS) by all other formulae
    fresh: NDArray[np.int32]  # (C, COLUMNS) as if the formula's section were a new one
    untitled: NDArray[np.int32]  # (C, LIKELY_COLUMNS) by the sections it looks like, its titles not being known
    fresh_untitled: NDArray[np.int32]  # (C, LIKELY_COLUMNS) the same, its section being new


@dataclass(frozen=True, slots=True, eq=False)
class _Line:
    generic: str
    keys: Keys
    entry: Entry


class Ledger:
    """Collects what formulae with known readings do, and shows each what the others do."""

    def __init__(self, tuning: Tuning) -> None:
        self._tuning = tuning
        self._lines: dict[tuple[str, tuple[int, ...], bytes], _Line] = {}

    def enter(self, generic: str, symbols: Symbols, gold: NDArray[np.int32]) -> None:
        """A formula and, for each of its places, its reading; -1 for places that are part of others.

        A formula that stands in the same sentence several times counts once.
        """
        keys = formula_keys(symbols, gold)
        entry = Entry(symbols.scope[SECTION], symbols.features)
        self._lines[generic, symbols.scope, keys.tobytes()] = _Line(generic, keys, entry)

    def memory(self) -> Memory:
        """The memory of all formulae entered."""
        lines = self._lines.values()
        sections = SectionClassifier.of([line.entry for line in lines], self._tuning)
        return Memory.of([line.keys for line in lines], sections, self._tuning)

    def remembered(self, examples: Sequence[tuple[str, Symbols]]) -> Iterator[Remembered]:
        """For each formula what all others say."""
        memory = self.memory()
        lines = self._lines.values()
        formulae, sections, both = _Numbers(), _Numbers(), _Numbers()
        of_formula = Owned((formulae.new(line.generic), line.keys) for line in lines)
        of_section = Owned((sections.new(line.entry.section), line.keys) for line in lines)
        of_both = Owned((both.new((line.generic, line.entry.section)), line.keys) for line in lines)
        entries: dict[str, list[Entry]] = defaultdict(list)
        for line in lines:
            entries[line.generic].append(line.entry)
        for start in range(0, len(examples), _TOGETHER):
            some = examples[start : start + _TOGETHER]
            asked = [symbols for _, symbols in some]
            titles = [symbols.scope[SECTION] for symbols in asked]
            same = formulae.of([generic for generic, _ in some])
            near = sections.of(titles)
            here = both.of([(generic, section) for (generic, _), section in zip(some, titles, strict=True)])

            def known(keys: Keys, of: Keys, same: Keys = same) -> NDArray[np.int64]:
                return memory.count(keys) - of_formula.count(keys, same[of])

            def fresh(keys: Keys, of: Keys, near: Keys = near, here: Keys = here) -> NDArray[np.int64]:
                return known(keys, of) - of_section.count(keys, near[of]) + of_both.count(keys, here[of])

            own = [entries.get(generic, []) for generic, _ in some]
            features = [symbols.features for symbols in asked]
            parts = (
                memory.columns_of(asked, known),
                memory.columns_of(asked, fresh),
                memory.likely_columns(asked, known, memory.sections.likely_without(features, own)),
                memory.likely_columns(asked, fresh, memory.sections.likely_without(features, own, titles)),
            )
            bounds = np.cumsum([len(symbols.reading_place) for symbols in asked])[:-1]
            yield from map(Remembered, *(np.split(part, bounds) for part in parts))


class _Numbers:
    """Numbers from 1 for different owners; 0 for one that has none."""

    def __init__(self) -> None:
        self._known: dict[object, int] = {}

    def new(self, owner: object) -> int:
        return self._known.setdefault(owner, len(self._known) + 1)

    def of(self, owners: Sequence[object]) -> Keys:
        return np.array([self._known.get(owner, 0) for owner in owners], np.int64)
