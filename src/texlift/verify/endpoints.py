"""How integrands behave at the ends of an interval: whether the integral converges, whether the end is singular."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mpmath import mp

__all__ = ["grows_at_infinity", "singular_end", "smoothed"]

_POWER = 8  # of the substitution that smoothes an end
_FAILURES = (ArithmeticError, ValueError, TypeError, NotImplementedError)

Term = Callable[[Any], Any]


def singular_end(integrand: Term, end: Any, other: Any) -> bool:
    """Whether an integrand grows towards an end. Raises ValueError where it does not converge there.

    An end such as pi is rounded; beside it an integrand grows only as far as that can be seen.
    """
    width = other - end
    sizes: list[Any] = []
    try:
        with mp.workdps(mp.dps + 30):
            for exponent in (8, 16, 24):
                distance = width * mp.mpf(10) ** -exponent
                sizes.append(abs(mp.mpmathify(integrand(end + distance))))
    except _FAILURES:
        return False
    first, second, third = sizes
    if third * mp.mpf(10) ** -8 > second * mp.mpf("0.6") and third > 0:
        raise ValueError("an integral that does not converge")
    return bool(second > 10 * first and third * first > second * second / 2)


def grows_at_infinity(integrand: Term, start: Any) -> bool:
    """Whether an integrand of one sign does not shrink faster than 1/t."""
    sizes: list[Any] = []
    try:
        for exponent in (3, 5, 7):
            place = start + mp.mpf(10) ** exponent
            values = [mp.mpmathify(integrand(place * share)) for share in (1, mp.mpf("1.0137"), mp.mpf("1.0291"))]
            if any(isinstance(value, mp.mpc) and value.imag for value in values):
                return False
            if len({mp.sign(mp.re(value)) for value in values}) > 1:
                return False
            sizes.append(abs(values[0]) * place)
    except _FAILURES:
        return False
    return bool(sizes[2] > 0 and sizes[2] >= sizes[1] * mp.mpf("0.999") and sizes[1] >= sizes[0] * mp.mpf("0.999"))


def smoothed(integrand: Term, end: Any, other: Any) -> Term:
    """The integrand from `end` to `other` as one from 0 to 1 that vanishes at 0."""
    width = other - end

    def changed(u: Any) -> Any:
        with mp.workdps(mp.dps * 3):  # so that points beside the end are not the end
            place = end + width * u**_POWER
            return _POWER * u ** (_POWER - 1) * width * integrand(place) if place != end else mp.zero

    return changed
