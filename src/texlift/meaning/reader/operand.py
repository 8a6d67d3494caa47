"""What operands are taken of: braces that group, a script of a sign, the rest of a product."""

from __future__ import annotations

from typing import TYPE_CHECKING

from texlift.latex.nodes import Node, Script, Scripted
from texlift.meaning.tree import Apply, Expression, Relation, Sequence, Symbol

if TYPE_CHECKING:
    from texlift.meaning.reader.row import Row
    from texlift.meaning.reader.scope import Scope

__all__ = ["rest_of_product", "script_of", "ungrouped"]


def ungrouped(node: Expression, scope: Scope | None = None) -> Expression:
    """Braces around one term of an arithmetic expression are parentheses: `\\{a+b\\}^2`."""
    single = isinstance(node, Sequence) and node.kind == "set" and len(node.items) == 1
    if single and scope is not None and isinstance(node.items[0], Symbol):  # type: ignore[union-attr]
        scope.warn("braces around a letter were read as parentheses", node.span)
    return node.items[0] if single and not isinstance(node.items[0], Relation) else node  # type: ignore[union-attr]


def script_of(node: Node, kind: str) -> Script | None:
    if type(node) is Scripted:
        for script in node.scripts:
            if script.kind == kind:
                return script
    return None


def rest_of_product(row: Row, what: str) -> Expression:
    while row.at < row.count and row.texts[row.at] == r"\*":
        row.at += 1
    if not row.starts_factor():
        sign = row.sign()
        if not row.starts_factor():
            raise row.error(f"{what} of nothing")
        value = row.product()
        return Apply("negate", (value,), value.span) if sign < 0 else value
    return row.product()
