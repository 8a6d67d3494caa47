r"""Shapes: what a concept is in the meaning tree, as data.

    transpose(#1)                              an operator or macro applied to its parts
    relation:in(#1,#2)                         a relation of two operands
    integral:line(#1,#2,over=#3)               a binder; `derivative`, `series:sum`, `limit`, `substitution` likewise
    sequence:set(*#1)                          a collection: all its items as one part
    constant:pi, divide(times(#1,constant:pi),180)
    floor(#1) or \floor(#1)                    two nodes that say the same; the first is built

A shape is matched against a node, which gives the parts, and built from parts, which gives a node.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from texlift.errors import Span, TexliftError
from texlift.meaning.tree import (
    Apply,
    Constant,
    Derivative,
    Expression,
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
    rebuild,
)

__all__ = ["Shape", "key_of", "same", "shape", "shapes", "unplaced"]

_TOKEN = re.compile(r"\s*(?:#[1-9]|\*#[1-9]|\d+|\.\.\.|relation:[^\s(),#]+|[(),=]|[^\s(),=#]+)")
_DEEPEST = 6
_ONE = Number("1")


@dataclass(frozen=True, slots=True)
class Shape:
    """A hole (`kind` "hole"), all remaining parts as one ("splat"), a number, or a node with its parts.

    `name` is the number of the hole, the digits, or what tells nodes of a kind apart: a head, a relation, `sum`.
    `open` is true for one that has these parts or more: a sum of two or more terms.
    """

    kind: str
    name: str = ""
    parts: tuple[tuple[str, Shape], ...] = ()
    open: bool = False

    def match(self, node: Expression) -> dict[str, Expression] | None:
        """The parts of a node by the number of their hole; None where the node has another shape."""
        found: dict[str, Expression] = {}
        return found if _match(self, node, found) else None

    def build(self, parts: Mapping[str, Expression], span: Span = (0, 0)) -> Expression:
        """The node with these parts."""
        return _build(self, parts, span)

    @property
    def key(self) -> tuple[str, str]:
        """Kind and name: what `key_of` says of the nodes that may have this shape."""
        return self.kind, self.name


def same(left: Expression, right: Expression) -> bool:
    """Whether two trees say the same: equal but for their places in the source."""
    return left == right or unplaced(left) == unplaced(right)


def unplaced(node: Expression) -> Expression:
    """A tree without places in the source."""
    from dataclasses import replace

    return replace(rebuild(node, unplaced), span=(0, 0))


def key_of(node: Expression) -> tuple[str, str]:
    """Kind and name of a node."""
    match node:
        case Apply(head=head):
            return "apply", head
        case Relation(operators=operators):
            return "relation", operators[0] if len(set(operators)) == 1 else ""
        case Constant(name=name):
            return "constant", name
        case Unknown():
            return "unknown", ""
        case Integral(kind=kind):
            return "integral", kind
        case Series(kind=kind):
            return "series", kind
        case Sequence(kind=kind):
            return "sequence", kind
        case Limit(direction=direction):
            return "limit", direction
        case Interval():
            return "interval", ("[" if node.closed_lower else "(") + ("]" if node.closed_upper else ")")
        case Derivative():
            return "derivative", ""
        case Substitution():
            return "substitution", ""
        case Matrix(determinant=determinant):
            return "matrix", "determinant" if determinant else ""
    return type(node).__name__.lower(), ""


# -- reading the text of a shape -------------------------------------------------------------------------


def shape(text: str) -> Shape:
    """The shape that a text describes, the first of several. Raises TexliftError."""
    return shapes(text)[0]


@lru_cache(maxsize=20_000)
def shapes(text: str) -> tuple[Shape, ...]:
    """The shapes that a text describes, separated by `or`. Raises TexliftError."""
    return tuple(_shape(one) for one in text.split(" or "))


def _shape(text: str) -> Shape:
    tokens: list[str] = []
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise TexliftError(f"the shape {text!r} is not understood at {text[at:]!r}")
        tokens.append(found[0].strip())
        at = found.end()
    value, rest = _parse(tokens, 0, text, 0)
    if rest != len(tokens):
        raise TexliftError(f"the shape {text!r} goes on behind its end")
    return value


_KINDS = {
    "integral": ("body", "variable", "lower", "upper"),
    "derivative": ("body", "variable", "order"),
    "series": ("body", "index", "lower", "upper"),
    "limit": ("body", "variable", "point"),
    "substitution": ("body", "variable", "point"),
    "interval": ("lower", "upper"),
}
_NAMED = ("relation", "unknown", "constant", "sequence", "symbol", *_KINDS)


def _parse(tokens: list[str], at: int, text: str, depth: int) -> tuple[Shape, int]:
    if at >= len(tokens) or depth > _DEEPEST:
        raise TexliftError(f"the shape {text!r} is {'nested too deeply' if at < len(tokens) else 'not complete'}")
    token = tokens[at]
    at += 1
    if token[0] == "#":
        return Shape("hole", token[1]), at
    if token[:2] == "*#":
        return Shape("splat", token[2]), at
    if token.isdigit():
        return Shape("number", token), at
    if token in "(),=" or token == "...":
        raise TexliftError(f"the shape {text!r} has {token} in a place where a name belongs")
    kind, colon, name = token.partition(":")
    if (not colon and kind != "unknown") or kind not in _NAMED:
        kind, name = (token, "") if token in _KINDS else ("apply", token)
    parts: list[tuple[str, Shape]] = []
    more = False
    if kind == "interval":  # interval:[) has brackets in its name
        name = {"closed": "[]", "open": "()", "closed-open": "[)", "open-closed": "(]"}.get(name, name)
    if at < len(tokens) and tokens[at] == "(":
        at += 1
        while at < len(tokens) and tokens[at] != ")":
            if tokens[at] == "...":
                more = True
                at += 1
                continue
            label = ""
            if at + 1 < len(tokens) and tokens[at + 1] == "=":
                label = tokens[at]
                at += 2
            elif kind in _KINDS:
                label = _KINDS[kind][len(parts)] if len(parts) < len(_KINDS[kind]) else "?"
            part, at = _parse(tokens, at, text, depth + 1)
            parts.append((label, part))
            if at < len(tokens) and tokens[at] == ",":
                at += 1
        if at >= len(tokens):
            raise TexliftError(f"the shape {text!r} has a parenthesis that is never closed")
        at += 1
    if kind in _KINDS and not {label for label, _ in parts} <= {*_KINDS[kind], "over", "where"}:
        raise TexliftError(f"the shape {text!r} has a part that {kind} has not")
    return Shape(kind, name, tuple(parts), more), at


# -- matching --------------------------------------------------------------------------------------------


def _match(wanted: Shape, node: Expression | None, found: dict[str, Expression]) -> bool:
    if wanted.kind == "hole":
        if node is None:
            return False
        other = found.setdefault(wanted.name, node)
        return other is node or same(other, node)
    if wanted.kind == "number":
        return isinstance(node, Number) and node.value == wanted.name
    if wanted.kind == "symbol":
        return isinstance(node, Symbol) and node.name == wanted.name
    if node is None or key_of(node) != wanted.key:
        return False
    if wanted.kind in ("apply", "relation", "sequence", "unknown"):
        return _match_items(wanted, _items(node), found)
    if wanted.kind == "constant":
        return True
    given = _named_parts(node)
    if given is None or wanted.open:
        return given is None and wanted.open
    labels = dict(wanted.parts)
    if any(label not in labels and value is not None for label, value in given.items()):
        return False
    return all(_match(part, given.get(label), found) for label, part in wanted.parts)


def _items(node: Expression) -> tuple[Expression, ...]:
    if isinstance(node, Apply):
        return node.arguments
    if isinstance(node, Relation):
        return node.operands
    if isinstance(node, Unknown):
        return (node.function, *node.arguments) if node.order is None else ()
    assert isinstance(node, Sequence)
    return node.items


def _match_items(wanted: Shape, items: tuple[Expression, ...], found: dict[str, Expression]) -> bool:
    shapes = [part for _, part in wanted.parts]
    if shapes and shapes[-1].kind == "splat":
        fixed = shapes[:-1]
        if len(items) < len(fixed):
            return False
        rest = items[len(fixed) :]
        found[shapes[-1].name] = rest[0] if len(rest) == 1 else Sequence(rest, "list")
        return all(_match(part, item, found) for part, item in zip(fixed, items, strict=False))
    if len(items) != len(shapes):
        return wanted.open and len(items) > len(shapes)  # a name, but no parts
    return all(_match(part, item, found) for part, item in zip(shapes, items, strict=True))


def _named_parts(node: Expression) -> dict[str, Expression | None] | None:
    """The parts of a binder by name."""
    match node:
        case Integral():
            return {"body": node.body, "variable": node.variable, "lower": node.lower, "upper": node.upper,
                    "over": node.domain}  # fmt: skip
        case Derivative(variables=((variable, order),)):
            return {"body": node.body, "variable": variable, "order": None if order == _one(order) else order}
        case Series():
            return {"body": node.body, "index": node.index, "lower": node.lower, "upper": node.upper,
                    "where": node.condition}  # fmt: skip
        case Limit() | Substitution():
            return {"body": node.body, "variable": node.variable, "point": node.point}
        case Interval():
            return {"lower": node.lower, "upper": node.upper}
    return None


def _one(order: Expression) -> Number:
    return Number("1", order.span)


# -- building --------------------------------------------------------------------------------------------


def _build(wanted: Shape, parts: Mapping[str, Expression], span: Span) -> Expression:
    if wanted.kind == "hole":
        return parts[wanted.name]
    if wanted.kind == "number":
        return Number(wanted.name, span)
    if wanted.kind == "symbol":
        return Symbol(wanted.name, span)
    if wanted.kind == "constant":
        return Constant(wanted.name, span)
    if wanted.kind in ("apply", "relation", "sequence", "unknown"):
        items: list[Expression] = []
        for _, part in wanted.parts:
            if part.kind == "splat":
                value = parts[part.name]
                listed = isinstance(value, Sequence) and value.kind == "list"
                items += value.items if listed else [value]  # type: ignore[union-attr]
            else:
                items.append(_build(part, parts, span))
        if wanted.kind == "apply":
            return Apply(wanted.name, tuple(items), span)
        if wanted.kind == "unknown" and isinstance(items[0], Symbol | Indexed):
            return Unknown(items[0], tuple(items[1:]), None, span)
        if wanted.kind == "unknown":
            return items[0]
        if wanted.kind == "relation":
            return Relation((wanted.name,) * (len(items) - 1), tuple(items), span)
        return Sequence(tuple(items), wanted.name, span)
    return _build_binder(wanted, {label: _build(part, parts, span) for label, part in wanted.parts}, span)


def _build_binder(wanted: Shape, parts: Mapping[str, Expression], span: Span) -> Expression:
    if wanted.kind == "integral":
        ends = parts.get("lower"), parts.get("upper")
        return Integral(parts["body"], parts["variable"], *ends, wanted.name or "int", parts.get("over"), span)
    if wanted.kind == "derivative":
        return Derivative(parts["body"], ((parts["variable"], parts.get("order", Number("1", span))),), span)
    if wanted.kind == "series":
        ends = parts.get("lower"), parts.get("upper")
        return Series(wanted.name, parts["body"], parts["index"], *ends, parts.get("where"), span)
    if wanted.kind == "limit":
        return Limit(parts["body"], parts["variable"], parts["point"], wanted.name, span)
    if wanted.kind == "interval":
        return Interval(parts["lower"], parts["upper"], wanted.name[:1] == "[", wanted.name[1:] == "]", span)
    return Substitution(parts["body"], parts["variable"], parts["point"], span)
