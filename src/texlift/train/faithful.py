"""How faithfully pairs print, counted: see `texlift.scorer.fidelity`."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from texlift.scorer.fidelity import BRACED, INEXACT, KINDS, PLAIN, WRAPPED, kinds
from texlift.train.examples import Example
from texlift.tuning import Tuning

__all__ = ["faithful"]


def faithful(examples: Iterable[Example], tuning: Tuning) -> Tuning:
    """The tuning with the log-odds of calls that print something else, and of those that print unseen signs rightly.

    They are how much more or less often such a call is right than one that prints, without unseen signs, what stands
    there, as counted over all places that gold visits.
    """
    found, right = np.zeros(KINDS), np.zeros(KINDS)
    for example in examples:
        if not example.own:
            continue
        readings = example.encoded.readings
        kind = kinds(readings)
        visited = example.gold >= 0
        found += np.bincount(kind[visited[readings.place]], minlength=KINDS)
        first = np.searchsorted(readings.place, np.flatnonzero(visited))
        right += np.bincount(kind[first + example.gold[visited]], minlength=KINDS)

    def odds(kind: int) -> float:
        return math.log((right[kind] + 0.5) / (found[kind] - right[kind] + 0.5))

    plain = odds(PLAIN)
    return replace(
        tuning,
        inexact=min(odds(INEXACT) - plain, 0.0),
        braced=max(odds(BRACED) - plain, 0.0),
        wrapped=max(odds(WRAPPED) - plain, 0.0),
    )
