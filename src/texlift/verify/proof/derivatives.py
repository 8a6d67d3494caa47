"""Derivatives of terms, with the relations of special functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy
from sympy.core.function import AppliedUndef

from texlift.verify.proof.families import family_of, neighbour

__all__ = ["NoDerivativeError", "differentiated", "without_derivatives"]

_SN, _CN, _DN = r"\Jacobiellsnk", r"\Jacobiellcnk", r"\Jacobielldnk"


def _call(head: str, *args: Any) -> Any:
    return sympy.Function(head)(*args)


_SLOPES: dict[tuple[str, int], Callable[..., Any]] = {
    (_SN, 0): lambda z, k: _call(_CN, z, k) * _call(_DN, z, k),
    (_CN, 0): lambda z, k: -_call(_SN, z, k) * _call(_DN, z, k),
    (_DN, 0): lambda z, k: -(k**2) * _call(_SN, z, k) * _call(_CN, z, k),
    (r"\compellintKk", 0): lambda k: (
        (_call(r"\compellintEk", k) - (1 - k**2) * _call(r"\compellintKk", k)) / (k * (1 - k**2))
    ),
    (r"\compellintEk", 0): lambda k: (_call(r"\compellintEk", k) - _call(r"\compellintKk", k)) / k,
    (r"\ccompellintKk", 0): lambda k: (
        (k**2 * _call(r"\ccompellintKk", k) - _call(r"\ccompellintEk", k)) / (k * (1 - k**2))
    ),
    (r"\ccompellintEk", 0): lambda k: k * (_call(r"\ccompellintKk", k) - _call(r"\ccompellintEk", k)) / (1 - k**2),
    (r"\polygamma", 1): lambda n, z: _call(r"\polygamma", n + 1, z),
    (r"\Hurwitzzeta", 1): lambda s, a: -s * _call(r"\Hurwitzzeta", s + 1, a),
    (r"\BernoullipolyB", 1): lambda n, x: n * _call(r"\BernoullipolyB", n - 1, x),
    (r"\EulerpolyE", 1): lambda n, x: n * _call(r"\EulerpolyE", n - 1, x),
    (r"\polylog", 1): lambda s, z: _call(r"\polylog", s - 1, z) / z,
    (r"\LerchPhi", 2): lambda z, s, a: -s * _call(r"\LerchPhi", z, s + 1, a),
    (r"\LambertWp", 0): lambda z: _call(r"\LambertWp", z) / (z * (1 + _call(r"\LambertWp", z))),
    (r"\LambertW", 0): lambda z: _call(r"\LambertW", z) / (z * (1 + _call(r"\LambertW", z))),
}
"""Derivatives by macro and place of the argument: DLMF 22.13, 19.4, 5.15, 25.11, 24.4, 25.12, 4.13."""

SLOPED = frozenset(head for head, _ in _SLOPES)


class NoDerivativeError(Exception):
    """A derivative by a parameter, or of a function without known relations."""


def without_derivatives(term: Any) -> Any:
    """The term with its derivatives carried out, inner ones first."""
    if not term.args:
        return term
    if isinstance(term, sympy.Derivative):
        body = without_derivatives(term.expr)
        for variable in term.variables:
            body = differentiated(body, variable)
        return body
    if not term.has(sympy.Derivative):
        return term
    if isinstance(term, sympy.Sum | sympy.Product | sympy.Integral):
        raise NoDerivativeError("a derivative in a sum")
    return term.func(*map(without_derivatives, term.args))


def differentiated(term: Any, x: Any) -> Any:
    """The derivative by x."""
    if x not in term.free_symbols:
        return sympy.Integer(0)
    if term == x:
        return sympy.Integer(1)
    if term.is_Add:
        return sympy.Add(*(differentiated(part, x) for part in term.args))
    if term.is_Mul:
        return sympy.Add(
            *(
                sympy.Mul(*term.args[:k], differentiated(part, x), *term.args[k + 1 :])
                for k, part in enumerate(term.args)
                if x in part.free_symbols
            )
        )
    if term.is_Pow and not isinstance(term, sympy.exp):
        base, exponent = term.base, term.exp
        total = exponent * base ** (exponent - 1) * differentiated(base, x)
        if x in exponent.free_symbols:
            total += term * sympy.log(base) * differentiated(exponent, x)
        return total
    if isinstance(term, AppliedUndef):
        return _of_function(term, x)
    if isinstance(term, sympy.Sum):
        index, low, high = term.limits[0]
        if x in low.free_symbols | high.free_symbols:
            raise NoDerivativeError("a sum with a bound that changes")
        return sympy.Sum(differentiated(term.function, x), (index, low, high))
    if isinstance(term, sympy.Integral) and len(term.limits[0]) == 3:
        return _of_integral(term, x)
    if isinstance(term, sympy.exp | sympy.log | sympy.sin | sympy.cos | sympy.sinh | sympy.cosh | sympy.asin |
                  sympy.atan | sympy.asinh | sympy.acosh | sympy.atanh):  # fmt: skip
        inner = term.args[0]
        u = sympy.Dummy("u")
        return term.func(u).diff(u).xreplace({u: inner}) * differentiated(inner, x)
    raise NoDerivativeError(f"the derivative of {type(term).__name__}")


def _of_integral(term: Any, x: Any) -> Any:
    """By the rule of Leibniz, for an integrand without x."""
    variable, low, high = term.limits[0]
    if x in term.function.free_symbols:
        raise NoDerivativeError("an integrand with the variable")
    body = term.function
    ends = [body.xreplace({variable: end}) * differentiated(end, x) for end in (high, low)]
    return ends[0] - ends[1]


def _of_function(term: Any, x: Any) -> Any:
    head, args = term.func.__name__, term.args
    root, _, number = head.partition("#")
    family = family_of(root)
    total = sympy.Integer(0)
    for place, argument in enumerate(args):
        if x not in argument.free_symbols:
            continue
        inner = differentiated(argument, x)
        if (head, place) in _SLOPES:
            total += _SLOPES[head, place](*args) * inner
            continue
        if family is None or family.derivative is None or place != family.argument:
            raise NoDerivativeError(f"a derivative of {head} by its parameter")
        row = family.derivative(*args)[int(number or 0)]
        total += inner * sum(
            (
                sympy.sympify(coefficient, strict=True)
                * (1 if family.rest and k == family.size - 1 else _call(neighbour(root, k), *args))
                for k, coefficient in enumerate(row)
            ),
            sympy.Integer(0),
        )
    return total
