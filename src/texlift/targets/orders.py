"""Orders of growth as relations: `f = g(1+O(h))` says that f-g is of the order g*h.

An O-term is no number: a system that computed with it as a symbol would find O(h)-O(h) = 0. As a relation between two
expressions it can be kept by a system that has no such term.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from texlift.meaning.tree import Apply, Expression, Number, walk

__all__ = ["Growth", "growth", "has_order", "is_order", "split_sum", "times"]

_HEADS = frozenset({r"\bigO", r"\littleo"})
_ONE = Number("1")


@dataclass(frozen=True, slots=True)
class Growth:
    """`remainder` is O(bound), or o(bound) if `little`."""

    remainder: Expression
    bound: Expression
    little: bool


def is_order(node: Expression) -> bool:
    """Whether an expression is an O-term."""
    return isinstance(node, Apply) and node.head in _HEADS


def _bound(order: Expression) -> Expression:
    assert isinstance(order, Apply)
    return order.arguments[0]


def has_order(node: Expression) -> bool:
    """Whether an O-term stands somewhere in an expression."""
    return any(map(is_order, walk(node)))


def growth(operator: str, left: Expression, right: Expression) -> Growth | None:
    """What an equation with O-terms on its right says; None where they stand elsewhere, or where both kinds do."""
    if operator not in ("=", "~~") or has_order(left):
        return None
    terms = split_sum(right, is_order)
    if terms is None:
        return None
    rest, orders = terms
    kinds = {order.head for order, _ in orders if isinstance(order, Apply)}
    if len(kinds) != 1:
        return None
    bounds = [times(factor, _bound(order)) for order, factor in orders]
    if len(bounds) > 1:  # O(a)+O(b) is O(|a|+|b|)
        bounds = [Apply("plus", tuple(Apply("abs", (bound,), bound.span) for bound in bounds), right.span)]
    remainder = left
    if rest is not None:
        remainder = Apply("plus", (left, Apply("negate", (rest,), rest.span)), left.span)
    return Growth(remainder, bounds[0], kinds == {r"\littleo"})


_Terms = tuple[Expression | None, list[tuple[Expression, Expression]]]


def split_sum(node: Expression, wanted: Callable[[Expression], bool]) -> _Terms | None:
    """A sum as its rest without wanted parts, and the wanted parts with their factors; None where it is no such sum."""
    if not any(map(wanted, walk(node))):
        return node, []
    if wanted(node):
        inside = getattr(node, "arguments", ())
        return None if any(wanted(part) for argument in inside for part in walk(argument)) else (None, [(node, _ONE)])
    if not isinstance(node, Apply):
        return None
    if node.head == "plus":
        parts = [split_sum(term, wanted) for term in node.arguments]
        if any(part is None for part in parts):
            return None
        known = [part for part in parts if part is not None]
        rest = tuple(part[0] for part in known if part[0] is not None)
        found = [hole for part in known for hole in part[1]]
        return (None if not rest else rest[0] if len(rest) == 1 else Apply("plus", rest, node.span)), found
    if node.head == "negate":
        inner = split_sum(node.arguments[0], wanted)
        if inner is None:
            return None
        minus: list[tuple[Expression, Expression]] = [
            (part, Apply("negate", (factor,), node.span)) for part, factor in inner[1]
        ]
        return (None if inner[0] is None else Apply("negate", (inner[0],), node.span)), minus
    if node.head in ("times", "divide"):
        return _product(node, wanted)
    return None


def _product(node: Apply, wanted: Callable[[Expression], bool]) -> _Terms | None:
    """A product with wanted parts in one of its factors."""
    places = [place for place, factor in enumerate(node.arguments) if any(map(wanted, walk(factor)))]
    if len(places) != 1 or (node.head == "divide" and places[0] == 1):
        return None
    place = places[0]
    inner = split_sum(node.arguments[place], wanted)
    if inner is None:
        return None

    def around(value: Expression) -> Expression:
        if value is _ONE and node.head == "times" and len(node.arguments) > 1:
            others = (*node.arguments[:place], *node.arguments[place + 1 :])
            return others[0] if len(others) == 1 else Apply("times", others, node.span)
        return Apply(node.head, (*node.arguments[:place], value, *node.arguments[place + 1 :]), node.span)

    rest = None if inner[0] is None else around(inner[0])
    return rest, [(part, around(factor)) for part, factor in inner[1]]


def times(factor: Expression, bound: Expression) -> Expression:
    if factor is _ONE or (isinstance(factor, Apply) and factor.head == "negate" and factor.arguments[0] is _ONE):
        return bound  # the sign of a bound says nothing
    if isinstance(bound, Number) and bound.value == "1":
        return factor
    return Apply("times", (factor, bound), bound.span)
