"""What is certain about the sign of a term, from the domains of its letters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy

from texlift.verify.domains import Domain

__all__ = ["Signs"]

_LARGEST = 60  # operations of a polynomial whose roots are counted


class Signs:
    """Signs of terms over a domain; None where nothing is certain."""

    def __init__(self, bounds: Mapping[Any, tuple[Any, Any]]) -> None:
        self.bounds = dict(bounds)  # open intervals of symbols
        self.known: dict[Any, int | None] = {}

    @classmethod
    def of(cls, domains: Mapping[str, Domain], letters: Mapping[str, Any]) -> Signs:
        """The signs over the domains of letters."""
        bounds: dict[Any, tuple[Any, Any]] = {}
        for name, domain in domains.items():
            symbol = letters.get(name)
            if symbol is None or domain.kind in ("complex", "upper"):
                continue
            low, high = domain.low, domain.high
            if domain.kind == "unit":
                low, high = max(low or 0, 0), min(high if high is not None else 1, 1)  # type: ignore[assignment]
            elif domain.kind == "large":
                low = max(low or 1, 1)  # type: ignore[assignment]
            ends = [
                sign * sympy.oo if end is None else sympy.Rational(end.numerator, end.denominator)
                for end, sign in ((low, -1), (high, 1))
            ]
            bounds[symbol] = (ends[0], ends[1])
        return cls(bounds)

    def of_term(self, term: Any) -> int | None:
        """1 where the term is positive everywhere (or zero at the ends of intervals), -1 negative, else None."""
        if term not in self.known:
            self.known[term] = self._sign(term)
        return self.known[term]

    def is_positive(self, term: Any) -> bool:
        return self.of_term(term) == 1

    def is_real(self, term: Any) -> bool:
        return bool(term.is_real)

    def _sign(self, term: Any) -> int | None:
        if term.is_nonnegative:
            return 1
        if term.is_nonpositive:
            return -1
        free = list(term.free_symbols)
        if len(free) != 1 or free[0] not in self.bounds or sympy.count_ops(term) > _LARGEST:
            return None
        if not term.is_polynomial(*free):
            return None
        try:
            poly = sympy.Poly(term, *free, domain="QQ")
        except (sympy.CoercionFailed, sympy.PolynomialError):
            return None
        return _constant_sign(poly, *self.bounds[free[0]])


def _constant_sign(poly: Any, low: Any, high: Any) -> int | None:
    """The sign of a polynomial over an open interval without a root of it of odd order."""
    if poly.degree() > 12:
        return None
    odd = sympy.Poly(1, *poly.gens)
    for factor, times in poly.factor_list()[1]:
        if times % 2:
            odd = odd * factor
    bounds = [None if end.is_infinite else end for end in (low, high)]
    roots = odd.count_roots(*bounds) if odd.degree() > 0 else 0
    roots -= sum(1 for end in bounds if end is not None and odd.degree() > 0 and odd.eval(end) == 0)
    if roots:
        return None
    middle = (low + high) / 2 if None not in bounds else low + 1 if bounds[0] is not None else (
        high - 1 if bounds[1] is not None else sympy.Integer(0))  # fmt: skip
    for place in (middle, *(middle + sympy.Rational(k, 97) for k in (1, -1, 2, -2))):
        if low < place < high and (value := poly.eval(place)) != 0:
            return 1 if value > 0 else -1
    return None
