r"""`\pm` gives two statements, one with the upper signs and one with the lower; here they become one again."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from texlift.meaning.tree import Apply, Expression

__all__ = ["merged"]


def merged(upper: Expression, lower: Expression) -> Expression:
    """One tree with `plusminus` and `minusplus` where the signs differ; both, joined by `or`, if more does."""
    found = _merged(upper, lower)
    return found if found is not None else Apply("or", (upper, lower), upper.span)


def _merged(upper: Any, lower: Any) -> Any:
    if upper == lower:
        return upper
    if isinstance(upper, tuple) and isinstance(lower, tuple) and len(upper) == len(lower):
        parts = tuple(_merged(a, b) for a, b in zip(upper, lower, strict=True))
        return None if any(part is None and a is not None for part, a in zip(parts, upper, strict=True)) else parts
    if isinstance(lower, Apply) and lower.head == "negate" and _same(lower.arguments[0], upper):
        return Apply("plusminus", (upper,), lower.span)
    if isinstance(upper, Apply) and upper.head == "negate" and _same(upper.arguments[0], lower):
        return Apply("minusplus", (lower,), upper.span)
    if type(upper) is not type(lower) or not hasattr(upper, "__dataclass_fields__"):
        return None
    changed: dict[str, Any] = {}
    for one in fields(upper):
        if one.name == "span":
            continue
        a, b = getattr(upper, one.name), getattr(lower, one.name)
        part = _merged(a, b)
        if part is None and a is not None:
            return None
        changed[one.name] = part
    return replace(upper, **changed)


def _same(a: Any, b: Any) -> bool:
    """Whether two trees are equal but for their places in the source."""
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(_same(x, y) for x, y in zip(a, b, strict=True))
    if type(a) is not type(b):
        return False
    if not hasattr(a, "__dataclass_fields__"):
        return bool(a == b)
    return all(_same(getattr(a, one.name), getattr(b, one.name)) for one in fields(a) if one.name != "span")
