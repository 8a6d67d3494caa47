"""How large the numbers of a formula get: SymPy computes exact powers and factorials at once, whatever it takes."""

from __future__ import annotations

import math

from texlift.errors import FormulaError
from texlift.meaning.tree import Apply, Expression, Matrix, Number, children, walk

__all__ = ["refuse_giants"]

MOST_DIGITS = 20_000
"""Digits of the largest number that is computed while objects are built."""

_LARGEST = 10_000  # integer argument of a special function: more would compute for minutes
_MATRIX_POWER = 200
_HARMLESS = frozenset({
    r"\sin", r"\cos", r"\tan", r"\cot", r"\sec", r"\csc", r"\exp", r"\ln", r"\log", r"\abs", r"\sinh", r"\cosh",
    r"\tanh", r"\asin", r"\acos", r"\atan", r"\sign", r"\floor", r"\ceiling", r"\pgcd", r"\realpart", r"\imagpart",
    r"\conj", r"\phase", r"\deriv", r"\Ln", r"\erf", r"\erfc",
})  # fmt: skip
_LOG10 = math.log(10)


def refuse_giants(statement: Expression, source: str) -> None:
    """Raise FormulaError for a power, factorial or function value that is too large to be computed exactly."""
    for node in walk(statement):
        if not isinstance(node, Apply):
            continue
        reason = _giant(node)
        if reason:
            raise FormulaError(reason, source, node.span, "write it in a smaller form", "too-large")


def _giant(node: Apply) -> str:
    if node.head == "power":
        base, exponent = node.arguments
        size = abs(_value(exponent))
        if any(isinstance(part, Matrix) for part in walk(base)):
            return "a power of a matrix that is too large" if size > _MATRIX_POWER else ""
        digits = abs(_digits(base)) * size
        return "a power that is too large to be computed" if digits > MOST_DIGITS else ""
    if node.head in ("factorial", "factorial2"):
        return "a factorial that is too large to be computed" if abs(_value(node.arguments[0])) > _LARGEST else ""
    name = node.head.removesuffix("[]")
    computed = name[0] == "\\" and name not in _HARMLESS
    if computed and any(abs(_value(part)) > _LARGEST for part in node.arguments):
        return f"{name} of a number that is too large to be computed"
    return ""


def _digits(node: Expression) -> float:
    """About how many digits a number has; 0 for what is no number."""
    if isinstance(node, Apply) and node.head == "power":
        return _digits(node.arguments[0]) * abs(_value(node.arguments[1]))
    if isinstance(node, Apply) and node.head in ("divide", "times"):
        return sum(abs(_digits(part)) for part in node.arguments) if _is_numeric(node) else 0.0
    value = abs(_value(node))
    if value == 0 or not math.isfinite(value):
        return value
    return max(abs(math.log(value)) / _LOG10, 0.31) if value != 1 else 0.0


def _is_numeric(node: Expression) -> bool:
    return all(isinstance(part, Number | Apply) for part in walk(node))


def _value(node: Expression) -> float:
    """About the value of a number that is written out; 0 for anything else, infinite for what is too large."""
    if isinstance(node, Number):
        try:
            return float(node.value)
        except ValueError:
            return 0.0
    if not isinstance(node, Apply) or not children(node):
        return 0.0
    values = [_value(part) for part in node.arguments]
    try:
        if node.head == "negate":
            return -values[0]
        if node.head == "plus":
            return math.fsum(values)
        if node.head == "times":
            return math.prod(values)
        if node.head == "divide":
            return values[0] / values[1] if values[1] else 0.0
        if node.head == "power":
            result = values[0] ** values[1] if values[0] else 0.0
            return abs(result) if isinstance(result, complex) else float(result)
        if node.head == "factorial":
            return math.gamma(values[0] + 1) if values[0] >= 0 else 0.0
    except (OverflowError, ValueError, ZeroDivisionError):
        return math.inf
    return 0.0
