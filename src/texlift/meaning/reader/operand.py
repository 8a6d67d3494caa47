"""What binders take: a script of a sign, and the rest of a product as their body."""

from __future__ import annotations

from typing import TYPE_CHECKING

from texlift.latex.nodes import Node, Script, Scripted
from texlift.meaning.tree import Apply, Expression

if TYPE_CHECKING:
    from texlift.meaning.reader.row import Row

__all__ = ["rest_of_product", "script_of"]


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
