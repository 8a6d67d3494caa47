"""Constructs that bind a variable: which one stands at the cursor; integrals, limits, substitutions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from texlift.errors import Span
from texlift.latex.nodes import Call, Group, Leaf, Node, Script, Scripted
from texlift.meaning.reader import derivative
from texlift.meaning.reader.census import is_letter
from texlift.meaning.reader.operand import rest_of_product, script_of
from texlift.meaning.reader.series import lines, series
from texlift.meaning.reader.transform import jackson
from texlift.meaning.reader.vectors import is_vector
from texlift.meaning.shape import same
from texlift.meaning.tree import (
    Apply,
    Derivative,
    Expression,
    Indexed,
    Integral,
    Limit,
    Number,
    Relation,
    Substitution,
    Symbol,
    Unknown,
    free_symbols,
    walk,
)

if TYPE_CHECKING:
    from texlift.meaning.reader.row import Row

__all__ = ["at_point", "read"]

_SERIES = {r"\sum": "sum", r"\prod": "product"}
_INTEGRALS = {r"\int": 1, r"\pvint": 1, r"\oint": 1, r"\iint": 2, r"\iiint": 3, r"\smallint": 1}
_DERIVATIVES = frozenset({r"\deriv", r"\pderiv", r"\ideriv", r"\ipderiv"})
_DIFFERENCES = frozenset({r"\fDiff", r"\bDiff", r"\cDiff"})
_DIFFERENTIALS = frozenset({r"\diff", r"\pdiff", r"\qdiff"})
_ENDS = frozenset({"=", "<", ">", r"\leq", r"\geq", r"\neq", r"\approx", r"\equiv", ",", ";", ".", ")", "]", r"\}"})
_SIGNS = frozenset({*_SERIES, *_INTEGRALS, r"\lim"})


def read(row: Row) -> Expression | None:
    """The binder at the cursor, or None."""
    text = row.texts[row.at]
    node = row.items[row.at]
    if text in _SIGNS:
        if text in _SERIES:
            return series(row, _SERIES[text], node)
        return _integral(row, text, node) if text in _INTEGRALS else _limit(row, node)
    core = node.base if type(node) is Scripted else node
    if type(core) is Call:
        if core.name in _DERIVATIVES:
            return derivative.derivative(row, node, core)
        if core.name in _DIFFERENCES:
            return derivative.difference(row, node, core)
        if core.name in _DIFFERENTIALS:
            return _differential(row, core)
    return None


def _integral(row: Row, text: str, node: Node) -> Expression:
    row.at += 1
    span = (node.start, node.end)
    below, above = script_of(node, "_"), script_of(node, "^")
    kind = {r"\pvint": "pv", r"\oint": "contour"}.get(text, "int")
    lower: Expression | None = None
    upper: Expression | None = None
    domain: Expression | None = None
    if above is not None and above.argument is not None and not _is_blank(above.argument):
        source = row.scope.source[above.start : above.end]
        if "+)" in source or "-)" in source or "+," in source:
            kind = "contour"
            domain = Symbol(source.strip("^{}"), (above.start, above.end))
        else:
            upper = _bound(row, above)
    if below is not None and below.argument is not None and not _is_blank(below.argument):
        lower = _bound(row, below)
    if upper is not None and lower is None and domain is None:
        raise row.scope.error("an integral with its upper bound only", span, "give both bounds")
    if upper is None and lower is not None:
        domain, lower = domain or lower, None
    row.scope.enter(span)
    count = _INTEGRALS[text]
    closing = _closing_differential(row, count)
    if closing < 0 and count == 1 and (plain := _typed_differential(row)) is not None:
        inner = row.part(row.at, plain)
        body = inner.expression() if inner.count else Number("1", span)
        place = (row.items[plain].start, row.items[plain + 1].end)
        variables: list[Expression] = [Symbol(row.texts[plain + 1], place)]
        row.scope.warn(f"d{row.texts[plain + 1]} was read as the differential of the integral", place)
        row.at = plain + 2
    elif closing > row.at:
        dotted = closing > row.at + 1 and row.texts[closing - 1] == r"\cdot"  # \int \mathbf{F}\cdot\diff{\mathbf{s}}
        inner = row.part(row.at, closing - dotted)
        body = inner.expression()
        row.at = closing
        variables = [_take_differential(row)]
        if dotted and is_vector(variables[0]):
            kind = "line"
        while len(variables) < count and row.at < row.count and _is_differential(row.items[row.at]):
            variables.append(_take_differential(row))
    else:
        frame: list[object] = []
        row.scope.differentials.append(frame)
        try:
            body = row.product() if row.starts_factor() else row.sum()
        finally:
            row.scope.differentials.pop()
        variables = [part for part in frame if isinstance(part, Symbol | Indexed | Apply)]
    row.scope.depth -= 1
    if not variables:
        raise row.scope.error("an integral without its differential", span, r"write \diff{x} behind the integrand")
    for variable in variables:
        if isinstance(variable, Apply):
            body = _jackson(row, body, variable, lower, upper)
            continue
        body = Integral(body, variable, lower, upper, kind, domain, (node.start, body.span[1]))
    return body


def _bound(row: Row, script: Script) -> Expression:
    """A bound of an integral; `0^-` is 0, and a note that a jump there counts."""
    assert script.argument is not None
    inner = type(row)(row.scope, [script.argument], (script.start, script.end))
    last = inner.items[-1] if inner.count else None
    mark = script_of(last, "^") if type(last) is Scripted and len(last.scripts) == 1 else None
    if type(last) is Scripted and mark is not None and last.base is not None:
        sign = row.scope.source[mark.start : mark.end].strip("^{} ")
        if sign in ("+", "-"):
            inner.items[-1] = last.base
            row.scope.warn(
                f"the bound is a limit from {'above' if sign == '+' else 'below'}; its sign was left out", inner.span
            )
    return inner.expression()


def _is_blank(node: Node) -> bool:
    """Whether nothing stands in the braces of a bound: `\\int_{}^{}`, as editors leave them."""
    return type(node) is Group and not node.children


def _closing_differential(row: Row, count: int) -> int:
    """Index of the differential in this row that closes the integral opened before the cursor, or -1."""
    depth = 0
    open_integrals = count
    found = -1
    for index in range(row.at, row.count):
        text = row.texts[index]
        if text in ("(", "[", r"\{"):
            depth += 1
        elif text in (")", "]", r"\}"):
            depth -= 1
            if depth < 0:
                break
        elif depth == 0:
            if text in ("=", "<", r"\leq", ",", r"\asympexp", r"\asympeq"):
                break
            if text in _INTEGRALS:
                open_integrals += _INTEGRALS[text]
            node = row.items[index]
            core = node.base if type(node) is Scripted else node
            if type(core) is Call and core.name in _DIFFERENTIALS:
                open_integrals -= 1
                if open_integrals == count - 1 and found < 0:
                    found = index
                if open_integrals == 0:
                    return found if count > 1 else index
    return found if count > 1 else -1


def _typed_differential(row: Row) -> int | None:
    """Index of a `dx` in plain letters that ends the integrand, where no differential was recognised."""
    if row.scope.census.signs & _DIFFERENTIALS:
        return None
    for index in range(row.at, row.count - 1):
        first, second = row.items[index], row.items[index + 1]
        if row.texts[index] in _ENDS:
            return None
        pair = row.texts[index] == "d" and type(first) is Leaf and type(second) is Leaf and first.end == second.start
        ends = index + 2 == row.count or row.texts[index + 2] in _ENDS | {"+", "-"}
        if pair and is_letter(row.texts[index + 1]) and ends:
            return index
    return None


def _is_differential(node: Node) -> bool:
    return type(node) is Call and node.name in _DIFFERENTIALS


def _take_differential(row: Row) -> Expression:
    node = row.items[row.at]
    if type(node) is not Call or node.name not in _DIFFERENTIALS:
        raise row.error("a differential was expected", r"write \diff{x}")
    row.at += 1
    return _variable(row, node)


def _variable(row: Row, node: Call) -> Expression:
    arguments = [*node.parameters, *node.variables]
    span = (node.start, node.end)
    if node.options or not arguments:
        raise row.scope.error(f"{node.name} has no counterpart here", span)
    value = type(row)(row.scope, arguments[-1:] if node.name == r"\qdiff" else arguments[:1], span).expression()
    if not isinstance(value, Symbol | Indexed):
        raise row.scope.error("an integral over something else than a variable", value.span)
    if node.name == r"\qdiff":
        return Apply("qdiff", (type(row)(row.scope, arguments[:1], span).expression(), value), span)
    return value


def _jackson(
    row: Row, body: Expression, differential: Apply, lower: Expression | None, upper: Expression | None
) -> Expression:
    base, variable = differential.arguments
    found = jackson(body, variable, base, lower, upper) if isinstance(variable, Symbol) else None
    if found is None:
        raise row.scope.error("a q-integral needs two bounds, the lower one finite", differential.span)
    return found


def _differential(row: Row, node: Call) -> Expression:
    """A differential inside a fraction, `\\int \\frac{\\diff{t}}{t}`: noted for the integral, worth 1."""
    if (quotient := _quotient(row, node)) is not None:
        return quotient
    if not row.scope.differentials:
        raise row.error("a differential without an integral", "use \\deriv for derivatives")
    row.at += 1
    row.scope.differentials[-1].append(_variable(row, node))
    return Number("1", (node.start, node.end))


def _quotient(row: Row, node: Call) -> Expression | None:
    """`dy/dx`: a derivative typed on one line; None where no differential stands behind a slash."""
    if row.at + 2 >= row.count or row.texts[row.at + 1] != "/":
        return None
    below = row.items[row.at + 2]
    if type(below) is not Call or below.name != node.name or node.options or below.options:
        return None
    body = type(row)(row.scope, node.parameters[:1], (node.start, node.end)).expression()
    variable = _variable(row, below)
    row.at += 3
    return Derivative(body, ((variable, Number("1", (below.start, below.end))),), (node.start, below.end))


# -- limits and substitutions --------------------------------------------------------------------------


def _limit(row: Row, node: Node) -> Expression:
    row.at += 1
    below = script_of(node, "_")
    if below is None or below.argument is None:
        raise row.scope.error("a limit without its variable", (node.start, node.end), r"write \lim_{x\to0}")
    inner, *sides = lines(row, below.argument) or [row.part(0, 0)]
    direction = ""
    if inner.count > 2 and inner.texts[-1] in ("+", "-"):
        direction = inner.texts[-1]
        inner = inner.part(0, inner.count - 1)
    elif inner.count > 4 and inner.texts[-1] == "0" and inner.texts[-2] in ("+", "-") and inner.texts[-3] != r"\to":
        direction = inner.texts[-2]  # x\to a+0
        inner = inner.part(0, inner.count - 2)
    elif inner.count > 2 and type(inner.items[-1]) is Scripted and (mark := script_of(inner.items[-1], "^")):
        sign = row.scope.source[mark.start : mark.end].strip("^{}")
        if sign in ("+", "-"):
            direction = sign
            base = inner.items[-1].base
            inner = inner.part(0, inner.count)
            inner.items[-1] = base  # type: ignore[assignment]
    if inner.texts.count(r"\Rightarrow") == 1:
        row.scope.warn("an arrow of logic below a limit was read as the arrow of the limit", inner.span)
        inner.texts[inner.texts.index(r"\Rightarrow")] = r"\to"
    relation = inner.relation()
    if not isinstance(relation, Relation) or relation.operators != ("->",):
        raise row.scope.error("the limit is not understood", (below.start, below.end), r"write \lim_{x\to0}")
    variable, point = relation.operands
    for side in sides:
        direction = _side(row, side, variable, point) or direction
    body = rest_of_product(row, "a limit")
    return Limit(body, variable, point, direction, (node.start, body.span[1]))


def _side(row: Row, line: Row, variable: Expression, point: Expression) -> str:
    """What a further line below a limit says: `x>a` that it is from above, `x\\neq a` nothing new."""
    stated = line.relation()
    if isinstance(stated, Relation) and same(stated.operands[0], variable) and len(stated.operators) == 1:
        direction = {">": "+", "<": "-", "!=": " "}.get(stated.operators[0])
        if direction and same(stated.operands[1], point):
            return direction.strip()
    raise row.scope.error("a condition below a limit has no counterpart", line.span)


def at_point(row: Row, value: Expression, point: Expression, span: Span) -> Expression:
    """A value with a subscript `x=a` behind a bar."""
    if isinstance(point, Relation) and point.operators == ("=",) and isinstance(point.operands[0], Symbol | Indexed):
        variable, where = point.operands
        assert isinstance(variable, Symbol | Indexed)
        if isinstance(variable, Symbol) and variable.name not in free_symbols(value):
            if isinstance(value, Symbol):
                row.scope.warn(f"{value.name} was read as a function of {variable.name}", span)
                value = Unknown(value, (variable,), None, value.span)
            elif not any(isinstance(part, Unknown | Derivative) for part in walk(value)):
                row.scope.warn(f"nothing before the bar shows {variable.name}", span)
        return Substitution(value, variable, where, span)
    raise row.scope.error("a subscript on an expression", span, "only symbols carry indices")
