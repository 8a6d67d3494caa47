"""SymPy functions for what SymPy itself lacks: they stay unevaluated, and have numbers and derivatives by mpmath.

    >>> from texlift.special.symbolic import mathieu_ce
    >>> mathieu_ce(2, 0.3, 1).n(5)
    0.79297

`lambdify` takes them with mpmath.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath
import sympy
from mpmath import mp

from texlift.special import numbers

__all__ = [
    "airyaizero",
    "airyaizero_derivative",
    "airybizero",
    "airybizero_derivative",
    "barnesg",
    "besseljzero",
    "besseljzero_derivative",
    "besselyzero",
    "besselyzero_derivative",
    "heun_hl",
    "heun_hl_derivative",
    "lame_a",
    "lame_b",
    "lame_ec",
    "lame_ec_derivative",
    "lame_es",
    "lame_es_derivative",
    "mangoldt",
    "mathieu_a",
    "mathieu_b",
    "mathieu_ce",
    "mathieu_ce_derivative",
    "mathieu_lambda",
    "mathieu_me",
    "mathieu_me_derivative",
    "mathieu_se",
    "mathieu_se_derivative",
    "spheroidal_lambda",
    "spheroidal_ps",
    "spheroidal_ps_derivative",
]


class NumericFunction(sympy.Function):  # type: ignore[misc]
    """A function whose values mpmath computes, at numbers only."""

    compute: Callable[..., Any]
    variable = 0  # the number of the argument by which there is a derivative; 0 for none
    derived: Callable[..., Any]  # the class of the derivatives, whose last argument is the order

    def fdiff(self, argindex: int = 1) -> Any:
        if argindex != self.variable:
            return super().fdiff(argindex)
        is_derivative = len(self.args) > self.variable and self.func is type(self).derived
        arguments = self.args[:-1] if is_derivative else self.args
        return type(self).derived(*arguments, self.args[-1] + 1 if is_derivative else 1)

    def _eval_evalf(self, prec: int) -> Any:
        with mp.workprec(prec + 10):
            try:
                arguments = [argument._to_mpmath(prec + 10) for argument in self.args]
                value = type(self).compute(*arguments)
            except (ArithmeticError, AttributeError, TypeError, ValueError):  # letters, or outside of what is known
                return None
            return sympy.Expr._from_mpmath(value, prec)


def _function(name: str, count: int, compute: Callable[..., Any]) -> Any:
    members = {"nargs": count, "compute": staticmethod(compute), "_imp_": staticmethod(compute), "__module__": __name__}
    return type(NumericFunction)(name, (NumericFunction,), members)  # type: ignore[misc]


def _analytic(name: str, count: int, compute: Callable[..., Any], variable: int) -> tuple[Any, Any]:
    """A class of SymPy, and the class of its derivatives by one argument."""

    def differentiated(*arguments: Any) -> Any:
        *values, order = arguments

        def at(point: Any) -> Any:
            return compute(*values[: variable - 1], point, *values[variable:])

        return mp.diff(at, values[variable - 1], int(order))

    function = _function(name, count, compute)
    derived = _function(f"{name}_derivative", count + 1, differentiated)
    for part in (function, derived):
        part.variable, part.derived = variable, derived
    return function, derived


def _whole(compute: Callable[..., Any], place: int = 0, **options: Any) -> Callable[..., Any]:
    """The function with one argument as Python's integer, which mpmath wants."""

    def computed(*arguments: Any) -> Any:
        values = list(arguments)
        nearest = int(mp.nint(mp.re(mp.mpmathify(values[place]))))
        if mp.mpmathify(values[place]) != nearest:
            raise ValueError("an integer was expected")
        values[place] = nearest
        return compute(*values, **options)

    return computed


besseljzero = _function("besseljzero", 2, _whole(mpmath.besseljzero, 1))
besseljzero_derivative = _function("besseljzero_derivative", 2, _whole(mpmath.besseljzero, 1, derivative=1))
besselyzero = _function("besselyzero", 2, _whole(mpmath.besselyzero, 1))
besselyzero_derivative = _function("besselyzero_derivative", 2, _whole(mpmath.besselyzero, 1, derivative=1))
airyaizero = _function("airyaizero", 1, _whole(mpmath.airyaizero))
airyaizero_derivative = _function("airyaizero_derivative", 1, _whole(mpmath.airyaizero, derivative=1))
airybizero = _function("airybizero", 1, _whole(mpmath.airybizero))
airybizero_derivative = _function("airybizero_derivative", 1, _whole(mpmath.airybizero, derivative=1))
barnesg = _function("barnesg", 1, mpmath.barnesg)
mangoldt = _function("mangoldt", 1, _whole(mpmath.mangoldt))
mathieu_a = _function("mathieu_a", 2, numbers.mathieu_a)
mathieu_b = _function("mathieu_b", 2, numbers.mathieu_b)
mathieu_lambda = _function("mathieu_lambda", 2, numbers.mathieu_lambda)
mathieu_ce, mathieu_ce_derivative = _analytic("mathieu_ce", 3, numbers.mathieu_ce, 2)
mathieu_se, mathieu_se_derivative = _analytic("mathieu_se", 3, numbers.mathieu_se, 2)
mathieu_me, mathieu_me_derivative = _analytic("mathieu_me", 3, numbers.mathieu_me, 2)
lame_a = _function("lame_a", 3, numbers.lame_a)
lame_b = _function("lame_b", 3, numbers.lame_b)
lame_ec, lame_ec_derivative = _analytic("lame_ec", 4, numbers.lame_ec, 3)
lame_es, lame_es_derivative = _analytic("lame_es", 4, numbers.lame_es, 3)
spheroidal_lambda = _function("spheroidal_lambda", 3, numbers.spheroidal_lambda)
spheroidal_ps, spheroidal_ps_derivative = _analytic("spheroidal_ps", 4, numbers.spheroidal_ps, 3)
heun_hl, heun_hl_derivative = _analytic("heun_hl", 7, numbers.heun_hl, 7)
