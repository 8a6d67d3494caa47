"""Mathieu functions of real order and parameter, by the eigenvectors of their recurrences, DLMF 28.4 and 28.14.

The eigenvalues of the recurrence for the Fourier coefficients are the characteristic values; an eigenvector has the
coefficients. Functions are positive at 0 (even ones), or have a positive slope there (odd ones).
"""

from __future__ import annotations

from functools import lru_cache
from math import isqrt
from typing import Any

from mpmath import mp

from texlift.special.tridiagonal import eigenpair

__all__ = ["mathieu_a", "mathieu_b", "mathieu_ce", "mathieu_lambda", "mathieu_me", "mathieu_se"]

_LARGEST = 400  # of |q|
_HIGHEST = 60  # of the orders


def mathieu_a(n: Any, q: Any) -> Any:
    """The characteristic value of `mathieu_ce`."""
    return _solved(False, _order(n, 0), q)[0]


def mathieu_b(n: Any, q: Any) -> Any:
    """The characteristic value of `mathieu_se`."""
    return _solved(True, _order(n, 1), q)[0]


def mathieu_ce(n: Any, z: Any, q: Any) -> Any:
    """The even Mathieu function."""
    if not _is_whole(n):
        return (mathieu_me(n, z, q) + mathieu_me(n, -z, q)) / 2
    return _function(False, _order(n, 0), z, q)


def mathieu_se(n: Any, z: Any, q: Any) -> Any:
    """The odd Mathieu function."""
    if not _is_whole(n):
        return (mathieu_me(n, z, q) - mathieu_me(n, -z, q)) / mp.mpc(0, 2)
    return _function(True, _order(n, 1), z, q)


def mathieu_lambda(nu: Any, q: Any) -> Any:
    """The characteristic value of `mathieu_me`."""
    if _is_whole(nu):
        return mathieu_a(abs(nu), q) if mp.re(nu) >= 0 else mathieu_b(-nu, q)
    return _floquet(_real(nu), _parameter(q), mp.prec)[0]


def mathieu_me(nu: Any, z: Any, q: Any) -> Any:
    """The Floquet solution, which is exp(i nu z) for q = 0; for integers DLMF 28.12.10 and 28.12.11."""
    if _is_whole(nu):
        n = int(mp.nint(mp.re(nu)))
        if n == 0:
            return mathieu_ce(0, z, q) * mp.sqrt(2)
        return mathieu_ce(n, z, q) * mp.sqrt(2) if n > 0 else mp.mpc(0, -1) * mp.sqrt(2) * mathieu_se(-n, z, q)
    value = _real(nu)
    least, coefficients = _floquet(value, _parameter(q), mp.prec)[1:]
    return mp.fsum(part * mp.expj((value + 2 * (least + k)) * z) for k, part in enumerate(coefficients))


def _is_whole(n: Any) -> bool:
    value = mp.mpmathify(n)
    return bool(abs(value - mp.nint(mp.re(value))) <= mp.mpf(10) ** -8)


def _order(n: Any, least: int) -> int:
    nearest = int(mp.nint(mp.re(mp.mpmathify(n))))
    if not _is_whole(n) or not least <= nearest <= _HIGHEST:
        raise ValueError("a Mathieu function of an order that is no small integer")
    return nearest


def _real(nu: Any) -> Any:
    value = mp.mpmathify(nu)
    if mp.im(value) != 0 or abs(value) > _HIGHEST:
        raise ValueError("a Mathieu function of a complex or large order")
    return mp.re(value)


def _parameter(q: Any) -> Any:
    value = mp.mpmathify(q)
    if mp.im(value) != 0 or abs(value) > _LARGEST:
        raise ValueError("a Mathieu function of a complex or large parameter")
    return mp.re(value)


def _solved(odd: bool, n: int, q: Any) -> tuple[Any, list[Any]]:
    """The characteristic value, and the Fourier coefficients from the first on."""
    return _periodic(odd, n, _parameter(q), mp.prec)


def _first(odd: bool, n: int) -> int:
    """The least multiple of z."""
    return n % 2 if n % 2 or not odd else 2


@lru_cache(maxsize=64)
def _periodic(odd: bool, n: int, q: Any, precision: int) -> tuple[Any, list[Any]]:
    size = n // 2 + 10 + precision // 7 + 2 * isqrt(int(abs(q)) + 1)
    first = _first(odd, n)
    diagonal = [mp.mpf(first + 2 * k) ** 2 for k in range(size)]
    beside = [q] * (size - 1)
    if first == 1:
        diagonal[0] += -q if odd else q
    elif first == 0:
        beside[0] = mp.sqrt(2) * q
    value, coefficients = eigenpair(diagonal, beside, beside, (n - first) // 2)
    if first == 0:
        coefficients[0] /= mp.sqrt(2)
    slope = sum((first + 2 * k if odd else 1) * part for k, part in enumerate(coefficients))
    return value, [part if slope > 0 else -part for part in coefficients]


@lru_cache(maxsize=64)
def _floquet(nu: Any, q: Any, precision: int) -> tuple[Any, int, list[Any]]:
    """The characteristic value, the number of the first coefficient, and the coefficients."""
    half = 10 + precision // 7 + 2 * isqrt(int(abs(q)) + 1) + int(abs(nu))
    squares = [(nu + 2 * k) ** 2 for k in range(-half, half + 1)]
    place = sorted(squares).index(nu**2)
    beside = [q] * (2 * half)
    value, coefficients = eigenpair(squares, beside, beside, place)
    sign = 1 if sum(coefficients) > 0 else -1  # the value at 0 never vanishes
    return value, -half, [sign * part for part in coefficients]


def _function(odd: bool, n: int, z: Any, q: Any) -> Any:
    _, coefficients = _solved(odd, n, q)
    first = _first(odd, n)
    wave = mp.sin if odd else mp.cos
    return mp.fsum(part * wave((first + 2 * k) * z) for k, part in enumerate(coefficients))
