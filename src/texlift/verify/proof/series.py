"""Infinite series whose terms have a rational quotient: as hypergeometric functions, elementary ones where they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy

from texlift.verify.proof.quotients import TooLargeError
from texlift.verify.proof.ratios import rational_ratio

__all__ = ["elementary_form", "summed"]

_MOST_PARAMETERS = 4
_HALF = sympy.Rational(1, 2)
_GAMMA = sympy.Function(r"\EulerGamma")


def summed(body: Any, index: Any, low: int) -> Any:
    """The sum over index from low to infinity as a hypergeometric function; raises where it is none."""
    first = body.xreplace({index: sympy.Integer(low)})
    ratio = rational_ratio(body.xreplace({index: index + low + 1}) / body.xreplace({index: index + low}))
    if ratio is None or first == 0 or first.has(sympy.nan, sympy.zoo):
        raise TooLargeError("no hypergeometric series")
    above, below = (sympy.Poly(part, index) for part in sympy.fraction(sympy.cancel(ratio)))
    z = sympy.cancel(above.LC() / below.LC())
    upper, lower = _parameters(above, index), _parameters(below, index)
    if sympy.Integer(1) in lower:
        lower.remove(sympy.Integer(1))
    else:
        upper.append(sympy.Integer(1))
    _refuse_divergent(upper, lower, z)
    if len(upper) > len(lower) and not _converges_where_it_vanishes(first, z):
        raise TooLargeError("terms that all vanish where the quotient is not small")
    return first * elementary_form(upper, lower, z)


def _refuse_divergent(upper: list[Any], lower: list[Any], z: Any) -> None:
    """A series with a number for its argument must converge; with a letter, it is meant where it does."""
    if len(upper) > len(lower) + 1:
        raise TooLargeError("a series that converges nowhere")
    if len(upper) <= len(lower) or z.free_symbols:
        return
    excess = sum(lower) - sum(upper)
    least = 0 if z == 1 else -1
    if not (abs(z) < 1 or (abs(z) == 1 and excess.is_real and excess > least)):
        raise TooLargeError("a series that does not converge")


def _converges_where_it_vanishes(first: Any, z: Any) -> bool:
    """Whether the quotient is 0 where the first term is; else the sum is 0 there, whatever the formula says."""
    for factor in sympy.Mul.make_args(sympy.factor_terms(first)):
        base = factor.base if factor.is_Pow else factor
        if not base.free_symbols or (factor.is_Pow and factor.exp.is_negative):
            continue
        if not base.is_Symbol or z.xreplace({base: sympy.Integer(0)}) != 0:
            return False
    return True


def _parameters(poly: Any, index: Any) -> list[Any]:
    """The numbers a of the factors index + a."""
    found: list[Any] = []
    for factor, times in sympy.factor_list(poly.as_expr(), index)[1]:
        part = sympy.Poly(factor, index)
        if part.degree() == 0:
            continue
        if part.degree() != 1:
            raise TooLargeError("terms with factors that are not linear")
        found += [sympy.cancel(part.nth(0) / part.nth(1))] * times
    if len(found) > _MOST_PARAMETERS:
        raise TooLargeError("too many parameters")
    return found


def elementary_form(upper: list[Any], lower: list[Any], z: Any) -> Any:
    """A hypergeometric function, as an elementary one where it is one."""
    upper, lower = list(upper), list(lower)
    for value in list(upper):
        if value in lower:
            upper.remove(value)
            lower.remove(value)
    upper, lower = (sorted(row, key=sympy.default_sort_key) for row in (upper, lower))
    key = (tuple(upper), tuple(lower))
    if not upper and not lower:
        return sympy.exp(z)
    if len(upper) == 1 and not lower:
        return (1 - z) ** (-upper[0])
    root = _root(z)
    known = {
        ((), (_HALF,)): lambda: sympy.cosh(2 * root),
        ((), (3 * _HALF,)): lambda: sympy.sinh(2 * root) / (2 * root),
        ((1, 1), (2,)): lambda: -sympy.log(1 - z) / z,
        ((_HALF, 1), (3 * _HALF,)): lambda: _inverse_tangent(root),
        ((_HALF, _HALF), (3 * _HALF,)): lambda: _inverse_sine(root),
        ((1,), (2,)): lambda: (sympy.exp(z) - 1) / z,
    }
    closed: Callable[[], Any] | None = known.get(key)
    if closed is not None:
        return closed()
    return sympy.Function(f"hyper{len(upper)},{len(lower)}")(*upper, *lower, z)


def _root(z: Any) -> Any:
    """A square root, of which the sign does not matter: sqrt(-x^2/4) is ix/2."""
    number, rest = z.as_coeff_Mul()
    base = sympy.Integer(1)
    for factor in sympy.Mul.make_args(rest):
        power = factor.exp if factor.is_Pow else sympy.Integer(1)
        inner = factor.base if factor.is_Pow else factor
        base *= inner ** (power / 2) if power.is_Integer and power % 2 == 0 else sympy.sqrt(factor)
    return sympy.sqrt(number) * base


def _inverse_tangent(root: Any) -> Any:
    """atanh(w)/w, which is atan(x)/x for w = ix."""
    turned = sympy.expand(root / sympy.I)
    return sympy.atan(turned) / turned if not turned.has(sympy.I) else sympy.atanh(root) / root


def _inverse_sine(root: Any) -> Any:
    turned = sympy.expand(root / sympy.I)
    return sympy.asinh(turned) / turned if not turned.has(sympy.I) else sympy.asin(root) / root
