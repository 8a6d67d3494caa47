"""Numbers for expressions: mpmath functions behind the names of generated code, with error estimates.

Sums, products, integrals and limits are computed with an estimate of their error; `Trust.error` keeps the
largest relative one, so that a difference between two sides is only believed where it exceeds the errors.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from mpmath import mp

from texlift.targets.expression import Expression
from texlift.targets.mpmath_target import MpmathBuilder
from texlift.targets.pycode import Code, compile_tree

__all__ = ["MAX_TERMS", "Trust", "compile_expression", "namespace"]

MAX_TERMS = 4000
"""Most terms of one finite sum or product."""

_EMPTY = 30  # terms in a row that must be exactly 0 for a series to have ended

_PLAIN = """
sin cos tan cot sec csc sinh cosh tanh coth sech csch asin acos atan acot asec acsc asinh acosh atanh acoth asech
acsch exp log sqrt root floor ceil erf erfc erfi conj fabs arg re im sign binomial rf gamma rgamma beta gammainc
betainc expint e1 ei li si ci shi chi fresnelc fresnels erfinv besselj bessely besseli besselk hankel1 hankel2 ber
bei ker kei struveh struvel angerj webere lommels1 lommels2 airyai airybi scorerhi scorergi hyp2f1 hyp1f1 hyperu
whitm whitw pcfu pcfv pcfw pcfd coulombf coulombg coulombc appellf1 appellf2 appellf3 appellf4 legenp legenq
spherharm jacobi gegenbauer chebyt chebyu laguerre hermite ellipk ellipe ellippi ellipf elliprf elliprd elliprg
elliprc elliprj ellipfun jtheta kleinj agm polylog lerchphi stieltjes barnesg bell mangoldt primepi lambertw qgamma
qfac qhyper factorial fac2 mpf mpc nan inf pi e j euler bernpoly eulerpoly matrix det
"""  # functions and constants taken from mpmath as they are

Number = Any
Term = Callable[[Any], Any]


class Trust:
    """The largest relative error estimated since the last reset.

    `wild` says that a series was extrapolated whose terms follow no smooth law; no estimate is worth much then.
    """

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self.error = 0.0
        self.wild = False

    def note(self, difference: Number, scale: Number) -> None:
        size = abs(scale)
        relative = float(abs(difference) / size) if size else float(abs(difference))
        if math.isnan(relative):
            relative = math.inf
        self.error = max(self.error, relative)


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


class _Operators:
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
        tiny = mp.mpf(10) ** (-mp.dps - 2)
        for k in range(start, start + 160):
            value = term(mp.mpf(k))
            total += value
            size = abs(value)
            sizes.append(size)
            quiet = quiet + 1 if size <= tiny * abs(total) or (size == 0 and k > start + 8) else 0
            empty = empty + 1 if size == 0 else 0
            if quiet >= 6 and not 0 < empty < _EMPTY:  # a few terms that vanish do not end a series
                return total
            if k - start == 60 and sizes[60] and sizes[30] and sizes[60] > sizes[30] * mp.mpf("0.9"):
                break
        if sizes[-1] > 10 * (sizes[0] + sizes[len(sizes) // 2]) and sizes[-1] > 1:
            raise ValueError("a series that does not converge")
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
        points = [mp.mpmathify(bound) for bound in bounds]
        for point in points:
            if mp.isnan(point):
                raise ValueError("an integral with an undefined bound")
        low, high = points
        if isinstance(low, mp.mpc) or isinstance(high, mp.mpc):
            return self._path(integrand, low, high)
        if mp.isinf(low) and mp.isinf(high):
            points = [low, mp.zero, high]
        elif mp.isinf(high) and low < 1:
            points = [low, mp.mpf(1) + max(low, 0), high]
        value, error = mp.quad(integrand, points, error=True)
        if error > abs(value) * mp.mpf(10) ** (-12) and mp.isinf(high) and error > mp.mpf(10) ** (-13):
            tail = self._oscillating(integrand, points[0] if len(points) == 2 else points[1])
            if tail is not None:
                head = mp.zero if len(points) == 2 else mp.quad(integrand, points[:2])
                return head + tail
        self.trust.note(error, value if value else 1)
        return value

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
        value = mp.limit(function, point, direction)
        with mp.workdps(mp.dps + 10):
            again = mp.limit(function, point, direction)
        self.trust.note(again - value, again if again else 1)
        return again

    @staticmethod
    def diff(function: Term, point: Any, order: Any = 1) -> Number:
        count = int(mp.nint(mp.mpmathify(order).real))
        if count != order or count < 0 or count > 12:
            raise ValueError("a derivative of fractional or high order")
        if count == 0:
            return function(point)
        with mp.workdps(mp.dps + 6 * count):
            return mp.diff(function, point, count)


def _integer(value: Any) -> int:
    nearest = int(mp.nint(mp.mpmathify(value).real))
    if abs(mp.mpmathify(value) - nearest) > mp.mpf(10) ** (-8):
        raise ValueError("an integer was expected")
    return nearest


def _whole(function: Callable[..., Any], *slots: int) -> Callable[..., Any]:
    """The function with the arguments in `slots` turned into Python integers."""

    def wrapped(*arguments: Any, **options: Any) -> Any:
        values = [_integer(a) if i in slots else a for i, a in enumerate(arguments)]
        return function(*values, **{k: _integer(v) if k == "derivative" else v for k, v in options.items()})

    return wrapped


def _qp(a: Any, q: Any, n: Any = None) -> Any:
    if n is None or mp.isinf(n):
        return mp.qp(a, q)
    if mp.isint(n) and n >= 0:
        total = mp.one
        for k in range(_integer(n)):
            total *= 1 - a * q**k
        return total
    return mp.qp(a, q) / mp.qp(a * q**n, q)


def _hyper(above: list[Any], below: list[Any], z: Any) -> Any:
    """Terminating series are summed: mpmath divides by zero where a lower parameter is a negative integer too."""
    ends = [-_integer(a) for a in above if mp.isint(a) and mp.mpmathify(a).real <= 0]
    if not ends:
        return mp.hyper(above, below, z)
    total = term = mp.one
    for k in range(min(ends)):
        for a in above:
            term *= a + k
        for b in below:
            term /= b + k
        term *= mp.mpmathify(z) / (k + 1)
        total += term
    return total


def namespace(trust: Trust) -> dict[str, Any]:
    """The names generated code may use, and nothing else."""
    operators = _Operators(trust)
    names: dict[str, Any] = {key: getattr(mp, key) for key in _PLAIN.split()}
    names |= {
        "legendre": mp.legendre,
        "zeta": _zeta,
        "min": min,
        "max": max,
        "qp": _qp,
        "hyper": _hyper,
        "bernoulli": _whole(mp.bernoulli, 0),
        "eulernum": _whole(mp.eulernum, 0),
        "stirling1": _whole(mp.stirling1, 0, 1),
        "stirling2": _whole(mp.stirling2, 0, 1),
        "besseljzero": _whole(mp.besseljzero, 1),
        "psi": _psi,
        "besselyzero": _whole(mp.besselyzero, 1),
        "airyaizero": _whole(mp.airyaizero, 0),
        "airybizero": _whole(mp.airybizero, 0),
        "isint": mp.isint,
        "almosteq": mp.almosteq,
        "bernpoly": _whole(mp.bernpoly, 0),
        "eulerpoly": _whole(mp.eulerpoly, 0),
        "bell": _whole(mp.bell, 0),
        "mangoldt": _whole(mp.mangoldt, 0),
        "jtheta": _whole(mp.jtheta, 0),
        "stieltjes": _whole(mp.stieltjes, 0),
        "elliprj": _elliprj,
        "gcd": _gcd,
        "primepi": mp.primepi,
    }
    for key in ("besselj", "bessely", "besseli", "besselk", "airyai", "airybi"):
        names[key] = _whole(getattr(mp, key))
    for key in ("nsum", "nprod", "quad", "limit", "diff"):
        names[key] = getattr(operators, key)
    return names


def _elliprj(x: Any, y: Any, z: Any, p: Any) -> Any:
    """For negative p the Cauchy principal value, DLMF 19.2.22; mpmath gives the value on one side of the pole."""
    value = mp.elliprj(x, y, z, p)
    real = all(mp.im(part) == 0 and mp.re(part) >= 0 for part in (x, y, z))
    return mp.re(value) if real and mp.im(p) == 0 and mp.re(p) < 0 else value


def _gcd(a: Any, b: Any) -> Any:
    return mp.mpf(math.gcd(_integer(a), _integer(b)))


def _psi(order: Any, z: Any) -> Any:
    return mp.psi(_integer(order), z)


def _zeta(s: Any, a: Any = 1, derivative: Any = 0) -> Any:
    if derivative:
        return mp.zeta(s, a, _integer(derivative))
    return mp.zeta(s, a)


def compile_expression(node: Expression, source: str, names: dict[str, Any]) -> tuple[Code, dict[str, str]]:
    """The expression as a function of an environment; and the names its symbols have there."""
    builder = MpmathBuilder(source)
    tree = builder.build(node)
    return compile_tree(tree, names), dict(builder.symbols)
