"""Bars around something: absolute values, norms, determinants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from texlift.errors import Span
from texlift.latex.nodes import Leaf, Scripted
from texlift.meaning.reader import quantum, vectors
from texlift.meaning.tree import Apply, Expression, Matrix, Sequence, Symbol, walk

if TYPE_CHECKING:
    from texlift.meaning.reader.row import Row

__all__ = ["bars", "measure", "typed_bars"]

_SETTING = frozenset({"union", "intersect", "setminus", "symmetricdifference"})
_RAISED = frozenset({"transpose", "adjoint", r"\transpose"})


def measure(row: Row, sign: str, inner: Expression, span: Span) -> Expression:
    """Bars around something: a size that depends on what it is of."""
    if isinstance(inner, Matrix) and all(len(line) == 1 for line in inner.rows) and len(inner.rows) > 1:
        return Apply("norm", (inner,), span)
    if sign == "|" and isinstance(inner, Matrix) and any(len(line) != len(inner.rows) for line in inner.rows):
        raise row.scope.error("the determinant of a matrix that is not square", span)
    if isinstance(inner, Matrix) and inner.determinant:
        return Apply("abs", (inner,), span)
    if isinstance(inner, Matrix) and sign == "|":
        return Matrix(inner.rows, True, span)
    if isinstance(inner, Matrix):
        row.scope.warn("double bars around a matrix were read as its norm", span)
        return Apply("norm", (inner,), span)
    if sign == "|" and vectors.is_matrix(inner):
        return Apply("norm" if vectors.is_vector(inner) else "det", (inner,), span)
    if isinstance(inner, Sequence) or (isinstance(inner, Apply) and inner.head in _SETTING):
        raise row.scope.error("the number of elements of a set has no counterpart", span)
    if sign == "|" and _is_matrix(inner):
        row.scope.warn("bars around a matrix were read as its determinant", span)
        return Apply("det", (inner,), span)
    double = sign == r"\|"
    norm = double or vectors.is_vector(inner)
    because = "double bars" if double else "bars around a vector" if norm else "bars around a number"
    found = "norm" if norm else "absolute value"
    if row.scope.decide("bars", span, found, ("absolute value", "norm"), because) == "norm":
        return Apply("norm", (inner,), span)
    if isinstance(inner, Symbol) and len(inner.name) == 1 and inner.name.isupper():
        row.scope.warn(f"|{inner.name}| was read as an absolute value", span)
    return Apply("abs", (inner,), span)


def _is_matrix(node: Expression) -> bool:
    """Whether an expression is a matrix by its form: a transpose of a capital in it, or `A-\\lambda I`."""
    letters = [part for part in walk(node) if isinstance(part, Symbol)]
    capitals = [part for part in letters if len(part.name) == 1 and part.name.isupper()]
    if not capitals or any(isinstance(part, Apply) and part.head in ("dot", "abs", "norm") for part in walk(node)):
        return False
    raised = [part for part in walk(node) if isinstance(part, Apply) and part.head in _RAISED]
    marked = any(isinstance(one, Symbol) and one.name.isupper() for part in raised for one in walk(part))
    if marked and len(capitals) == len(letters):
        return True
    characteristic = isinstance(node, Apply) and node.head == "plus" and r"\lambda" in {part.name for part in letters}
    return characteristic and {"I", "E"} & {part.name for part in letters} != set() and len(capitals) > 1


def bars(row: Row) -> Expression:
    """`|x|`, `\\|x\\|` at the cursor; a ket where an angle closes it."""
    opener = row.texts[row.at]
    start = row.items[row.at].start
    if type(row.items[row.at]) is Scripted:
        raise row.error("a script on an opening bar")
    if opener == "|" and row.texts[row.at + 1 : row.at + 2] == ["|"] and row.width(row.at) == row.width(row.at + 1):
        return _double_bars(row)
    if opener == "|" and (state := quantum.ket(row)) is not None:
        return state
    closing = row.closing_bar(row.at)
    if closing is None:
        raise row.scope.error("| is never closed", (start, start + 1), "close it, or use \\left| ... \\right|")
    row.at += 1
    row.bars += 1
    row.scope.enter((start, start + 1))
    with row.scope.expecting("one"):
        inner = row.relation()
    row.scope.depth -= 1
    row.bars -= 1
    if row.at >= row.count or row.texts[row.at] != opener:
        raise row.scope.error("| is never closed", (start, start + 1), "close it, or use \\left| ... \\right|")
    node = row.items[row.at]
    row.at += 1
    value = measure(row, opener, inner, (start, node.end))
    return row.scripts(value, node.scripts) if type(node) is Scripted else value


def typed_bars(row: Row) -> Expression | None:
    """`\\mid x\\mid`: an absolute value typed with the sign for "divides"; None where no second one follows."""
    opening, sign = row.at, row.texts[row.at]
    end = next((index for index in range(opening + 2, row.count) if row.texts[index] == sign), None)
    if end is None or any(text in ("=", "<", ">") for text in row.texts[opening:end]):
        return None
    inner, node = row.part(opening + 1, end), row.items[end]
    row.at = end + 1
    span = (row.items[opening].start, node.end)
    row.scope.warn(r"two signs \mid were read as an absolute value", span)
    value = measure(row, "|", inner.expression(), span)
    return row.scripts(value, node.scripts) if type(node) is Scripted else value


def _double_bars(row: Row) -> Expression:
    """`||x||` typed with four bars."""
    opening = row.at
    for index in range(opening + 3, row.count):
        if row.texts[index - 1] == row.texts[index] == "|" and type(row.items[index - 1]) is Leaf:
            inner = row.part(opening + 2, index - 1)
            node = row.items[index]
            row.at = index + 1
            value = measure(row, r"\|", inner.expression(), (row.items[opening].start, node.end))
            return row.scripts(value, node.scripts) if type(node) is Scripted else value
    raise row.error("| is never closed", "close it, or use \\left| ... \\right|")
