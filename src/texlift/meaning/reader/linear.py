"""Linear polynomials with rational coefficients: what numbers, letters and their sums say about each other."""

from __future__ import annotations

from fractions import Fraction

from texlift.meaning.tree import Apply, Expression, Number, Symbol

__all__ = ["Linear", "add", "expression", "linear", "rational", "scale"]

Linear = dict[str, Fraction]
"""Coefficients by the name of the letter, "" for the constant; no zeros."""


def linear(node: Expression) -> Linear | None:
    """A linear polynomial in symbols as coefficients by name, "" for the constant."""
    if isinstance(node, Number):
        return {"": Fraction(node.value)} if node.value.replace(".", "", 1).isdigit() else None
    if isinstance(node, Symbol):
        return {node.name: Fraction(1)}
    if not isinstance(node, Apply):
        return None
    parts = [linear(a) for a in node.arguments]
    if any(part is None for part in parts):
        return None
    known = [part for part in parts if part is not None]
    if node.head == "plus":
        total: Linear = {}
        for part in known:
            total = add(total, part)
        return total
    if node.head == "negate":
        return scale(known[0], Fraction(-1))
    if node.head == "times":
        result: Linear = {"": Fraction(1)}
        for part in known:
            if set(part) <= {""}:
                result = scale(result, part.get("", Fraction(0)))
            elif set(result) <= {""}:
                result = scale(part, result.get("", Fraction(0)))
            else:
                return None
        return result
    if node.head == "divide" and set(known[1]) <= {""} and known[1].get("", Fraction(0)):
        return scale(known[0], 1 / known[1][""])
    return None


def add(a: Linear, b: Linear) -> Linear:
    return {name: value for name in {*a, *b} if (value := a.get(name, Fraction(0)) + b.get(name, Fraction(0)))}


def scale(a: Linear, by: Fraction) -> Linear:
    return {name: value * by for name, value in a.items() if value * by}


def rational(value: Fraction) -> Expression:
    size = abs(value)
    number: Expression = Number(str(size.numerator))
    if size.denominator != 1:
        number = Apply("divide", (number, Number(str(size.denominator))))
    return Apply("negate", (number,)) if value < 0 else number


def expression(value: Linear) -> Expression:
    terms: list[Expression] = []
    for name, factor in sorted(value.items(), reverse=True):
        if not name:
            terms.append(rational(factor))
        elif factor == 1:
            terms.append(Symbol(name))
        elif factor == -1:
            terms.append(Apply("negate", (Symbol(name),)))
        else:
            terms.append(Apply("times", (rational(factor), Symbol(name))))
    if not terms:
        return Number("0")
    return terms[0] if len(terms) == 1 else Apply("plus", tuple(terms))
