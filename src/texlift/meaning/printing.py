"""Meaning trees for people and programs: lines of text, JSON, and rows for a drawing."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import fields
from functools import cache
from typing import Any

from texlift.errors import TexliftError
from texlift.latex.drawing import Node, node_svg
from texlift.macros.concepts import Vocabulary
from texlift.meaning.concepts import concept_of
from texlift.meaning.tree import (
    Apply,
    Cases,
    Constant,
    Derivative,
    Dots,
    Expression,
    Function,
    Indexed,
    Integral,
    Interval,
    Limit,
    Matrix,
    Number,
    Relation,
    Sequence,
    Series,
    Substitution,
    Symbol,
    Unknown,
    children,
)

__all__ = ["as_dict", "as_dicts", "drawn", "pretty", "svg"]

_DEEPEST = 150  # levels of a tree that is drawn
_TOO_DEEP = f"a tree of more than {_DEEPEST} levels is not shown"
_SIGNS = {
    "plus": "+", "times": "×", "divide": "÷", "negate": "−", "power": "power", "in": "∈", "notin": "∉", "<=": "≤",
    ">=": "≥", "!=": "≠", "===": "≡", "->": "→", "subset": "⊂", "subseteq": "⊆", "and": "∧", "or": "∨", "not": "¬",
    "implies": "⇒", "iff": "⇔", "union": "∪", "intersect": "∩", "sqrt": "√", "factorial": "!", "divides": "∣",
    "mod": "≡",
}  # fmt: skip
_CONSTANTS = {
    "pi": "π", "e": "e (constant)", "i": "i (constant)", "gamma": "γ (constant)", "infinity": "∞", "reals": "ℝ",
    "integers": "ℤ", "complexes": "ℂ", "rationals": "ℚ", "naturals": "ℕ", "nonnegative": "ℕ₀", "emptyset": "∅",
}  # fmt: skip


_SAYS_IT = frozenset(
    ["+", "×", "÷", "−", "=", "<", ">", "≤", "≥", "power", "√", "!", "∈", "→", "≡", "set", "list", "tuple"]
)
_OWN_LABEL = frozenset({Number, Symbol, Constant, Indexed, Unknown, Function, Dots, Matrix, Cases, Interval, Limit})


def pretty(statements: Iterable[Expression], words: Vocabulary | None = None) -> str:
    """The trees with box-drawing lines, the root of each at the left; concepts by their names in a vocabulary."""
    lines: list[str] = []
    for statement in statements:
        stack: list[tuple[Node, str, str]] = [(_shallow(statement, words), "", "")]
        while stack:
            node, own, below = stack.pop()
            part = f"{node.edge}: " if node.edge else ""
            lines.append(own + part + node.label)
            last = len(node.children) - 1
            for index in range(last, -1, -1):
                branch, space = ("└─ ", "   ") if index == last else ("├─ ", "│  ")
                stack.append((node.children[index], below + branch, below + space))
    return "\n".join(lines)


def svg(statements: Iterable[Expression], caption: str = "", words: Vocabulary | None = None) -> str:
    """The trees beside each other as a stand-alone SVG picture."""
    return node_svg(tuple(_shallow(statement, words) for statement in statements), caption)


def as_dicts(statements: Iterable[Expression], words: Vocabulary | None = None) -> list[dict[str, Any]]:
    """The trees as JSON. Raises TexliftError for one that is too deep."""
    found = []
    for statement in statements:
        _shallow(statement, words)
        found.append(as_dict(statement, words))
    return found


def as_dict(node: Expression, words: Vocabulary | None = None) -> dict[str, Any]:
    """A node as JSON: `node` is its type, then its fields, and its place in the source as `start` and `end`.

    `concept` is its name in the vocabulary, where it has one.
    """
    found: dict[str, Any] = {"node": type(node).__name__.lower()}
    if concept := concept_of(node, words):
        found["concept"] = concept
    for one in fields(node):
        if one.name == "span":
            continue
        value = getattr(node, one.name)
        if one.name != "role" or value:
            found[one.name] = _plain(value, words)
    found["start"], found["end"] = node.span
    return found


def _plain(value: object, words: Vocabulary | None) -> Any:
    if isinstance(value, tuple):
        return [_plain(item, words) for item in value]
    if value is None or isinstance(value, str | bool):
        return value
    return as_dict(value, words)  # type: ignore[arg-type]


def _shallow(statement: Expression, words: Vocabulary | None) -> Node:
    """A tree to draw; one that is too deep is refused."""
    depth, level = 0, [statement]
    while level:
        level = [part for node in level for part in children(node)]
        depth += 1
        if depth > _DEEPEST:
            raise TexliftError(_TOO_DEEP)
    return drawn(statement, "", words)


def drawn(node: Expression, edge: str = "", words: Vocabulary | None = None) -> Node:
    """The node with its label and its children, each with the name of its part where that says something."""
    label, parts = _described(node)
    label = _named(label, concept_of(node, words)) if type(node) not in _OWN_LABEL else label
    kind = (
        "leaf" if not parts else "relation" if isinstance(node, Relation) else "function" if _is_function(node) else ""
    )
    return Node(label, tuple(drawn(part, name, words) for name, part in parts if part is not None), edge, kind)


def _named(label: str, concept: str) -> str:
    """A label with the concept's name, unless its sign says as much or it is called so already."""
    words = concept.replace("-", " ")
    if not concept or label in _SAYS_IT or (words in label and label[0] != "\\"):
        return label
    return words if label.replace("-", "").isalpha() else f"{label} ({words})" if "(" not in label else label


def _is_function(node: Expression) -> bool:
    return isinstance(node, Unknown | Function) or (isinstance(node, Apply) and node.head[0] == "\\")


_Parts = list[tuple[str, Expression | None]]


def _described(node: Expression) -> tuple[str, _Parts]:
    """Label and named parts of a node."""
    if isinstance(node, Number):
        return node.value, []
    if isinstance(node, Symbol):
        return f"{_glyph(node.name)} ({node.role})" if node.role else _glyph(node.name), []
    if isinstance(node, Constant):
        return _CONSTANTS.get(node.name, node.name), []
    if isinstance(node, Dots):
        return "…", []
    if isinstance(node, Apply):
        return _SIGNS.get(node.head, node.head.removesuffix("[]")), [("", part) for part in node.arguments]
    if isinstance(node, Function):
        return f"{node.head} (as a function)", [("", part) for part in node.parameters]
    if isinstance(node, Indexed):
        parts: _Parts = [("", part) for part in node.indices]
        return f"{_glyph(node.base)} (indexed)", parts + [("above", part) for part in node.upper]
    if isinstance(node, Unknown):
        name = node.function.base if isinstance(node.function, Indexed) else node.function.name
        parts = [("index", part) for part in node.function.indices] if isinstance(node.function, Indexed) else []
        parts += [("", part) for part in node.arguments]
        return f"{_glyph(name)} (function)", [*parts, ("derivative", node.order)]
    if isinstance(node, Relation):
        signs = " ".join(_SIGNS.get(sign, sign) for sign in node.operators)
        return signs, [("", part) for part in node.operands]
    return _described_binder(node)


def _described_binder(node: Expression) -> tuple[str, _Parts]:
    """Label and named parts of a binder or a collection."""
    if isinstance(node, Derivative):
        steps: _Parts = []
        for variable, order in node.variables:
            steps += [("by", variable), ("times", None if _is_one(order) else order)]
        return "derivative", [("of", node.body), *steps]
    if isinstance(node, Substitution):
        return "substitution", [("in", node.body), ("for", node.variable), ("value", node.point)]
    if isinstance(node, Series):
        label = "Σ sum" if node.kind == "sum" else "Π product"
        bounds: _Parts = [("over", node.index), ("from", node.lower), ("to", node.upper), ("where", node.condition)]
        return label, [("of", node.body), *bounds]
    if isinstance(node, Integral):
        label = {"pv": "∫ principal value", "contour": "∮ integral"}.get(node.kind, "∫ integral")
        bounds = [("by", node.variable), ("from", node.lower), ("to", node.upper), ("over", node.domain)]
        return label, [("of", node.body), *bounds]
    if isinstance(node, Limit):
        side = {"+": " from above", "-": " from below"}.get(node.direction, "")
        return f"limit{side}", [("of", node.body), ("for", node.variable), ("to", node.point)]
    if isinstance(node, Cases):
        parts: _Parts = []
        for value, condition in node.branches:
            parts += [("value", value), ("if", condition)]
        return "cases", parts
    if isinstance(node, Interval):
        shape = ("[" if node.closed_lower else "(") + "…" + ("]" if node.closed_upper else ")")
        return f"interval {shape}", [("from", node.lower), ("to", node.upper)]
    if isinstance(node, Matrix):
        size = f"{len(node.rows)}×{len(node.rows[0])}"
        return f"{'determinant' if node.determinant else 'matrix'} {size}", [
            ("", cell) for row in node.rows for cell in row
        ]
    assert isinstance(node, Sequence)
    return node.kind, [("", item) for item in node.items]


@cache
def _glyph(name: str) -> str:
    r"""A letter as people know it: α for `\alpha`; other names unchanged."""
    if not name.startswith("\\") or not name[1:].isalpha():
        return name
    word = {"lambda": "lamda", "varepsilon": "epsilon", "varphi": "phi", "vartheta": "theta"}.get(name[1:], name[1:])
    size = "CAPITAL" if word[0].isupper() else "SMALL"
    try:
        return unicodedata.lookup(f"GREEK {size} LETTER {word.upper()}")
    except KeyError:
        return name


def _is_one(node: Expression) -> bool:
    return isinstance(node, Number) and node.value == "1"
