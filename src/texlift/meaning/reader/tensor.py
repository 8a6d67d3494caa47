"""Components of tensors: letters above that are indices and no powers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from texlift.errors import Span
from texlift.latex.nodes import Script
from texlift.meaning.reader.census import letters_of
from texlift.meaning.reader.subscript import INDEX_LETTERS, may_index
from texlift.meaning.tree import Apply, Expression, Indexed, Symbol

if TYPE_CHECKING:
    from texlift.meaning.reader.row import Row

__all__ = ["component", "invariant", "summed"]

_TENSORS = {r"\delta": (2, r"\Kroneckerdelta"), r"\epsilon": (3, "levi-civita-symbol"),
            r"\varepsilon": (3, "levi-civita-symbol")}  # fmt: skip


def invariant(name: str, indices: tuple[Expression, ...], span: Span) -> Expression | None:
    """`\\delta_{ij}`, `\\epsilon_{ijk}`: symbols with as many index letters as they must have."""
    number, head = _TENSORS.get(name, (0, ""))
    if not number or len(indices) != number:
        return None
    letters = all(isinstance(part, Symbol) and (part.name in "ijklmnpqrs" or part.name[0] == "\\") for part in indices)
    return Apply(head, indices, span) if letters else None


def component(row: Row, name: str, scripts: list[Script], script: Script, span: Span) -> Expression | None:
    """A component of a tensor: several Greek letters above, a letter above two lower indices, `x^\\mu x_\\mu`."""
    above = letters_of(script.argument) or []
    below = next((letters_of(s.argument) or [] for s in scripts if s.kind == "_"), [])
    tensor = (len(above) > 1 and all(x[0] == "\\" for x in above)) or (
        len(below) > 1 and above and all(may_index(x, INDEX_LETTERS) for x in below)
    )
    counting = len(above) > 1 and set(above) <= set("ijklmn")
    tensor = tensor or (counting and any(row.scope.census.of(x).in_subscript for x in above))
    tensor = tensor or (counting and {"i", "j"} <= set(above))
    contracted = row.scope.census.tensors and len(above) == 1 and above[0][0] == "\\"
    single = len(above) == 1 and above[0] in (r"\mu", r"\nu") and _contracted(row, above[0])
    single = single or (len(above) == 1 and row.scope.census.tensors and _is_paired(row, above[0]))
    if tensor or single or (contracted and row.scope.census.of(above[0]).in_subscript):
        given = {s.kind: (s.argument, (s.start, s.end)) for s in scripts if s.argument is not None}
        parts = {kind: type(row)(row.scope, [node], place) for kind, (node, place) in given.items()}
        lower, upper = (_listed(parts[kind]) if kind in parts else () for kind in "_^")
        return Apply("tensor", (Indexed(name, lower, upper, span),), span)
    return None


def _listed(inner: Row) -> tuple[Expression, ...]:
    """The indices in a script, side by side or with commas."""
    found: list[Expression] = []
    while inner.at < inner.count:
        if inner.texts[inner.at] == ",":
            inner.at += 1
        else:
            found.append(inner.factor())
    return tuple(found)


def _is_paired(row: Row, letter: str) -> bool:
    r"""Whether a Greek letter stands above a symbol beside another one: `T^{\mu\nu}`."""
    pair = r"\^\{(?:\\[a-z]+\s*)+" + re.escape(letter) + r"(?![A-Za-z])|\^\{" + re.escape(letter) + r"\s*\\[a-z]"
    return letter[0] == "\\" and re.search(pair, row.scope.source) is not None


def _contracted(row: Row, letter: str) -> bool:
    r"""Whether a letter stands alone above one symbol and alone below another: `p^\mu p_\mu`."""
    name = re.escape(letter)
    below = re.compile(r"(?:[A-Za-z]|\\[a-z]+)_\{?\s*" + name + r"\s*\}?(?!\s*(?:[@(]|\\left))")
    ending = "" if letter.isalpha() else "(?![A-Za-z])"
    above = re.compile(r"(?:[A-Za-z]|\\[a-z]+)\^(?:\{\s*" + name + r"\s*\}|\s*" + name + f"{ending})")
    return bool(below.search(row.scope.source) and above.search(row.scope.source))


def summed(row: Row, letter: str) -> bool:
    """Whether a letter above one symbol is an index below another, as in `x^i y_i`, and no sum counts with it."""
    return letter in ("i", "j", "k") and not row.scope.census.of(letter).bound and _contracted(row, letter)
