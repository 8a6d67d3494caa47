"""Mathieu functions of integer order, which mpmath lacks: by the eigenvectors of a tridiagonal matrix, DLMF 28.4.

The eigenvalues of the recurrence for the Fourier coefficients are the characteristic values; an eigenvector has the
coefficients. Functions are positive at 0 (even ones), or have a positive slope there (odd ones).
"""

from __future__ import annotations

from functools import lru_cache
from math import isqrt
from typing import Any

from mpmath import mp

from texlift.targets.table import Table, load_table, with_entries

__all__ = ["NAMES", "extended_table"]

_CODES = {
    r"\Mathieueigvala": "mathieu_a({1}, {2})",
    r"\Mathieueigvalb": "mathieu_b({1}, {2})",
    r"\Mathieuce": "mathieu_ce({1}, {2}, {3})",
    r"\Mathieuse": "mathieu_se({1}, {2}, {3})",
}
_LARGEST = 400  # of |q|


def _order(n: Any, least: int) -> int:
    value = mp.mpmathify(n)
    nearest = int(mp.nint(mp.re(value)))
    if abs(value - nearest) > mp.mpf(10) ** -8 or not least <= nearest <= 60:
        raise ValueError("a Mathieu function of an order that is no small integer")
    return nearest


def _solved(odd: bool, n: int, q: Any) -> tuple[Any, list[Any]]:
    """The characteristic value, and the Fourier coefficients from the first on."""
    value = mp.mpmathify(q)
    if mp.im(value) != 0 or abs(value) > _LARGEST:
        raise ValueError("a Mathieu function of a complex or large parameter")
    return _eigenpair(odd, n, mp.re(value), mp.prec)


@lru_cache(maxsize=64)
def _eigenpair(odd: bool, n: int, q: Any, precision: int) -> tuple[Any, list[Any]]:
    size = n // 2 + 10 + precision // 7 + 2 * isqrt(int(abs(q)) + 1)
    first = n % 2 if n % 2 or not odd else 2  # the least multiple of z
    matrix = mp.zeros(size, size)
    for k in range(size):
        matrix[k, k] = mp.mpf(first + 2 * k) ** 2
        if k:
            matrix[k, k - 1] = matrix[k - 1, k] = q
    if first == 1:
        matrix[0, 0] += -q if odd else q
    elif first == 0:
        matrix[0, 1] = matrix[1, 0] = mp.sqrt(2) * q
    values, vectors = mp.eigsy(matrix)
    place = (n - first) // 2
    coefficients = [vectors[k, place] for k in range(size)]
    if first == 0:
        coefficients[0] /= mp.sqrt(2)
    slope = sum((first + 2 * k if odd else 1) * part for k, part in enumerate(coefficients))
    return values[place], [part if slope > 0 else -part for part in coefficients]


def _characteristic(odd: bool, n: Any, q: Any) -> Any:
    return _solved(odd, _order(n, 1 if odd else 0), q)[0]


def _function(odd: bool, n: Any, z: Any, q: Any) -> Any:
    order = _order(n, 1 if odd else 0)
    _, coefficients = _solved(odd, order, q)
    first = order % 2 if order % 2 or not odd else 2
    wave = mp.sin if odd else mp.cos
    return mp.fsum(part * wave((first + 2 * k) * z) for k, part in enumerate(coefficients))


NAMES = {
    "mathieu_a": lambda n, q: _characteristic(False, n, q),
    "mathieu_b": lambda n, q: _characteristic(True, n, q),
    "mathieu_ce": lambda n, z, q: _function(False, n, z, q),
    "mathieu_se": lambda n, z, q: _function(True, n, z, q),
}
"""What the code of `extended_table` calls."""


def extended_table() -> Table:
    """The table of mpmath with these functions, for numbers; code for mpmath alone cannot have them."""
    return with_entries(load_table("mpmath"), tuple(_CODES.items()))
