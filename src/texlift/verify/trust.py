"""How far computed values can be trusted."""

from __future__ import annotations

import math
from typing import Any

from mpmath import mp

__all__ = ["Trust"]

Number = Any


class Trust:
    """What is to be known about the values computed since the last reset.

    `error` is the largest relative error estimated, `absolute` the largest one of a value that seems to be zero.
    `wild` says that a series was extrapolated whose terms follow no smooth law; no estimate is worth much then.
    `spread` is the largest ratio, in bits, between the terms of a sum: so many digits more are needed before the
    smallest of them can be seen. `top` is the size, in bits, of the largest term: what is much smaller than it may be
    nothing but rounding. `nonreal` says that a function of real numbers had a value that is not real, `convention`
    that a value is fixed by convention only (0^0).
    """

    def __init__(self, careful: bool = True) -> None:
        self.careful = careful  # whether estimates of errors are tested themselves
        self.inside = 0  # depth of sums, integrals and limits, whose terms vanish by their nature
        self.reset()

    def reset(self) -> None:
        self.error = 0.0
        self.absolute = 0.0
        self.wild = False
        self.spread = 0
        self.top = 0
        self.nonreal = False
        self.convention = ""

    def note(self, difference: Number, scale: Number) -> None:
        size = abs(scale)
        relative = float(abs(difference) / size) if size else float(abs(difference))
        if math.isnan(relative):
            relative = math.inf
        self.error = max(self.error, relative)

    def note_zero(self, error: Number) -> None:
        """A value that is zero up to an error."""
        self.absolute = max(self.absolute, float(abs(error)))

    def note_terms(self, a: Number, b: Number) -> None:
        if a and b:
            first, second = _bits(a), _bits(b)
            self.spread = max(self.spread, abs(first - second))
            self.top = max(self.top, first, second)


def _bits(value: Number) -> int:
    return value.bit_length() if isinstance(value, int) else int(mp.mag(value))
