"""Kinds of numbers to try for a letter, so that no part of a domain is missed: signs, sizes, special values."""

from __future__ import annotations

import random
from fractions import Fraction

from texlift.verify.values import Value

__all__ = ["COMPLEX", "INTEGER", "REAL", "complex_value", "integer_value", "prime_value", "real_value"]

REAL = (
    "unit", "-unit", "moderate", "-moderate", "special", "integer", "-integer", "rational", "-rational", "critical",
    "wide", "large", "-large", "pi", "small", "-small", "near", "-near", "wide", "huge", "-huge", "critical",
)  # fmt: skip
COMPLEX = ("right", "left", "below", "-unit", "circle", "imaginary", "special", "cut", "moderate", "large", "small",
           "integer", "-moderate", "wide")  # fmt: skip
INTEGER = ("next", "few", "next", "below", "next", "several", "next", "notable", "next", "large", "next", "huge")

_SPECIAL = tuple(
    Fraction(a, b)
    for b, many in ((1, (0, 1, -1, 2, -2, 3, -3, 4, 10, -10)), (2, (1, -1, 3, -3)), (3, (1, -1)), (4, (1,)))
    for a in many
)
_EXPONENTS = tuple(
    Fraction(a, b)
    for b, many in ((1, (2, 3, -1, -2, 4, 0, 1, 5, -3)), (2, (1, 3, -1)), (3, (1, 2)), (4, (1,)))
    for a in many
)
# primes, squares, pseudoprimes, numbers with many divisors
_NOTABLE = (
    16, 17, 24, 25, 31, 36, 41, 48, 60, 63, 64, 65, 97, 99, 100, 101, 120, 121, 127, 128, 180, 255, 256, 341, 360,
    561, 624, 625, 720, 840, 899, 900, 960, 961, 1000, 1001, 1024, 1093, 1105, 1729, 2047, 2465, 3511, 5040, 6601,
    8128, 10007, 65537,
)  # fmt: skip
_PRIMES = (
    2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107,
    109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167, 173,
)  # fmt: skip


def real_value(stratum: str, draw: random.Random, critical: tuple[Fraction, ...], exponent: bool = False) -> Value:
    """A number of one kind; `critical` are the numbers that a formula mentions."""
    sign = -1 if stratum.startswith("-") else 1
    kind = stratum.lstrip("-")
    if exponent and kind not in ("unit", "large", "huge", "small") and draw.random() < 0.8:
        return Value(draw.choice(_EXPONENTS) * sign)
    if kind == "pi":
        return Value(Fraction(draw.randrange(-24, 25), draw.choice((1, 2, 3, 4, 6, 12))), of_pi=True)
    if kind == "special":
        return Value(draw.choice(_SPECIAL))
    if kind == "critical" and critical:
        return Value(_critical(draw, critical))
    return Value(sign * _magnitude(kind, draw))


def _magnitude(kind: str, draw: random.Random) -> Fraction:
    if kind == "unit":
        return _decimal(draw.uniform(0.03, 0.97))
    if kind == "moderate":
        return _decimal(draw.uniform(1.0, 3.2))
    if kind == "integer":
        return Fraction(draw.randrange(0, 13))
    if kind == "rational":
        return Fraction(draw.randrange(1, 12), draw.randrange(2, 8))
    if kind == "large":
        return _decimal(10 ** draw.uniform(0.7, 2.5), 2)
    if kind == "huge":
        return Fraction(round(10 ** draw.uniform(2.5, 8)))
    if kind == "small":
        return Fraction(draw.randrange(1, 100), 10 ** draw.randrange(3, 9))
    if kind == "near":
        return 1 + draw.choice((1, -1)) * Fraction(draw.randrange(1, 10), 10 ** draw.randrange(2, 8))
    return _decimal(draw.uniform(-12, 12))


def _critical(draw: random.Random, critical: tuple[Fraction, ...]) -> Fraction:
    """At, beside or between the numbers that a formula mentions, where cases and bars change."""
    number = draw.choice(critical)
    way = draw.randrange(4)
    if way == 0:
        return number
    if way == 1:
        return number + draw.choice((1, -1)) * Fraction(1, 10 ** draw.randrange(1, 5))
    other = draw.choice(critical)
    return (number + other) / 2 if way == 2 and other != number else number + _decimal(draw.uniform(-1, 1))


def complex_value(stratum: str, draw: random.Random, critical: tuple[Fraction, ...]) -> Value:
    """A complex number of one kind, or a real one."""
    u, v = (_decimal(draw.uniform(0.15, 1.6)) for _ in range(2))
    if stratum == "right":
        return Value(u, v * draw.choice((1, -1)))
    if stratum == "left":
        return Value(-u, v)
    if stratum == "below":
        return Value(-u, -v)
    if stratum == "imaginary":
        return Value(Fraction(0), u * draw.choice((1, -1, 3, -3)))
    if stratum == "circle":  # rational points of the unit circle
        t = Fraction(draw.randrange(-9, 10), draw.randrange(2, 8))
        return Value((1 - t * t) / (1 + t * t), 2 * t / (1 + t * t))
    if stratum == "cut":  # beside the negative real axis
        return Value(-u * draw.choice((1, 2, 5)), Fraction(draw.choice((1, -1)), 10**6))
    if stratum == "large":
        return Value(20 * (u - Fraction(4, 5)), 20 * (v - Fraction(4, 5)))
    if stratum == "small":
        return Value((u - Fraction(4, 5)) / 1000, v / 1000)
    return real_value(stratum, draw, critical)


def integer_value(stratum: str, draw: random.Random, counter: int, least: int | None) -> int:
    """An integer of one kind; `counter` runs through all integers from the least on."""
    start = 0 if least is None else least
    if stratum == "next":
        return start + counter
    if stratum == "few":
        return start + draw.randrange(0, 5)
    if stratum == "below":
        return start + draw.randrange(0, 3) if least is not None else -draw.randrange(0, 9)
    if stratum == "several":
        return start + draw.randrange(0, 25)
    if stratum == "notable":
        return max(start, draw.choice(_NOTABLE))
    size = 10 ** draw.uniform(1.5, 3.3) if stratum == "large" else 10 ** draw.uniform(3.3, 14)
    sign = -1 if least is None and draw.random() < 0.3 else 1
    return max(start, sign * round(size)) if least is not None else sign * round(size)


def prime_value(stratum: str, draw: random.Random, counter: int) -> int:
    """A prime; small ones first."""
    if stratum == "next":
        return _PRIMES[counter % len(_PRIMES)]
    return draw.choice(_PRIMES[:8] if stratum in ("few", "below") else _PRIMES)


def _decimal(value: float, digits: int = 4) -> Fraction:
    return Fraction(round(value * 10**digits), 10**digits)
