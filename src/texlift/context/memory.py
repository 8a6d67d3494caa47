"""Memory: what do other formulae make of this symbol?

In one section `P_{n}` is Legendre's polynomial, in another his function, in a third a mere letter, and no word of the
titles says so. Memory holds how many formulae of a scope (the sentence, the document or section, the chapter, the whole
corpus) read a symbol in a certain way, and how many have the symbol at all. Each reading gets the share of those that
agree with it as a feature. Such a feature is the same for all symbols and sections, so its weight is learnt from all of
them; a weight for each title and rule would rest on the few formulae of that section.

Without titles, the company of a symbol helps: `\\psi` beside `\\Gamma` is the digamma function. How well a reading
suits the other symbols of the formula is a feature as well: the opinion of a naive Bayes classifier. And the sections
that a formula looks like (`sections`) stand in for its own.

A document is a section that the model does not know: `DocumentMemory` adds what its other formulae were found to mean.
In training a formula does not see itself: see `texlift.train.ledger`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, Final, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from texlift.context.passage import Context
from texlift.context.sections import LikelySections, SectionClassifier, section_features
from texlift.counts import Keys, Owned, Tally, mixed, restored, shortened
from texlift.latex.canonical import Row
from texlift.remembered import remembered
from texlift.tuning import Tuning

__all__ = [
    "COLUMNS",
    "DOCUMENT",
    "LIKELY_COLUMNS",
    "SECTION",
    "DocumentMemory",
    "Memory",
    "Symbols",
    "agreement",
    "formula_keys",
    "scope_keys",
    "symbol_shown",
]

_Counts = NDArray[np.int64] | NDArray[np.float64]
Count = Callable[[Keys, Keys], NDArray[np.int64]]
"""count(keys, formulae): how many formulae have a key, for each key that one of the formulae asks for."""

RULE, MACRO, EXPRESSION = range(3)  # kinds of keys: the rule at a symbol with its scripts, its macro, all that is shown
CHAPTER, SECTION, TITLES, SENTENCE, ANYWHERE = range(5)  # scopes; the chapter without the section itself
DOCUMENT: Final = 7
"""In place of a section's number: the document that a formula stands in, of a section that the model does not know."""

_ANYWHERE, _BESIDE, _LABELS = 1, 2, 3  # in place of titles: anywhere, beside a label, of labels alone
_EVERYTHING: Final = 1 << 20  # in place of a label: how many formulae there are
_SHARES: Final = (
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
_KINDS: Final = ("rule", "macro", "expression")
_SCOPES: Final = ("chapter", "section", "titles", "sentence", "anywhere")
LIKELY_COLUMNS: Final = tuple(f"likely sections, {kind}" for kind in _KINDS)
"""The features that come from the sections a formula looks like."""

COLUMNS: Final = (
    *(f"{_SCOPES[scope]}, {_KINDS[kind]}" for scope, kind in _SHARES),
    *LIKELY_COLUMNS,
    "company",
)
"""The features that memory gives each reading, in order."""

_LIKELY_AT: Final = slice(len(_SHARES), len(_SHARES) + len(_KINDS))
_FIELDS: Final = ("chapter", "section", "subsection", "paragraph")
_SCRIPTS: Final = {"_": 1, "'": 2, "^": 4}
_FENCED: Final = 8
_LONGEST: Final = 1000  # characters of a title that are looked at
_FEWEST_WORDS: Final = 4  # of a sentence that is like no other


class Symbols(NamedTuple):
    """What a formula asks memory about: P places with their symbols, C readings."""

    place_keys: NDArray[np.uint32]  # (P, kinds)
    reading_keys: NDArray[np.uint32]  # (C, kinds)
    reading_place: NDArray[np.int32]  # (C,)
    labels: NDArray[np.int32]  # that occur in the formula
    scope: tuple[int, int, int, int] = (0, 0, 0, 0)  # numbers of chapter, section, titles and sentence; 0 for none
    untitled: bool = True  # no section is named: those that the formula looks like stand in

    @property
    def features(self) -> Keys:
        """What the section classifier sees of the formula."""
        return section_features(self.labels, self.place_keys[:, EXPRESSION].astype(np.int64))

    def in_scope(self, scope: tuple[int, int, int, int]) -> Symbols:
        """The same under other titles or in another sentence."""
        return Symbols(self.place_keys, self.reading_keys, self.reading_place, self.labels, scope, not scope[SECTION])

    def in_document(self) -> Symbols:
        """The same with the document in place of its section; who wrote no titles still has none."""
        chapter, _, titles, sentence = self.scope
        return self._replace(scope=(chapter, DOCUMENT, titles, sentence))


@remembered(maxsize=1024)
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


def scope_keys(context: Context, sentence: Sequence[str] = ()) -> tuple[int, int, int, int]:
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
class Memory:
    """How many formulae have a key, for each key that is known; the keys in ascending order."""

    keys: Keys = field(default_factory=lambda: np.zeros(0, np.int64))
    counts: NDArray[np.uint16] = field(default_factory=lambda: np.zeros(0, np.uint16))
    sections: SectionClassifier = field(default_factory=SectionClassifier)
    tuning: Tuning = field(default_factory=Tuning)

    @staticmethod
    def of(parts: Sequence[Keys], sections: SectionClassifier, tuning: Tuning) -> Memory:
        """The memory of formulae of which each has some keys."""
        if not parts:
            return Memory(sections=sections, tuning=tuning)
        keys, counts = np.unique(np.concatenate(parts), return_counts=True)
        return Memory(keys, np.minimum(counts, 0xFFFF).astype(np.uint16), sections, tuning)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All of it as arrays to be saved."""
        sections = {f"kindred_{name}": values for name, values in self.sections.arrays().items()}
        gaps, wide_gaps = shortened(np.diff(self.keys, prepend=0), np.uint16)
        counts, large_counts = shortened(self.counts, np.uint8)
        return {"gaps": gaps, "wide_gaps": wide_gaps, "counts": counts, "large_counts": large_counts, **sections}

    @staticmethod
    def of_arrays(arrays: Mapping[str, NDArray[Any]], tuning: Tuning) -> Memory:
        """What `arrays` gave; KeyError or ValueError if it is something else."""
        sections = {name.removeprefix("kindred_"): values for name, values in arrays.items()}
        keys = np.cumsum(restored(arrays["gaps"], arrays["wide_gaps"]))
        counts = restored(arrays["counts"], arrays["large_counts"]).astype(np.uint16)
        return Memory(keys, counts, SectionClassifier.of_arrays(sections, tuning), tuning)

    @cached_property
    def _tally(self) -> Tally:
        return Tally(self.keys, self.counts)

    def count(self, keys: Keys, of_formula: Keys | None = None) -> NDArray[np.int64]:
        """How many formulae have each key, whoever asks."""
        return self._tally(keys)

    def knows(self, section: int) -> bool:
        """Whether formulae of a section are remembered."""
        return section in self.sections.known

    def columns(self, formulae: Sequence[Symbols], count: Count | None = None) -> NDArray[np.int32]:
        """(C, COLUMNS): what memory says of the readings of some formulae, one after the other; 0 for nothing."""
        untitled = [at for at, symbols in enumerate(formulae) if symbols.untitled]
        likely = LikelySections.none(len(formulae))
        if untitled:
            found = self.sections.likely([formulae[at].features for at in untitled])
            likely.sections[untitled] = found.sections
            likely.weights[untitled] = found.weights
        return self.columns_of(formulae, count or self.count, likely if untitled else None)

    def columns_of(
        self, formulae: Sequence[Symbols], count: Count, likely: LikelySections | None = None
    ) -> NDArray[np.int32]:
        """The same by the formulae that `count` counts; `likely` are the sections of those without titles."""
        asked = _Asked.of(formulae)
        scopes = np.array([(*symbols.scope, _ANYWHERE) for symbols in formulae], np.int64)  # (F, scopes)
        found = np.zeros((len(asked.reading_keys), len(COLUMNS)), np.int32)
        levels, kinds = zip(*_SHARES, strict=True)
        agreeing, having = asked.counted_in(scopes.T[list(levels)], kinds, count)
        for column, (level, kind) in enumerate(_SHARES):
            if level == CHAPTER:  # a new section has only the chapter's others to go by
                section = _SHARES.index((SECTION, kind))
                agreeing[column] -= np.minimum(agreeing[section], agreeing[column])
                having[column] -= np.minimum(having[section], having[column])
        found[:, : len(_SHARES)] = self._steps(agreeing, having[..., asked.of_place]).T
        if likely is not None:
            found[:, _LIKELY_AT] = self._likely(asked, count, likely)
        found[:, COLUMNS.index("company")] = self._company(formulae, asked, count)
        return found

    def likely_columns(self, formulae: Sequence[Symbols], count: Count, likely: LikelySections) -> NDArray[np.int32]:
        """(C, LIKELY_COLUMNS): what the likely sections of some formulae say."""
        return self._likely(_Asked.of(formulae), count, likely)

    def _steps(self, agreeing: _Counts, many: _Counts) -> NDArray[np.int32]:
        """Shares of those that agree in steps from 1, 0 for a share of nothing."""
        counts, shares = np.array(self.tuning.memory_counts), np.array(self.tuning.memory_shares)
        share = np.divide(agreeing, many, out=np.zeros(many.shape), where=many > 0)
        steps = np.digitize(many, counts) * (len(shares) + 1) + np.digitize(share, shares)
        return np.where(many > 0, 1 + steps, 0).astype(np.int32)

    def _likely(self, asked: _Asked, count: Count, likely: LikelySections) -> NDArray[np.int32]:
        found = np.zeros((len(asked.reading_keys), len(_KINDS)), np.int32)
        for kind in range(len(_KINDS)):
            agreeing, having = np.zeros(len(asked.reading_keys)), np.zeros(len(asked.place_keys))
            for sections, weights in zip(likely.sections.T, likely.weights.T, strict=True):
                some, every = asked.counted_in(sections[None], (kind,), count)
                agreeing += weights[asked.of_formula] * some[0]
                having += weights[asked.place_formula] * every[0]
            found[:, kind] = self._steps(agreeing, having[asked.of_place])
        return found

    def _company(self, formulae: Sequence[Symbols], asked: _Asked, count: Count) -> NDArray[np.int64]:
        """How much better or worse than the best other one each reading suits the symbols beside it, in steps."""
        smoothing = self.tuning.company_smoothing
        of_place = asked.of_place
        pairs = asked.of_formula << 32 | asked.reading_keys[:, MACRO]
        different, back = np.unique(pairs, return_inverse=True)
        own, macro = different >> 32, different & 0xFFFFFFFF
        sizes = np.array([len(symbols.labels) for symbols in formulae])
        labels = np.concatenate([symbols.labels for symbols in formulae]).astype(np.int64)
        alone = np.arange(len(formulae))
        usual = count(mixed(np.array([_LABELS]), labels), alone.repeat(sizes))
        every = count(mixed(np.array([_LABELS]), np.full(len(formulae), _EVERYTHING)), alone)
        share = (usual + 0.5) / (np.maximum(every, 1) + 1.0).repeat(sizes)
        per = sizes[own]
        bounds = per.cumsum() - per
        at = np.arange(int(per.sum())) + ((sizes.cumsum() - sizes)[own] - bounds).repeat(per)
        uses = count(mixed(np.array([_ANYWHERE]), macro), own)
        together = count(_beside(macro.repeat(per), labels[at]), own.repeat(per))
        likely = np.log((together + smoothing * share[at]) / (uses + smoothing).repeat(per))
        value = (np.add.reduceat(likely, bounds) + np.log(uses + 0.5))[back]
        first = np.diff(of_place, prepend=-1).nonzero()[0]
        best = np.maximum.reduceat(value, first)[of_place]
        worse = value < best - 1e-9
        second = np.maximum.reduceat(np.where(worse, value, -1e9), first)[of_place]
        gaps = np.array(self.tuning.company_steps)
        steps: NDArray[np.int64] = 1 + np.digitize(value - np.where(worse, best, second), gaps)
        return steps


@dataclass(frozen=True, slots=True, eq=False)
class _Asked:
    """The places and readings of some formulae, one after the other."""

    place_keys: Keys  # (P, kinds)
    reading_keys: Keys  # (C, kinds)
    place_formula: Keys  # (P,)
    of_place: Keys  # (C,) the place of a reading
    of_formula: Keys  # (C,)

    @staticmethod
    def of(formulae: Sequence[Symbols]) -> _Asked:
        places = np.array([len(symbols.place_keys) for symbols in formulae])
        starts = places.cumsum() - places
        place_formula = np.arange(len(formulae)).repeat(places)
        of_place = np.concatenate([s.reading_place + start for s, start in zip(formulae, starts, strict=True)])
        return _Asked(
            np.concatenate([symbols.place_keys for symbols in formulae]).astype(np.int64),
            np.concatenate([symbols.reading_keys for symbols in formulae]).astype(np.int64),
            place_formula,
            of_place,
            place_formula[of_place],
        )

    def counted_in(
        self, under: Keys, kinds: Sequence[int], count: Count
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """(K, C), (K, P): how many formulae agree with a reading and have its symbol, of each kind, `under` (K, F)."""
        own = np.concatenate((self.of_formula, self.place_formula))
        keys = np.concatenate((self.reading_keys, self.place_keys)).T[list(kinds)]
        above = under[:, own]
        asked = mixed(above, keys)
        found = count(asked.ravel(), np.tile(own, len(kinds))).reshape(asked.shape) * (above != 0)
        readings = len(self.reading_keys)
        return found[:, :readings], found[:, readings:]


def agreement(columns: NDArray[np.int32], tuning: Tuning) -> NDArray[np.float32]:
    """(C, 3): log-odds that other formulae agree with a reading; 0 where there are none.

    Those of the section, or of the sections that the formula looks like; of the sentence; and all that have the same
    expression.
    """
    section, sentence, anywhere = (
        _SHARES.index(of) for of in ((SECTION, RULE), (SENTENCE, RULE), (ANYWHERE, EXPRESSION))
    )
    near = np.where(columns[:, section], columns[:, section], columns[:, _LIKELY_AT.start])
    shown = np.stack((near, columns[:, sentence], columns[:, anywhere]), axis=1)
    agreeing: NDArray[np.float32] = _log_odds(tuning)[shown]
    return agreeing


@lru_cache(maxsize=4)
def _log_odds(tuning: Tuning) -> NDArray[np.float32]:
    """For each step the log-odds that another formula agrees, from the middle of the step."""
    edges = np.array((1.0, *tuning.memory_counts, 1.5 * tuning.memory_counts[-1] + 8.0))
    many = np.sqrt(edges[:-1] * (np.append(edges[1:-1] - 1.0, edges[-1])))[:, None].round()
    inner = np.array(tuning.memory_shares)
    share = np.concatenate(([0.0], (inner[:-1] + inner[1:]) / 2.0, [1.0]))
    odds = (share * many + 0.5) / ((1.0 - share) * many + 0.5)
    table: NDArray[np.float32] = np.append(0.0, np.log(odds).ravel()).astype(np.float32)
    return table


def formula_keys(symbols: Symbols, decided: NDArray[np.int32], document: bool = False) -> Keys:
    """The keys of a formula of which the reading of each place is known; -1 for places of which it is not.

    Of a formula of a document, only what concerns its document and sentence.
    """
    visited = (decided >= 0).nonzero()[0]
    chosen = np.searchsorted(symbols.reading_place, visited) + decided[visited]
    scopes = np.array([*symbols.scope, _ANYWHERE], np.int64)
    shares = [s for s in _SHARES if s[0] in (SECTION, SENTENCE)] if document else [*_SHARES, (ANYWHERE, MACRO)]
    asked = np.array([(scopes[scope], kind) for scope, kind in shares if scopes[scope]], np.int64).reshape(-1, 2)
    of_readings = symbols.reading_keys[chosen].astype(np.int64)
    shown = np.concatenate((of_readings, symbols.place_keys[visited].astype(np.int64)))
    keys = [mixed(asked[:, 0], shown[:, asked[:, 1]]).ravel()]
    if not document:
        labels = symbols.labels.astype(np.int64)
        macros = np.unique(of_readings[:, MACRO])
        keys.append(_beside(macros[:, None], labels).ravel())
        keys.append(mixed(np.array([_LABELS]), np.append(labels, _EVERYTHING)))
    return np.unique(np.concatenate(keys))


class DocumentMemory:
    """A memory and what the formulae of one document were found to mean; each formula asks about the others.

    The same formula again is no witness: it is read in the same way for the same reasons. So it is not among the
    others, and for them it counts once, however often it stands there with the same meaning.
    """

    def __init__(self, memory: Memory, found: Sequence[tuple[int, Keys]]) -> None:
        """`found` has the number of a formula, the same for equal ones, and its keys, see `formula_keys`."""
        self._memory = memory
        different = {(number, keys.tobytes()): keys for number, keys in found}
        self._own = Owned((1 + number, keys) for (number, _), keys in different.items())
        parts = [np.zeros(0, np.int64), *different.values()]
        keys, counts = np.unique(np.concatenate(parts), return_counts=True)
        self._all = Tally(keys, counts.astype(np.uint16))

    def columns(self, formulae: Sequence[Symbols], numbers: Sequence[int]) -> NDArray[np.int32]:
        """(C, COLUMNS): what memory says of the readings of some formulae, given their numbers."""
        owner = 1 + np.array(numbers, np.int64)

        def count(keys: Keys, of_formula: Keys) -> NDArray[np.int64]:
            others = self._all(keys) - self._own.count(keys, owner[of_formula])
            return self._memory.count(keys) + others

        return self._memory.columns(formulae, count)


def _beside(macros: Keys, labels: Keys) -> Keys:
    return mixed(np.array([_BESIDE]), macros * 0x10001 + labels)
