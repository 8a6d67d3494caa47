r"""Operators `(s^a d/dz s^b)^n` for a letter n, as the n-th derivative by another variable.

With s linear in z, of slope c, and m = a+b: along s = s_0 t^{1/(1-m)} the operator s^m d/dz is c(1-m) s_0^{m-1} d/dt,
and for m = 1 along s = s_0 e^t it is c d/dt. So its n-th power is a plain derivative, taken at t = 1 or t = 0, for
systems that cannot apply something n times.
"""

from __future__ import annotations

from fractions import Fraction

from texlift.meaning.reader.linear import linear, rational
from texlift.meaning.shape import same
from texlift.meaning.tree import (
    Apply,
    Constant,
    Derivative,
    Expression,
    Number,
    Substitution,
    Symbol,
    free_symbols,
    substitute,
)
from texlift.targets.operators import PLACE

__all__ = ["as_derivative"]

_TIME = Symbol("t_")
_ONE = Number("1")


def as_derivative(node: Apply) -> Expression | None:
    """An iterated operator applied to its operand; None where it is of another form."""
    once, times, operand = node.arguments
    parted = _parted(once)
    if parted is None:
        return None
    variable, before, inside = parted
    if variable.name in free_symbols(times) or not _has(operand, variable) or _TIME.name in free_symbols(operand):
        return None  # an operand without the variable is a function of it that the formula does not show
    base = next((found[0] for part in (*before, *inside) if (found := _power(part, variable)) is not None), None)
    if base is None:
        return None
    left, right = _exponent(before, base, variable), _exponent(inside, base, variable)
    slope = linear(base)
    if left is None or right is None or slope is None or variable.name not in slope:
        return None
    total, rate = left + right, slope[variable.name]
    if total == 1:
        moved = _product(base, Apply("power", (Constant("e"), _TIME)))
        factor, place = rational(rate), Number("0")
    else:
        moved = _product(base, Apply("power", (_TIME, rational(1 / (1 - total)))))
        factor = _product(rational(rate * (1 - total)), _raised(base, total - 1))
        place = _ONE
    point = _solved(base, variable, rate, moved)
    acted_on = substitute(_product(_raised(base, right), operand), {variable.name: point})
    derived = Substitution(Derivative(acted_on, ((_TIME, times),), node.span), _TIME, place, node.span)
    return _product(_raised(base, -right), Apply("power", (factor, times)), derived)


def _parted(once: Expression) -> tuple[Symbol, list[Expression], list[Expression]] | None:
    """The variable, the factors before the derivative, and those inside it beside the operand."""
    if isinstance(once, Apply) and once.head == "negate":
        return None
    factors = list(once.arguments) if isinstance(once, Apply) and once.head == "times" else [once]
    derivatives = [part for part in factors if isinstance(part, Derivative)]
    if len(derivatives) != 1 or factors[-1] is not derivatives[0]:
        return None
    (variable, order), *others = derivatives[0].variables
    if others or not isinstance(variable, Symbol) or not same(order, _ONE):
        return None
    body = derivatives[0].body
    inside = list(body.arguments) if isinstance(body, Apply) and body.head == "times" else [body]
    rest = [part for part in inside if not same(part, PLACE)]
    if len(rest) != len(inside) - 1 or any(PLACE.name in free_symbols(part) for part in rest):
        return None
    return variable, factors[:-1], rest


def _power(node: Expression, variable: Symbol) -> tuple[Expression, Fraction] | None:
    """A power of something that the variable stands in, as its base and exponent."""
    if isinstance(node, Apply) and node.head == "divide" and same(node.arguments[0], _ONE):
        inner = _power(node.arguments[1], variable)
        return None if inner is None else (inner[0], -inner[1])
    if isinstance(node, Apply) and node.head == "power" and isinstance(node.arguments[1], Number):
        return (node.arguments[0], Fraction(node.arguments[1].value)) if _has(node.arguments[0], variable) else None
    return (node, Fraction(1)) if _has(node, variable) else None


def _exponent(factors: list[Expression], base: Expression, variable: Symbol) -> Fraction | None:
    """The exponent of a product of powers of `base`."""
    found = [_power(part, variable) for part in factors]
    if any(part is None or not same(part[0], base) for part in found):
        return None
    return sum((part[1] for part in found if part is not None), Fraction(0))


def _has(node: Expression, variable: Symbol) -> bool:
    return variable.name in free_symbols(node)


def _solved(base: Expression, variable: Symbol, rate: Fraction, moved: Expression) -> Expression:
    """The variable for which the linear `base` has the value `moved`."""
    if same(base, variable):
        return moved
    rest = substitute(base, {variable.name: Number("0")})
    return Apply("divide", (Apply("plus", (moved, Apply("negate", (rest,)))), rational(rate)))


def _raised(base: Expression, exponent: Fraction) -> Expression:
    if exponent == 0:
        return _ONE
    return base if exponent == 1 else Apply("power", (base, rational(exponent)))


def _product(*factors: Expression) -> Expression:
    kept = tuple(part for part in factors if not same(part, _ONE))
    return kept[0] if len(kept) == 1 else Apply("times", kept) if kept else _ONE
