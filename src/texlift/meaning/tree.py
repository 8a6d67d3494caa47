"""The meaning tree: what a formula says, free of any notation.

Heads of `Apply` are either operators (`plus`, `times`, `power`, ... without a backslash) or semantic macros
(`\\BesselJ`, with one, and with `[]` behind the name where the optional argument was given). Every node
keeps its span in the source.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from typing import TypeAlias

from texlift.errors import Span

__all__ = [
    "Apply",
    "Cases",
    "Constant",
    "Derivative",
    "Dots",
    "Expression",
    "Function",
    "Indexed",
    "Integral",
    "Interval",
    "Limit",
    "Matrix",
    "Number",
    "Relation",
    "Sequence",
    "Series",
    "Substitution",
    "Symbol",
    "Unknown",
    "children",
    "free_symbols",
    "rebuild",
    "substitute",
    "walk",
]


@dataclass(frozen=True, slots=True)
class Number:
    """A decimal number as written, without thin spaces: `12`, `0.5`."""

    value: str
    span: Span = (0, 0)


@dataclass(frozen=True, slots=True)
class Symbol:
    """A variable by its TeX name: `x`, `\\alpha`, `\\mathbf{x}`; primes are part of the name (`k'`).

    `role` is what was declared of it: vector, matrix, set, ...; empty where nothing was.
    """

    name: str
    span: Span = (0, 0)
    role: str = ""


@dataclass(frozen=True, slots=True)
class Indexed:
    """A subscripted symbol `a_{n,k}`; `upper` holds a superscript in parentheses, a label and no power."""

    base: str
    indices: tuple[Expression, ...]
    upper: tuple[Expression, ...] = ()
    span: Span = (0, 0)


@dataclass(frozen=True, slots=True)
class Constant:
    """`pi`, `e`, `i`, `gamma` (Euler's constant), `infinity`, and the number sets."""

    name: str
    span: Span = (0, 0)


@dataclass(frozen=True, slots=True)
class Apply:
    """An operator or a semantic macro applied to arguments."""

    head: str
    arguments: tuple[Expression, ...]
    span: Span = (0, 0)


@dataclass(frozen=True, slots=True)
class Function:
    """A semantic macro without its variables: `\\BesselJ{\\nu}` as the name of a function."""

    head: str
    parameters: tuple[Expression, ...]
    span: Span = (0, 0)


@dataclass(frozen=True, slots=True)
class Unknown:
    """A function without a known definition, `f(x)`; `order` counts derivatives (`f''(x)`, `f^{(n)}(x)`)."""

    function: Symbol | Indexed
    arguments: tuple[Expression, ...]
    order: Expression | None = None
    span: Span = (0, 0)


@dataclass(frozen=True, slots=True)
class Derivative:
    """The derivative of `body` by each (variable, order)."""

    body: Expression
    variables: tuple[tuple[Expression, Expression], ...]
    span: Span = (0, 0)


@dataclass(frozen=True, slots=True)
class Substitution:
    """`body` with `variable` at `point`: `\\left. f \\right|_{x=0}`."""

    body: Expression
    variable: Expression
    point: Expression
    span: Span = (0, 0)


@dataclass(frozen=True, slots=True)
class Series:
    """A sum or product over `index` from `lower` to `upper`; terms where `condition` fails are left out."""

    kind: str  # "sum" or "product"
    body: Expression
    index: Expression
    lower: Expression | None
    upper: Expression | None
    condition: Expression | None = None
    span: Span = (0, 0)


@dataclass(frozen=True, slots=True)
class Integral:
    """An integral; bounds are both missing for a primitive, `domain` stands for a path or region.

    `kind` is `int`, `pv` (principal value), `contour`, or `line` where a field is multiplied by a vector differential.
    """

    body: Expression
    variable: Expression
    lower: Expression | None
    upper: Expression | None
    kind: str = "int"
    domain: Expression | None = None
    span: Span = (0, 0)


@dataclass(frozen=True, slots=True)
class Limit:
    """`direction` is `+` from above, `-` from below, empty for both."""

    body: Expression
    variable: Expression
    point: Expression
    direction: str = ""
    span: Span = (0, 0)


@dataclass(frozen=True, slots=True)
class Relation:
    """A chain: `operands[0] operators[0] operands[1] operators[1] ...`."""

    operators: tuple[str, ...]
    operands: tuple[Expression, ...]
    span: Span = (0, 0)

    @property
    def links(self) -> Iterator[tuple[str, Expression, Expression]]:
        """The comparisons of the chain: operator, left, right."""
        return zip(self.operators, self.operands, self.operands[1:], strict=False)


@dataclass(frozen=True, slots=True)
class Cases:
    """Values with their conditions; a missing condition means `otherwise`."""

    branches: tuple[tuple[Expression, Expression | None], ...]
    span: Span = (0, 0)


@dataclass(frozen=True, slots=True)
class Sequence:
    """Several expressions in a row; `kind` is `list`, `tuple` or `set`."""

    items: tuple[Expression, ...]
    kind: str = "list"
    span: Span = (0, 0)


@dataclass(frozen=True, slots=True)
class Interval:
    """`[a,b)` and its like; the flags say whether an end belongs to it."""

    lower: Expression
    upper: Expression
    closed_lower: bool = False
    closed_upper: bool = False
    span: Span = (0, 0)


@dataclass(frozen=True, slots=True)
class Matrix:
    """Rows of a matrix; `determinant` for `vmatrix`."""

    rows: tuple[tuple[Expression, ...], ...]
    determinant: bool = False
    span: Span = (0, 0)


@dataclass(frozen=True, slots=True)
class Dots:
    """An ellipsis that stands for something the reader is to guess."""

    span: Span = (0, 0)


Expression: TypeAlias = (
    Number
    | Symbol
    | Indexed
    | Constant
    | Apply
    | Function
    | Unknown
    | Derivative
    | Substitution
    | Series
    | Integral
    | Limit
    | Relation
    | Cases
    | Sequence
    | Interval
    | Matrix
    | Dots
)
_NODES = (
    Number, Symbol, Indexed, Constant, Apply, Function, Unknown, Derivative, Substitution, Series, Integral, Limit,
    Relation, Cases, Sequence, Interval, Matrix, Dots,
)  # fmt: skip
_FIELDS = {node: tuple(f.name for f in fields(node) if f.name not in ("span", "role")) for node in _NODES}


_LEAVES = frozenset({Number, Symbol, Constant, Dots})


def _gather(value: object, into: list[Expression]) -> None:
    kind = type(value)
    if kind in _FIELDS:
        into.append(value)  # type: ignore[arg-type]
    elif kind is tuple:
        for item in value:  # type: ignore[attr-defined]
            _gather(item, into)


def children(node: Expression) -> tuple[Expression, ...]:
    """The direct parts of a node, in the order written."""
    kind = type(node)
    if kind is Apply:  # most nodes; the general way below costs five times as much
        return node.arguments  # type: ignore[union-attr]
    if kind is Relation:
        return node.operands  # type: ignore[union-attr]
    found: list[Expression] = []
    if kind not in _LEAVES:
        for name in _FIELDS[kind]:
            _gather(getattr(node, name), found)
    return tuple(found)


def walk(node: Expression) -> Iterator[Expression]:
    """The node and everything below it, parents first."""
    stack = [node]
    while stack:
        top = stack.pop()
        yield top
        if type(top) not in _LEAVES:
            stack.extend(children(top)[::-1])


def rebuild(node: Expression, change: Callable[[Expression], Expression]) -> Expression:
    """The node with `change` applied to each direct part; the node itself where nothing changed."""
    kind = type(node)
    if kind in _LEAVES:
        return node
    if kind is Apply:
        old = node.arguments  # type: ignore[union-attr]
        new = tuple([change(part) for part in old])
        for before, after in zip(old, new, strict=True):
            if before is not after:
                return Apply(node.head, new, node.span)  # type: ignore[union-attr]
        return node

    def through(value: object) -> object:
        if type(value) in _FIELDS:
            return change(value)  # type: ignore[arg-type]
        if type(value) is tuple:
            new = tuple([through(item) for item in value])
            return value if all(a is b for a, b in zip(new, value, strict=True)) else new
        return value

    updates: dict[str, object] = {}
    for name in _FIELDS[kind]:
        part = getattr(node, name)
        changed = through(part)
        if changed is not part:
            updates[name] = changed
    return replace(node, **updates) if updates else node  # type: ignore[arg-type]


def _bound(node: Expression) -> Expression | None:
    if isinstance(node, Series):
        return node.index
    if isinstance(node, Integral | Limit | Substitution):
        return node.variable
    return None


def free_symbols(node: Expression) -> dict[str, Symbol]:
    """Symbols not bound by a sum, integral, limit or substitution, in the order of their first use."""
    found: dict[str, Symbol] = {}

    def visit(part: Expression, bound: frozenset[str]) -> None:
        if isinstance(part, Symbol):
            if part.name not in bound:
                found.setdefault(part.name, part)
            return
        variable = _bound(part)
        if isinstance(variable, Symbol):
            inner = bound | {variable.name}
            for name in _FIELDS[type(part)]:
                scope = inner if name in ("body", "condition", "index", "variable") else bound
                inside: list[Expression] = []
                _gather(getattr(part, name), inside)
                for child in inside:
                    visit(child, scope)
            return
        if isinstance(part, Unknown):
            for child in part.arguments:
                visit(child, bound)
            if isinstance(part.function, Indexed):
                for child in part.function.indices:
                    visit(child, bound)
            return
        for child in children(part):
            visit(child, bound)

    visit(node, frozenset())
    return found


def substitute(node: Expression, values: dict[str, Expression]) -> Expression:
    """Replace free symbols by name. Bound variables shadow; the caller keeps bound names out of `values`."""
    kind = type(node)
    if kind is Symbol:
        return values.get(node.name, node)  # type: ignore[union-attr]
    if kind is Number or kind is Constant:
        return node
    if kind is Apply:  # most nodes; the general way below costs five times as much
        old = node.arguments  # type: ignore[union-attr]
        new = tuple([substitute(part, values) for part in old])
        for before, after in zip(old, new, strict=True):
            if before is not after:
                return Apply(node.head, new, node.span)  # type: ignore[union-attr]
        return node
    variable = _bound(node)
    if isinstance(variable, Symbol) and variable.name in values:
        values = {name: value for name, value in values.items() if name != variable.name}
    return rebuild(node, lambda part: substitute(part, values))
