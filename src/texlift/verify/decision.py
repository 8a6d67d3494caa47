"""One comparison at one point: do both sides agree, at rising precision, beyond the estimated errors?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mpmath import mp

__all__ = ["Decision", "compare", "congruent", "equal", "ordered", "shown"]

_DIGITS = (15, 22, 40)
_GROSS, _SMALL = 1e-3, 1e-6  # relative difference, relative error
_EXACT = 80  # digits of integers in a congruence

Sides = Callable[[], tuple[Any, Any, float]]
"""Evaluates both sides at the precision of mpmath: values and the largest relative error estimated."""


@dataclass(frozen=True, slots=True)
class Decision:
    """`holds` is None where the numerical error is too large; `substantial` says that the sides do not vanish."""

    holds: bool | None
    substantial: bool
    left: Any
    right: Any


def equal(sides: Sides, tolerance: float = 0.0, warned: bool = False) -> Decision:
    """Whether both sides agree to 9 digits (or `tolerance`); a difference must stand at two precisions.

    Where the sides have differed elsewhere (`warned`), a gross difference is believed at once.
    """
    a: Any = None
    b: Any = None
    for digits in _DIGITS:
        with mp.workdps(digits):
            before = (a, b)
            a, b, error = _finite(sides)
            scale = max(abs(a), abs(b))
            difference = abs(a - b)
            close = max(mp.mpf(10) ** (-9), mp.mpf(30 * error)) if error < 1e-5 else mp.mpf(0)
            if (
                difference <= max(close, tolerance) * scale
                or scale < mp.mpf(10) ** (-digits + 2)
                or (not scale > mp.mpf(10) ** (-8) and difference < mp.mpf(10) ** (-12))
            ):
                return Decision(True, scale > mp.mpf(10) ** (-10), a, b)
            if before == (None, None):
                if warned and difference > _GROSS * scale and error < _SMALL:
                    return Decision(False, True, a, b)
                continue
            stable = all(
                abs(x - y) <= mp.mpf(10) ** (-7) * max(abs(x), abs(y), difference)
                for x, y in zip(before, (a, b), strict=True)
            )
            if stable and difference > 1000 * error * scale and difference > mp.mpf(10) ** (-7) * scale:
                return Decision(False, True, a, b)
    return Decision(None, True, a, b)


def ordered(operator: str, sides: Sides) -> Decision:
    """Whether an inequality holds, up to rounding."""
    a: Any = None
    b: Any = None
    before: tuple[Any, Any] = (None, None)
    error = 0.0
    for digits in _DIGITS[:2]:
        with mp.workdps(digits):
            before = (a, b)
            a, b, error = _finite(sides)
            gap = max(abs(a), abs(b)) * mp.mpf(10) ** (-9) + mp.mpf(10) ** (-11)
            if compare(operator, a, b, gap):
                return Decision(True, True, a, b)
    stable = all(abs(x - y) <= mp.mpf(10) ** (-7) * max(1, abs(x)) for x, y in zip(before, (a, b), strict=True))
    return Decision(False if stable and error < 1e-6 else None, True, a, b)


def congruent(sides: Sides, modulus: Callable[[], Any]) -> Decision:
    """Whether the difference of two integers is a multiple of a third."""
    with mp.workdps(_EXACT):
        a, b, _ = _finite(sides)
        left, right, divisor = (_whole(value) for value in (a, b, mp.mpmathify(modulus())))
        if divisor == 0:
            raise ValueError("a congruence modulo 0")
        return Decision((left - right) % divisor == 0, True, a, b)


def compare(operator: str, a: Any, b: Any, gap: Any = 0) -> bool:
    """Compare real numbers; complex ones satisfy no inequality."""
    if operator == "!=":
        return bool(abs(a - b) > 1e-9)
    if operator in ("=", "==="):
        return bool(abs(a - b) <= 1e-9 * max(1, abs(a)))
    for value in (a, b):
        if abs(complex(value).imag) > 1e-9 * max(1.0, abs(complex(value))):
            raise ValueError("an inequality between complex numbers")
    x, y = getattr(a, "real", a), getattr(b, "real", b)
    if not gap and operator in ("<", ">"):  # constraints are meant strictly
        return bool(x < y) if operator == "<" else bool(x > y)
    return bool(x <= y + gap) if operator in ("<", "<=") else bool(x >= y - gap)


def shown(value: Any) -> Any:
    """A value as JSON and people read it."""
    number = complex(value)
    if number.imag == 0:
        return int(number.real) if number.real == int(number.real) and abs(number.real) < 1e6 else number.real
    return f"{number.real:.12g}{number.imag:+.12g}i"


def _finite(sides: Sides) -> tuple[Any, Any, float]:
    a, b, error = sides()
    if isinstance(a, list | tuple) or isinstance(b, list | tuple):
        raise ValueError("a side is a list, not a number")
    left, right = mp.mpmathify(a), mp.mpmathify(b)
    if mp.isnan(left) or mp.isnan(right) or mp.isinf(left) or mp.isinf(right):
        raise ValueError("a side is infinite or undefined")
    return left, right, error


def _whole(value: Any) -> int:
    real = mp.mpf(value.real)
    nearest = int(mp.nint(real))
    if abs(value - nearest) > mp.mpf(10) ** (-10) or abs(nearest) > 10 ** (_EXACT - 12):
        raise ValueError("a congruence between numbers that are no integers of moderate size")
    return nearest
