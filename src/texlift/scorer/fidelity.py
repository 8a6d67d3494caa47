"""Fidelity: in a language learnt from pairs, calls print what stands in the formula, sign by sign.

The generic side of such pairs is what an author's macros print, with their spaces, braces and wrappers. So a call that
would print something else was hardly used, and what only a macro prints is hardly typed by hand. How hardly is counted
over the pairs (`train.faithful`): the log-odds are offsets of the scores, in training and in translating, and the
scorer learns the rest. Pairs that are not faithful have offsets near zero, the packaged model has none.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from texlift.context.style import EXACT
from texlift.scorer.encoding import Encoded, framed_places
from texlift.scorer.schema import READING
from texlift.tuning import Tuning

__all__ = ["kinds", "offsets"]

_PRINT: Final = READING.column("print")


def kinds(formula: Encoded) -> NDArray[np.int64]:
    """(C,) what is known of each reading: 0 to 2 for the literal one, 3 and 4 for calls.

    0: no macro prints unseen signs that stand there, 1: one prints such braces, 2: one prints spacing or a wrapper;
    3: the call prints what stands there, 4: it prints something else.
    """
    readings = formula.readings
    inexact = (readings.features[:, _PRINT] - 1) % (EXACT + 1) < EXACT
    framed = framed_places(formula.places)[readings.place]
    return np.where(readings.macro == 0, framed, 3 + inexact)


def offsets(formula: Encoded, tuning: Tuning) -> NDArray[np.float32]:
    """(C,) what is added to the scores of the readings."""
    table = np.array([0.0, tuning.literal_in_braces, tuning.literal_in_frame, 0.0, tuning.inexact], np.float32)
    return table[kinds(formula)]
