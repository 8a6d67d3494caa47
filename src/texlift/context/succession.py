"""Formulae that come one after the other are mostly from one section: which, all of them tell together.

A formula alone looks like those of several sections. In the order of a text most formulae follow one of the same
section, and nearly all one of the same chapter, so what those before and behind a formula look like tells too. That is
a hidden Markov model with the sections as its states.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["Succession"]

Floats = NDArray[np.float64]

_SECTION: Final = 0.6  # how often a formula follows one of its own section
_CHAPTER: Final = 0.38  # and how often any of its chapter
_ANY: Final = 1.0 - _SECTION - _CHAPTER
_GAIN: Final = 1.0  # by how much, as a logarithm, a formula must be likelier in order: in texts it is 2, shuffled 0.3


class Succession:
    """How sections follow each other, of which it is known to which chapter each belongs."""

    def __init__(self, chapters: NDArray[np.int64]) -> None:
        """`chapters` (S,) are the numbers of the sections' chapters, from 0."""
        self._chapters = chapters
        self._uniform = 1.0 / max(len(chapters), 1)
        self._share = _CHAPTER / np.bincount(chapters)[chapters] if len(chapters) else np.zeros(0)  # (S,)

    def likely(self, alone: Floats) -> Floats | None:
        """(F, S): how likely each section is for each formula, given those before and behind it.

        `alone` are the logarithms of how likely each formula makes it, up to a constant for each. None if the formulae
        are likelier to come in no order, as from many texts: then they say nothing about each other.
        """
        shown = np.exp(alone - alone.max(1, keepdims=True))
        before: Floats = np.empty_like(shown)
        in_order = 0.0
        now = np.full(len(self._chapters), self._uniform)
        for at, own in enumerate(shown):
            now = (self._carried(now) if at else now) * own
            total = now.sum()
            in_order += np.log(total)
            now /= total
            before[at] = now
        if in_order < np.log(shown.mean(1)).sum() + _GAIN * len(shown):
            return None
        behind = np.ones(len(self._chapters))
        for at in range(len(shown) - 1, -1, -1):
            before[at] *= behind
            before[at] /= before[at].sum()
            behind = self._carried(shown[at] * behind)
            behind /= behind.max()
        return before

    def _carried(self, now: Floats) -> Floats:
        """What a formula's section tells of its neighbour's; the same in both directions."""
        in_chapter = np.bincount(self._chapters, now)[self._chapters]
        carried: Floats = _SECTION * now + self._share * in_chapter + _ANY * self._uniform * now.sum()
        return carried
