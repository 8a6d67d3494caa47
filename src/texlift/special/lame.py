"""Lamé functions of real degree, by their Fourier series in the complement of the amplitude, DLMF 29.6.

With `phi` for which cos(phi) = sn z, Ec is a series of cosines and Es one of sines. The squares are pi/4 when they are
integrated with dn over a quarter period; Ec is positive at K, Es falls there.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from mpmath import mp

from texlift.special.tridiagonal import eigenpair

__all__ = ["lame_a", "lame_b", "lame_ec", "lame_es"]

_HIGHEST = 60  # of degree and order


def lame_a(m: Any, nu: Any, k2: Any) -> Any:
    """The eigenvalue of `lame_ec`; `k2` is the square of the modulus."""
    return _solved(False, m, nu, k2)[0]


def lame_b(m: Any, nu: Any, k2: Any) -> Any:
    """The eigenvalue of `lame_es`."""
    return _solved(True, m, nu, k2)[0]


def lame_ec(m: Any, nu: Any, z: Any, k2: Any) -> Any:
    """The Lamé function that is even about K."""
    return _function(False, m, nu, z, k2)


def lame_es(m: Any, nu: Any, z: Any, k2: Any) -> Any:
    """The Lamé function that is odd about K."""
    return _function(True, m, nu, z, k2)


def _solved(odd: bool, m: Any, nu: Any, k2: Any) -> tuple[Any, list[Any]]:
    order, degree, square = (mp.mpmathify(part) for part in (m, nu, k2))
    nearest = int(mp.nint(mp.re(order)))
    if abs(order - nearest) > mp.mpf(10) ** -8 or not int(odd) <= nearest <= _HIGHEST:
        raise ValueError("a Lamé function of an order that is no small integer")
    if mp.im(degree) != 0 or not -0.5 <= mp.re(degree) <= _HIGHEST:
        raise ValueError("a Lamé function of a degree that is complex, large or below -1/2")
    if mp.im(square) != 0 or not 0 <= mp.re(square) < 0.98:
        raise ValueError("a Lamé function of a modulus that is not between 0 and 1, or close to 1")
    return _eigenpair(odd, nearest, mp.re(degree), mp.re(square), mp.prec)


def _first(odd: bool, m: int) -> int:
    """The least multiple of phi."""
    return m % 2 if m % 2 or not odd else 2


@lru_cache(maxsize=64)
def _eigenpair(odd: bool, m: int, nu: Any, k2: Any, precision: int) -> tuple[Any, list[Any]]:
    first = _first(odd, m)
    other = mp.sqrt(1 - k2)
    ratio = (1 - other) / (1 + other)  # by which the coefficients fall
    bits = -mp.log(ratio, 2) if ratio > 0 else mp.mpf(20)
    size = m // 2 + int(nu) + 10 + int((precision + 20) / min(bits, 20))
    pull = nu * (nu + 1) * k2 / 2

    def up(p: int) -> Any:
        return k2 * p * (p + 1) / 4 - pull / 2

    def down(p: int) -> Any:
        return k2 * p * (p - 1) / 4 - pull / 2

    multiples = [first + 2 * k for k in range(size)]
    diagonal = [p**2 * (1 - k2 / 2) + pull for p in multiples]
    below = [-up(p) for p in multiples[:-1]]
    above = [-down(p) for p in multiples[1:]]
    if first == 1:
        diagonal[0] += down(1) if odd else -down(1)
    elif first == 0:
        below[0] -= down(0)
    value, vector = eigenpair(diagonal, below, above, (m - first) // 2)
    norm = mp.sqrt(sum(part**2 for part in vector) + (vector[0] ** 2 if first == 0 else 0))
    slope = sum((p if odd else 1) * part for p, part in zip(multiples, vector, strict=True))
    return value, [part / (norm if slope > 0 else -norm) for part in vector]


def _function(odd: bool, m: Any, nu: Any, z: Any, k2: Any) -> Any:
    coefficients = _solved(odd, m, nu, k2)[1]
    first = _first(odd, int(mp.nint(mp.re(m))))
    sn, cn = mp.ellipfun("sn", z, m=k2), mp.ellipfun("cn", z, m=k2)
    turn = sn + mp.mpc(0, 1) * cn
    back = sn - mp.mpc(0, 1) * cn
    waves = ((turn ** (first + 2 * k), back ** (first + 2 * k)) for k in range(len(coefficients)))
    divisor = mp.mpc(0, 2) if odd else mp.mpf(2)
    value = mp.fsum(part * (a + (-b if odd else b)) for part, (a, b) in zip(coefficients, waves, strict=True)) / divisor
    return mp.re(value) if mp.im(mp.mpmathify(z)) == 0 else value
