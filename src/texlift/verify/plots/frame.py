"""The range of the vertical axis: all values, unless a pole or a steep end would make the rest flat."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["frame_of", "is_logarithmic"]

_EDGE = 0.06  # share of the values that a pole may send out of the picture
_MARGIN = 0.08
_STRETCHED = 12  # how many times the middle nine tenths the whole range may be
_DECADES = 1e4


def frame_of(values: Sequence[float], has_gaps: bool) -> tuple[float, float]:
    """From where to where; with gaps the values beside them may grow without limit."""
    ordered = sorted(values)
    low, high = ordered[0], ordered[-1]
    count = len(ordered)
    inner_low, inner_high = ordered[int(_EDGE * count)], ordered[min(count - 1, int((1 - _EDGE) * count))]
    inner = inner_high - inner_low
    if inner > 0 and high - low > (3 if has_gaps else _STRETCHED) * inner:
        low, high = max(low, inner_low - inner / 4), min(high, inner_high + inner / 4)
    if high - low <= 1e-9 * max(abs(low), abs(high), 1e-3):  # level
        size = max(1.0, abs(low) / 2) if abs(low) > 1e-9 else 1.0
        return low - size, high + size
    if 0 < low < (high - low) / 2:
        low = 0.0  # zero is a good place for an axis
    elif 0 < -high < (high - low) / 2:
        high = 0.0
    margin = (high - low) * _MARGIN
    return low - margin, high + margin


def is_logarithmic(values: Sequence[float]) -> bool:
    """Whether a sequence grows so fast that only a logarithmic axis shows it."""
    return len(values) > 3 and min(values) > 0 and max(values) > _DECADES * min(values)
