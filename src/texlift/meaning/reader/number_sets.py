r"""Parts of the number sets that a script names: `\mathbb{R}^+`, `\mathbb{N}^*`, `\mathbb{Z}_{\geq 0}`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from texlift.errors import Span
from texlift.latex.nodes import Script
from texlift.meaning.tree import Apply, Constant, Expression, Interval, Number, Sequence

if TYPE_CHECKING:
    from texlift.meaning.reader.row import Row

__all__ = ["SETS", "restricted"]

SETS = frozenset({"reals", "integers", "complexes", "rationals", "naturals", "nonnegative"})
_MARKS = {
    "+": "+", "-": "-", "*": "*", r"\ast": "*", r"\star": "*", r"\times": "*", "0": "0", "+*": "+*", "*+": "+*",
    "0+": "0+", "+0": "0+", ">0": ">0", r"\geq0": "0+", "<0": "<0", r"\leq0": "-0", r"\neq0": "*", r"\geq1": ">=1",
    ">=0": "0+", ">=1": ">=1", "+,0": "0+", "0,+": "0+", "-*": "<0", "*-": "<0",
}  # fmt: skip
_POSITIVE = {"naturals": {"*", "+", "+*", ">0", ">=1"}, "nonnegative": {"*", "+", "+*", ">0", ">=1"},
             "integers": {"+", "+*", ">0", ">=1"}}  # fmt: skip


def restricted(row: Row, name: str, scripts: list[Script], span: Span) -> Expression | None:
    """The part of a number set that its scripts name; None where they name none, as in `\\mathbb{R}^n`."""
    if name not in SETS or not scripts or any(script.argument is None for script in scripts):
        return None
    shown = ["".join(row.digits(script.argument)) for script in scripts if script.argument is not None]
    mark = _MARKS.get("".join(shown)) or _MARKS.get("".join(reversed(shown)))
    if mark is None or (mark == "0" and scripts[0].kind == "^" and name != "naturals"):
        return None
    whole: Expression = Constant(name, span)
    if mark in _POSITIVE.get(name, ()):
        if name == "integers" and mark == "+":
            row.scope.warn("the positive integers were read without zero", span)
        return Constant("naturals", span)
    if name in ("naturals", "integers") and mark in ("0", "0+"):
        return Constant("nonnegative", span) if name == "naturals" or mark == "0+" else None
    zero, infinity = Number("0", span), Constant("infinity", span)
    if mark == "*":
        return Apply("setminus", (whole, Sequence((zero,), "set", span)), span)
    if name not in ("reals", "rationals", "integers") or mark in ("0", ">=1"):
        return None
    closed = mark in ("0+", "-0")
    if mark in ("+", "-"):
        row.scope.warn(f"{row.scope.source[span[0] : span[1]]} was read without zero", span)
    if mark in ("+", "+*", ">0", "0+"):
        half = Interval(zero, infinity, closed, False, span)
    else:
        half = Interval(Apply("negate", (infinity,), span), zero, False, closed, span)
    return half if name == "reals" else Apply("intersect", (whole, half), span)
