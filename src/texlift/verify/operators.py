"""Sums, products, integrals, limits and derivatives, with estimates of their errors."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from mpmath import mp

from texlift.verify.endpoints import grows_at_infinity, singular_end, smoothed
from texlift.verify.trust import Trust

__all__ = ["MAX_TERMS", "Operators"]

MAX_TERMS = 4000
"""Most terms of one finite sum or product."""

_FAR = (10**3, 10**4, 10**5, 10**6)  # powers of ten at which slow limits are looked at
_LIMIT_DIGITS = 30  # of an extrapolated limit
_MAX_PIECES = 120  # of an interval of integration
_EMPTY = 30  # terms in a row that must be exactly 0 for a series to have ended

Number = Any
Term = Callable[[Any], Any]


def _integer_bounds(bounds: list[Any]) -> tuple[Any, Any]:
    ends: list[Any] = []
    for end in bounds:
        value = mp.mpmathify(end)
        if isinstance(value, mp.mpc):
            if abs(value.imag) > mp.mpf(10) ** (-10):
                raise ValueError("a complex bound of a sum")
            value = value.real
        if mp.isinf(value):
            ends.append(value)
            continue
        nearest = mp.nint(value)
        if abs(nearest - value) > mp.mpf(10) ** (-8):
            raise ValueError("a bound of a sum is no integer")
        ends.append(int(nearest))
    return ends[0], ends[1]


def _irregular(sizes: list[Any]) -> bool:
    """Whether sizes go up and down, also if each second one is left out: Dirichlet series, Fourier series."""
    for first in (0, 1):
        steps = [b - a for a, b in pairwise(sizes[first::2]) if a != b]
        turns = sum(1 for a, b in pairwise(steps) if a * b < 0)
        if turns > len(steps) // 5:
            return True
    return False


def _diverges(sizes: list[Any], signs: set[int]) -> bool:
    """Whether terms do not shrink, or terms of one sign not faster than 1/n."""
    if sizes[-1] > 10 * (sizes[0] + sizes[len(sizes) // 2]) and sizes[-1] > 1:
        return True
    third = len(sizes) // 3
    early, late = max(sizes[third : third + 10]), max(sizes[-10:])
    alike = signs in ({1}, {-1})
    return bool(late * (len(sizes) - 9 if alike else 1) >= early * (third + 1 if alike else 1) * mp.mpf("0.9995"))


class Operators:
    """nsum, nprod, quad, limit, diff with error estimates kept in `trust`."""

    def __init__(self, trust: Trust) -> None:
        self.trust = trust

    def nsum(self, term: Term, bounds: list[Any]) -> Number:
        low, high = _integer_bounds(bounds)
        if low == -mp.inf and high == mp.inf:
            return self._infinite_sum(term, 0) + self._infinite_sum(lambda k: term(-k), 1)
        if low == -mp.inf:
            return self._infinite_sum(lambda k: term(-k), -int(high))
        if high == mp.inf:
            return self._infinite_sum(term, int(low))
        if high - low > MAX_TERMS:
            raise ValueError("a sum of too many terms")
        total = mp.zero
        for k in range(low, high + 1):
            total += term(mp.mpf(k))
        return total

    def _infinite_sum(self, term: Term, start: int) -> Number:
        """Term by term while that converges fast; else extrapolated twice, and the two results compared."""
        total = mp.zero
        quiet = empty = 0
        sizes: list[Any] = []
        signs: set[int] = set()  # of real terms; 0 for others
        tiny = mp.mpf(10) ** (-mp.dps - 2)
        for k in range(start, start + 160):
            value = term(mp.mpf(k))
            total += value
            size = abs(value)
            sizes.append(size)
            if size:
                signs.add(0 if isinstance(value, mp.mpc) else 1 if value > 0 else -1)
            quiet = quiet + 1 if size <= tiny * abs(total) or (size == 0 and k > start + 8) else 0
            empty = empty + 1 if size == 0 else 0
            if quiet >= 6 and not 0 < empty < _EMPTY:  # a few terms that vanish do not end a series
                return total
            if k - start == 60 and sizes[60] and sizes[30] and sizes[60] > sizes[30] * mp.mpf("0.9"):
                break
        if _diverges(sizes, signs):
            raise ValueError("a series that does not converge, or too slowly")
        self.trust.wild = self.trust.wild or _irregular(sizes[20:])
        value = mp.nsum(lambda k: term(mp.mpf(k)), [start, mp.inf])
        with mp.workdps(mp.dps + 6):
            again = mp.nsum(lambda k: term(mp.mpf(k)), [start, mp.inf])
        self.trust.note(again - value, again)
        return again

    def nprod(self, factor: Term, bounds: list[Any]) -> Number:
        low, high = _integer_bounds(bounds)
        if high == mp.inf or low == -mp.inf:
            if low == -mp.inf:
                raise ValueError("a product from minus infinity")
            total = mp.one
            quiet = 0
            for k in range(int(low), int(low) + 400):
                value = factor(mp.mpf(k))
                total *= value
                quiet = quiet + 1 if abs(value - 1) < mp.mpf(10) ** (-mp.dps - 2) else 0
                if quiet >= 4:
                    return total
            value = mp.nprod(lambda k: factor(mp.mpf(k)), [low, mp.inf])
            with mp.workdps(mp.dps + 6):
                again = mp.nprod(lambda k: factor(mp.mpf(k)), [low, mp.inf])
            self.trust.note(again - value, again)
            return again
        if high - low > MAX_TERMS:
            raise ValueError("a product of too many factors")
        total = mp.one
        for k in range(low, high + 1):
            total *= factor(mp.mpf(k))
        return total

    def quad(self, integrand: Term, bounds: list[Any]) -> Number:
        low, high = (mp.mpmathify(bound) for bound in bounds)
        if mp.isnan(low) or mp.isnan(high):
            raise ValueError("an integral with an undefined bound")
        if isinstance(low, mp.mpc) or isinstance(high, mp.mpc):
            return self._path(integrand, low, high)
        if low == high:
            return mp.zero
        if low > high:
            return -self.quad(integrand, [high, low])
        if mp.isinf(low) and mp.isinf(high):
            return self._tail(integrand, mp.zero) + self._tail(lambda t: integrand(-t), mp.zero)
        if mp.isinf(low):
            return self._tail(lambda t: integrand(-t), -high)
        return self._tail(integrand, low) if mp.isinf(high) else self._finite(integrand, low, high)

    def _tail(self, integrand: Term, low: Number) -> Number:
        """An integral to infinity."""
        middle = mp.mpf(1) + max(low, 0)
        head = self._finite(integrand, low, middle)
        if self.trust.inside <= 1 and grows_at_infinity(integrand, middle):
            raise ValueError("an integral that does not converge")
        value, error = mp.quad(integrand, [middle, mp.inf], error=True)
        if self.trust.careful and self.trust.inside <= 1:  # a peak far out may be missed
            again = mp.quad(integrand, [middle, middle + 7, middle + 60, middle + 500, mp.inf])
            error = max(error, abs(again - value))
            value = again
        total = head + value
        if error > abs(total) * mp.mpf(10) ** (-12) and error > mp.mpf(10) ** (-13):
            tail = self._oscillating(integrand, middle)
            if tail is not None:
                return head + tail
        self.trust.note(error, total if total else 1)
        return total

    def _finite(self, integrand: Term, low: Number, high: Number) -> Number:
        """An integral over a finite interval; singular ends are smoothed by a substitution."""
        outer = self.trust.inside <= 1
        if outer and any([singular_end(integrand, low, high), singular_end(integrand, high, low)]):
            middle = (low + high) / 2
            return sum(
                (
                    self._bisected(smoothed(integrand, low, middle), mp.zero, mp.one),
                    -self._bisected(smoothed(integrand, high, middle), mp.zero, mp.one),
                ),
                mp.zero,
            )
        return self._bisected(integrand, low, high)

    def _bisected(self, integrand: Term, low: Number, high: Number) -> Number:
        """The value over an interval, compared with that over two parts; divided where they disagree.

        An integrand with a corner, a jump or a pole inside looks smooth to a rule that happens to fit it.
        """
        value, error = mp.quad(integrand, [low, high], error=True)
        if self.trust.inside > 1:  # an integral inside another is computed so often that its estimate must do
            self.trust.note(error, value if value else 1)
            return value
        tiny = max(mp.mpf(10) ** (-mp.dps + 4), mp.mpf(10) ** -17)
        width = abs(high - low)
        total, doubt = mp.zero, mp.zero
        waiting = [(low, high, value)]
        for _ in range(_MAX_PIECES):
            if not waiting:
                break
            a, b, whole = waiting.pop()
            middle = a + (b - a) * mp.mpf(9) / 19  # in the middle, a pole of an odd function would go unseen
            halves = [(c, d, mp.quad(integrand, [c, d])) for c, d in ((a, middle), (middle, b))]
            parts = halves[0][2] + halves[1][2]
            gap = abs(parts - whole)
            if gap <= tiny * max(abs(value), abs(total), abs(parts)):
                total, doubt = total + parts, doubt + gap
            elif abs(b - a) <= width * tiny:
                total, doubt = total + parts, doubt + abs(parts) + gap
            elif abs(b - a) < width / 2**16 and gap > abs(total) / 1000:
                raise ValueError("an integral over a pole")
            else:
                waiting += halves
        for _, _, part in waiting:
            total, doubt = total + part, doubt + abs(part)
        self.trust.note(doubt, total if total else 1)
        return total

    def _path(self, integrand: Term, low: Number, high: Number) -> Number:
        """A straight or vertical path in the complex plane."""
        low, high = mp.mpc(low), mp.mpc(high)
        if any(mp.isinf(end.real) and mp.isinf(end.imag) for end in (low, high)):
            raise ValueError("a path to infinity at an angle")
        if mp.isinf(low.imag) and mp.isinf(high.imag):
            return mp.j * self.quad(lambda t: integrand(low.real + mp.j * t), [low.imag, high.imag])
        if mp.isinf(high.real) and not mp.isinf(low.real):
            if mp.isinf(high.imag):
                raise ValueError("a path to infinity in no direction")
            bend = mp.mpc(low.real, high.imag)
            first = mp.quad(integrand, [low, bend]) if bend != low else mp.zero
            return first + self.quad(lambda t: integrand(mp.mpc(t, high.imag)), [low.real, mp.inf])
        if mp.isinf(low.real) or mp.isinf(low.imag) or mp.isinf(high.imag):
            raise ValueError("a path from infinity")
        value, error = mp.quad(integrand, [low, high], error=True)
        self.trust.note(error, value if value else 1)
        return value

    def _oscillating(self, integrand: Term, start: Number) -> Number | None:
        """Integrals over steps of half a period, accelerated; None where that does not settle."""
        step = mp.pi
        sums: list[Any] = []
        total = mp.zero
        left = start
        for _ in range(28):
            total += mp.quad(integrand, [left, left + step], maxdegree=5)
            left += step
            sums.append(total)
        value, shorter, shortest = (mp.shanks(sums[:count])[-1][-1] for count in (len(sums), -2, -6))
        difference = max(abs(value - shorter), abs(value - shortest))
        if difference > abs(value) * mp.mpf("1e-5"):
            return None
        self.trust.note(difference, value)
        return value

    def limit(self, function: Term, point: Any, direction: int = 1) -> Number:
        """The value very close to the point, where it has settled; else extrapolated twice, and compared."""
        place = mp.mpmathify(point)
        close = self._close(function, place, direction)
        if close is None and mp.isinf(place):
            close = self._far(function, place)
        if close is not None:
            return close
        with mp.workdps(min(mp.dps, _LIMIT_DIGITS)):
            value = mp.limit(function, point, direction)
            with mp.workdps(mp.dps + 10):
                again = mp.limit(function, point, direction)
        self.trust.note(again - value, again if again else 1)
        return again

    def _close(self, function: Term, point: Any, direction: int) -> Number | None:
        """Values at distances of 10^-n or, towards infinity, at 10^n, with digits for what cancels there."""
        digits = mp.dps
        values: list[Any] = []
        try:
            with mp.workdps(5 * digits + 20):
                for exponent, more in ((digits * 3 // 4, 0), (digits, 0), (digits, 1)):
                    step = mp.mpf(10) ** exponent + more
                    place = step * mp.sign(point) if mp.isinf(point) else point + direction / step
                    values.append(mp.mpmathify(function(place)))
        except (ArithmeticError, ValueError, TypeError, NotImplementedError):
            return None
        last = values[-1]
        doubt = max(abs(last - value) for value in values)
        if not mp.isfinite(last) or doubt > mp.mpf(10) ** (-digits // 2) * max(abs(last), 1):
            return None
        if doubt > abs(last) / 1000:  # nothing but the distance from zero
            self.trust.note_zero(10 * (doubt + abs(last)))
            return mp.zero
        self.trust.note(doubt, last)
        return last

    def _far(self, function: Term, point: Any) -> Number | None:
        """Values at enormous numbers, for what changes as slowly as a logarithm; None where they do not settle."""
        values: list[Any] = []
        try:
            with mp.workdps(40):
                sign = mp.sign(point)
                values += [mp.mpmathify(function(sign * mp.mpf(10) ** exponent)) for exponent in _FAR]
        except (ArithmeticError, ValueError, TypeError, NotImplementedError, MemoryError):
            return None
        steps = [abs(b - a) for a, b in pairwise(values)]
        if not all(map(mp.isfinite, values)) or steps[-1] > abs(values[-1]) / 1000 + mp.mpf("1e-6"):
            return None
        if any(b > a / 4 for a, b in pairwise(steps)):
            return None
        last, doubt = values[-1], 3 * steps[-1]
        if abs(last) <= doubt or abs(last) < mp.mpf("1e-9"):
            self.trust.note_zero(10 * (doubt + abs(last)))
            return mp.zero
        self.trust.note(doubt, last)
        return last

    @staticmethod
    def diff(function: Term, point: Any, order: Any = 1) -> Number:
        count = int(mp.nint(mp.mpmathify(order).real))
        if count != order or count < 0 or count > 12:
            raise ValueError("a derivative of fractional or high order")
        if count == 0:
            return function(point)
        with mp.workdps(mp.dps + 6 * count):
            return mp.diff(function, point, count)
