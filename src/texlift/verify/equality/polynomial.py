"""Rational functions as quotients of polynomials over the rational numbers.

What is no arithmetic (a root, a function, a constant) is a letter of its own, called a kernel. Two expressions with
the same quotient are equal wherever both are defined; that is a proof. If there are no kernels, different quotients
prove the opposite as well.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import flint

from texlift.meaning.tree import Apply, Expression, Number, Symbol, rebuild

__all__ = ["Quotient", "TooLargeError", "bare", "quotient", "quotients", "rational", "univariate"]

_MAX_POWER = 60
_MAX_TERMS = 400
_MAX_KERNELS = 24
_MAX_BITS = 20_000
_ARITHMETIC = frozenset({"plus", "times", "negate", "divide"})
_SPAN = (0, 0)


class TooLargeError(Exception):
    """The polynomials would be too large, or the expression is none that algebra looks into."""


@dataclass(frozen=True, slots=True)
class Quotient:
    """`above` over `below`; `kernels` are the expressions behind the letters, in the order of the generators."""

    above: Any
    below: Any
    kernels: tuple[Expression, ...]

    @property
    def has_functions(self) -> bool:
        """Whether a kernel is more than a letter."""
        return any(not isinstance(kernel, Symbol) for kernel in self.kernels)


def bare(node: Expression) -> Expression:
    """The expression without its places in the source, so that equal parts compare equal."""
    inner = rebuild(node, bare)
    return replace(inner, span=_SPAN) if inner.span != _SPAN else inner


def rational(node: Expression) -> Fraction | None:
    """The rational number that digits and the four operations make; None where there is more."""
    if isinstance(node, Number):
        return Fraction(node.value) if len(node.value) < 3000 else None
    if not isinstance(node, Apply) or node.head not in _ARITHMETIC:
        return None
    parts = [rational(part) for part in node.arguments]
    numbers = [part for part in parts if part is not None]
    if len(numbers) < len(parts):
        return None
    if node.head == "plus":
        return sum(numbers, Fraction(0))
    if node.head == "negate":
        return -numbers[0]
    if node.head == "divide":
        return numbers[0] / numbers[1] if numbers[1] else None
    total = Fraction(1)
    for number in numbers:
        total *= number
    return total


def quotient(node: Expression) -> Quotient:
    """One expression as a quotient. Raises TooLargeError, and ZeroDivisionError where it divides by zero."""
    return quotients([node])[0]


def quotients(nodes: Iterable[Expression]) -> list[Quotient]:
    """Expressions as quotients over the same kernels."""
    listed = [bare(node) for node in nodes]
    kernels: dict[Expression, int] = {}
    for node in listed:
        _collect(node, kernels)
    if len(kernels) > _MAX_KERNELS:
        raise TooLargeError("too many letters")
    names = tuple(f"x{index}" for index in range(len(kernels)))
    context = flint.fmpq_mpoly_ctx.get(names or ("x0",), "degrevlex")
    builder = _Builder(context, kernels)
    order = tuple(kernels)
    return [Quotient(*builder.pair(node), order) for node in listed]


def univariate(polynomial: Any, place: int) -> Any:
    """A polynomial in one letter, as an fmpq_poly."""
    coefficients: dict[int, Any] = {}
    for exponents, coefficient in polynomial.to_dict().items():
        if any(exponent for index, exponent in enumerate(exponents) if index != place):
            raise TooLargeError("more than one letter")
        coefficients[int(exponents[place])] = coefficient
    most = max(coefficients, default=0)
    return flint.fmpq_poly([coefficients.get(index, 0) for index in range(most + 1)])


def _exponent(node: Expression) -> int | None:
    value = rational(node)
    if value is None or value.denominator != 1 or abs(value) > _MAX_POWER:
        return None
    return int(value)


def _collect(node: Expression, into: dict[Expression, int]) -> None:
    if isinstance(node, Number):
        return
    if isinstance(node, Apply) and node.head in _ARITHMETIC:
        for part in node.arguments:
            _collect(part, into)
        return
    if isinstance(node, Apply) and node.head == "power" and _exponent(node.arguments[1]) is not None:
        _collect(node.arguments[0], into)
        return
    into.setdefault(node, len(into))


class _Builder:
    def __init__(self, context: Any, kernels: dict[Expression, int]) -> None:
        self.generators = context.gens()
        self.kernels = kernels
        self.one = context.constant(1)

    def pair(self, node: Expression) -> tuple[Any, Any]:
        above, below = self._pair(node)
        if below.is_constant():
            return above / below.leading_coefficient(), self.one
        common = above.gcd(below)
        above, below = above / common, below / common
        lead = below.leading_coefficient()
        return above / lead, below / lead

    def _pair(self, node: Expression) -> tuple[Any, Any]:
        if isinstance(node, Number):
            if len(node.value) > 3000:
                raise TooLargeError("a long number")
            value = Fraction(node.value)
            return self.one * flint.fmpq(value.numerator, value.denominator), self.one
        place = self.kernels.get(node)
        if place is not None:
            return self.generators[place], self.one
        assert isinstance(node, Apply)
        if node.head == "power":
            return self._power(node)
        parts = [self._pair(part) for part in node.arguments]
        above, below = parts[0]
        if node.head == "negate":
            return -above, below
        for other, under in parts[1:]:
            if node.head == "plus":
                if below == under:
                    above = above + other
                else:
                    above, below = above * under + other * below, below * under
            elif node.head == "times":
                above, below = above * other, below * under
            else:
                if other.is_zero():
                    raise ZeroDivisionError("division by zero")
                above, below = above * under, below * other
            _sized(above, below)
        return above, below

    def _power(self, node: Apply) -> tuple[Any, Any]:
        exponent = _exponent(node.arguments[1])
        assert exponent is not None
        above, below = self._pair(node.arguments[0])
        if exponent <= 0:
            if above.is_zero():
                raise ZeroDivisionError("a power of zero")
            above, below, exponent = below, above, -exponent
        size = max(len(above.to_dict()), len(below.to_dict()))
        if size > 1 and _growth(size, exponent) > _MAX_TERMS:
            raise TooLargeError("a large power")
        above, below = above**exponent, below**exponent
        _sized(above, below)
        return above, below


def _growth(terms: int, exponent: int) -> float:
    """A bound of the number of terms of a power."""
    total = 1.0
    for index in range(1, min(terms, exponent + 1)):
        total *= (terms + exponent - index) / index
    return total


def _sized(*polynomials: Any) -> None:
    for polynomial in polynomials:
        coefficients = polynomial.coeffs()
        if len(coefficients) > _MAX_TERMS:
            raise TooLargeError("a large polynomial")
        if any(int(c.p).bit_length() + int(c.q).bit_length() > _MAX_BITS for c in coefficients[:3]):
            raise TooLargeError("large numbers")
