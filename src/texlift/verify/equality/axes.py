r"""Vectors written with unit vectors along the axes: `2\mathbf{i}+3\mathbf{j}`."""

from __future__ import annotations

import re

from texlift.meaning.tree import Apply, Expression, Number, Symbol, walk

__all__ = ["in_axes"]

_UNIT = re.compile(r"\\(?:mathbf|hat|widehat|vec|boldsymbol|bm|overrightarrow)\{\\?([ijk])(?:math)?\}")


def in_axes(node: Expression, count: int) -> tuple[Expression, ...] | None:
    """The components of a sum of multiples of unit vectors, `count` of them; None for anything else."""
    found: dict[str, Expression] = {}
    for term in node.arguments if isinstance(node, Apply) and node.head == "plus" else (node,):
        negative = isinstance(term, Apply) and term.head == "negate"
        inner = term.arguments[0] if isinstance(term, Apply) and negative else term
        factors = inner.arguments if isinstance(inner, Apply) and inner.head == "times" else (inner,)
        axes = [(at, axis) for at, part in enumerate(factors) if (axis := _axis(part))]
        if len(axes) != 1 or axes[0][1] in found:
            return None
        rest = factors[: axes[0][0]] + factors[axes[0][0] + 1 :]
        if any(_axis(part) for factor in rest for part in walk(factor)):
            return None
        value = Number("1") if not rest else rest[0] if len(rest) == 1 else Apply("times", rest)
        found[axes[0][1]] = Apply("negate", (value,)) if negative else value
    axes_there = "ijk"[:count]
    if not found or not set(found) <= set(axes_there):
        return None
    return tuple(found.get(axis, Number("0")) for axis in axes_there)


def _axis(node: Expression) -> str:
    match = _UNIT.fullmatch(node.name) if isinstance(node, Symbol) else None
    return match[1] if match else ""
