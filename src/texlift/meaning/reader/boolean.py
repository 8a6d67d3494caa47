"""Boolean algebra: where the text speaks of it, + is "or", a product "and", a bar or a prime "not"."""

from __future__ import annotations

import re

from texlift.meaning.tree import Apply, Constant, Expression, Number, Relation, Symbol, rebuild

__all__ = ["as_boolean"]

_HEADS = {"plus": "or", "times": "and", "directsum": "xor", r"\conj": "not", "prime": "not", "xor": "xor"}
_BARRED = re.compile(r"\\(?:bar|overline)\{(\w)\}(.*)|(.+)'")


def as_boolean(node: Expression) -> Expression:
    """The tree with arithmetic read as logic."""
    if isinstance(node, Symbol) and (match := _BARRED.fullmatch(node.name)):
        inner = (match[1] + match[2]) if match[1] else match[3]
        return Apply("not", (as_boolean(Symbol(inner, node.span)),), node.span)
    if isinstance(node, Number) and node.value in ("0", "1"):
        return Constant("true" if node.value == "1" else "false", node.span)
    node = rebuild(node, as_boolean)
    if isinstance(node, Apply) and node.head in _HEADS:
        return Apply(_HEADS[node.head], node.arguments, node.span)
    if isinstance(node, Relation) and set(node.operators) <= {"=", "==="}:
        return Apply("iff", node.operands, node.span)
    return node
