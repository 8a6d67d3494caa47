"""What other formulae make of a symbol: those of the same section, and those with the same symbols beside it.

Sections have conventions: in one `P_{n}` is Legendre's polynomial, in another his function, in a third a mere letter,
and no word of the titles says so. The table of conventions holds how many formulae under some titles read a symbol in
a certain way, and how many have the symbol at all. A reading is told how many of them agree with it. A feature of
this kind is the same for all symbols and sections, so its weight is learnt from all of them; a weight for each title
and rule would rest on the few formulae of that section.

Without titles, the company tells: `\\psi` beside `\\Gamma` is the digamma function. How well a reading suits the
symbols of the formula, by the formulae that read it so, is told as well: the naive Bayes classifier's opinion.

In training a formula does not see itself in the table: see `Ledger`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
_Owner = tuple[str | int, ...]
Counted = Callable[[Keys, Keys], NDArray[np.int64]]
"""count(keys, formulae): how many formulae have a key, for each key that one of the formulae asks for."""

RULE, MACRO, EXPRESSION = range(3)  # kinds of keys: the rule at a symbol with its scripts, its macro, all that is shown
CHAPTER, SECTION, TITLES, ANYWHERE = range(4)  # titles: the chapter's other sections, the section, all titles, any
_ANYWHERE, _BESIDE, _LABELS = 1, 2, 3  # in place of titles: anywhere, beside a label, of labels alone
_EVERYTHING: Final = 1 << 20  # in place of a label: how many formulae there are
_COLUMNS: Final = (
    (CHAPTER, RULE),
    (CHAPTER, MACRO),
    (SECTION, RULE),
    (SECTION, MACRO),
    (SECTION, EXPRESSION),
    (TITLES, RULE),
    (ANYWHERE, EXPRESSION),
)
TITLE_CONVENTIONS: Final = tuple(
    CONVENTION_COLUMNS.start + column for column, (level, _) in enumerate(_COLUMNS) if level != ANYWHERE
)
SECTION_CONVENTIONS: Final = tuple(
    CONVENTION_COLUMNS.start + column for column, (level, _) in enumerate(_COLUMNS) if level in (SECTION, TITLES)
)
_FIELDS: Final = ("chapter", "section", "subsection", "paragraph")
_SCRIPTS: Final = {"_": 1, "'": 2, "^": 4}
_FENCED: Final = 8
_LONGEST: Final = 1000  # characters of a title that are looked at
_MANY: Final = np.array([2, 3, 6, 16])  # steps of how many formulae have the symbol
_SHARES: Final = np.array([1e-9, 0.2, 0.5, 0.8, 1.0])  # and of the share of them that agree
_GAPS: Final = np.array([-10.0, -6.0, -3.0, -1.0, 0.0, 1.0, 3.0, 6.0, 10.0])  # steps of how well a reading suits
_TOGETHER: Final = 512  # formulae that are told at a time
_SMOOTHING: Final = 3.0  # formulae with the usual symbols that are added to those of a reading


@lru_cache(maxsize=1024)
def _titles(titles: tuple[str, ...]) -> tuple[int, int, int]:
    known = [title.lower() for title in titles]
    # 0 means that there is no such title
    return (
        _number(f"chapter {known[0]}") if known[0] else 0,
        _number("\n".join(known[:2])) if known[1] else 0,
        _number("\n\n".join(known)) if any(known) else 0,
    )


def _number(title: str) -> int:
    return crc32(title.encode("utf-8", "surrogatepass"))


def title_keys(context: str | Mapping[str, str] | None) -> tuple[int, int, int]:
    """Numbers of the chapter, of the section, and of all titles together; 0 for none."""
    if not context or isinstance(context, str):
        return (0, 0, 0)
    return _titles(tuple([str(context.get(name, ""))[:_LONGEST] for name in _FIELDS]))


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
        return _columns(formulae, lambda keys, _: self.count(keys))


@dataclass(frozen=True, slots=True, eq=False)
class _Entry:
    generic: str
    section: int
    keys: Keys


class Ledger:
    """Collects what formulae with known readings do, and tells each what the others do."""

    def __init__(self) -> None:
        self._entries: dict[tuple[str, tuple[int, int, int], bytes], _Entry] = {}

    def enter(self, generic: str, encoded: Encoded, gold: NDArray[np.int32]) -> None:
        """A formula and, for each of its places, its reading; -1 for places that are part of others.

        A formula that stands under the same titles several times counts once.
        """
        visited = np.flatnonzero(gold >= 0)
        chosen = np.searchsorted(encoded.reading_place, visited) + gold[visited]
        titles = np.array([*encoded.title_keys, _ANYWHERE], np.int64)
        keys = [
            _mixed(titles[[level]], some)
            for level, kind in (*_COLUMNS, (ANYWHERE, MACRO))
            if titles[level]
            for some in (encoded.reading_keys[chosen, kind], encoded.place_keys[visited, kind])
        ]
        labels = encoded.bag.astype(np.int64)
        macros = np.unique(encoded.reading_keys[chosen, MACRO])
        keys.append(_beside(macros[:, None], labels).ravel())
        keys.append(_mixed(np.array([_LABELS]), np.append(labels, _EVERYTHING)))
        own = np.unique(np.concatenate(keys))
        self._entries[generic, encoded.title_keys, own.tobytes()] = _Entry(generic, encoded.title_keys[SECTION], own)

    def table(self) -> Conventions:
        """The table of all formulae entered."""
        return _counted([entry.keys for entry in self._entries.values()])

    def told(self, examples: Sequence[tuple[str, Encoded]]) -> Iterator[tuple[NDArray[np.int32], NDArray[np.int32]]]:
        """For each formula its columns by all others: with those of its own section, and as if that were a new one."""
        table = self.table()
        entries = self._entries.values()
        formulae = _Owners(((entry.generic,), entry.keys) for entry in entries)
        sections = _Owners(((entry.section,), entry.keys) for entry in entries)
        both = _Owners(((entry.generic, entry.section), entry.keys) for entry in entries)
        for start in range(0, len(examples), _TOGETHER):
            some = examples[start : start + _TOGETHER]
            encoded = [formula for _, formula in some]
            same = formulae.numbers((generic,) for generic, _ in some)
            near = sections.numbers((formula.title_keys[SECTION],) for formula in encoded)
            here = both.numbers((generic, formula.title_keys[SECTION]) for generic, formula in some)

            def known(keys: Keys, of: Keys, same: Keys = same) -> NDArray[np.int64]:
                return table.count(keys) - formulae.count(keys, same[of])

            def fresh(keys: Keys, of: Keys, near: Keys = near, here: Keys = here) -> NDArray[np.int64]:
                return known(keys, of) - sections.count(keys, near[of]) + both.count(keys, here[of])

            bounds = np.cumsum([len(formula.reading_place) for formula in encoded])[:-1]
            yield from zip(
                np.split(_columns(encoded, known), bounds), np.split(_columns(encoded, fresh), bounds), strict=True
            )


class _Owners:
    """How many entries of one owner have a key: of a formula, of a section."""

    def __init__(self, entries: Iterable[tuple[_Owner, Keys]]) -> None:
        self._numbers: dict[_Owner, int] = {}
        parts = []
        for owner, keys in entries:
            number = self._numbers.setdefault(owner, len(self._numbers) + 1)
            parts.append(keys | number << 32)
        self._table = _counted(parts)

    def numbers(self, owners: Iterable[_Owner]) -> Keys:
        """The numbers of some owners; 0 for one without entries."""
        return np.array([self._numbers.get(owner, 0) for owner in owners], np.int64)

    def count(self, keys: Keys, owner: Keys) -> NDArray[np.int64]:
        """For each key how many entries of an owner have it."""
        return self._table.count(keys | owner << 32)


def _counted(parts: Sequence[Keys]) -> Conventions:
    if not parts:
        return Conventions.none()
    keys, counts = np.unique(np.concatenate(parts), return_counts=True)
    return Conventions(keys, np.minimum(counts, 0xFFFF).astype(np.uint16))


def _columns(formulae: Sequence[Encoded], count: Counted) -> NDArray[np.int32]:
    places = np.array([len(f.place_keys) for f in formulae])
    titles = np.array([(*f.title_keys, _ANYWHERE) for f in formulae], np.int64).repeat(places, 0)  # (P, levels)
    place_keys = np.concatenate([f.place_keys for f in formulae])
    reading_keys = np.concatenate([f.reading_keys for f in formulae])
    starts = np.cumsum(places) - places
    of_place = np.concatenate([f.reading_place + start for f, start in zip(formulae, starts, strict=True)])

    def counted(level: int, kind: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        under = titles[:, level]
        agreeing = count(_mixed(under[of_place], reading_keys[:, kind]), of_formula)
        having = count(_mixed(under, place_keys[:, kind]), place_formula)
        return agreeing * (under[of_place] != 0), having * (under != 0)

    place_formula = np.arange(len(formulae)).repeat(places)
    of_formula = place_formula[of_place]
    found = np.zeros((len(reading_keys), len(_COLUMNS) + 1), np.int32)
    sections = {kind: counted(SECTION, kind) for kind in (RULE, MACRO, EXPRESSION)}
    for column, (level, kind) in enumerate(_COLUMNS):
        agreeing, having = sections[kind] if level == SECTION else counted(level, kind)
        if level == CHAPTER:  # a new section has only the chapter's others to go by
            agreeing, having = agreeing - sections[kind][0], having - sections[kind][1]
        many = np.maximum(having, 1)[of_place]
        steps = np.digitize(many, _MANY) * (len(_SHARES) + 1) + np.digitize(agreeing / many, _SHARES)
        found[:, column] = np.where(having[of_place] > 0, 1 + steps, 0)
    found[:, -1] = _suiting(formulae, of_formula, of_place, reading_keys, count)
    return found


def _suiting(
    formulae: Sequence[Encoded], of_formula: Keys, of_place: Keys, reading_keys: Keys, count: Counted
) -> NDArray[np.int64]:
    """How much better or worse than the best other one each reading suits the symbols beside it, in steps from 1."""
    pairs = of_formula << 32 | reading_keys[:, MACRO]
    different, back = np.unique(pairs, return_inverse=True)
    own, macro = different >> 32, different & 0xFFFFFFFF
    sizes = np.array([len(f.bag) for f in formulae])
    labels = np.concatenate([f.bag for f in formulae]).astype(np.int64)
    alone = np.arange(len(formulae))
    usual = count(_mixed(np.array([_LABELS]), labels), alone.repeat(sizes))
    every = count(_mixed(np.array([_LABELS]), np.full(len(formulae), _EVERYTHING)), alone)
    share = (usual + 0.5) / (np.maximum(every, 1) + 1.0).repeat(sizes)
    per = sizes[own]
    bounds = np.cumsum(per) - per
    at = np.arange(int(per.sum())) + np.repeat((np.cumsum(sizes) - sizes)[own] - bounds, per)
    uses = count(_mixed(np.array([_ANYWHERE]), macro), own)
    together = count(_beside(np.repeat(macro, per), labels[at]), np.repeat(own, per))
    likely = np.log((together + _SMOOTHING * share[at]) / np.repeat(uses + _SMOOTHING, per))
    value = (np.add.reduceat(likely, bounds) + np.log(uses + 0.5))[back]
    first = np.flatnonzero(np.diff(of_place, prepend=-1))
    best = np.maximum.reduceat(value, first)[of_place]
    worse = value < best - 1e-9
    second = np.maximum.reduceat(np.where(worse, value, -1e9), first)[of_place]
    steps: NDArray[np.int64] = 1 + np.digitize(value - np.where(worse, best, second), _GAPS)
    return steps


def _beside(macros: Keys, labels: Keys) -> Keys:
    return _mixed(np.array([_BESIDE]), macros * 0x10001 + labels)


def _mixed(titles: Keys, keys: Keys) -> Keys:
    mixed = keys * 0x9E3779B97F4A7C1 ^ titles * 0xC2B2AE3D27D4EB
    mixed = (mixed ^ (mixed >> 29)) * 0x1B873593CC9E2D5
    return (mixed ^ (mixed >> 32)) & 0xFFFFFFFF
