"""Differential operators written as signs: nabla with its products, `\\partial_x`, the increment `\\Delta x`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from texlift.errors import Span
from texlift.latex.nodes import Command, Script, Scripted
from texlift.meaning.reader.census import letters_of
from texlift.meaning.tree import Apply, Derivative, Expression, Number, Symbol

if TYPE_CHECKING:
    from texlift.meaning.reader.row import Row

__all__ = ["increment", "is_laplacian", "read"]

_TWO = "2"
_COORDINATES = frozenset({"x", "y", "z", "t", "r", "s", "u", "v", r"\theta", r"\phi", r"\varphi", r"\rho"})


def read(row: Row, sign: str, scripts: list[Script], span: Span) -> Expression:
    """The operator at the cursor, applied to the factor behind it."""
    return _partial(row, scripts, span) if sign == r"\partial" else _nabla(row, scripts, span)


def _nabla(row: Row, scripts: list[Script], span: Span) -> Expression:
    head = "gradient"
    following = row.texts[row.at] if row.at < row.count else ""
    if scripts:
        if len(scripts) != 1 or scripts[0].kind != "^" or row.digits(scripts[0].argument) != [_TWO]:  # type: ignore[arg-type]
            raise row.scope.error("nabla with this script has no counterpart", span)
        head = "laplacian"
    elif following in (r"\cdot", r"\times"):
        head = "divergence" if following == r"\cdot" else "curl"
        row.at += 1
        if head == "divergence" and row.at < row.count and row.texts[row.at] == r"\nabla":
            row.at += 1
            head = "laplacian"
    if not row.starts_factor():
        raise row.scope.error("nabla of nothing", span)
    body = row.factor()
    return Apply(head, (body,), (span[0], body.span[1]))


def _partial(row: Row, scripts: list[Script], span: Span) -> Expression:
    """`\\partial_x f`, `\\partial_{xx}u`, `\\partial_t^2 u`."""
    variables: list[str] = []
    order = _TWO[:0]
    for script in scripts:
        if script.kind == "_":
            variables = letters_of(script.argument) or []
        elif script.kind == "^" and script.argument is not None:
            order = "".join(row.digits(script.argument))
    if not variables or not set(variables) <= _COORDINATES or (order and (len(variables) > 1 or not order.isdigit())):
        raise row.scope.error("a partial derivative without a plain variable", span, r"write \partial_x f")
    if not row.starts_factor():
        raise row.scope.error("a partial derivative of nothing", span)
    body = row.factor()
    steps = [(Symbol(name, span), Number(order or "1", span)) for name in variables]
    merged: list[tuple[Expression, Expression]] = []
    for variable, count in steps:
        if merged and merged[-1][0] == variable:
            merged[-1] = (variable, Number(str(int(merged[-1][1].value) + 1), span))  # type: ignore[union-attr]
        else:
            merged.append((variable, count))
    return Derivative(body, tuple(merged), (span[0], body.span[1]))


_FIELDS = re.compile(r"\\nabla|\\operatorname\{(?:grad|div|rot|curl)\}|\\pderiv\[2\]|\\partial\^\{?2")
_DELTA = re.compile(r"\\Delta\s*(\\[A-Za-z]+\s*\{?\s*\\?[A-Za-z]*\}?|[A-Za-z])")
_POTENTIALS = frozenset({r"\phi", r"\varphi", r"\psi", r"\Phi", r"\Psi"})
_GREEK = _POTENTIALS | {r"\lambda", r"\theta", r"\omega", r"\rho", r"\tau", r"\alpha", r"\nu", r"\sigma", r"\mu"}


def is_laplacian(row: Row) -> bool:
    r"""Whether a \Delta at the cursor is the Laplace operator: of a vector, beside nabla, or in Poisson's equation."""
    if row.at >= row.count:
        return False
    source, text = row.scope.source, row.texts[row.at]
    letters = {match.strip() for match in _DELTA.findall(source)}
    node = row.items[row.at]
    if type(node) is Command and node.name in (r"\vec", r"\mathbf", r"\boldsymbol", r"\bm"):
        return _FIELDS.search(source) is not None
    fields = _POTENTIALS | {"u", "v", "w", "f", "T"}
    if type(node) is Scripted or len(letters) != 1 or text not in fields:
        return False
    own = re.escape(text)
    second = own + r"\s*_\s*\{?\s*([a-z])\s*\1"  # u_{xx}
    if _FIELDS.search(source) or re.search(r"\\pderiv\{" + own + r"\}|" + second, source):
        return True
    whole = source.replace(" ", "")
    sides = whole.split("=")
    if len(sides) != 2 or row.scope.census.of(text).subscripted:
        return False
    if text == "u":
        return sides[0] in (r"\Deltau", r"-\Deltau") or r"\Deltau" in sides[1][:12] or sides[1] == "0"
    return text in _POTENTIALS and (sides[1] == "0" or r"\rho" in sides[1] or text in sides[1])


def increment(row: Row, name: str, span: Span) -> str:
    """`\\Delta x` is one name: what x changes by. Empty where no plain letter follows."""
    if row.at >= row.count:
        return ""
    text = row.texts[row.at]
    if not (len(text) == 1 and text.isalpha() and text.isascii()) and text not in _GREEK:
        return ""
    row.scope.warn(f"{name} {text} was read as one name, the change of {text}", span)
    return f"{name} {text}"
