r"""Derivatives written as subscripts (`u_{xx}`, `f_x`), by an operator (`D_x`), and their values at a point.

A subscript is a derivative only where the formula shows it: `u_{xx}` and `u_t` beside `u_x` do, `f_x` alone does not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from texlift.errors import Span
from texlift.latex.nodes import Command, Delimited, Group, Node, Scripted
from texlift.meaning.reader.census import letters_of
from texlift.meaning.tree import (
    Apply,
    Derivative,
    Expression,
    Number,
    Sequence,
    Substitution,
    Symbol,
    Unknown,
)

if TYPE_CHECKING:
    from texlift.meaning.reader.row import Row

__all__ = ["at_values", "follows_point", "keeping", "kept_fixed", "operator", "read_point", "steps_of"]

_COORDINATES = ("x", "y", "z", "r", r"\rho", r"\theta", r"\phi", r"\varphi", "s", "t")
_FUNCTIONS = frozenset(["u", "v", "w", "f", "g", "h", "z", r"\phi", r"\psi", r"\varphi", r"\eta", r"\rho", r"\theta"])


def steps_of(row: Row, name: str, argument: Node) -> tuple[tuple[Expression, Expression], ...]:
    """The variables and orders of a subscript that is a derivative; nothing where it is something else."""
    letters = letters_of(argument) or []
    if name not in _FUNCTIONS or not letters or not set(letters) <= set(_COORDINATES) or name in letters:
        return ()
    words = row.scope.census.of(name).words
    shown = any(len(set(word)) < len(word) for word in words) or {"x", "t"} <= {"".join(word) for word in words}
    mixed = any(word[::-1] in words for word in words if len(word) > 1)
    if not (shown or mixed or _several(row)) or not all(set(word) <= set(_COORDINATES) for word in words):
        return ()
    span = (argument.start, argument.end)
    orders: dict[str, int] = {}
    for letter in letters:
        orders[letter] = orders.get(letter, 0) + 1
    row.scope.warn(f"subscripts of {name} were read as partial derivatives", span)
    return tuple((Symbol(letter, span), Number(str(order), span)) for letter, order in orders.items())


def _several(row: Row) -> bool:
    """Whether values of several variables stand in parentheses at the cursor: f_x(1,2)."""
    if row.at >= row.count or row.texts[row.at] != "(":
        return False
    return row.texts[row.at + 1 : row.closer(row.at)].count(",") in (1, 2)


def operator(row: Row, argument: Node, span: Span) -> Expression | None:
    """`D_x[...]`, `D_xf`: the derivative of what stands behind; None where nothing does."""
    letters = letters_of(argument) or []
    inner = argument.children if type(argument) is Group else [argument]
    dressed = (r"\mathbf", r"\vec", r"\boldsymbol", r"\hat")
    if len(inner) == 1 and type(inner[0]) is Command and inner[0].name in dressed:
        raise row.scope.error("a derivative along a direction has no counterpart", span)
    if len(letters) != 1 or letters[0] not in _COORDINATES or row.at >= row.count:
        return None
    node = row.items[row.at]
    bracketed = row.texts[row.at] in ("(", "[") or (type(node) is Delimited and node.left in ("(", "["))
    if not bracketed and row.texts[row.at] not in ("f", "g", "y", "u", "v"):
        return None
    from texlift.meaning.reader import fence

    body, after = fence.argument(row) if bracketed else (row.factor(), [])
    if isinstance(body, Sequence):
        raise row.scope.error("a derivative of several things", span)
    row.scope.warn("D with a variable below was read as a derivative", span)
    value: Expression = Derivative(body, ((Symbol(letters[0], span), Number("1", span)),), (span[0], body.span[1]))
    return row.scripts(value, after) if after else value


def follows_point(row: Row, value: Expression) -> bool:
    """Whether the parentheses behind a derivative hold the point at which it is taken."""
    if not isinstance(value, Derivative) or row.at >= row.count or not isinstance(value.body, Symbol):
        return False
    node = row.items[row.at]
    if row.texts[row.at] == "(":
        inside = row.part(row.at + 1, row.closer(row.at))
    elif type(node) is Delimited and node.left == "(":
        inside = type(row)(row.scope, node.children, node.inner)
    else:
        return False
    if "," in inside.texts:
        return True
    return inside.count == 1 and type(inside.items[0]) is not Scripted and value.body.name in (*"fgyuvwz", r"\phi")


def read_point(row: Row, value: Derivative) -> Expression:
    """The derivative with the values in the parentheses at the cursor."""
    from texlift.meaning.reader import fence

    point, after = fence.argument(row)
    items = point.items if isinstance(point, Sequence) else (point,)
    found = at_values(row, value, items, (value.span[0], point.span[1]))
    return row.scripts(found, after) if after else found


def at_values(row: Row, value: Derivative, items: tuple[Expression, ...], span: Span) -> Expression:
    """A derivative of a letter at a point given by the values of all its variables."""
    body = value.body
    assert isinstance(body, Symbol)
    names = _variables(value, items)
    if names is None:
        raise row.scope.error("values of a derivative, but of which variables?", span, "write x=a behind a bar")
    if len(items) == 1:
        row.scope.warn("parentheses behind a derivative were read as the point where it is taken", span)
    if len(items) > 1:
        shown = ", ".join(name.lstrip("\\") for name in names)
        row.scope.warn(f"{body.name} was read as a function of {shown}", span)
    variables = tuple(Symbol(name, span) for name in names)
    found: Expression = Derivative(Unknown(body, variables, None, body.span), value.variables, value.span)
    for variable, item in zip(variables, items, strict=True):
        if not (isinstance(item, Symbol) and item.name == variable.name):
            found = Substitution(found, variable, item, span)
    return found


def _variables(value: Derivative, items: tuple[Expression, ...]) -> list[str] | None:
    """The names of the variables in their usual order: those of the derivative, and letters that are values."""
    own = [variable.name for variable, _ in value.variables if isinstance(variable, Symbol)]
    if len(own) != len(value.variables):
        return None
    if len(items) == 1:
        return own if len(own) == 1 else None
    named = {place: item.name for place, item in enumerate(items) if isinstance(item, Symbol)}
    kept = {place: name for place, name in named.items() if name in _COORDINATES}
    missing = [place for place in range(len(items)) if place not in kept]
    rest = [name for name in own if name not in kept.values()]
    if kept and len(rest) == len(missing):  # (0,t): x is where t is not
        filled = dict(zip(missing, rest, strict=True))
        return [kept[place] if place in kept else filled[place] for place in range(len(items))]
    usual = [*"xyz"][: len(items)] if set(own) <= set("xyz") else ["x", "t"]
    return usual if len(usual) == len(items) and set(own) <= set(usual) and not kept else None


def keeping(value: Derivative, kept: tuple[Expression, ...], span: Span) -> Expression:
    """`(\\partial U/\\partial V)_T`: the other variables are kept fixed; they are variables of order 0."""
    return Derivative(value.body, (*value.variables, *((one, Number("0", span)) for one in kept)), span)


def kept_fixed(value: Expression, point: Expression) -> tuple[Expression, ...]:
    """The variables that a subscript behind a derivative in parentheses keeps fixed; nothing for other subscripts."""
    if not isinstance(value, Derivative) or not isinstance(value.body, Symbol):
        return ()
    items = point.items if isinstance(point, Sequence) else (point,)
    if isinstance(point, Apply) and point.head == "times":
        items = point.arguments
    own = {variable.name for variable, _ in value.variables if isinstance(variable, Symbol)}
    letters = all(isinstance(item, Symbol) and item.name not in own for item in items)
    return items if letters else ()
