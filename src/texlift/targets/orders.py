"""Orders of growth as relations: `f = g(1+O(h))` says that f-g is of the order g*h.

An O-term is no number: a system that computed with it as a symbol would find O(h)-O(h) = 0. As a relation between two
expressions it can be kept by a system that has no such term.
"""

from __future__ import annotations

from dataclasses import dataclass

from texlift.meaning.tree import Apply, Expression, Number, walk

__all__ = ["Growth", "growth", "has_order"]

_HEADS = frozenset({r"\bigO", r"\littleo"})
_ONE = Number("1")


@dataclass(frozen=True, slots=True)
class Growth:
    """`remainder` is O(bound), or o(bound) if `little`."""

    remainder: Expression
    bound: Expression
    little: bool


def has_order(node: Expression) -> bool:
    """Whether an O-term stands somewhere in an expression."""
    return any(isinstance(part, Apply) and part.head in _HEADS for part in walk(node))


def growth(operator: str, left: Expression, right: Expression) -> Growth | None:
    """What an equation with O-terms on its right says; None where they stand elsewhere, or where both kinds do."""
    if operator not in ("=", "~~") or has_order(left):
        return None
    terms = _linear(right)
    if terms is None:
        return None
    rest, orders = terms
    kinds = {order.head for order, _ in orders}
    if len(kinds) != 1:
        return None
    bounds = [_times(factor, order.arguments[0]) for order, factor in orders]
    if len(bounds) > 1:  # O(a)+O(b) is O(|a|+|b|)
        bounds = [Apply("plus", tuple(Apply("abs", (bound,), bound.span) for bound in bounds), right.span)]
    remainder = left
    if rest is not None:
        remainder = Apply("plus", (left, Apply("negate", (rest,), rest.span)), left.span)
    return Growth(remainder, bounds[0], kinds == {r"\littleo"})


_Terms = tuple[Expression | None, list[tuple[Apply, Expression]]]


def _linear(node: Expression) -> _Terms | None:
    """An expression as a sum of what has no O-term and of O-terms with their factors; None where it is no such sum."""
    if not has_order(node):
        return node, []
    if not isinstance(node, Apply):
        return None
    if node.head in _HEADS:
        return None if any(map(has_order, node.arguments)) else (None, [(node, _ONE)])
    if node.head == "plus":
        parts = [_linear(term) for term in node.arguments]
        if any(part is None for part in parts):
            return None
        known = [part for part in parts if part is not None]
        rest = tuple(part[0] for part in known if part[0] is not None)
        orders = [order for part in known for order in part[1]]
        return (None if not rest else rest[0] if len(rest) == 1 else Apply("plus", rest, node.span)), orders
    if node.head == "negate":
        inner = _linear(node.arguments[0])
        if inner is None:
            return None
        return (None if inner[0] is None else Apply("negate", (inner[0],), node.span)), inner[1]
    if node.head in ("times", "divide"):
        return _product(node)
    return None


def _product(node: Apply) -> _Terms | None:
    """A product with O-terms in one of its factors."""
    places = [place for place, factor in enumerate(node.arguments) if has_order(factor)]
    if len(places) != 1 or (node.head == "divide" and places[0] == 1):
        return None
    place = places[0]
    inner = _linear(node.arguments[place])
    if inner is None:
        return None

    def around(value: Expression) -> Expression:
        return Apply(node.head, (*node.arguments[:place], value, *node.arguments[place + 1 :]), node.span)

    rest = None if inner[0] is None else around(inner[0])
    return rest, [(order, around(factor)) for order, factor in inner[1]]


def _times(factor: Expression, bound: Expression) -> Expression:
    if factor is _ONE:
        return bound
    if isinstance(bound, Number) and bound.value == "1":
        return factor
    return Apply("times", (factor, bound), bound.span)
