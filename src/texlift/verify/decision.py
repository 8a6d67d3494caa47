"""One comparison at one point: which side is larger, or do they agree, at rising precision?

Two sides *differ* where their difference stays the same when the precision is raised and exceeds the estimated
errors. They *agree* where the difference vanishes at a precision at which the smallest term of every sum would
show. In between, the precision is raised further; what cannot be decided is left open.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from mpmath import mp

__all__ = ["DEEP", "QUICK", "USUAL", "Decision", "Effort", "Sample", "compare", "decide", "decide_exactly", "shown"]

_GROSS = 1e-3  # a relative difference that is believed at once where the sides have differed elsewhere
_LEEWAY = 10  # digits that rounding may cost
_LONG = 4000  # bits of an integer that is not written out
_BITS = 0.30103  # digits of a bit


@dataclass(frozen=True, slots=True)
class Effort:
    """Digits to start with, to go on with, and at most; the worst error of an estimate.

    Sides that agree are computed on to `wanted` digits as long as the next step is expected to take less than
    `patience` seconds.
    """

    first: int = 20
    second: int = 36
    most: int = 320
    error: float = 1e-11
    wanted: int = 0
    patience: float = 0.0

    def ladder(self, spread: int) -> list[int]:
        """The precisions to try when terms differ by so many digits."""
        found = [self.first, self.second + spread]
        while found[-1] * 2 <= self.most + spread:
            found.append(found[-1] * 2)
        return found


USUAL = Effort()
QUICK = Effort(15, 24, 48, 1e-9)
DEEP = Effort(30, 60, 2000, 1e-15, 1000, 1.5)
_PATIENCE = 0.3  # seconds for the next step of an inequality whose sides agree so far
_MOST_LOST = 3000  # digits that sums may lose


@dataclass(frozen=True, slots=True)
class Sample:
    """Both sides at one precision, and what is known of them; see `Trust`."""

    left: Any
    right: Any
    error: float = 0.0
    absolute: float = 0.0
    spread: int = 0
    top: int = 0
    wild: bool = False
    nonreal: bool = False
    convention: str = ""


Sides = Callable[[], Sample]
"""Evaluates both sides at the precision of mpmath."""


@dataclass(frozen=True, slots=True)
class Decision:
    """`holds` is None where that cannot be decided; `order` is the sign of left - right, None where it is not known.

    `substantial` says that the sides do not vanish, `digits` to how many digits they agree.
    """

    holds: bool | None
    order: int | None
    left: Any
    right: Any
    digits: int = 0
    substantial: bool = True
    exact: bool = False
    nonreal: bool = False
    convention: str = ""
    gap: float = 0.0  # (right - left) relative to the larger side


def decide(
    operator: str, sides: Sides, effort: Effort = USUAL, tolerance: float = 0.0, warned: bool = False
) -> Decision:
    """Whether a comparison holds at a point.

    `tolerance` is the relative error of a number written with dots. Where the sides have differed elsewhere
    (`warned`), a gross difference is believed at once.
    """
    is_order = operator not in ("=", "===")
    if is_order:  # which side is larger may show at many more digits
        effort = replace(effort, wanted=effort.most, patience=max(effort.patience, _PATIENCE))
    found = _difference(sides, effort, tolerance, warned)
    if operator in ("=", "===", "!="):
        equal = found.holds
        return found if operator != "!=" or equal is None else replace(found, holds=not equal)
    _refuse_complex(found)
    if found.order is None:
        return replace(found, holds=None)
    return replace(found, holds=_ordered(operator, found.order, found.exact))


def _ordered(operator: str, order: int, exact: bool) -> bool | None:
    if order == 0 and operator in ("<", ">") and not exact:
        return None  # perhaps equal; only exact values can tell
    return {"<": order < 0, "<=": order <= 0, ">": order > 0, ">=": order >= 0}[operator]


def decide_exactly(operator: str, left: Fraction, right: Fraction) -> Decision:
    """Whether a comparison between rational numbers holds."""
    order = (left > right) - (left < right)
    if operator in ("divides", "notdivides"):
        holds: bool | None = (left != 0 and (right / left).denominator == 1) is (operator == "divides")
    elif operator in ("=", "==="):
        holds = order == 0
    else:
        holds = order != 0 if operator == "!=" else _ordered(operator, order, True)
    size = max(abs(left), abs(right), Fraction(1, 10**30))
    gap = float((right - left) / size)
    return Decision(holds, order, left, right, 0, bool(left or right), exact=True, gap=gap)


def _difference(sides: Sides, effort: Effort, tolerance: float, warned: bool) -> Decision:
    """The order of two sides; `holds` says whether they are equal."""
    before: Any = None
    digits = effort.first
    ladder = [digits]
    sample = Sample(0, 0)
    while ladder:
        step, digits = ladder[0] - digits, ladder.pop(0)
        started = time.process_time()
        with mp.workdps(digits):
            sample = _finite(sides())
            difference = sample.left - sample.right
            scale = max(abs(sample.left), abs(sample.right))
            if before is None:
                ladder = effort.ladder(_lost(sample, scale))[1:]
            if tolerance and abs(difference) <= tolerance * scale:
                return _decision(sample, 0, int(-math.log10(tolerance)))
            agreed = _agreed(sample, difference, scale, digits, effort)
            ready = before is not None or (effort.first < USUAL.first and not _lost(sample, scale))
            if agreed and ready and (digits >= effort.wanted or _costly(started, effort, ladder, sample)):
                return _decision(sample, 0, agreed)
            if before is None:
                gross = abs(difference) > _GROSS * scale and sample.error < 1e-6 and not sample.absolute
                if warned and gross and not sample.wild and not _lost(sample, scale):
                    return _decision(sample, 1, 0)
            elif _stays(sample, difference, before, scale, digits):
                return _decision(sample, 1, 0)
            elif _vanishes(difference, before, step) and (digits >= effort.wanted or not ladder):
                return _decision(sample, 0, digits - _LEEWAY)
            before = difference
    return replace(_decision(sample, 0, 0), holds=None, order=None)


def _lost(sample: Sample, scale: Any) -> int:
    """Digits that sums lose: between their terms, or by cancellation."""
    digits = max(math.ceil(sample.spread * _BITS), _cancelled(sample, scale))
    if digits > _MOST_LOST:
        raise ValueError("terms too different in size")
    return digits if digits > _LEEWAY // 3 else 0


def _cancelled(sample: Sample, scale: Any) -> int:
    """Digits by which the sides are smaller than the largest term in them."""
    bits = sample.top - int(mp.mag(scale)) if scale else sample.top
    return max(0, math.ceil(bits * _BITS))


def _costly(started: float, effort: Effort, ladder: list[int], sample: Sample) -> bool:
    """Whether more digits would take too long, or there are none to be had."""
    return (
        not ladder or sample.error > 0 or sample.absolute > 0 or 5 * (time.process_time() - started) > effort.patience
    )


def _agreed(sample: Sample, difference: Any, scale: Any, digits: int, effort: Effort) -> int:
    """To how many digits the sides agree, if to enough."""
    digits -= _cancelled(sample, scale)
    if digits < _LEEWAY:
        return 0
    if difference == 0 or abs(difference) <= sample.absolute:
        worst = max(sample.error, sample.absolute)
    else:
        worst = float(mp.mpf(abs(difference)) / scale)
        if worst > max(10.0 ** (_LEEWAY - digits), 30 * sample.error):
            return 0
        worst = max(worst, sample.error)
    if worst > effort.error:
        return 0
    return min(digits - _LEEWAY // 2, int(-math.log10(worst))) if worst else digits - _LEEWAY // 2


def _stays(sample: Sample, difference: Any, before: Any, scale: Any, digits: int) -> bool:
    """Whether a difference is the same as at the precision before, and larger than the errors."""
    if sample.wild or abs(difference) <= 1000 * max(sample.error * scale, mp.mpf(sample.absolute)):
        return False
    if abs(difference) <= mp.mpf(2) ** sample.top * mp.mpf(10) ** (_LEEWAY // 2 - digits):
        return False
    return bool(difference != 0 and abs(difference - before) <= abs(difference) / 1000)


def _vanishes(difference: Any, before: Any, step: int) -> bool:
    """Whether a difference shrinks as the precision grows: both sides are zero, or hard to compute."""
    small = abs(difference) < mp.mpf(10) ** -15
    return bool(small and abs(difference) <= abs(before) * mp.mpf(10) ** (-0.7 * step))


def _decision(sample: Sample, different: int, digits: int) -> Decision:
    a, b = sample.left, sample.right
    scale = max(abs(a), abs(b))
    order = ((mp.re(a) > mp.re(b)) - (mp.re(a) < mp.re(b))) if different else 0
    gap = float(mp.re(b - a) / scale) if scale and different else 0.0
    substantial = bool(scale > mp.mpf(10) ** (-10))
    return Decision(not different, order, a, b, digits, substantial, False, sample.nonreal, sample.convention, gap)


def _refuse_complex(found: Decision) -> None:
    for value in (found.left, found.right):
        if isinstance(value, mp.mpc) and abs(value.imag) > mp.mpf(10) ** -12 * max(mp.one, abs(value)):
            raise ValueError("an inequality between complex numbers")


def _finite(sample: Sample) -> Sample:
    if isinstance(sample.left, list | tuple) or isinstance(sample.right, list | tuple):
        raise ValueError("a side is a list, not a number")
    left, right = mp.mpmathify(sample.left), mp.mpmathify(sample.right)
    if not (mp.isfinite(left) and mp.isfinite(right)):
        raise ValueError("a side is infinite or undefined")
    return replace(sample, left=left, right=right)


def compare(operator: str, a: Any, b: Any) -> bool:
    """Compare numbers of a constraint; complex ones satisfy no inequality."""
    gap = abs(a - b)
    near = bool(mp.isfinite(gap) and gap <= mp.mpf(10) ** (-12) * max(1, abs(a)))
    if operator in ("=", "===", "!="):
        return near is (operator != "!=")
    for value in (a, b):
        if abs(mp.im(value)) > mp.mpf(10) ** (-9) * max(1, abs(value)):
            raise ValueError("an inequality between complex numbers")
    if near:
        return operator in ("<=", ">=")
    return bool(mp.re(a) < mp.re(b)) is (operator in ("<", "<="))


def shown(value: Any) -> Any:
    """A value as JSON and people read it."""
    if isinstance(value, Fraction):
        if max(value.numerator.bit_length(), value.denominator.bit_length()) > _LONG:
            return mp.nstr(mp.mpf(value.numerator) / value.denominator, 15)
        if value.denominator == 1:
            return value.numerator if abs(value) < 10**15 else _shortened(str(value.numerator))
        return str(value) if len(str(value)) <= 24 else _float(value)
    number = mp.mpmathify(value)
    if not mp.im(number):
        real = mp.re(number)
        if mp.isint(real) and abs(real) < 10**15:
            return int(real)
        return (
            float(real)
            if abs(real) < mp.mpf("1e300") and (not real or abs(real) > mp.mpf("1e-300"))
            else mp.nstr(real, 15)
        )
    return f"{mp.nstr(mp.re(number), 12)}{'-' if mp.im(number) < 0 else '+'}{mp.nstr(abs(mp.im(number)), 12)}i"


def _shortened(digits: str) -> str:
    return digits if len(digits) <= 40 else f"{digits[:18]}...{digits[-18:]} ({len(digits.lstrip('-'))} digits)"


def _float(value: Fraction) -> Any:
    try:
        return float(value)
    except OverflowError:
        return mp.nstr(mp.mpf(value.numerator) / value.denominator, 15)
