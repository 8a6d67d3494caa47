"""Exact values for the letters of a formula: rational numbers, real or complex, and rational multiples of pi.

Points are exact, so that integers and rationals are compared exactly and every other value can be computed to any
precision.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from texlift.meaning.reader.names import identifier

__all__ = ["Point", "Value", "python_code", "shown_point", "value_of"]

_SHORT = 6  # decimals that are shown as a decimal number


@dataclass(frozen=True, slots=True)
class Value:
    """`real + imag i`, times pi if `of_pi`."""

    real: Fraction
    imag: Fraction = Fraction(0)
    of_pi: bool = False

    @property
    def exact(self) -> Fraction | None:
        """The rational number it is; None for complex numbers and multiples of pi."""
        return None if self.imag or (self.of_pi and self.real) else self.real

    @property
    def is_real(self) -> bool:
        return not self.imag

    def number(self) -> Any:
        """An mpmath number at the precision of mpmath."""
        from mpmath import mp

        real = mp.mpf(self.real.numerator) / self.real.denominator
        value = mp.mpc(real, mp.mpf(self.imag.numerator) / self.imag.denominator) if self.imag else real
        return value * mp.pi if self.of_pi else value

    def __complex__(self) -> complex:
        unit = 3.141592653589793 if self.of_pi else 1.0
        return complex(float(self.real) * unit, float(self.imag) * unit)

    def shown(self) -> Any:
        """As JSON and people read it: 2, 0.25, "1/3", "3/4 pi", "0.5-1.2i"."""
        if self.imag:
            text = f"{_decimal(self.real)}{'-' if self.imag < 0 else '+'}{_decimal(abs(self.imag))}i"
            return text if not self.of_pi else f"({text}) pi"
        if self.of_pi and self.real:
            return f"{_decimal(self.real)} pi"
        plain = _decimal(self.real)
        return plain if isinstance(plain, str) or abs(plain) < 10**15 else str(plain)

    def python(self) -> str:
        """As Python reads it, with `pi` from the module math: 2, 1/3, 3/4*pi, complex(0.5, -1.2)."""
        text = f"complex({_code(self.real)}, {_code(self.imag)})" if self.imag else _code(self.real)
        return f"{text}*pi" if self.of_pi and (self.real or self.imag) else text


Point = dict[str, Value]


def value_of(number: complex | Fraction) -> Value:
    """The decimal number that a float shows, or a Fraction, as a value."""
    if isinstance(number, complex):
        return Value(Fraction(repr(number.real)), Fraction(repr(number.imag)))
    return Value(number if isinstance(number, Fraction) else Fraction(repr(number)))


def shown_point(point: Point) -> dict[str, Any]:
    """A point as JSON and people read it."""
    return {name: value.shown() for name, value in point.items()}


def python_code(point: Point) -> str:
    """Assignments that can be pasted into Python: `x = 1/3; n = 2`."""
    return "; ".join(f"{identifier(name)} = {value.python()}" for name, value in point.items())


def _decimal(value: Fraction) -> Any:
    if value.denominator == 1:
        return value.numerator
    scaled = value * 10**_SHORT
    if scaled.denominator == 1:
        return float(value)
    return str(value) if len(str(value)) <= 12 else float(value)


def _code(value: Fraction) -> str:
    plain = _decimal(value)
    return str(plain) if not isinstance(plain, float) or Fraction(repr(plain)) == value else f"{value}"
