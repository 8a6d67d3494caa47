"""Constructs that bind a variable: sums, products, integrals, limits, derivatives, differences."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from texlift.errors import Span
from texlift.latex.nodes import Call, Command, Environment, Node, Script, Scripted, Text
from texlift.latex.parser import parse
from texlift.targets.expression import (
    Apply,
    Constant,
    Derivative,
    Expression,
    Function,
    Indexed,
    Integral,
    Limit,
    Number,
    Relation,
    Sequence,
    Series,
    Substitution,
    Symbol,
    free_symbols,
    substitute,
)

if TYPE_CHECKING:
    from texlift.targets.row import Row

__all__ = ["at_point", "condition", "fraction_derivative", "read", "wronskian"]

_SERIES = {r"\sum": "sum", r"\prod": "product"}
_INTEGRALS = {r"\int": 1, r"\pvint": 1, r"\oint": 1, r"\iint": 2, r"\iiint": 3, r"\smallint": 1}
_DERIVATIVES = frozenset({r"\deriv", r"\pderiv", r"\ideriv", r"\ipderiv"})
_DIFFERENCES = frozenset({r"\fDiff", r"\bDiff", r"\cDiff"})
_DIFFERENTIALS = frozenset({r"\diff", r"\pdiff", r"\qdiff"})
_ONE = Number("1")
_PARITY = re.compile(r"\s*\$([^$]+)\$\s*(even|odd)")


def read(row: Row) -> Expression | None:
    """The binder at the cursor, or None."""
    text = row.texts[row.at]
    node = row.items[row.at]
    if text in _SERIES:
        return _series(row, _SERIES[text], node)
    if text in _INTEGRALS:
        return _integral(row, text, node)
    if text == r"\lim":
        return _limit(row, node)
    core = node.base if type(node) is Scripted else node
    if type(core) is Call:
        if core.name in _DERIVATIVES:
            return _derivative(row, node, core)
        if core.name in _DIFFERENCES:
            return _difference(row, node, core)
        if core.name in _DIFFERENTIALS:
            return _differential(row, core)
    return None


def _script(node: Node, kind: str) -> Script | None:
    if type(node) is Scripted:
        for script in node.scripts:
            if script.kind == kind:
                return script
    return None


def _rest_of_product(row: Row, what: str) -> Expression:
    while row.at < row.count and row.texts[row.at] == r"\*":
        row.at += 1
    if not row.starts_factor():
        sign = row.sign()
        if not row.starts_factor():
            raise row.error(f"{what} of nothing")
        value = row.product()
        return Apply("negate", (value,), value.span) if sign < 0 else value
    return row.product()


# -- sums and products ---------------------------------------------------------------------------------


def _series(row: Row, kind: str, node: Node) -> Expression:
    row.at += 1
    below, above = _script(node, "_"), _script(node, "^")
    conditions: tuple[Expression, ...] = ()
    if below is not None and below.argument is not None:
        conditions = _conditions(row, below.argument)
    upper = None
    if above is not None and above.argument is not None:
        upper = type(row)(row.scope, [above.argument], (above.start, above.end)).expression()
    row.scope.enter((node.start, node.end))
    body = _rest_of_product(row, "a sum" if kind == "sum" else "a product")
    row.scope.depth -= 1
    ranges, filters = _ranges(row, conditions, upper, (node.start, node.end))
    kept = None
    if filters:
        kept = filters[0] if len(filters) == 1 else Apply("and", tuple(filters), filters[0].span)
    for index, low, high in reversed(ranges):
        body = Series(kind, body, index, low, high, kept, (node.start, body.span[1]))
        kept = None
    return body


def _conditions(row: Row, argument: Node) -> tuple[Expression, ...]:
    """The conditions below a sum, one for each line of a subarray or `\\substack`."""
    inner = type(row)(row.scope, [argument], (argument.start, argument.end))
    if inner.count == 1 and type(inner.items[0]) is Environment:
        found: list[Expression] = []
        for line in inner.items[0].rows:
            for cell in line:
                if cell.children:
                    found.extend(type(row)(row.scope, cell.children, (cell.start, cell.end)).expressions())
        return tuple(found)
    return inner.expressions() if inner.count else ()


_Range = tuple[Expression, Expression | None, Expression | None]


def _ranges(
    row: Row, conditions: tuple[Expression, ...], upper: Expression | None, span: Span
) -> tuple[list[_Range], list[Expression]]:
    """Bounds of each index, outermost first, and the conditions that are no bounds."""
    ranges: list[_Range] = []
    filters: list[Expression] = []
    waiting: list[Expression] = []
    known: set[str] = set()

    def add(index: Expression, low: Expression | None, high: Expression | None) -> None:
        if isinstance(index, Symbol):
            known.add(index.name)
        ranges.append((index, low, high))

    for item in conditions:
        if isinstance(item, Symbol | Indexed):
            waiting.append(item)
            continue
        if not isinstance(item, Relation):
            return [(item, None, upper)], []
        first = item.operands[0]
        names = [*waiting, first]
        waiting = []
        if isinstance(first, Symbol) and first.name in known:
            filters.append(item)
        elif len(item.operators) == 1 and all(isinstance(name, Symbol | Indexed) for name in names):
            bound = item.operands[1]
            operator = item.operators[0]
            for name in names:
                low, high = _one_range(operator, bound, upper)
                if operator == "divides" or (operator == "in" and low is None):
                    filters.append(item)
                elif operator not in ("=", ">=", ">", "<=", "<", "in"):
                    return [(name, None, upper)], [item]
                add(name, low, high)
        elif len(item.operators) >= 2 and all(op in ("<", "<=") for op in item.operators):
            middles = item.operands[1:-1]
            if not all(isinstance(m, Symbol | Indexed) for m in middles):
                return [(item, None, upper)], []
            start: Expression = item.operands[0]
            last = item.operands[-1]
            end = last if item.operators[-1] == "<=" else Apply("plus", (last, Apply("negate", (_ONE,))), last.span)
            for operator, middle in zip(item.operators, middles, strict=False):
                start = start if operator == "<=" else Apply("plus", (start, _ONE), start.span)
                add(middle, start, end)
                start = middle
        elif len(item.operators) == 1 and item.operators[0] in (">=", ">") and _multiple(first) is not None:
            factor, index = _multiple(first)  # type: ignore[misc]
            add(index, Apply("ceiling", (Apply("divide", (item.operands[1], factor)),)), upper or Constant("infinity"))
        else:
            return [(item, None, upper)], []
    ranges.extend((name, None, upper) for name in waiting)
    if not ranges:
        row.scope.warn("a sum without a range", span)
        ranges.append((Symbol("?", span), None, upper))
    return ranges, filters


def _multiple(node: Expression) -> tuple[Expression, Expression] | None:
    if isinstance(node, Apply) and node.head == "times" and len(node.arguments) == 2:
        factor, index = node.arguments
        if isinstance(factor, Number) and isinstance(index, Symbol):
            return factor, index
    return None


def _one_range(
    operator: str, bound: Expression, upper: Expression | None
) -> tuple[Expression | None, Expression | None]:
    if operator == "=":
        return bound, upper
    if operator == ">=":
        return bound, upper or Constant("infinity")
    if operator == ">":
        return Apply("plus", (bound, _ONE), bound.span), upper or Constant("infinity")
    if operator in ("<=", "divides"):
        return _ONE, Apply("floor", (bound,), bound.span) if operator == "<=" else bound
    if operator == "<":
        return _ONE, Apply("plus", (Apply("ceiling", (bound,)), Apply("negate", (_ONE,))), bound.span)
    if operator == "in" and isinstance(bound, Constant) and bound.name == "integers":
        return Apply("negate", (Constant("infinity"),)), Constant("infinity")
    return None, None


# -- integrals -----------------------------------------------------------------------------------------


def _integral(row: Row, text: str, node: Node) -> Expression:
    row.at += 1
    span = (node.start, node.end)
    below, above = _script(node, "_"), _script(node, "^")
    kind = {r"\pvint": "pv", r"\oint": "contour"}.get(text, "int")
    lower: Expression | None = None
    upper: Expression | None = None
    domain: Expression | None = None
    if above is not None and above.argument is not None:
        source = row.scope.source[above.start : above.end]
        if "+)" in source or "-)" in source or "+," in source:
            kind = "contour"
            domain = Symbol(source.strip("^{}"), (above.start, above.end))
        else:
            upper = type(row)(row.scope, [above.argument], (above.start, above.end)).expression()
    if below is not None and below.argument is not None:
        lower = type(row)(row.scope, [below.argument], (below.start, below.end)).expression()
    if upper is None and lower is not None:
        domain, lower = domain or lower, None
    row.scope.enter(span)
    count = _INTEGRALS[text]
    closing = _closing_differential(row, count)
    if closing > row.at:
        inner = row.part(row.at, closing)
        body = inner.expression()
        row.at = closing
        variables = [_take_differential(row)]
        while len(variables) < count and row.at < row.count and _is_differential(row.items[row.at]):
            variables.append(_take_differential(row))
    else:
        frame: list[object] = []
        row.scope.differentials.append(frame)
        try:
            body = row.product() if row.starts_factor() else row.sum()
        finally:
            row.scope.differentials.pop()
        variables = [part for part in frame if isinstance(part, Symbol | Indexed)]
    row.scope.depth -= 1
    if not variables:
        raise row.scope.error("an integral without its differential", span, r"write \diff{x} behind the integrand")
    for variable in variables:
        body = Integral(body, variable, lower, upper, kind, domain, (node.start, body.span[1]))
    return body


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
    if node.name == r"\qdiff" or node.options or not arguments:
        raise row.scope.error(f"{node.name} has no counterpart here", (node.start, node.end))
    value = type(row)(row.scope, arguments[:1], (node.start, node.end)).expression()
    if not isinstance(value, Symbol | Indexed):
        raise row.scope.error("an integral over something else than a variable", value.span)
    return value


def _differential(row: Row, node: Call) -> Expression:
    """A differential inside a fraction, `\\int \\frac{\\diff{t}}{t}`: noted for the integral, worth 1."""
    if not row.scope.differentials:
        raise row.error("a differential without an integral", "use \\deriv for derivatives")
    row.at += 1
    row.scope.differentials[-1].append(_variable(row, node))
    return Number("1", (node.start, node.end))


# -- limits and substitutions --------------------------------------------------------------------------


def _limit(row: Row, node: Node) -> Expression:
    row.at += 1
    below = _script(node, "_")
    if below is None or below.argument is None:
        raise row.scope.error("a limit without its variable", (node.start, node.end), r"write \lim_{x\to0}")
    inner = type(row)(row.scope, [below.argument], (below.start, below.end))
    direction = ""
    if inner.count > 2 and inner.texts[-1] in ("+", "-"):
        direction = inner.texts[-1]
        inner = inner.part(0, inner.count - 1)
    elif inner.count > 2 and type(inner.items[-1]) is Scripted and (mark := _script(inner.items[-1], "^")):
        sign = row.scope.source[mark.start : mark.end].strip("^{}")
        if sign in ("+", "-"):
            direction = sign
            base = inner.items[-1].base
            inner = inner.part(0, inner.count)
            inner.items[-1] = base  # type: ignore[assignment]
    relation = inner.relation()
    if not isinstance(relation, Relation) or relation.operators != ("->",):
        raise row.scope.error("the limit is not understood", (below.start, below.end), r"write \lim_{x\to0}")
    variable, point = relation.operands
    body = _rest_of_product(row, "a limit")
    return Limit(body, variable, point, direction, (node.start, body.span[1]))


def at_point(row: Row, value: Expression, point: Expression, span: Span) -> Expression:
    """A value with a subscript `x=a` behind a bar."""
    if isinstance(point, Relation) and point.operators == ("=",) and isinstance(point.operands[0], Symbol | Indexed):
        return Substitution(value, point.operands[0], point.operands[1], span)
    raise row.scope.error("a subscript on an expression", span, "only symbols carry indices")


# -- derivatives and differences -----------------------------------------------------------------------


def _derivative(row: Row, node: Node, call: Call) -> Expression:
    row.at += 1
    span = (node.start, node.end)
    arguments = [*call.parameters, *call.variables]
    if len(arguments) < 2:
        raise row.scope.error(f"{call.name} needs a function and a variable", span, r"write \deriv{f}{x}")
    order: Expression = Number("1", span)
    if call.options and call.options[0].children:
        order = type(row)(row.scope, call.options[0].children, span).expression()
    variable = type(row)(row.scope, [arguments[1]], span).expression()
    above = type(row)(row.scope, [arguments[0]], span)
    if above.count:
        body = above.expression()
    elif row.starts_factor():
        row.scope.operators.append(span)
        body = row.product()
    else:
        operator = Function(call.name, (variable, order), span)
        return row.scripts(operator, node.scripts) if type(node) is Scripted else operator
    if type(node) is Scripted:
        value = Derivative(body, ((variable, order),), span)
        return row.scripts(value, node.scripts)
    return Derivative(body, ((variable, order),), (node.start, max(node.end, body.span[1])))


def fraction_derivative(row: Row, node: Command, span: Span) -> Expression | None:
    """`\\frac{\\pdiff[2]{f}}{\\pdiff{x}\\pdiff{y}}`."""
    below = type(row)(row.scope, [node.arguments[1]], span)
    if not below.count or not all(type(i) is Call and i.name in (r"\pdiff", r"\diff") for i in below.items):
        return None
    above = type(row)(row.scope, [node.arguments[0]], span)
    if above.count != 1 or type(above.items[0]) is not Call:
        raise row.scope.error("a quotient of differentials has no counterpart", span)
    function = type(row)(row.scope, above.items[0].parameters, span)
    body = function.expression() if function.count else _rest_of_product(row, "a derivative")
    variables: list[tuple[Expression, Expression]] = []
    for item in below.items:
        assert type(item) is Call
        order: Expression = Number("1", span)
        if item.options:
            order = type(row)(row.scope, item.options[0].children, span).expression()
        variables.append((type(row)(row.scope, item.parameters, span).expression(), order))
    return Derivative(body, tuple(variables), span)


def _difference(row: Row, node: Node, call: Call) -> Expression:
    """Forward, backward and central differences (DLMF 18.1(i)) of what stands behind."""
    row.at += 1
    span = (node.start, node.end)
    if not call.options or type(node) is Scripted or call.scripts:
        operator = Function(call.name, (), span)
        return row.scripts(operator, node.scripts) if type(node) is Scripted else operator
    variable = type(row)(row.scope, call.options[0].children, span).expression()
    if not isinstance(variable, Symbol) or not row.starts_factor():
        return Function(call.name, (variable,), span)
    body = row.product()

    def shifted(by: Expression) -> Expression:
        return substitute(body, {variable.name: Apply("plus", (variable, by), span)})

    if call.name == r"\fDiff":
        ends: tuple[Expression, Expression] = shifted(_ONE), body
    elif call.name == r"\bDiff":
        ends = body, shifted(Apply("negate", (_ONE,), span))
    else:
        half = Apply("divide", (Constant("i", span), Number("2", span)), span)
        ends = shifted(half), shifted(Apply("negate", (half,), span))
    return Apply("plus", (ends[0], Apply("negate", (ends[1],), span)), span)


def wronskian(row: Row, arguments: tuple[Expression, ...], span: Span) -> Expression:
    """f g' - f' g, by the variable that both functions end with."""
    items = arguments[0].items if len(arguments) == 1 and isinstance(arguments[0], Sequence) else arguments
    if len(items) != 2:
        return Apply(r"\Wronskian", items, span)
    from texlift.targets.call import derivative_slot

    candidates: list[str] = []
    stack: list[Expression] = [items[1]]
    while stack:
        part = stack.pop()
        if isinstance(part, Apply):
            if part.head[0] == "\\" and part.arguments:
                signature = row.scope.calls.get(part.head.removesuffix("[]"))
                parameters = (signature.parameters if signature else 0) + part.head.endswith("[]")
                slot = derivative_slot(part.head, parameters, len(part.arguments))
                candidates.extend(free_symbols(part.arguments[slot]))
            else:
                stack.extend(part.arguments)
        elif hasattr(part, "arguments"):
            candidates.extend(free_symbols(part))
    if not candidates:
        return Apply(r"\Wronskian", items, span)
    variable = Symbol(candidates[-1], span)
    one = Number("1", span)
    f, g = items
    df, dg = (Derivative(part, ((variable, one),), span) for part in (f, g))
    return Apply("plus", (Apply("times", (f, dg), span), Apply("negate", (Apply("times", (df, g), span),), span)), span)


def condition(row: Row, inner: Row) -> Expression | None:
    """The condition of a case; None for `otherwise`."""
    for index in range(1, inner.count):  # `n\\text{ even}`
        node = inner.items[index]
        if type(node) is Command and node.arguments and type(node.arguments[0]) is Text:
            word = node.arguments[0].body.strip(" ,.")
            if word in ("even", "odd", "is even", "is odd"):
                value = inner.part(0, index).expression()
                return Apply(word.split()[-1], (value,), inner.span)
    words = [
        node for node in inner.items if type(node) is Command and node.arguments and type(node.arguments[0]) is Text
    ]
    if len(words) == 1 and inner.count == 1 and "otherwise" in words[0].arguments[0].body:  # type: ignore[union-attr]
        return None
    pieces: list[Expression] = []
    start = 0
    head = "and"
    for index in range(inner.count + 1):
        word = inner.items[index] if index < inner.count else None
        if word is not None and word not in words:
            continue
        if index > start:
            part = inner.part(start, index)
            while part.count and part.texts[-1] == ",":
                part = part.part(0, part.count - 1)
            pieces.extend(part.expressions() if part.count else ())
        start = index + 1
        if word is None:
            break
        body = row.scope.source[word.start : word.end].partition("{")[2].rstrip("}")
        parity = _PARITY.match(body)
        if "or" in body.split():
            head = "or"
        elif parity:
            pieces.append(_parity(row, parity[1], parity[2], (word.start, word.end)))
        elif body.strip() not in ("and", ",", "or", "with", "if", ""):
            raise row.scope.error("a condition in words", (word.start, word.end))
    if not pieces:
        return None
    return pieces[0] if len(pieces) == 1 else Apply(head, tuple(pieces), inner.span)


def _parity(row: Row, formula: str, parity: str, span: Span) -> Expression:
    """`$n$ even` as a condition."""
    value = type(row)(row.scope, parse(formula), span).expression()
    return Apply(parity, (value,), span)
