"""Spheroidal wave functions of integer order and degree between -1 and 1, by their Legendre series, DLMF 30.8."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from mpmath import mp

from texlift.special.tridiagonal import eigenpair

__all__ = ["spheroidal_lambda", "spheroidal_ps"]

_HIGHEST = 40  # of degree and order
_LARGEST = 400  # of the parameter


def spheroidal_lambda(m: Any, n: Any, gamma2: Any) -> Any:
    """The eigenvalue."""
    return _solved(m, n, gamma2)[0]


def spheroidal_ps(m: Any, n: Any, x: Any, gamma2: Any) -> Any:
    """The spheroidal wave function of the first kind on the interval from -1 to 1; `gamma2` may be negative."""
    if mp.im(mp.mpmathify(x)) != 0 or abs(x) >= 1:
        raise ValueError("a spheroidal wave function outside of the interval from -1 to 1")
    _value, order, degrees, coefficients = _solved(m, n, gamma2)
    values = _ferrers(order, degrees[-1], mp.re(mp.mpmathify(x)))
    return mp.fsum(part * values[degree - order] for degree, part in zip(degrees, coefficients, strict=True))


def _ferrers(m: int, last: int, x: Any) -> list[Any]:
    """Ferrers' functions of the order m from degree m on, by their recurrence, DLMF 14.10.3."""
    found = [(-1) ** m * mp.fac2(2 * m - 1) * (1 - x * x) ** (mp.mpf(m) / 2)]
    if last > m:
        found.append((2 * m + 1) * x * found[0])
    for degree in range(m + 1, last):
        found.append(((2 * degree + 1) * x * found[-1] - (degree + m) * found[-2]) / (degree - m + 1))
    return found


def _solved(m: Any, n: Any, gamma2: Any) -> tuple[Any, int, list[int], list[Any]]:
    order, degree, square = (mp.mpmathify(part) for part in (m, n, gamma2))
    whole = [int(mp.nint(mp.re(part))) for part in (order, degree)]
    if any(abs(part - near) > mp.mpf(10) ** -8 for part, near in zip((order, degree), whole, strict=True)):
        raise ValueError("a spheroidal wave function whose order or degree is no integer")
    if not 0 <= whole[0] <= whole[1] <= _HIGHEST or mp.im(square) != 0 or abs(square) > _LARGEST:
        raise ValueError("a spheroidal wave function of large numbers or a complex parameter")
    return _eigenpair(whole[0], whole[1], mp.re(square), mp.prec)


@lru_cache(maxsize=64)
def _eigenpair(m: int, n: int, square: Any, precision: int) -> tuple[Any, int, list[int], list[Any]]:
    place = (n - m) // 2
    size = place + 12 + precision // 7 + int(mp.sqrt(abs(square)))
    degrees = [n + 2 * (k - place) for k in range(size)]
    diagonal = [
        d * (d + 1) - 2 * square * mp.mpf(d * (d + 1) - 1 + m * m) / ((2 * d - 1) * (2 * d + 3)) for d in degrees
    ]
    below = [-square * mp.mpf((d - m - 1) * (d - m)) / ((2 * d - 3) * (2 * d - 1)) for d in degrees[1:]]
    above = [-square * mp.mpf((d + m + 1) * (d + m + 2)) / ((2 * d + 3) * (2 * d + 5)) for d in degrees[:-1]]
    value, vector = eigenpair(diagonal, below, above, place)
    weights = [2 * mp.factorial(d + m) / ((2 * d + 1) * mp.factorial(d - m)) for d in degrees]
    norm = mp.sqrt(mp.fsum(w * part**2 for w, part in zip(weights, vector, strict=True)) / weights[place])
    vector = [(-1) ** (k - place) * part / norm for k, part in enumerate(vector)]
    slope = mp.fsum(part * _at_zero(m, d) for d, part in zip(degrees, vector, strict=True))
    sign = 1 if slope * _at_zero(m, n) > 0 else -1
    return value, m, degrees, [sign * part for part in vector]


def _at_zero(m: int, degree: int) -> Any:
    """The value of Ferrers' function at 0, or its slope where that is 0, DLMF 14.5.1 and 14.5.2."""
    if (degree - m) % 2 == 0:
        return (
            mp.mpf(2) ** m
            * mp.sqrt(mp.pi)
            * mp.rgamma((degree - m) / mp.mpf(2) + 1)
            * mp.rgamma(mp.mpf(1 - degree - m) / 2)
        )
    return (
        -(mp.mpf(2) ** (m + 1))
        * mp.sqrt(mp.pi)
        * mp.rgamma((degree - m + 1) / mp.mpf(2))
        * mp.rgamma(mp.mpf(-degree - m) / 2)
    )
