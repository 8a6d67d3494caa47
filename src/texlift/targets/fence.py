"""What stands between fences: parentheses, sets, intervals, absolute values, floors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from texlift.errors import Span
from texlift.latex.nodes import Delimited, Scripted
from texlift.targets.expression import Apply, Expression, Interval, Relation, Sequence

if TYPE_CHECKING:
    from texlift.targets.row import Row

__all__ = ["delimited", "fence"]


def fence(row: Row) -> Expression:
    """`( ... )`, `[ ... ]`, `\\{ ... \\}` at the cursor, with scripts behind the closer."""
    opening = row.at
    closing = row.closer(opening)
    opener, closer = row.texts[opening], row.texts[closing]
    inner = row.part(opening + 1, closing)
    node = row.items[closing]
    row.at = closing + 1
    span = (row.items[opening].start, node.end)
    value = _fenced(row, opener, closer, inner, span)
    return row.scripts(value, node.scripts) if type(node) is Scripted else value


def _fenced(row: Row, opener: str, closer: str, inner: Row, span: Span) -> Expression:
    """The meaning of `inner` between two fences."""
    row.scope.enter(span)
    if not inner.count:
        raise row.scope.error("nothing between the fences", span)
    if opener == ".":
        opener = "("
    if opener in ("|", r"\vert", r"\lvert"):
        value: Expression = Apply("abs", (inner.expression(),), span)
    elif opener in (r"\|", r"\Vert"):
        value = Apply("norm", (inner.expression(),), span)
    elif opener in (r"\lfloor", r"\lceil"):
        value = Apply("floor" if opener == r"\lfloor" else "ceiling", (inner.expression(),), span)
    elif opener in (r"\{", r"\langle"):
        items = inner.expressions()
        if len(items) == 1 and opener == r"\{":
            value = Sequence(items, "set", span) if isinstance(items[0], Relation) else items[0]
        else:
            value = Sequence(items, "set" if opener == r"\{" else "tuple", span)
    else:
        items = inner.expressions()
        if len(items) == 1 and (opener, closer) in (("(", ")"), ("[", "]"), ("(", ".")):
            value = items[0]
            if isinstance(value, Relation):
                value = Sequence(items, "tuple", span)
        elif len(items) == 2 and (opener != "(" or closer != ")"):
            value = Interval(items[0], items[1], opener == "[", closer == "]", span)
        else:
            value = Sequence(items, "tuple", span)
    row.scope.depth -= 1
    return value


def delimited(row: Row, node: Delimited) -> Expression:
    """`\\left( ... \\right)` as a value."""
    inner = type(row)(row.scope, node.children, node.inner)
    if node.left == "." and node.right in ("|", "]", r"\rvert"):
        return inner.expression()
    if node.left in ("/", ")", "]") and node.right == ".":
        return inner.expression()
    return _fenced(row, node.left, node.right, inner, (node.start, node.end))
