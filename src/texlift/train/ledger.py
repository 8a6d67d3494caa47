"""What formulae with known readings make of symbols: counted for the model, and told to each formula by the others.

A formula in training does not see itself in the table of conventions, and at times nothing of its section.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from texlift.context.memory import (
    SECTION,
    Conventions,
    Keys,
    formula_keys,
    kindred_columns,
    told_columns,
)
from texlift.context.sections import Entry, Kindred, features_of
from texlift.scorer.encoding import Encoded

__all__ = ["Ledger", "Told"]

_Owner = tuple[str | int, ...]
_TOGETHER: Final = 512  # formulae that are told at a time
_NO_KEY: Final = np.array([np.iinfo(np.int64).max])


@dataclass(frozen=True, slots=True, eq=False)
class Told:
    """What the readings of a formula are told by other formulae, as numbers of features."""

    known: NDArray[np.int32]  # (C, columns) by all others
    fresh: NDArray[np.int32]  # (C, columns) as if the formula's section were a new one
    untitled: NDArray[np.int32]  # (C, kindred columns) by the sections it may be from, its titles not being known
    fresh_untitled: NDArray[np.int32]  # (C, kindred columns) the same, its section being new


@dataclass(frozen=True, slots=True, eq=False)
class _Line:
    generic: str
    keys: Keys
    entry: Entry


class Ledger:
    """Collects what formulae with known readings do, and tells each what the others do."""

    def __init__(self) -> None:
        self._lines: dict[tuple[str, tuple[int, ...], bytes], _Line] = {}

    def enter(self, generic: str, encoded: Encoded, gold: NDArray[np.int32]) -> None:
        """A formula and, for each of its places, its reading; -1 for places that are part of others.

        A formula that stands in the same sentence several times counts once.
        """
        context = encoded.context_keys
        keys = formula_keys(encoded, gold)
        entry = Entry(context[SECTION], features_of(encoded))
        self._lines[generic, context, keys.tobytes()] = _Line(generic, keys, entry)

    def table(self) -> Conventions:
        """The table of all formulae entered."""
        lines = self._lines.values()
        return Conventions.of([line.keys for line in lines], Kindred.of([line.entry for line in lines]))

    def told(self, examples: Sequence[tuple[str, Encoded]]) -> Iterator[Told]:
        """For each formula what it is told by all others."""
        table = self.table()
        kindred = table.kindred
        lines = self._lines.values()
        formulae = _Owners(((line.generic,), line.keys) for line in lines)
        sections = _Owners(((line.entry.section,), line.keys) for line in lines)
        both = _Owners(((line.generic, line.entry.section), line.keys) for line in lines)
        entries: dict[str, list[Entry]] = defaultdict(list)
        for line in lines:
            entries[line.generic].append(line.entry)
        for start in range(0, len(examples), _TOGETHER):
            some = examples[start : start + _TOGETHER]
            encoded = [formula for _, formula in some]
            same = formulae.numbers((generic,) for generic, _ in some)
            near = sections.numbers((formula.context_keys[SECTION],) for formula in encoded)
            here = both.numbers((generic, formula.context_keys[SECTION]) for generic, formula in some)

            def known(keys: Keys, of: Keys, same: Keys = same) -> NDArray[np.int64]:
                return table.count(keys) - formulae.count(keys, same[of])

            def fresh(keys: Keys, of: Keys, near: Keys = near, here: Keys = here) -> NDArray[np.int64]:
                return known(keys, of) - sections.count(keys, near[of]) + both.count(keys, here[of])

            own = [entries.get(generic, []) for generic, _ in some]
            untitled = kindred.likely_without(encoded, own, closed=False)
            elsewhere = kindred.likely_without(encoded, own, closed=True)
            parts = (
                told_columns(encoded, known),
                told_columns(encoded, fresh),
                kindred_columns(encoded, known, untitled),
                kindred_columns(encoded, fresh, elsewhere),
            )
            bounds = np.cumsum([len(formula.reading_place) for formula in encoded])[:-1]
            yield from map(Told, *(np.split(part, bounds) for part in parts))


class _Owners:
    """How many entries of one owner have a key: of a formula, of a section."""

    def __init__(self, entries: Iterable[tuple[_Owner, Keys]]) -> None:
        self._numbers: dict[_Owner, int] = {}
        parts = []
        for owner, keys in entries:
            number = self._numbers.setdefault(owner, len(self._numbers) + 1)
            parts.append(keys | number << 32)
        # with an owner in front they are too long for a `Tally`; the last one is greater than any that is asked for
        self._keys, self._counts = np.unique(np.concatenate([*parts, _NO_KEY]), return_counts=True)

    def numbers(self, owners: Iterable[_Owner]) -> Keys:
        """The numbers of some owners; 0 for one without entries."""
        return np.array([self._numbers.get(owner, 0) for owner in owners], np.int64)

    def count(self, keys: Keys, owner: Keys) -> NDArray[np.int64]:
        """For each key how many entries of an owner have it."""
        wanted = keys | owner << 32
        at = np.searchsorted(self._keys, wanted)
        return np.where(self._keys[at] == wanted, self._counts[at], 0)
