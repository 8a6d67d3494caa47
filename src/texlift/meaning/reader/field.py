r"""Fields and rings with elements adjoined: `\mathbb{Q}(\sqrt2)`, `\mathbb{Z}[i]`, and their degree `[L:K]`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from texlift.latex.nodes import Scripted
from texlift.meaning.reader.application import opens
from texlift.meaning.tree import Apply, Constant, Expression, Relation

if TYPE_CHECKING:
    from texlift.meaning.reader.row import Row

__all__ = ["adjoined", "degree"]

_SETS = frozenset({"rationals", "reals", "complexes", "integers"})


def adjoined(row: Row, base: Expression) -> Expression:
    """A number set with what stands in the brackets at the cursor adjoined; the set itself where nothing does."""
    if (
        not isinstance(base, Constant)
        or base.name not in _SETS
        or not opens(row)
        or row.texts[row.at] not in ("(", "[")
    ):
        return base
    closing = row.closer(row.at)
    inside = row.part(row.at + 1, closing)
    if not inside.count or type(row.items[closing]) is Scripted:
        return base
    at, warnings = row.at, dict(row.scope.warnings)
    ring = row.texts[row.at] == "["
    items = inside.expressions()
    if any(isinstance(item, Relation) for item in items):  # a remark: n\in\mathbb{N}\ (n>0)
        row.at, row.scope.warnings = at, warnings
        return base
    row.at = closing + 1
    return Apply(
        "ring-extension" if ring else "field-extension", (base, *items), (base.span[0], row.items[closing].end)
    )


def degree(node: Expression) -> Expression | None:
    """`[\\mathbb{Q}(\\sqrt2):\\mathbb{Q}]`: the degree of an extension; None for other things in square brackets."""
    if not isinstance(node, Relation) or node.operators != ("colon",) or not any(map(_is_field, node.operands)):
        return None
    return Apply("degree-of-extension", node.operands, node.span)


def _is_field(node: Expression) -> bool:
    extended = isinstance(node, Apply) and node.head == "field-extension"
    return extended or (isinstance(node, Constant) and node.name in _SETS)
