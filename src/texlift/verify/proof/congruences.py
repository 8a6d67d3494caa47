"""Congruences and divisibility for all integers: one period of residues is tried completely."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import prod

import sympy

from texlift.meaning.tree import Apply, Expression, Number, Symbol, free_symbols
from texlift.verify.exact import NotExactError, exact_value, residue
from texlift.verify.proof.problem import Problem, least_of

__all__ = ["proved"]

_LARGEST = 400  # modulus
_MOST = 20_000  # points of a period


def proved(problem: Problem) -> str:
    """The proof of a congruence, in words."""
    if problem.operator not in ("mod", "notmod", "divides", "notdivides"):
        return ""
    if problem.operator in ("mod", "notmod"):
        sides, divisor = (problem.left, problem.right), problem.modulus
    else:
        sides, divisor = (problem.right, Number("0")), problem.left
    try:
        modulus = abs(exact_value(divisor, {})) if divisor is not None else Fraction(0)
    except NotExactError:
        return ""
    if modulus.denominator != 1 or not 1 <= modulus <= _LARGEST:
        return ""
    wanted = problem.operator in ("mod", "divides")
    number = int(modulus)
    exponents = {name for side in sides for name in _exponents(side)}
    names = sorted({name for side in sides for name in free_symbols(side)})
    ranges: list[range] = []
    for name in names:
        domain = problem.domains.get(name)
        if domain is None or domain.kind != "integer":
            return ""
        if name not in exponents:
            ranges.append(range(number))
            continue
        least = least_of(domain)
        if least is None or least < 0:
            return ""
        period = number * int(sympy.reduced_totient(number))
        ranges.append(range(least, least + number.bit_length() + 1 + period))
    if prod(map(len, ranges)) > _MOST:
        return ""
    try:
        for values in product(*ranges):
            point = {name: Fraction(value) for name, value in zip(names, values, strict=True)}
            left, right = (residue(side, point, number) for side in sides)
            if ((left - right) % number == 0) is not wanted:
                return ""
    except NotExactError:
        return ""
    return f"tried for all residues modulo {number}, over a whole period" if names else "compared exactly"


def _exponents(node: Expression) -> Iterator[str]:
    """Letters in exponents; raises where the node is no polynomial with integer coefficients otherwise."""
    if isinstance(node, Symbol):
        return
    if isinstance(node, Number) and node.value.isdigit():
        return
    if isinstance(node, Apply) and node.head in ("plus", "times", "negate"):
        for part in node.arguments:
            yield from _exponents(part)
        return
    if isinstance(node, Apply) and node.head == "power":
        base, exponent = node.arguments
        yield from _exponents(base)
        if isinstance(exponent, Number) and exponent.value.isdigit():
            return
        if not _is_linear(exponent):
            raise NotImplementedError("an exponent without a period")
        yield from free_symbols(exponent)
        return
    raise NotImplementedError("no polynomial of integers")


def _is_linear(node: Expression) -> bool:
    """A sum of multiples of letters and digits, none of them negative: it steps evenly."""
    if isinstance(node, Symbol) or (isinstance(node, Number) and node.value.isdigit()):
        return True
    if isinstance(node, Apply) and node.head == "plus":
        return all(_is_linear(part) for part in node.arguments)
    if isinstance(node, Apply) and node.head == "times":
        letters = [part for part in node.arguments if free_symbols(part)]
        return len(letters) <= 1 and all(_is_linear(part) for part in node.arguments)
    return False
