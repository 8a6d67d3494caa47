"""Commands and environments with a meaning: fractions, roots, accents, cases, matrices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from texlift.errors import Span
from texlift.latex.nodes import Command, Environment, Group, Infix, Leaf, Script, Text
from texlift.targets import atom
from texlift.targets.call import argument
from texlift.targets.condition import condition
from texlift.targets.derivative import fraction_derivative
from texlift.targets.expression import Apply, Cases, Constant, Expression, Matrix, Number, Symbol

if TYPE_CHECKING:
    from texlift.targets.row import Row

__all__ = ["command", "environment", "infix"]

_FRACTIONS = frozenset({r"\frac", r"\tfrac", r"\dfrac", r"\ifrac", r"\cfrac", r"\sfrac", r"\nicefrac"})
_ACCENTS = frozenset({r"\hat", r"\widehat", r"\tilde", r"\widetilde", r"\bar", r"\overline", r"\underline", r"\vec",
                      r"\dot", r"\ddot", r"\dddot", r"\check", r"\breve", r"\mathring"})  # fmt: skip
_FONTS = frozenset(
    {
        r"\mathrm",
        r"\mathit",
        r"\mathbf",
        r"\mathsf",
        r"\mathtt",
        r"\mathcal",
        r"\mathscr",
        r"\mathfrak",
        r"\mathbb",
        r"\boldsymbol",
        r"\bm",
        r"\pmb",
        r"\mathnormal",
        r"\operatorname",
        r"\mathbold",
    }
)


def command(row: Row, node: Command, scripts: list[Script], span: Span) -> Expression:
    name = node.name
    if name in _FONTS or name in _ACCENTS:
        source = row.scope.source[node.start : node.end].replace("{{", "{").replace("}}", "}")
        if name in (r"\mathrm", r"\operatorname", r"\mathit", r"\mathsf") and node.arguments:
            inner = type(row)(row.scope, node.arguments, span)
            if inner.texts in (["e"], ["i"]) and not any(s.kind == "_" for s in scripts):
                value: Expression = Constant(inner.texts[0], span)
                return row.scripts(value, scripts) if scripts else value
        return atom.symbol(row, source, scripts, span)
    if node.arguments and type(node.arguments[0]) is Text and "const" in node.arguments[0].body:
        return Symbol(r"\mathrm{const}", span)
    if name in (r"\rselection", r"\lselection", r"\selection"):
        return _selection(row, node)
    if name in _FRACTIONS:
        derivative = fraction_derivative(row, node, span)
        if derivative is not None:
            return derivative
        row.scope.fractions += name == r"\cfrac"
        above, below = (argument(row, name, part) for part in node.arguments)
        row.scope.fractions -= name == r"\cfrac"
        value = Apply("divide", (above, below), span)
    elif name == r"\sqrt":
        body = argument(row, name, node.arguments[0])
        if node.options:
            value = Apply("root", (body, argument(row, name, node.options[0])), span)
        else:
            value = Apply("sqrt", (body,), span)
    elif name in (r"\binom", r"\tbinom", r"\dbinom"):
        value = Apply(r"\binom", tuple(argument(row, name, part) for part in node.arguments), span)
    elif name in (r"\overbrace", r"\underbrace"):
        return argument(row, name, node.arguments[0])
    elif name == r"\Sci":
        mantissa, exponent = (argument(row, name, part) for part in node.arguments)
        value = Apply("times", (mantissa, Apply("power", (Number("10", span), exponent), span)), span)
    else:
        raise row.scope.error(f"{name} has no meaning here", span)
    return row.scripts(value, scripts) if scripts else value


def _selection(row: Row, node: Command) -> Expression:
    """Two lines of which the upper signs choose the first, the lower ones the second."""
    children = node.arguments[0].children if type(node.arguments[0]) is Group else []
    cut = next((i for i, c in enumerate(children) if type(c) is Leaf and c.text == "\\\\"), None)
    if cut is None:
        raise row.scope.error(f"{node.name} needs two lines", (node.start, node.end))
    row.scope.split = True
    chosen = children[:cut] if row.scope.sign > 0 else children[cut + 1 :]
    return type(row)(row.scope, chosen, (node.start, node.end)).expression()


def infix(row: Row, node: Infix) -> Expression:
    above = type(row)(row.scope, node.above, node.above_span).expression()
    below = type(row)(row.scope, node.below, node.below_span).expression()
    if node.operator == r"\over":
        return Apply("divide", (above, below), (node.start, node.end))
    if node.operator == r"\choose":
        return Apply(r"\binom", (above, below), (node.start, node.end))
    raise row.scope.error(f"{node.operator} has no meaning here", (node.start, node.end))


def environment(row: Row, node: Environment) -> Expression:
    span = (node.start, node.end)
    name = node.name
    cells = [list(line) for line in node.rows if any(c.children for c in line)]
    if name in ("cases", "dcases", "rcases"):
        branches: list[tuple[Expression, Expression | None]] = []
        for line in cells:
            value = _trimmed(row, line[0]).expression()
            found = None
            if len(line) > 1 and line[1].children:
                found = condition(row, _trimmed(row, line[1]))
            branches.append((value, found))
        return Cases(tuple(branches), span)
    if name.endswith("matrix"):
        rows = tuple(
            tuple(argument(row, name, c) if c.children else Number("0", (c.start, c.end)) for c in line)
            for line in cells
        )
        return Matrix(rows, name == "vmatrix", span)
    raise row.scope.error(f"the environment {name} has no meaning here", span)


def _trimmed(row: Row, cell: Group) -> Row:
    inner = type(row)(row.scope, cell.children, (cell.start, cell.end))
    while inner.count and inner.texts[inner.count - 1] in (",", ".", ";"):
        inner = inner.part(0, inner.count - 1)
    return inner
