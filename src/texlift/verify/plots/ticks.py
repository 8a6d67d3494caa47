"""Ticks people would choose: multiples of pi with small denominators, whole numbers for sequences."""

from __future__ import annotations

import math
from fractions import Fraction

__all__ = ["pi_label", "pi_ticks"]

_STEPS = tuple(map(Fraction, ("1/12", "1/6", "1/4", "1/3", "1/2", "1", "2", "3", "4", "5", "10", "20", "50", "100")))
_MOST = 9


def pi_ticks(low: float, high: float) -> list[tuple[float, str]]:
    """Places and labels of multiples of pi between two numbers, at most nine."""
    width = (high - low) / math.pi
    step = next((step for step in _STEPS if width / float(step) <= _MOST - 1 + 1e-9), None)
    if step is None:
        return []
    first, last = math.ceil(low / math.pi / step - 1e-9), math.floor(high / math.pi / step + 1e-9)
    return [(float(number * step) * math.pi, pi_label(number * step)) for number in range(first, last + 1)]


def pi_label(multiple: Fraction) -> str:
    r"""`$-\pi/2$`, `$0$`, `$3\pi$`."""
    if not multiple:
        return "$0$"
    sign = "-" if multiple < 0 else ""
    above, below = abs(multiple.numerator), multiple.denominator
    name = r"\pi" if above == 1 else rf"{above}\pi"
    return f"${sign}{name}$" if below == 1 else f"${sign}{name}/{below}$"
