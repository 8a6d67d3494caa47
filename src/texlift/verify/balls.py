"""Rigorous values: both sides of a comparison as balls of python-flint, so that a refutation is certain.

Only what flint computes with proven error bounds is evaluated; everything else raises `NoBallError`, and the check
relies on mpmath at several precisions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from texlift.meaning.tree import Apply, Constant, Expression, Number, Sequence, Series, Symbol
from texlift.targets.expansion import expand
from texlift.verify.values import Point, Value

__all__ = ["FUNCTIONS", "SPECIAL", "NoBallError", "certain_order", "exact_ball"]

_MAX_TERMS = 400
_PRECISIONS = (64, 256, 1024, 4096)  # bits


class NoBallError(Exception):
    """The expression holds something flint has no rigorous value for."""


FUNCTIONS = {
    r"\sin": "sin",
    r"\cos": "cos",
    r"\tan": "tan",
    r"\cot": "cot",
    r"\sinh": "sinh",
    r"\cosh": "cosh",
    r"\tanh": "tanh",
    r"\exp": "exp",
    r"\ln": "log",
    r"\EulerGamma": "gamma",
    r"\digamma": "digamma",
    r"\erf": "erf",
    r"\erfc": "erfc",
    r"\expintEi": "ei",
    r"\sinint": "si",
    r"\cosint": "ci",
    r"\AiryAi": "airy_ai",
    r"\AiryBi": "airy_bi",
    r"\Riemannzeta": "zeta",
    r"\asin": "asin",
    r"\acos": "acos",
    r"\atan": "atan",
    r"\asinh": "asinh",
    r"\acosh": "acosh",
    r"\atanh": "atanh",
    r"\BarnesG": "barnes_g",
    r"\conj": "conjugate",
}
# Methods of the last argument, which take the others in the order given.
SPECIAL = {
    r"\BesselJ": "bessel_j",
    r"\BesselY": "bessel_y",
    r"\modBesselI": "bessel_i",
    r"\modBesselK": "bessel_k",
    r"\hyperF": "hypgeom_2f1",
    r"\KummerconfhyperM": "hypgeom_1f1",
    r"\KummerconfhyperU": "hypgeom_u",
    r"\incGamma": "gamma_upper",
    r"\genexpintE": "expint",
    r"\polylog": "polylog",
    r"\ChebyshevpolyT": "chebyshev_t",
    r"\ChebyshevpolyU": "chebyshev_u",
    r"\HermitepolyH": "hermite_h",
}


def certain_order(left: Expression, right: Expression, point: Point) -> int | None:
    """The sign of left - right where rigorous values prove it; 2 where they are different and not both real."""
    try:
        import flint
    except ImportError:
        return None
    old = flint.ctx.prec
    try:
        for precision in _PRECISIONS:
            flint.ctx.prec = precision
            values = {name: exact_ball(value) for name, value in point.items()}
            a, b = _value(left, values), _value(right, values)
            if not (a.is_finite() and b.is_finite()):
                return None
            if not a.overlaps(b):
                both_real = a.imag == 0 and b.imag == 0
                return (1 if a.real > b.real else -1) if both_real else 2
            if a.is_exact() and b.is_exact():
                return 0
    except (NoBallError, ValueError, TypeError, ZeroDivisionError, AttributeError, OverflowError, NotImplementedError):
        return None
    finally:
        flint.ctx.prec = old
    return None


def exact_ball(value: Value) -> Any:
    """The exact number, as a ball around it."""
    import flint

    real, imag = (flint.arb(flint.fmpq(part.numerator, part.denominator)) for part in (value.real, value.imag))
    number = flint.acb(real, imag)
    return number * flint.acb.pi() if value.of_pi else number


def _value(node: Expression, values: Mapping[str, Any]) -> Any:
    import flint

    if isinstance(node, Number):
        return flint.acb(flint.arb(node.value))
    if isinstance(node, Symbol):
        if node.name not in values:
            raise NoBallError(node.name)
        return values[node.name]
    if isinstance(node, Constant):
        known = {"pi": flint.acb.pi, "e": lambda: flint.acb(1).exp(), "i": lambda: flint.acb(0, 1),
                 "gamma": lambda: flint.acb(flint.arb.const_euler())}  # fmt: skip
        if node.name not in known:
            raise NoBallError(node.name)
        return known[node.name]()
    if isinstance(node, Series):
        return _series(node, values)
    if not isinstance(node, Apply):
        raise NoBallError(type(node).__name__)
    return _apply(node, values)


def _series(node: Series, values: Mapping[str, Any]) -> Any:
    import flint

    if node.lower is None or node.upper is None or node.condition is not None or not isinstance(node.index, Symbol):
        raise NoBallError("series")
    low, high = (_integer(_value(end, values)) for end in (node.lower, node.upper))
    if high - low > _MAX_TERMS:
        raise NoBallError("too many terms")
    total = flint.acb(0 if node.kind == "sum" else 1)
    for k in range(low, high + 1):
        term = _value(node.body, {**values, node.index.name: flint.acb(k)})
        total = total + term if node.kind == "sum" else total * term
    return total


def _integer(value: Any) -> int:
    found = value.real.unique_fmpz()
    if found is None:
        raise NoBallError("no integer")
    return int(found)


def _apply(node: Apply, values: Mapping[str, Any]) -> Any:
    import flint

    head = node.head
    if any(isinstance(a, Sequence) for a in node.arguments):
        raise NoBallError(head)
    if head[0] == "\\" and head not in FUNCTIONS and head not in SPECIAL:
        if head == r"\binom":
            n, k = (_value(a, values) for a in node.arguments)
            return (n + 1).gamma() * (k + 1).rgamma() * (n - k + 1).rgamma()
        if head == r"\Pochhammersym":
            a, n = (_value(a, values) for a in node.arguments)
            return a.rising(n) if hasattr(a, "rising") else (a + n).gamma() * a.rgamma()
        expanded = expand(node)
        if expanded is None:
            raise NoBallError(head)
        return _value(expanded, values)
    arguments = [_value(a, values) for a in node.arguments]
    if head in FUNCTIONS:
        return getattr(arguments[0], FUNCTIONS[head])()
    if head in SPECIAL:
        return getattr(arguments[-1], SPECIAL[head])(*arguments[:-1])
    if head == "plus":
        return sum(arguments[1:], arguments[0])
    if head == "negate":
        return -arguments[0]
    if head == "times":
        total = arguments[0]
        for factor in arguments[1:]:
            total = total * factor
        return total
    if head == "divide":
        return arguments[0] / arguments[1]
    if head == "power":
        return arguments[0] ** arguments[1]
    if head == "sqrt":
        return arguments[0].sqrt()
    if head == "factorial":
        return (arguments[0] + 1).gamma()
    if head == "abs":
        return flint.acb(abs(arguments[0]))
    raise NoBallError(head)
