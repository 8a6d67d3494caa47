"""Differential and difference operators in front of what they act on: `(x\\partial_x+\\partial_y)f`, `\\Delta^k f(x)`.

An operator is a sum or product with a derivative of nothing in it; it acts on the factors to its right.
"""

from __future__ import annotations

from itertools import islice

from texlift.meaning.tree import (
    Apply,
    Derivative,
    Expression,
    Function,
    Indexed,
    Number,
    Series,
    Symbol,
    Unknown,
    walk,
)

__all__ = ["PLACE", "acting"]

PLACE = Symbol("u_")
"""Stands for the operand in an operator that is applied many times."""

_DERIVATIVES = frozenset({r"\deriv", r"\pderiv", r"\ideriv", r"\ipderiv"})
_DIFFERENCES = frozenset({r"\fDiff", r"\bDiff"})
_ONE = Number("1")
_LARGEST = 6  # times that an operator is written out
_MOST = 2000  # parts of what is written out


def acting(node: Apply) -> Expression | None:
    """A product with its first operator applied to the factors behind it; None where there is none, or no operand.

    The power of an operator by a letter is `iterated`: what one application makes of PLACE, the number, the operand.
    """
    for place, factor in enumerate(node.arguments[:-1]):
        if _is_operator(factor):
            rest = node.arguments[place + 1 :]
            operand = rest[0] if len(rest) == 1 else Apply("times", rest, node.span)
            found = _apply(factor, operand)
            if found is None or place == 0:
                return found
            return Apply("times", (*node.arguments[:place], found), node.span)
    return None


def _is_operator(node: Expression) -> bool:
    if isinstance(node, Function):
        return (node.head in _DERIVATIVES and len(node.parameters) == 2) or (
            node.head in _DIFFERENCES and not node.parameters
        )
    if not isinstance(node, Apply):
        return False
    if node.head in ("plus", "times"):
        return any(map(_is_operator, node.arguments))
    return node.head in ("negate", "power", "divide") and _is_operator(node.arguments[0])


def _apply(operator: Expression, operand: Expression) -> Expression | None:
    if isinstance(operator, Function):
        if operator.head in _DIFFERENCES:
            return _difference(operator.head, operand, _ONE)
        variable, order = operator.parameters
        return Derivative(operand, ((variable, order),), operator.span)
    assert isinstance(operator, Apply)
    if operator.head == "plus":
        terms = [
            _apply(term, operand) if _is_operator(term) else Apply("times", (term, operand), term.span)
            for term in operator.arguments
        ]
        return None if None in terms else Apply("plus", tuple(t for t in terms if t is not None), operator.span)
    if operator.head == "times":
        return acting(Apply("times", (*operator.arguments, operand), operator.span))
    if operator.head in ("negate", "divide"):
        inner = _apply(operator.arguments[0], operand)
        return None if inner is None else Apply(operator.head, (inner, *operator.arguments[1:]), operator.span)
    return _power(operator, operand)


def _power(operator: Apply, operand: Expression) -> Expression | None:
    base, times = operator.arguments
    if isinstance(base, Function):
        if base.head in _DIFFERENCES:
            return _difference(base.head, operand, times)
        variable, order = base.parameters
        total = times if isinstance(order, Number) and order.value == "1" else Apply("times", (order, times))
        return Derivative(operand, ((variable, total),), operator.span)
    if isinstance(times, Number) and times.value.isdigit() and 0 < int(times.value) <= _LARGEST:
        found: Expression | None = operand
        for _ in range(int(times.value)):
            found = None if found is None else _apply(base, found)
            if found is not None and len(tuple(islice(walk(found), _MOST))) == _MOST:
                return None
        return found
    once = _apply(base, PLACE)
    return None if once is None else Apply("iterated", (once, times, operand), operator.span)


def _difference(head: str, operand: Expression, times: Expression) -> Expression | None:
    """Forward and backward differences of a function of one letter or of a sequence, DLMF 3.9.1 and 26.8.32."""
    forward = head == r"\fDiff"
    if isinstance(times, Number) and times.value == "1":
        ends = (_shifted(operand, _ONE), operand) if forward else (operand, _shifted(operand, Apply("negate", (_ONE,))))
        if ends[0] is None or ends[1] is None:
            return None
        return Apply("plus", (ends[0], Apply("negate", (ends[1],))), operand.span)
    j = Symbol("j_")
    term = _shifted(operand, j if forward else Apply("negate", (j,)))
    if term is None:
        return None
    exponent = Apply("plus", (times, Apply("negate", (j,)))) if forward else j
    sign = Apply("power", (Apply("negate", (_ONE,)), exponent))
    return Series("sum", Apply("times", (sign, Apply(r"\binom", (times, j)), term)), j, Number("0"), times)


def _shifted(node: Expression, by: Expression) -> Expression | None:
    """A function or sequence with its one argument moved on."""
    if isinstance(node, Unknown) and len(node.arguments) == 1:
        moved = Apply("plus", (node.arguments[0], by), node.span)
        return Unknown(node.function, (moved,), node.order, node.span)
    if isinstance(node, Indexed) and len(node.indices) == 1 and not node.upper:
        return Indexed(node.base, (Apply("plus", (node.indices[0], by), node.span),), (), node.span)
    return None
