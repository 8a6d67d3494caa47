"""Transforms written as a script letter before braces: `\\mathcal{L}\\{f(t)\\}`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from texlift.errors import Span
from texlift.latex.nodes import Delimited, Leaf, Script, Scripted
from texlift.meaning.tree import Apply, Derivative, Expression, Symbol, Unknown, free_symbols, walk

if TYPE_CHECKING:
    from texlift.meaning.reader.row import Row

__all__ = ["read"]

_LETTER = re.compile(r"\\(?:mathcal|mathscr|mathfrak)\{([LFZMH])\}$")


def read(row: Row, name: str, scripts: list[Script], span: Span) -> Expression | None:
    """The transform of what stands in the brackets at the cursor; None where there is none."""
    match = _LETTER.match(name)
    if match is None or row.at >= row.count:
        return None
    node = row.items[row.at]
    base = node.base if type(node) is Scripted else node
    left = row.texts[row.at] if row.texts[row.at] else base.left if type(base) is Delimited else ""
    if left not in (r"\{", "[") and not (left == "(" and match[1] == "L"):
        return None
    inverse = [row.digits(s.argument) for s in scripts if s.argument is not None] == [["-", "1"]]
    if match[1] != "L" or (scripts and not inverse) or type(node) is Scripted:
        raise row.scope.error("a transform without its definition", span, "write the integral")
    if type(base) is Delimited:
        inner, end = type(row)(row.scope, base.children, base.inner), row.at
    else:
        end = row.closer(row.at)
        inner = row.part(row.at + 1, end)
    row.scope.enter(span)
    body = inner.expression()
    row.scope.depth -= 1
    row.at = end + 1
    after_name = "t" if inverse else "s"
    if row.texts[row.at : row.at + 3] == ["(", after_name, ")"] and type(row.items[row.at + 2]) is Leaf:
        row.at += 3  # the variable of the transform, written behind it
    whole = (span[0], row.items[end].end)
    before, after = (Symbol("s", span), Symbol("t", span)) if inverse else (Symbol("t", span), Symbol("s", span))
    if not inverse and isinstance(body, Symbol) and body.name in ("f", "g", "y", "u", "x"):
        row.scope.warn(f"{body.name} was read as a function of t", whole)
        body = Unknown(body, (before,), None, body.span)
    dependent = any(isinstance(p, Derivative) and isinstance(p.variables[0][0], Symbol) for p in walk(body))
    if (before.name not in free_symbols(body) and not dependent) or type(row.items[end]) is Scripted:
        raise row.scope.error(f"a Laplace transform of something without {before.name}", whole)
    return Apply("inverselaplace" if inverse else "laplace", (body, before, after), whole)
