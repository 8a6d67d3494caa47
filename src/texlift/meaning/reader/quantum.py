r"""State vectors of quantum mechanics: `|\psi\rangle`, `\langle\phi|`, `\langle\phi|\psi\rangle`."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from texlift.errors import Span
from texlift.latex.nodes import Leaf
from texlift.meaning.tree import Apply, Expression

if TYPE_CHECKING:
    from texlift.meaning.reader.row import Row

__all__ = ["bra", "bracket", "ket", "opens_ket"]

_BARS = ("|", r"\mid", r"\vert")
_KET = ((r"\rangle",), (*_BARS, r"\langle", r"\|"))  # what closes a ket, and what shows that it is none
_LONGEST = 12  # items in a label: more is no label


def ket(row: Row) -> Expression | None:
    r"""`|\psi\rangle` at the cursor: the next fence behind the bar is an angle that closes."""
    return _vector(row, "ket", *_KET)


def bra(row: Row) -> Expression | None:
    r"""`\langle\psi|` at the cursor, where no angle closes what it opens."""
    depth = 0
    for index in range(row.at, row.count):
        depth += (row.texts[index] == r"\langle") - (row.texts[index] == r"\rangle")
        if depth == 0:
            return None
    return _vector(row, "bra", _BARS, (r"\langle", r"\rangle", r"\|"))


def bracket(row: Row, inner: Row, span: Span) -> Expression:
    r"""What stands between angles with one or two bars: an inner product, or a matrix element."""
    bars = [index for index, text in enumerate(inner.texts) if text in _BARS]
    ends = [-1, *bars, inner.count]
    if len(bars) > 2 or any(b - a < 2 for a, b in pairwise(ends)):
        raise row.scope.error("a bracket of state vectors that is not understood", span)
    parts = tuple(inner.part(a + 1, b).expression() for a, b in pairwise(ends))
    return Apply("braket", parts, span)


def opens_ket(row: Row) -> bool:
    """Whether the bar at the cursor opens a state vector."""
    return _closing(row, *_KET) is not None


def _vector(row: Row, kind: str, closers: tuple[str, ...], others: tuple[str, ...]) -> Expression | None:
    opening = row.at
    closing = _closing(row, closers, others)
    if closing is None:
        return None
    row.at = closing + 1
    span = (row.items[opening].start, row.items[closing].end)
    row.scope.enter(span)
    label = row.part(opening + 1, closing).expression()
    row.scope.depth -= 1
    return Apply(kind, (label,), span)


def _closing(row: Row, closers: tuple[str, ...], others: tuple[str, ...]) -> int | None:
    """Index of the sign that closes a state vector at the cursor; None where another fence comes first."""
    for index in range(row.at + 1, min(row.count, row.at + _LONGEST)):
        text = row.texts[index]
        if text in closers:
            return index if index > row.at + 1 and type(row.items[index]) is Leaf else None
        if text in others or text in ("=", "<", ">"):
            return None
    return None
