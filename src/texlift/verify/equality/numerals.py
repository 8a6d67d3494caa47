"""Numbers of formulae as balls that still know which exact number they are."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import flint

from texlift.meaning.tree import Apply, Expression, Number
from texlift.verify.balls import exact_ball
from texlift.verify.exact import NotExactError, exact_value

__all__ = ["ExactBall", "fraction_ball", "literal", "point_values", "rational_of"]

_RATIONAL = frozenset({"divide", "negate", "times", "plus"})


class ExactBall(flint.acb):  # type: ignore[misc]
    """A ball around an exact number that still knows it."""

    fraction: Fraction


def fraction_ball(value: Fraction) -> Any:
    made = ExactBall(flint.arb(flint.fmpq(value.numerator, value.denominator)))
    made.fraction = value
    return made


def literal(text: str) -> Any:
    if "." in text or "e" in text.lower():
        value = Fraction(text)
        return flint.acb(flint.arb(flint.fmpq(value.numerator, value.denominator)))
    return flint.acb(flint.arb(flint.fmpz(int(text)))) if len(text) < 2000 else flint.acb(flint.arb(text))


def rational_of(node: Expression) -> Fraction | None:
    """The rational number that an exponent is, as written."""
    if isinstance(node, Number):
        return Fraction(node.value)
    if isinstance(node, Apply) and node.head in _RATIONAL and len(node.arguments) <= 4:
        try:
            return exact_value(node, {})
        except (NotExactError, ZeroDivisionError):
            return None
    return None


def point_values(point: Mapping[str, Any]) -> dict[str, Any]:
    """The balls of a point of `verify.values`."""
    found: dict[str, Any] = {}
    for name, value in point.items():
        exact = value.exact
        found[name] = fraction_ball(exact) if exact is not None else exact_ball(value)
    return found
