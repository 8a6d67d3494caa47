"""Sections that a formula looks like, judged by its symbols alone.

A formula without any context still looks like those of some sections: `P_{n}` beside `\\cosh` is at home where the
Legendre functions are. A naive Bayes classifier over symbols and expressions finds the likeliest sections; what these
make of a symbol then stands in for the formula's own section, each weighted by how likely it is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from texlift.tuning import Tuning

__all__ = ["MOST_SECTIONS", "Entry", "LikelySections", "SectionClassifier", "section_features"]

Keys = NDArray[np.int64]

MOST_SECTIONS: Final = 4
"""Sections that stand in for a formula's own."""

_LABEL: Final = 1 << 32  # above the numbers of expressions: numbers of labels


def section_features(labels: NDArray[np.int32], expressions: Keys) -> Keys:
    """What a formula is judged by: its labels and the expressions at its places."""
    found = np.concatenate((labels.astype(np.int64) | _LABEL, expressions))
    found.sort()
    return found[np.diff(found, prepend=-1).nonzero()[0]]  # each once; `np.unique` would import another ten modules


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """A formula of a section."""

    section: int  # 0 for none
    features: Keys


@dataclass(frozen=True, slots=True, eq=False)
class LikelySections:
    """The likeliest sections of F formulae, by their numbers, and how likely each is beside the first."""

    sections: Keys  # (F, MOST_SECTIONS), 0 for none
    weights: NDArray[np.float64]  # (F, MOST_SECTIONS)

    @staticmethod
    def none(count: int) -> LikelySections:
        """No section for any formula."""
        return LikelySections(np.zeros((count, MOST_SECTIONS), np.int64), np.zeros((count, MOST_SECTIONS)))


@dataclass(frozen=True, eq=False)
class SectionClassifier:
    """How many formulae of each of S sections have a symbol or an expression, for each of K that are known."""

    sections: Keys = field(default_factory=lambda: np.zeros(0, np.int64))  # (S,) numbers of their titles
    sizes: NDArray[np.uint16] = field(default_factory=lambda: np.zeros(0, np.uint16))  # (S,) formulae
    features: Keys = field(default_factory=lambda: np.zeros(0, np.int64))  # (K,) in ascending order
    lengths: NDArray[np.uint16] = field(default_factory=lambda: np.zeros(0, np.uint16))  # (K,) sections that have it
    having: NDArray[np.uint16] = field(default_factory=lambda: np.zeros(0, np.uint16))  # these sections, one by one
    counts: NDArray[np.uint16] = field(default_factory=lambda: np.zeros(0, np.uint16))  # and how many formulae there
    tuning: Tuning = field(default_factory=Tuning)

    @staticmethod
    def of(entries: Sequence[Entry], tuning: Tuning) -> SectionClassifier:
        """The table of some formulae."""
        number = {section: at for at, section in enumerate(dict.fromkeys(e.section for e in entries if e.section))}
        if not number:
            return SectionClassifier()
        sizes = np.zeros(len(number), np.int64)
        pairs = []
        for entry in entries:
            if entry.section:
                at = number[entry.section]
                sizes[at] += 1
                pairs.append(entry.features << 16 | at)
        both, counts = np.unique(np.concatenate(pairs), return_counts=True)
        features, lengths = np.unique(both >> 16, return_counts=True)
        telling = lengths <= max(tuning.section_common * len(number), 1.0)
        kept = np.repeat(telling, lengths)
        return SectionClassifier(
            np.array(list(number), np.int64),
            _small(sizes),
            features[telling],
            _small(lengths[telling]),
            _small(both[kept] & 0xFFFF),
            _small(counts[kept]),
            tuning,
        )

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All of it as arrays to be saved, by name."""
        return {
            "sections": self.sections.astype(np.uint32),
            "sizes": self.sizes,
            "features": self.features,
            "lengths": self.lengths,
            "having": self.having,
            "formulae": self.counts,
        }

    @staticmethod
    def of_arrays(arrays: Mapping[str, NDArray[Any]], tuning: Tuning) -> SectionClassifier:
        """What `arrays` gave; KeyError if it is something else."""
        return SectionClassifier(
            arrays["sections"].astype(np.int64),
            arrays["sizes"],
            arrays["features"],
            arrays["lengths"],
            arrays["having"],
            arrays["formulae"],
            tuning,
        )

    @cached_property
    def _starts(self) -> Keys:
        lengths = self.lengths.astype(np.int64)
        return np.cumsum(lengths) - lengths

    @cached_property
    def _usual(self) -> NDArray[np.float64]:
        """(K,) formulae with a symbol that are added to those of each section."""
        total = np.add.reduceat(self.counts.astype(np.float64), self._starts)
        return self.tuning.section_smoothing * (total + 0.5) / (float(self.sizes.sum()) + 1.0)

    @cached_property
    def _gains(self) -> NDArray[np.float64]:
        """For each section that has a symbol, by how much it is likelier then."""
        return np.log1p(self.counts / np.repeat(self._usual, self.lengths))

    @cached_property
    def known(self) -> Mapping[int, int]:
        """The sections of which formulae are known, with their numbers."""
        return {section: at for at, section in enumerate(self.sections.tolist())}

    def likely(self, formulae: Sequence[Keys]) -> LikelySections:
        """The likeliest sections of some formulae, given their features."""
        if not len(self.features):
            return LikelySections.none(len(formulae))
        return self._best(self._scores(formulae))

    def likely_without(
        self, formulae: Sequence[Keys], own: Sequence[Sequence[Entry]], closed: Sequence[int] | None = None
    ) -> LikelySections:
        """The same as if the entries `own` of each formula were not in the table, nor any of the section `closed`."""
        if not len(self.features):
            return LikelySections.none(len(formulae))
        scores = self._scores(formulae)
        for number, (row, features, entries) in enumerate(zip(scores, formulae, own, strict=True)):
            taken: dict[int, list[Keys]] = defaultdict(list)
            for entry in entries:
                if entry.section in self.known:
                    taken[self.known[entry.section]].append(entry.features)
            for section, parts in taken.items():
                row[section] += self._loss(section, features, parts)
            at = self.known.get(closed[number]) if closed is not None else None
            if at is not None:
                row[at] = -np.inf
        return self._best(scores)

    def _scores(self, formulae: Sequence[Keys]) -> NDArray[np.float64]:
        """(F, S): how likely each section is for each formula; those with many formulae are likelier."""
        count, sections = len(formulae), len(self.sections)
        of_formula = np.arange(count).repeat([len(features) for features in formulae])
        at, known = self._found(np.concatenate(formulae))
        of_formula = of_formula[known]
        at = at[known]
        judged = np.bincount(of_formula, minlength=count).astype(np.float64)
        lengths = self.lengths[at].astype(np.int64)
        places = np.arange(int(lengths.sum())) + (self._starts[at] - (lengths.cumsum() - lengths)).repeat(lengths)
        cells = (of_formula * sections).repeat(lengths) + self.having[places]
        gains = np.bincount(cells, self._gains[places], count * sections).reshape(count, sections)
        smoothed = np.log(self.sizes + self.tuning.section_smoothing)
        scores: NDArray[np.float64] = gains - judged[:, None] * smoothed + np.log(self.sizes + 1.0)
        return scores

    def _found(self, features: Keys) -> tuple[Keys, NDArray[np.bool_]]:
        """Where some features stand in the table, and whether they do."""
        at = np.minimum(self.features.searchsorted(features), len(self.features) - 1)
        return at, self.features[at] == features

    def _loss(self, section: int, features: Keys, parts: list[Keys]) -> float:
        """By how much a section is less likely without some formulae, of which `parts` are the features."""
        at, known = self._found(features)
        at, features = at[known], features[known]
        size = float(self.sizes[section])
        left = size - len(parts)
        change = np.log(left + 1.0) - np.log(size + 1.0)
        change -= len(at) * (
            np.log(left + self.tuning.section_smoothing) - np.log(size + self.tuning.section_smoothing)
        )
        shared = sum([np.isin(features, part, assume_unique=True).astype(np.int64) for part in parts])
        for where, fewer in zip(at.tolist(), np.asarray(shared).tolist(), strict=True):
            if fewer:
                start = int(self._starts[where])
                own = start + int(np.searchsorted(self.having[start : start + int(self.lengths[where])], section))
                count = float(self.counts[own])
                usual = self._usual[where]
                change += np.log1p(max(count - fewer, 0.0) / usual) - np.log1p(count / usual)
        return float(change)

    def _best(self, scores: NDArray[np.float64]) -> LikelySections:
        count, sections = scores.shape
        most = min(MOST_SECTIONS, sections)
        found = LikelySections.none(count)
        best = np.argpartition(-scores, most - 1, axis=1)[:, :most]
        values = np.take_along_axis(scores, best, 1)
        top = values.max(1, keepdims=True)
        weights = np.exp(self.tuning.section_temper * (values - np.where(np.isfinite(top), top, 0.0)))
        found.sections[:, :most] = np.where(weights > 0.0, self.sections[best], 0)
        found.weights[:, :most] = weights
        return found


def _small(values: Keys) -> NDArray[np.uint16]:
    return np.minimum(values, 0xFFFF).astype(np.uint16)
