"""Derivatives, differences and Wronskians."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from texlift.errors import Span
from texlift.latex.nodes import Call, Command, Node, Script, Scripted
from texlift.meaning.reader import partial
from texlift.meaning.reader.operand import rest_of_product
from texlift.meaning.reader.vectors import is_vector
from texlift.meaning.tree import (
    Apply,
    Constant,
    Derivative,
    Expression,
    Function,
    Number,
    Sequence,
    Substitution,
    Symbol,
    free_symbols,
    rebuild,
    substitute,
)

if TYPE_CHECKING:
    from texlift.meaning.reader.row import Row

__all__ = [
    "FRESH",
    "applied_at",
    "derivative",
    "derivative_slot",
    "difference",
    "fraction_derivative",
    "prime_derivative",
    "sandwich",
    "wronskian",
]

_LAST = frozenset({r"\paraU", r"\paraV", r"\paraW", r"\paraUbar", r"\hyperF", r"\hyperOlverF", r"\KummerconfhyperM",
                   r"\KummerconfhyperU", r"\OlverconfhyperM", r"\regCoulombF", r"\irregCoulombG", r"\irregCoulombH",
                   r"\incGamma", r"\incgamma", r"\scincgamma", r"\genhyperF", r"\regCoulombf", r"\irregCoulombh",
                   r"\regCoulombs", r"\irregCoulombc", r"\HeunHl", r"\polygamma", r"\envparaU"})  # fmt: skip
FRESH = "t_"  # the variable a primed function is differentiated by when its argument is no symbol
_ONE = Number("1")


def derivative(row: Row, node: Node, call: Call) -> Expression:
    row.at += 1
    span = (node.start, node.end)
    arguments = [*call.parameters, *call.variables]
    if len(arguments) < 2:
        raise row.scope.error(f"{call.name} needs a function and a variable", span, r"write \deriv{f}{x}")
    order: Expression = Number("1", span)
    if call.options and call.options[0].children:
        order = type(row)(row.scope, call.options[0].children, span).expression()
    variable = type(row)(row.scope, [arguments[1]], span).expression()
    if is_vector(variable):
        raise row.scope.error("a derivative along a direction has no counterpart", span)
    above = type(row)(row.scope, [arguments[0]], span)
    if above.count:
        body = above.expression()
    elif row.starts_factor():
        row.scope.operators.append(span)
        body = row.product()
    else:
        operator = Function(call.name, (variable, order), span)
        bar = row.items[row.at] if row.at < row.count and row.texts[row.at] == "|" else None
        if type(node) is not Scripted and type(bar) is Scripted and len(bar.scripts) == 1:
            row.at += 1
            return applied_at(row, operator, bar.scripts[0])
        return row.scripts(operator, node.scripts) if type(node) is Scripted else operator
    if type(node) is Scripted:
        value = Derivative(body, ((variable, order),), span)
        return row.scripts(value, node.scripts)
    if above.count and partial.follows_point(row, found := Derivative(body, ((variable, order),), span)):
        return partial.read_point(row, found)
    return Derivative(body, ((variable, order),), (node.start, max(node.end, body.span[1])))


def applied_at(row: Row, operator: Function, script: Script) -> Expression:
    r"""`\left.\deriv{}{x}\right|_{x=0}f`: an operator with the point of its result, applied to what follows."""
    from texlift.meaning.reader import binder

    variable, order = operator.parameters
    if script.kind != "_" or script.argument is None or not row.starts_factor():
        raise row.scope.error("a derivative at a point, but of what?", operator.span)
    point = type(row)(row.scope, [script.argument], (script.start, script.end)).expression()
    body = row.product()
    span = (operator.span[0], body.span[1])
    return binder.at_point(row, Derivative(body, ((variable, order),), span), point, span)


def sandwich(value: Expression) -> Expression | None:
    r"""The operator `z\deriv{}{z}z`, which was read as z times the derivative of z; None for anything else."""
    if not isinstance(value, Apply) or value.head != "times" or len(value.arguments) != 2:
        return None
    factor, inner = value.arguments
    if not isinstance(inner, Derivative) or len(inner.variables) != 1:
        return None
    if str(_placeless(factor)) != str(_placeless(inner.body)):
        return None
    return Apply("times", (factor, Function(r"\deriv", inner.variables[0], inner.span), inner.body), value.span)


def _placeless(node: Expression) -> Expression:
    """The same expression without its places in the source."""
    return rebuild(replace(node, span=(0, 0)), _placeless)


def fraction_derivative(row: Row, node: Command, span: Span) -> Expression | None:
    """`\\frac{\\pdiff[2]{f}}{\\pdiff{x}\\pdiff{y}}`."""
    below = type(row)(row.scope, [node.arguments[1]], span)
    if not below.count or not all(type(i) is Call and i.name in (r"\pdiff", r"\diff") for i in below.items):
        return None
    above = type(row)(row.scope, [node.arguments[0]], span)
    if above.count != 1 or type(above.items[0]) is not Call:
        raise row.scope.error("a quotient of differentials has no counterpart", span)
    function = type(row)(row.scope, above.items[0].parameters, span)
    body = function.expression() if function.count else rest_of_product(row, "a derivative")
    variables: list[tuple[Expression, Expression]] = []
    for item in below.items:
        assert type(item) is Call
        order: Expression = Number("1", span)
        if item.options:
            order = type(row)(row.scope, item.options[0].children, span).expression()
        variables.append((type(row)(row.scope, item.parameters, span).expression(), order))
    value = Derivative(body, tuple(variables), span)
    return partial.read_point(row, value) if function.count and partial.follows_point(row, value) else value


def difference(row: Row, node: Node, call: Call) -> Expression:
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


def derivative_slot(head: str, parameters: int, count: int) -> int:
    """Which argument of a macro a prime differentiates by: its variable, the last one for some macros."""
    return count - 1 if head.removesuffix("[]") in _LAST else min(parameters, count - 1)


def prime_derivative(value: Apply, slot: int, order: Expression, power: Expression | None = None) -> Expression:
    """The derivative of a macro's value, or of a power of it, by the argument in `slot`, at that argument."""

    def raised(node: Apply) -> Apply:
        return Apply("power", (node, power), node.span) if power is not None else node

    argument = value.arguments[slot]
    others = value.arguments[:slot] + value.arguments[slot + 1 :]
    if isinstance(argument, Symbol) and not any(argument.name in free_symbols(o) for o in others):
        return Derivative(raised(value), ((argument, order),), value.span)
    fresh = Symbol(FRESH, argument.span)
    body = raised(Apply(value.head, (*value.arguments[:slot], fresh, *value.arguments[slot + 1 :]), value.span))
    return Substitution(Derivative(body, ((fresh, order),), value.span), fresh, argument, value.span)
