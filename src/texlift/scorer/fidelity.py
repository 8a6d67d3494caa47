"""Fidelity: in a language learnt from pairs, calls print what stands in the formula, sign by sign.

The generic side of such pairs is what an author's macros print, with their spaces, braces and wrappers. So a call that
would print something else was hardly used, and one whose unseen signs stand there was hardly typed by hand. How hardly
is counted over the pairs (`train.faithful`): the log-odds are offsets of the scores, in training and in translating,
and the scorer learns the rest. Pairs that are not faithful have offsets near zero, the packaged model has none.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from texlift.context.style import EXACT
from texlift.scorer.encoding import Readings, print_levels
from texlift.tuning import Tuning

__all__ = ["BRACED", "INEXACT", "KINDS", "LITERAL", "PLAIN", "WRAPPED", "kinds", "offsets"]

LITERAL, PLAIN, BRACED, WRAPPED, INEXACT = range(5)
"""The literal reading; calls that print what stands there, without unseen signs, in braces, in others; other calls."""
KINDS = 5


def kinds(readings: Readings) -> NDArray[np.int64]:
    """(C,) the kind of each reading."""
    levels, frames = print_levels(readings)
    calls = np.where(levels < EXACT, INEXACT, PLAIN + frames)
    return np.where(readings.macro == 0, LITERAL, calls)


def offsets(readings: Readings, tuning: Tuning) -> NDArray[np.float32]:
    """(C,) what is added to the scores of the readings."""
    table = np.zeros(KINDS, np.float32)
    table[[BRACED, WRAPPED, INEXACT]] = tuning.braced, tuning.wrapped, tuning.inexact
    return table[kinds(readings)]
