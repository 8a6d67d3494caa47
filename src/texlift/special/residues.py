"""Quadratic residues."""

from __future__ import annotations

from typing import Any

from mpmath import mp

__all__ = ["jacobi_symbol"]


def jacobi_symbol(a: Any, n: Any) -> Any:
    """The Jacobi symbol, which is Legendre's where n is a prime; n must be odd and positive."""
    above, below = _integer(a), _integer(n)
    if below <= 0 or below % 2 == 0:
        raise ValueError("a Jacobi symbol below which stands no odd positive number")
    above %= below
    sign = 1
    while above:
        while above % 2 == 0:
            above //= 2
            if below % 8 in (3, 5):
                sign = -sign
        above, below = below, above
        if above % 4 == 3 and below % 4 == 3:
            sign = -sign
        above %= below
    return mp.mpf(sign if below == 1 else 0)


def _integer(value: Any) -> int:
    number = mp.mpmathify(value)
    nearest = int(mp.nint(mp.re(number)))
    if abs(number - nearest) > mp.mpf(10) ** -8 or abs(nearest) > 10**30:
        raise ValueError("a Jacobi symbol of something else than integers")
    return nearest
