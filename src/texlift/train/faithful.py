"""How faithfully pairs print, counted: see `texlift.scorer.fidelity`."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from texlift.scorer.fidelity import kinds
from texlift.train.examples import Example
from texlift.tuning import Tuning

__all__ = ["faithful"]


def faithful(examples: Iterable[Example], tuning: Tuning) -> Tuning:
    """The tuning with the log-odds of calls that print otherwise, and of literal readings of what macros print.

    Each is how much more often such a reading is right or wrong than one of its kind without that, as counted over all
    places that gold visits.
    """
    found, right = np.zeros(5), np.zeros(5)
    for example in examples:
        if not example.own:
            continue
        readings = example.encoded.readings
        kind = kinds(example.encoded)
        visited = example.gold >= 0
        found += np.bincount(kind[visited[readings.place]], minlength=5)
        first = np.searchsorted(readings.place, np.flatnonzero(visited))
        right += np.bincount(kind[first + example.gold[visited]], minlength=5)

    def odds(kind: int) -> float:
        return math.log((right[kind] + 0.5) / (found[kind] - right[kind] + 0.5))

    return replace(
        tuning,
        inexact=min(odds(4) - odds(3), 0.0),
        literal_in_braces=min(odds(1) - odds(0), 0.0),
        literal_in_frame=min(odds(2) - odds(0), 0.0),
    )
