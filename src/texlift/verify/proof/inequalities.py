"""Inequalities between polynomials of real letters: by counting roots, or as sums of squares."""

from __future__ import annotations

from typing import Any

import sympy

from texlift.verify.proof.identities import KNOWN
from texlift.verify.proof.problem import Problem
from texlift.verify.proof.terms import Terms

__all__ = ["proved"]

_ORDERS = {"<": (1, True), "<=": (1, False), ">": (-1, True), ">=": (-1, False)}
_MOST_DEGREE = 24


def proved(problem: Problem) -> str:
    """The proof of an inequality, in words."""
    if problem.operator not in _ORDERS:
        return ""
    terms = Terms(problem.domains, KNOWN)
    sign, strict = _ORDERS[problem.operator]
    difference = sympy.expand(sign * (terms.build(problem.right) - terms.build(problem.left)))
    letters = sorted(difference.free_symbols, key=str)
    if not letters or any(not letter.is_real for letter in letters) or not difference.is_polynomial(*letters):
        return ""
    poly = sympy.Poly(difference, *letters)
    if poly.total_degree() > _MOST_DEGREE or not all(value.is_Rational for value in poly.coeffs()):
        return ""
    if len(letters) == 1:
        name = next(name for name, symbol in terms.letters.items() if symbol == letters[0])
        domain = problem.domains[name]
        low, high = domain.low, domain.high
        if domain.kind == "unit":
            low, high = sympy.Integer(0), sympy.Integer(1)
        ends = [None if end is None else sympy.Rational(end.numerator, end.denominator) for end in (low, high)]
        return "the polynomial has no root where it changes its sign (Sturm)" if _keeps_sign(poly, ends, strict) else ""
    if poly.total_degree() == 2 and _is_sum_of_squares(poly, letters, strict):
        return "the difference of the sides is a sum of squares"
    return ""


def _keeps_sign(poly: Any, ends: list[Any], strict: bool) -> bool:
    """Whether a polynomial is positive (or not negative) over an interval, its ends included."""
    factors = poly.factor_list()[1]
    for factor, times in factors:
        if (times % 2 or strict) and factor.count_roots(*ends):
            return False
    low, high = ends
    middle = (low + high) / 2 if low is not None and high is not None else (
        low + 1 if low is not None else high - 1 if high is not None else sympy.Integer(0))  # fmt: skip
    for k in range(40):
        place = middle + sympy.Rational(k, 101)
        if (high is None or place <= high) and (value := poly.eval(place)) != 0:
            return bool(value > 0)
    return False


def _is_sum_of_squares(poly: Any, letters: list[Any], strict: bool) -> bool:
    """Whether a quadratic polynomial is never negative: its matrix is positive semidefinite."""
    size = len(letters) + 1
    matrix = sympy.zeros(size, size)
    for powers, value in poly.terms():
        places = [k for k, power in enumerate(powers) for _ in range(power)]
        while len(places) < 2:
            places.append(size - 1)
        a, b = places
        matrix[a, b] += value / 2
        matrix[b, a] += value / 2
    return bool(matrix.is_positive_definite if strict else matrix.is_positive_semidefinite)
