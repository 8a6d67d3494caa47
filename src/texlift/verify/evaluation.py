"""Numbers for expressions: mpmath functions behind the names of generated code, with error estimates.

Sums, products, integrals and limits are computed with an estimate of their error (`Trust`), so that a difference
between two sides is only believed where it exceeds the errors.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from mpmath import mp

from texlift.meaning.tree import Expression
from texlift.special import numbers
from texlift.targets.writers.mpmath import MpmathBuilder
from texlift.targets.writers.pycode import Code, compile_tree
from texlift.verify.arithmetic import Arithmetic, noting
from texlift.verify.operators import MAX_TERMS, Operators
from texlift.verify.trust import Trust

__all__ = ["MAX_TERMS", "Trust", "compile_expression", "namespace"]

_PLAIN = """
sin cos tan cot sec csc sinh cosh tanh coth sech csch asin acos atan acot asec acsc asinh acosh atanh acoth asech
acsch exp log sqrt root floor ceil erf erfc erfi conj fabs arg atan2 re im sign binomial rf gamma rgamma beta gammainc
betainc expint e1 ei li si ci shi chi fresnelc fresnels erfinv besselj bessely besseli besselk hankel1 hankel2 ber
bei ker kei struveh struvel angerj webere lommels1 lommels2 airyai airybi scorerhi scorergi hyp2f1 hyp1f1 hyperu
whitm whitw pcfu pcfv pcfw pcfd coulombf coulombg coulombc appellf1 appellf2 appellf3 appellf4 legenp legenq
spherharm jacobi gegenbauer chebyt chebyu laguerre hermite ellipk ellipe ellippi ellipf elliprf elliprd elliprg
elliprc elliprj ellipfun jtheta kleinj agm polylog clsin lerchphi stieltjes barnesg bell mangoldt primepi lambertw
qgamma qfac qhyper factorial fac2 mpf mpc nan inf pi e j euler bernpoly eulerpoly matrix det sinc ff
"""  # functions and constants taken from mpmath as they are

_UNCHANGED = frozenset({"mpf", "mpc", "min", "max", "isint", "almosteq", "matrix", "det"})


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


def namespace(trust: Trust, complex_letters: bool = False) -> dict[str, Any]:
    """The names generated code may use, and nothing else; see `Arithmetic` for `complex_letters`."""
    operators = Operators(trust)
    arithmetic = Arithmetic(trust, complex_letters)
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
        "lcm": _lcm,
        "primepi": mp.primepi,
    } | {name: getattr(numbers, name) for name in numbers.__all__}
    for key in ("besselj", "bessely", "besseli", "besselk", "airyai", "airybi"):
        names[key] = _whole(getattr(mp, key))
    for key, function in names.items():
        if callable(function) and not isinstance(function, mp.mpf | mp.constant) and key not in _UNCHANGED:
            names[key] = arithmetic.noted(key, function)
    for key in ("nsum", "nprod", "quad", "limit", "diff"):
        names[key] = _inside(trust, getattr(operators, key))
    return names | arithmetic.names()


def _inside(trust: Trust, operator: Callable[..., Any]) -> Callable[..., Any]:
    """The operator; what is added up in it is not noted, for its terms vanish by their nature."""

    def call(*arguments: Any) -> Any:
        trust.inside += 1
        try:
            return operator(*arguments)
        finally:
            trust.inside -= 1

    return call


def _elliprj(x: Any, y: Any, z: Any, p: Any) -> Any:
    """For negative p the Cauchy principal value, DLMF 19.2.22; mpmath gives the value on one side of the pole."""
    value = mp.elliprj(x, y, z, p)
    real = all(mp.im(part) == 0 and mp.re(part) >= 0 for part in (x, y, z))
    return mp.re(value) if real and mp.im(p) == 0 and mp.re(p) < 0 else value


def _gcd(a: Any, b: Any) -> Any:
    return mp.mpf(math.gcd(_integer(a), _integer(b)))


def _lcm(a: Any, b: Any) -> Any:
    return mp.mpf(math.lcm(_integer(a), _integer(b)))


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
    return compile_tree(noting(tree), names), dict(builder.symbols)
