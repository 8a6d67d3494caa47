"""The form of an expression: what is left of it when only order and brackets do not count."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import Any

from texlift.meaning.tree import Apply, Expression, Number

__all__ = ["shape"]

_COMMUTING = frozenset({"plus", "times", "or", "and", "union", "intersect", "max", "min"})


def shape(node: Expression) -> Any:
    """Nested tuples that are the same for expressions of the same form: `x+1` and `1+x`, not `0.5` and `1/2`."""
    if isinstance(node, Number):
        return ("number", str(Fraction(node.value)), "." in node.value)
    if isinstance(node, Apply):
        head, parts = node.head, list(node.arguments)
        if head == "negate":
            inner = shape(parts[0])
            if isinstance(inner, tuple) and inner[0] == "times":  # -(2x) and (-2)x
                return ("times", *sorted((*inner[1:], ("minus",)), key=repr))
            return ("times", *sorted((inner, ("minus",)), key=repr))
        shapes = [shape(part) for part in parts]
        if head in _COMMUTING:
            flat = [item for one in shapes for item in (one[1:] if one[0] == head else (one,))]
            return (head, *sorted(flat, key=repr))
        return (head, *shapes)
    return _of(node)


def _of(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(_of(part) for part in value)
    if isinstance(value, Number | Apply):
        return shape(value)
    if is_dataclass(value):
        kept = (field.name for field in fields(value) if field.name not in ("span", "role"))
        return (type(value).__name__, *(_of(getattr(value, name)) for name in kept))
    return value
