"""What other formulae make of a symbol: those of the same section, and those with the same symbols beside it.

Sections have conventions: in one `P_{n}` is Legendre's polynomial, in another his function, in a third a mere letter,
and no word of the titles says so. The table of conventions holds how many formulae under some titles read a symbol in
a certain way, and how many have the symbol at all. A reading is told how many of them agree with it. A feature of
this kind is the same for all symbols and sections, so its weight is learnt from all of them; a weight for each title
and rule would rest on the few formulae of that section.

Without titles, the company tells: `\\psi` beside `\\Gamma` is the digamma function. How well a reading suits the
symbols of the formula, by the formulae that read it so, is told as well: the naive Bayes classifier's opinion.

Where no section is named, the sections that the formula may be from tell (see `kindred`). In training a formula
does not see itself in the table: see `texlift.train.ledger`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from texlift.context.sections import Kindred, Likely
from texlift.context.shortened import restored, shortened
from texlift.context.tally import Tally
from texlift.latex.canonical import Row
from texlift.scorer.encoded import CONVENTION_COLUMNS, Encoded, is_separated

__all__ = [
    "KINDRED_COLUMNS",
    "MACRO",
    "SECTION",
    "SECTION_CONVENTIONS",
    "SENTENCE_CONVENTIONS",
    "TITLE_CONVENTIONS",
    "Conventions",
    "Keys",
    "agreement",
    "context_keys",
    "formula_keys",
    "kindred_columns",
    "symbol_shown",
    "told_columns",
]

Keys = NDArray[np.int64]
_Counts = NDArray[np.int64] | NDArray[np.float64]
Counted = Callable[[Keys, Keys], NDArray[np.int64]]
"""count(keys, formulae): how many formulae have a key, for each key that one of the formulae asks for."""

RULE, MACRO, EXPRESSION = range(3)  # kinds of keys: the rule at a symbol with its scripts, its macro, all that is shown
# where: the chapter's other sections, the section, under all the same titles, in the same sentence, anywhere
CHAPTER, SECTION, TITLES, SENTENCE, ANYWHERE = range(5)
# in place of titles: anywhere, beside a label, of labels alone, with separators inside an argument
_ANYWHERE, _BESIDE, _LABELS, _SEPARATED = 1, 2, 3, 4
_EVERYTHING: Final = 1 << 20  # in place of a label: how many formulae there are
_COLUMNS: Final = (
    (CHAPTER, RULE),
    (CHAPTER, MACRO),
    (SECTION, RULE),
    (SECTION, MACRO),
    (SECTION, EXPRESSION),
    (TITLES, RULE),
    (SENTENCE, RULE),
    (SENTENCE, MACRO),
    (SENTENCE, EXPRESSION),
    (ANYWHERE, EXPRESSION),
)


_KINDRED: Final = (RULE, MACRO, EXPRESSION)  # told by the sections that a formula may be from
_KINDRED_AT: Final = slice(len(_COLUMNS), len(_COLUMNS) + len(_KINDRED))


def _told_of(*levels: int) -> tuple[int, ...]:
    """The reading features that tell what is done in some places."""
    return tuple(CONVENTION_COLUMNS.start + column for column, (level, _) in enumerate(_COLUMNS) if level in levels)


TITLE_CONVENTIONS: Final = _told_of(CHAPTER, SECTION, TITLES)
SENTENCE_CONVENTIONS: Final = _told_of(SENTENCE)
SECTION_CONVENTIONS: Final = _told_of(SECTION, TITLES, SENTENCE)
KINDRED_COLUMNS: Final = slice(
    CONVENTION_COLUMNS.start + _KINDRED_AT.start, CONVENTION_COLUMNS.start + _KINDRED_AT.stop
)
_FIELDS: Final = ("chapter", "section", "subsection", "paragraph")
_SCRIPTS: Final = {"_": 1, "'": 2, "^": 4}
_FENCED: Final = 8
_LONGEST: Final = 1000  # characters of a title that are looked at
_FEWEST_WORDS: Final = 4  # of a sentence that is like no other
_MANY: Final = np.array([2, 3, 6, 16], np.float64)  # steps of how many formulae have the symbol
_SHARES: Final = np.array([1e-9, 0.2, 0.5, 0.8, 1.0])  # and of the share of them that agree
_GAPS: Final = np.array([-10.0, -6.0, -3.0, -1.0, 0.0, 1.0, 3.0, 6.0, 10.0])  # steps of how well a reading suits
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


def context_keys(context: str | Mapping[str, str] | None, sentence: Sequence[str] = ()) -> tuple[int, int, int, int]:
    """Numbers of the chapter, of the section, of all titles together and of the words of the sentence; 0 for none."""
    if not context or isinstance(context, str):
        return (0, 0, 0, 0)
    titles = _titles(tuple([str(context.get(name, ""))[:_LONGEST] for name in _FIELDS]))
    # a sentence is known by its words: its formulae may be written in another notation
    return (*titles, _number(" ".join(sentence)) if len(sentence) >= _FEWEST_WORDS else 0)


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


@dataclass(frozen=True, eq=False)
class Conventions:
    """How many formulae have a key, for each key that is known; the keys in ascending order."""

    keys: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    counts: NDArray[np.uint16] = field(default_factory=lambda: np.zeros(0, np.uint16))
    kindred: Kindred = field(default_factory=Kindred)

    @staticmethod
    def of(parts: Sequence[Keys], kindred: Kindred | None = None) -> Conventions:
        """The table of formulae of which each has some keys."""
        if not parts:
            return Conventions()
        keys, counts = np.unique(np.concatenate(parts), return_counts=True)
        return Conventions(keys, np.minimum(counts, 0xFFFF).astype(np.uint16), kindred or Kindred())

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All of it as arrays to be saved."""
        kindred = {f"kindred_{name}": values for name, values in self.kindred.arrays().items()}
        gaps, wide_gaps = shortened(np.diff(self.keys, prepend=0), np.uint16)
        counts, large_counts = shortened(self.counts, np.uint8)
        return {"gaps": gaps, "wide_gaps": wide_gaps, "counts": counts, "large_counts": large_counts, **kindred}

    @staticmethod
    def of_arrays(arrays: Mapping[str, NDArray[Any]]) -> Conventions:
        """What `arrays` gave; KeyError or ValueError if it is something else."""
        kindred = Kindred.of_arrays({name.removeprefix("kindred_"): values for name, values in arrays.items()})
        keys = np.cumsum(restored(arrays["gaps"], arrays["wide_gaps"]))
        return Conventions(keys, restored(arrays["counts"], arrays["large_counts"]).astype(np.uint16), kindred)

    @cached_property
    def count(self) -> Tally:
        """Gives the counts of some keys."""
        return Tally(self.keys, self.counts)

    def columns(self, formulae: Sequence[Encoded]) -> NDArray[np.int32]:
        """What the readings of some formulae, one after the other, are told: (C, columns), 0 for nothing."""
        return told_columns(formulae, lambda keys, _: self.count(keys), self._likely(formulae))

    def _likely(self, formulae: Sequence[Encoded]) -> Likely | None:
        """The likely sections of formulae whose section is not told."""
        untitled = [at for at, f in enumerate(formulae) if not f.context_keys[SECTION]]
        if not untitled:
            return None
        found = self.kindred.likely([formulae[at] for at in untitled])
        likely = Likely.none(len(formulae))
        likely.sections[untitled] = found.sections
        likely.weights[untitled] = found.weights
        return likely


@dataclass(frozen=True, slots=True, eq=False)
class _Asked:
    """The places and readings of some formulae, one after the other."""

    place_keys: Keys  # (P, kinds)
    reading_keys: Keys  # (C, kinds)
    place_formula: Keys  # (P,)
    of_place: Keys  # (C,) the place of a reading
    of_formula: Keys  # (C,)

    @staticmethod
    def of(formulae: Sequence[Encoded]) -> _Asked:
        places = np.array([len(f.place_keys) for f in formulae])
        starts = np.cumsum(places) - places
        place_formula = np.arange(len(formulae)).repeat(places)
        of_place = np.concatenate([f.reading_place + start for f, start in zip(formulae, starts, strict=True)])
        return _Asked(
            np.concatenate([f.place_keys for f in formulae]),
            np.concatenate([f.reading_keys for f in formulae]),
            place_formula,
            of_place,
            place_formula[of_place],
        )

    def counted_in(
        self, under: Keys, kinds: Sequence[int], count: Counted
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """(K, C), (K, P): the same as `counted` of several kinds, each `under` (K, F) what of its own, all at once."""
        own = np.concatenate((self.of_formula, self.place_formula))
        keys = np.concatenate((self.reading_keys, self.place_keys)).T[list(kinds)]
        above = under[:, own]
        asked = _mixed(above, keys)
        found = count(asked.ravel(), np.tile(own, len(kinds))).reshape(asked.shape) * (above != 0)
        readings = len(self.reading_keys)
        return found[:, :readings], found[:, readings:]

    def counted(self, under: Keys, kind: int, count: Counted) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """(C,), (P,): how many formulae agree with a reading and how many have its symbol, `under` (F,) what."""
        agreeing = count(_mixed(under[self.of_formula], self.reading_keys[:, kind]), self.of_formula)
        having = count(_mixed(under[self.place_formula], self.place_keys[:, kind]), self.place_formula)
        return agreeing * (under != 0)[self.of_formula], having * (under != 0)[self.place_formula]

    def steps(self, agreeing: _Counts, having: _Counts) -> NDArray[np.int32]:
        """The shares of those that agree with a reading among those that have its symbol."""
        return _steps(agreeing, having[..., self.of_place])


def _steps(agreeing: _Counts, many: _Counts) -> NDArray[np.int32]:
    """Shares in steps from 1, 0 for a share of nothing."""
    share = np.divide(agreeing, many, out=np.zeros(many.shape), where=many > 0)
    steps = np.digitize(many, _MANY) * (len(_SHARES) + 1) + np.digitize(share, _SHARES)
    return np.where(many > 0, 1 + steps, 0).astype(np.int32)


def told_columns(formulae: Sequence[Encoded], count: Counted, likely: Likely | None = None) -> NDArray[np.int32]:
    """What the readings of some formulae are told by the formulae that `count` counts: (C, columns).

    `likely` are the sections of which those formulae are told whose own section is not.
    """
    asked = _Asked.of(formulae)
    titles = np.array([(*f.context_keys, _ANYWHERE) for f in formulae], np.int64)  # (F, levels)
    found = np.zeros((len(asked.reading_keys), len(_COLUMNS) + len(_KINDRED) + 2), np.int32)
    levels, kinds = zip(*_COLUMNS, strict=True)
    agreeing, having = asked.counted_in(titles.T[list(levels)], kinds, count)
    for column, (level, kind) in enumerate(_COLUMNS):
        if level == CHAPTER:  # a new section has only the chapter's others to go by
            section = _COLUMNS.index((SECTION, kind))
            agreeing[column] -= agreeing[section]
            having[column] -= having[section]
    found[:, : len(_COLUMNS)] = asked.steps(agreeing, having).T
    if likely is not None:
        found[:, _KINDRED_AT] = _kindred_columns(asked, count, likely)
    found[:, -2] = _separating(formulae, asked, count)
    found[:, -1] = _suiting(formulae, asked, count)
    return found


def agreement(told: NDArray[np.int32]) -> NDArray[np.float32]:
    """(C, 3): log-odds that other formulae agree with a reading, by what it is `told`; 0 where there are none.

    Those of the section, or of the sections that the formula may be from; of the sentence; and all that have the same
    expression.
    """
    section, sentence, anywhere = (
        _COLUMNS.index(of) for of in ((SECTION, RULE), (SENTENCE, RULE), (ANYWHERE, EXPRESSION))
    )
    near = np.where(told[:, section], told[:, section], told[:, _KINDRED_AT.start])
    agreeing: NDArray[np.float32] = _LOG_ODDS[np.stack((near, told[:, sentence], told[:, anywhere]), axis=1)]
    return agreeing


def _log_odds() -> NDArray[np.float32]:
    """For each step of `_steps` the log-odds that another formula agrees."""
    many = np.array([1.0, 2.0, 4.0, 10.0, 24.0])[:, None]  # in the midst of each step
    share = np.array([0.0, 0.1, 0.35, 0.65, 0.9, 1.0])
    odds = (share * many + 0.5) / ((1.0 - share) * many + 0.5)
    return np.append(0.0, np.log(odds).ravel()).astype(np.float32)


_LOG_ODDS: Final = _log_odds()


def _separating(formulae: Sequence[Encoded], asked: _Asked, count: Counted) -> NDArray[np.int32]:
    """For readings with a comma inside an argument, how many uses of the macro have one: of Bessel's functions none."""
    found = np.zeros(len(asked.reading_keys), np.int32)
    some = np.flatnonzero(is_separated(*formulae))
    if len(some):
        macros, own = asked.reading_keys[some, MACRO], asked.of_formula[some]
        agreeing = count(_mixed(np.array([_SEPARATED]), macros), own)
        found[some] = _steps(agreeing, count(_mixed(np.array([_ANYWHERE]), macros), own))
    return found


def kindred_columns(formulae: Sequence[Encoded], count: Counted, likely: Likely) -> NDArray[np.int32]:
    """What readings are told by the likely sections of their formulae: (C, kindred columns)."""
    return _kindred_columns(_Asked.of(formulae), count, likely)


def _kindred_columns(asked: _Asked, count: Counted, likely: Likely) -> NDArray[np.int32]:
    found = np.zeros((len(asked.reading_keys), len(_KINDRED)), np.int32)
    for column, kind in enumerate(_KINDRED):
        agreeing, having = np.zeros(len(asked.reading_keys)), np.zeros(len(asked.place_keys))
        for sections, weights in zip(likely.sections.T, likely.weights.T, strict=True):
            some, every = asked.counted(sections, kind, count)
            agreeing += weights[asked.of_formula] * some
            having += weights[asked.place_formula] * every
        found[:, column] = asked.steps(agreeing, having)
    return found


def _suiting(formulae: Sequence[Encoded], asked: _Asked, count: Counted) -> NDArray[np.int64]:
    """How much better or worse than the best other one each reading suits the symbols beside it, in steps from 1."""
    of_place = asked.of_place
    pairs = asked.of_formula << 32 | asked.reading_keys[:, MACRO]
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


def formula_keys(encoded: Encoded, gold: NDArray[np.int32]) -> Keys:
    """The keys of a formula of which the reading of each place is known; -1 for places that are part of others."""
    visited = np.flatnonzero(gold >= 0)
    chosen = np.searchsorted(encoded.reading_place, visited) + gold[visited]
    titles = np.array([*encoded.context_keys, _ANYWHERE], np.int64)
    keys = [
        _mixed(titles[[level]], some)
        for level, kind in (*_COLUMNS, (ANYWHERE, MACRO))
        if titles[level]
        for some in (encoded.reading_keys[chosen, kind], encoded.place_keys[visited, kind])
    ]
    labels = encoded.bag.astype(np.int64)
    macros = np.unique(encoded.reading_keys[chosen, MACRO])
    separated = chosen[is_separated(encoded)[chosen]]
    keys.append(_mixed(np.array([_SEPARATED]), encoded.reading_keys[separated, MACRO]))
    keys.append(_beside(macros[:, None], labels).ravel())
    keys.append(_mixed(np.array([_LABELS]), np.append(labels, _EVERYTHING)))
    return np.unique(np.concatenate(keys))


def _beside(macros: Keys, labels: Keys) -> Keys:
    return _mixed(np.array([_BESIDE]), macros * 0x10001 + labels)


def _mixed(titles: Keys, keys: Keys) -> Keys:
    mixed = keys * 0x9E3779B97F4A7C1 ^ titles * 0xC2B2AE3D27D4EB
    mixed = (mixed ^ (mixed >> 29)) * 0x1B873593CC9E2D5
    return (mixed ^ (mixed >> 32)) & 0xFFFFFFFF
