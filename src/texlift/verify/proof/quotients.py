"""Fractions of polynomials in named generators, with relations between them: is a fraction zero?

Generators are symbols with rational powers: the square root of x is `R**(1/2)` for a generator R of which is known
that `R**1` is x. A numerator that the relations reduce to zero is zero; one that they do not may be zero all the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import lcm
from typing import Any

import sympy

__all__ = ["Relation", "TooLargeError", "vanishes"]

_MOST_TERMS = 4000
_MOST_WORK = 2_000_000  # products of terms in one multiplication


class TooLargeError(Exception):
    """The polynomials grow beyond what is affordable, or a denominator vanishes."""


@dataclass(frozen=True, slots=True)
class Relation:
    """`generator**power == value`; for roots of unity the generator is exp(i pi) and the value is None."""

    generator: Any
    power: int
    value: Any


def vanishes(term: Any, relations: list[Relation]) -> bool:
    """Whether a term is zero by the relations; those of a later generator may use earlier ones."""
    if term == 0:
        return True
    return _Quotients(term, relations).is_zero(term)


class _Quotients:
    def __init__(self, term: Any, relations: list[Relation]) -> None:
        from flint import Ordering, fmpq_mpoly_ctx

        self.relations = relations
        terms = [term, *(relation.value for relation in relations if relation.value is not None)]
        self.scale: dict[Any, int] = {}
        for part in terms:
            for power in part.atoms(sympy.Pow):
                if power.exp.is_Rational and power.base.is_Symbol:
                    self.scale[power.base] = lcm(self.scale.get(power.base, 1), int(power.exp.q))
                elif not power.exp.is_Integer:
                    raise TooLargeError("a power that is no generator")
        names = sorted({symbol for part in terms for symbol in part.free_symbols}, key=str)
        names += [relation.generator for relation in relations if relation.generator not in names]
        if len(names) > 24:
            raise TooLargeError("too many generators")
        self.index = {symbol: place for place, symbol in enumerate(names)}
        context = fmpq_mpoly_ctx.get([f"g{k}" for k in range(max(1, len(names)))], Ordering.lex)
        self.gens = context.gens()
        self.one = context.constant(1)
        self.context = context

    def is_zero(self, term: Any) -> bool:
        above, _ = self.fraction(term)
        return bool(self.reduced(above) == 0)

    # -- fractions -------------------------------------------------------------------------------------

    def fraction(self, term: Any) -> tuple[Any, Any]:
        """Numerator and denominator of a term."""
        if term.is_Rational:
            from flint import fmpq

            return self.context.constant(fmpq(int(term.p), int(term.q))), self.one
        if term.is_Symbol:
            return self.gens[self.index[term]] ** self.scale.get(term, 1), self.one
        if term.is_Pow:
            base, exponent = term.base, term.exp
            if base.is_Symbol and exponent.is_Rational:
                power = int(exponent * self.scale.get(base, 1))
                value = self.gens[self.index[base]] ** abs(power)
                return (value, self.one) if power >= 0 else (self.one, value)
            above, below = self.fraction(base)
            count = abs(int(exponent))
            if exponent < 0:
                if self.reduced(above) == 0:
                    raise TooLargeError("a denominator vanishes")
                above, below = below, above
            return self._power(above, count), self._power(below, count)
        if term.is_Add:
            parts = [self.fraction(part) for part in term.args]
            while len(parts) > 1:  # by pairs, so that sums stay balanced
                parts = [
                    self._sum(*parts[k : k + 2]) if k + 1 < len(parts) else parts[k] for k in range(0, len(parts), 2)
                ]
            return parts[0]
        if term.is_Mul:
            above, below = self.one, self.one
            for part in term.args:
                a, b = self.fraction(part)
                above, below = self._lowest(self._times(above, a), self._times(below, b))
            return above, below
        raise TooLargeError(f"no polynomial: {type(term).__name__}")

    def _sum(self, one: tuple[Any, Any], other: tuple[Any, Any]) -> tuple[Any, Any]:
        (a, b), (c, d) = one, other
        if b == d:
            return a + c, b
        common = b.gcd(d)
        b1, d1 = b // common, d // common
        return self._lowest(self._times(a, d1) + self._times(c, b1), self._times(b, d1))

    @staticmethod
    def _lowest(above: Any, below: Any) -> tuple[Any, Any]:
        if below.is_constant() or above == 0:
            return above, below
        common = above.gcd(below)
        return (above, below) if common.is_constant() else (above // common, below // common)

    @staticmethod
    def _times(a: Any, b: Any) -> Any:
        if len(a) * len(b) > _MOST_WORK or len(a) > _MOST_TERMS or len(b) > _MOST_TERMS:
            raise TooLargeError("too many terms")
        return a * b

    def _power(self, a: Any, count: int) -> Any:
        result = self.one
        for _ in range(count):
            result = self._times(result, a)
        return result

    # -- relations -------------------------------------------------------------------------------------

    def reduced(self, poly: Any) -> Any:
        """A polynomial that is zero if the given one is, in lowest powers of the generators with relations."""
        for relation in reversed(self.relations):
            place = self.index[relation.generator]
            scale = self.scale.get(relation.generator, 1)
            if relation.value is None:
                poly = self._by_cyclotomic(poly, place, scale)
                continue
            above, below = self.fraction(relation.value)
            poly = self._by_power(poly, place, scale * relation.power, above, below)
        return poly

    def _slices(self, poly: Any, place: int, key: Callable[[int], int]) -> dict[int, Any]:
        """The polynomial by powers of one generator: power to coefficient."""
        found: dict[int, dict[tuple[int, ...], Any]] = {}
        for powers, coefficient in poly.to_dict().items():
            rest = (*powers[:place], 0, *powers[place + 1 :])
            found.setdefault(key(int(powers[place])), {})[rest] = coefficient
        return {power: self.context.from_dict(part) for power, part in found.items()}

    def _by_power(self, poly: Any, place: int, power: int, above: Any, below: Any) -> Any:
        """With `generator**power == above/below` put in."""
        slices = self._slices(poly, place, int)
        most = max((k // power for k in slices), default=0)
        if not most:
            return poly
        total = self.context.constant(0)
        for k, part in slices.items():
            times, rest = divmod(k, power)
            value = self._times(self._power(above, times), self._power(below, most - times))
            total += self._times(self._times(part, value), self.gens[place] ** rest)
        return total

    def _by_cyclotomic(self, poly: Any, place: int, scale: int) -> Any:
        """The generator is exp(i pi/scale), a root of the cyclotomic polynomial of order 2*scale."""
        from flint import fmpz_poly

        if scale > 420:
            raise TooLargeError("a root of unity of high order")
        minimal = fmpz_poly.cyclotomic(2 * scale)
        total = self.context.constant(0)
        for k, part in self._slices(poly, place, int).items():
            rest = fmpz_poly([0] * (k % (2 * scale)) + [1]) % minimal
            for power, coefficient in enumerate(rest.coeffs()):
                if coefficient:
                    total += part * int(coefficient) * self.gens[place] ** power
        return total
