"""What the other formulae of a section make of a symbol.

Sections have conventions: in one `P_{n}` is Legendre's polynomial, in another his function, in a third a mere letter,
and no word of the titles says so. The table of conventions holds how many formulae under some titles read a symbol in
a certain way, and how many have the symbol at all. A reading is told how many of them agree with it. A feature of
this kind is the same for all symbols and sections, so its weight is learnt from all of them; a weight for each title
and rule would rest on the few formulae of that section.

In training a formula does not see itself in the table: see `Ledger`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from texlift.latex.canonical import Row
from texlift.translate.encoded import CONVENTION_COLUMNS, Encoded

__all__ = ["SECTION_CONVENTIONS", "TITLE_CONVENTIONS", "Conventions", "Ledger", "symbol_shown", "title_keys"]

Keys = NDArray[np.int64]
Counted = Callable[[Keys], NDArray[np.int64]]

RULE, MACRO, EXPRESSION = range(3)  # kinds of keys: the rule at a symbol with its scripts, its macro, all that is shown
CHAPTER, SECTION, TITLES = range(3)  # kinds of titles: the chapter's other sections, the section, all titles
_ANYWHERE: Final = -1
_COLUMNS: Final = (
    (CHAPTER, RULE),
    (CHAPTER, MACRO),
    (SECTION, RULE),
    (SECTION, MACRO),
    (TITLES, RULE),
    (_ANYWHERE, EXPRESSION),
)
TITLE_CONVENTIONS: Final = tuple(
    CONVENTION_COLUMNS.start + column for column, (level, _) in enumerate(_COLUMNS) if level != _ANYWHERE
)
SECTION_CONVENTIONS: Final = tuple(
    CONVENTION_COLUMNS.start + column for column, (level, _) in enumerate(_COLUMNS) if level in (SECTION, TITLES)
)
_FIELDS: Final = ("chapter", "section", "subsection", "paragraph")
_SCRIPTS: Final = {"_": 1, "'": 2, "^": 4}
_FENCED: Final = 8
_MANY: Final = np.array([2, 3, 6, 16])  # steps of how many formulae have the symbol
_SHARES: Final = np.array([1e-9, 0.2, 0.5, 0.8, 1.0])  # and of the share of them that agree


@lru_cache(maxsize=1024)
def _titles(titles: tuple[str, ...]) -> tuple[int, int, int]:
    known = [title.lower() for title in titles]
    # 0 means that there is no such title
    return (
        crc32(f"chapter {known[0]}".encode()) if known[0] else 0,
        crc32("\n".join(known[:2]).encode()) if known[1] else 0,
        crc32("\n\n".join(known).encode()) if any(known) else 0,
    )


def title_keys(context: str | Mapping[str, str] | None) -> tuple[int, int, int]:
    """Numbers of the chapter, of the section, and of all titles together; 0 for none."""
    if not context or isinstance(context, str):
        return (0, 0, 0)
    return _titles(tuple([str(context.get(name, "")) for name in _FIELDS]))


def symbol_shown(row: Row, position: int, latex: str) -> tuple[int, str]:
    """What a symbol carries, as a number, and all that is shown: the symbol, its scripts and a fence behind them."""
    elements = row.elements
    end = len(elements)
    at = position + 1
    carried = 0
    while at < end and (script := _SCRIPTS.get(elements[at].label)):
        carried |= script
        at += 1
    if at < end and elements[at].rows and " " in elements[at].label:
        carried |= _FENCED
        at += 1
    shown = latex[elements[position].start : elements[at - 1].end]
    return carried, shown.replace("\\left", "").replace("\\right", "").replace(" ", "")


@dataclass(frozen=True, slots=True, eq=False)
class Conventions:
    """How many formulae have a key, for each key that is known; the keys in ascending order."""

    keys: NDArray[np.int64]
    counts: NDArray[np.uint16]

    @staticmethod
    def none() -> Conventions:
        """A table that knows nothing."""
        return Conventions(np.zeros(0, np.int64), np.zeros(0, np.uint16))

    def count(self, keys: Keys) -> NDArray[np.int64]:
        """The counts of some keys."""
        if not len(self.keys):
            return np.zeros(keys.shape, np.int64)
        at = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[at] == keys, self.counts[at], 0).astype(np.int64)

    def columns(self, formulae: Sequence[Encoded]) -> NDArray[np.int32]:
        """What the readings of some formulae, one after the other, are told: (C, columns), 0 for nothing."""
        return _columns(formulae, self.count)


class Ledger:
    """Collects what formulae with known readings do, and tells each what the others do."""

    def __init__(self) -> None:
        self._entries: list[tuple[str, Keys]] = []

    def enter(self, generic: str, encoded: Encoded, gold: NDArray[np.int32]) -> None:
        """A formula and, for each of its places, its reading; -1 for places that are part of others."""
        visited = np.flatnonzero(gold >= 0)
        chosen = np.searchsorted(encoded.reading_place, visited) + gold[visited]
        titles = np.array([*encoded.title_keys, 1], np.int64)
        keys = [
            _mixed(titles[[level]], some)
            for level, kind in {*_COLUMNS, (SECTION, RULE), (SECTION, MACRO)}
            if titles[level]
            for some in (encoded.reading_keys[chosen, kind], encoded.place_keys[visited, kind])
        ]
        if keys:
            self._entries.append((generic, np.unique(np.concatenate(keys))))

    def table(self) -> Conventions:
        """The table of all formulae entered; one that stands under the same titles several times counts once."""
        different = {(generic, keys.tobytes()): keys for generic, keys in self._entries}
        return _counted(list(different.values()))

    def fill(self, examples: Sequence[tuple[str, Encoded]]) -> None:
        """Fill in what each formula is told by the table of all formulae but those with the same source."""
        table = self.table()
        own: dict[str, dict[bytes, Keys]] = {}
        for generic, keys in self._entries:
            own.setdefault(generic, {})[keys.tobytes()] = keys
        for generic, encoded in examples:
            mine = _counted(list(own.get(generic, {}).values()))
            columns = _columns([encoded], lambda keys, mine=mine: table.count(keys) - mine.count(keys))
            encoded.reading_features[:, CONVENTION_COLUMNS] = columns


def _counted(parts: list[Keys]) -> Conventions:
    if not parts:
        return Conventions.none()
    keys, counts = np.unique(np.concatenate(parts), return_counts=True)
    return Conventions(keys, np.minimum(counts, 0xFFFF).astype(np.uint16))


def _columns(formulae: Sequence[Encoded], count: Counted) -> NDArray[np.int32]:
    places = np.array([len(f.place_keys) for f in formulae])
    titles = np.array([(*f.title_keys, 1) for f in formulae], np.int64).repeat(places, 0)  # (P, levels)
    place_keys = np.concatenate([f.place_keys for f in formulae])
    reading_keys = np.concatenate([f.reading_keys for f in formulae])
    starts = np.cumsum(places) - places
    of_place = np.concatenate([f.reading_place + start for f, start in zip(formulae, starts, strict=True)])

    def counted(level: int, kind: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        under = titles[:, level]
        agreeing = count(_mixed(under[of_place], reading_keys[:, kind]))
        return agreeing * (under[of_place] != 0), count(_mixed(under, place_keys[:, kind])) * (under != 0)

    found = np.zeros((len(reading_keys), len(_COLUMNS)), np.int32)
    sections = {kind: counted(SECTION, kind) for kind in (RULE, MACRO)}
    for column, (level, kind) in enumerate(_COLUMNS):
        agreeing, having = sections[kind] if level == SECTION else counted(level, kind)
        if level == CHAPTER:  # a new section has only the chapter's others to go by
            agreeing, having = agreeing - sections[kind][0], having - sections[kind][1]
        many = np.maximum(having, 1)[of_place]
        steps = np.digitize(many, _MANY) * (len(_SHARES) + 1) + np.digitize(agreeing / many, _SHARES)
        found[:, column] = np.where(having[of_place] > 0, 1 + steps, 0)
    return found


def _mixed(titles: Keys, keys: Keys) -> Keys:
    mixed = keys * 0x9E3779B97F4A7C1 ^ titles * 0xC2B2AE3D27D4EB
    mixed = (mixed ^ (mixed >> 29)) * 0x1B873593CC9E2D5
    return (mixed ^ (mixed >> 32)) & 0xFFFFFFFF
