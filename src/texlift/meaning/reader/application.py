"""Whether parentheses behind a letter are arguments or a factor."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from texlift.errors import Span
from texlift.latex.nodes import Call, Delimited, Script, Scripted
from texlift.meaning.declarations import NUMBERS
from texlift.meaning.reader.census import Census
from texlift.meaning.structure.linear import packaged
from texlift.meaning.structure.places import reason
from texlift.meaning.tree import Expression
from texlift.tuning import READER

if TYPE_CHECKING:
    from texlift.meaning.reader.row import Row

__all__ = ["FUNCTION_LETTERS", "applied", "opens"]

_BRACKETS = ("(", "[")
FUNCTION_LETTERS = frozenset({"f", "g", "F", "G", r"\Phi", r"\Psi"})
_ARGUMENTS = frozenset("xyztsuvwnkabhpqrfg") | {r"\theta", r"\phi", r"\varphi", r"\xi", r"\tau", r"\zeta", r"\lambda"}
_OFTEN_FUNCTIONS = frozenset("uvwxyzhpqsTNXYS")
_POSSIBLE = ("application", "product")


def opens(row: Row) -> bool:
    """Whether something that may hold arguments stands at the cursor."""
    if row.at >= row.count:
        return False
    node = row.items[row.at]
    base = node.base if type(node) is Scripted else node
    if row.texts[row.at] == "(" and "\\text" in row.scope.source and row.is_remark():
        return False
    if row.texts[row.at] in _BRACKETS and "equiv" in row.scope.source and row.is_modulus():
        return False
    return row.texts[row.at] in _BRACKETS or (type(base) is Delimited and base.left in _BRACKETS)


def applied(row: Row, name: str, marked: bool) -> tuple[tuple[Expression, ...], int, list[Script]] | None:
    """The arguments in the parentheses behind a symbol, if they are arguments.

    They are when the letter stands before a single symbol or number in parentheses anywhere in the formula
    (`w(z)`), when there is a comma between them, when the name is f, g, F, G, \\Phi or \\Psi, or carries
    primes or a superscript in parentheses there. Everything else is a product, unless the model of
    `texlift.meaning.structure` is certain that it is not.
    """
    if not opens(row):
        return None
    node = row.items[row.at]
    after: list[Script] = []
    if row.texts[row.at] in _BRACKETS:
        square = row.texts[row.at] == "["
        closing = row.closer(row.at)
        inner = row.part(row.at + 1, closing)
        last = row.items[closing]
        after = last.scripts if type(last) is Scripted else []
        following = closing + 1
        end = last.end
    else:
        base = node
        if type(node) is Scripted:
            base, after = node.base, node.scripts  # type: ignore[assignment]
        assert type(base) is Delimited
        square = base.left == "["
        inner = type(row)(row.scope, base.children, base.inner)
        following = row.at + 1
        end = base.end
    commas, bars = _separators(inner)
    if bars and not square:  # \theta(z|\tau)
        row.scope.warn("a bar between arguments was read as a comma", (node.start, end))
        for bar in bars:
            inner.texts[bar] = ","
        commas += len(bars)
    if "boolean" in row.scope.declared.subjects and not commas:
        return None
    role = row.scope.role(name)
    declared = _declared_application(row, role, commas, (node.start, end)) if role else None
    if not role and not commas and not marked and name not in FUNCTION_LETTERS and _differentiates(inner):
        declared = False  # \\rho(u_t+uu_x): nobody applies a density to derivatives
    if not _decided(row, name, inner, commas, square, marked, declared, bool(after), (node.start, end)):
        if not role and _may_be_application(name, inner):
            row.scope.warn(f"{name}(...) was read as a product", (node.start, end))
        return None
    row.at = following
    row.scope.enter((node.start, end))
    values = inner.expressions()
    row.scope.depth -= 1
    return values, end, after


def _decided(
    row: Row,
    name: str,
    inner: Row,
    commas: int,
    square: bool,
    marked: bool,
    declared: bool | None,
    raised: bool,
    span: Span,
) -> bool:
    """Whether the brackets hold arguments: declared, chosen, or decided by the rule and the model together."""
    before = row.items[row.at - 1].start if row.at else span[0]
    place = (before, span[1])
    if declared is not None:
        found = "application" if declared else "product"
        return row.scope.decide("application", place, found, _POSSIBLE, "declared", {found: 1.0}) == "application"
    rule = _is_application(row, name, inner, commas, square, marked)
    known = row.scope.place(span[0])
    if known is None or square:
        found = "application" if rule else "product"
        because = "square brackets" if square else "the rule for letters before brackets"
        return row.scope.decide("application", place, found, _POSSIBLE, because) == "application"
    model = packaged("application")
    score = model.scores(known.features)
    odds = score[1] - score[0]
    needed = raised or any(text in ("+", "-", r"\pm", r"\mp") for text in inner.texts[1:])
    if rule:
        odds += READER.rule_applies
    else:
        odds += READER.rule_multiplies_needed if needed else READER.rule_multiplies
    applies = rule if commas or marked else odds > 0
    share = 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, odds if applies else -odds))))
    share = max(share, 0.5)
    found, other = _POSSIBLE if applies else _POSSIBLE[::-1]
    because = "the rule for letters before brackets"
    if applies != rule:
        because = reason(model.reasons(known.features, found, most=12))
    chosen = row.scope.decide("application", place, found, _POSSIBLE, because, {found: share, other: 1.0 - share})
    if chosen == "application" and chosen == found and (share < READER.doubtful_call or not rule):
        row.scope.warn(f"{name}(...) was read as an application", inner.span)
    return chosen == "application"


def _differentiates(inner: Row) -> bool:
    """Whether a sum in brackets has derivatives among its terms."""
    derivatives = any(type(item) is Call and item.name in (r"\pderiv", r"\deriv") for item in inner.items)
    return derivatives and any(text in ("+", "-") for text in inner.texts)


def _separators(inner: Row) -> tuple[int, list[int]]:
    """How many commas stand outside all brackets, and where bars do that part arguments.

    Several bars part numbers only, the coordinates of a point: around letters they may be absolute values.
    """
    depth = commas = 0
    bars: list[int] = []
    for index, text in enumerate(inner.texts):
        if text in ("(", "["):
            depth += 1
        elif text in (")", "]"):
            depth -= 1
        elif depth == 0 and text in (",", ";"):
            commas += 1
        elif depth == 0 and text in ("|", r"\mid", r"\backslash"):
            bars.append(index)
    numeric = all(text in ("-", "+", ".", "|", r"\mid") or text.isdigit() for text in inner.texts)
    return commas, bars if len(bars) == 1 or (numeric and not {0, inner.count - 1} & {*bars}) else []


def _declared_application(row: Row, role: str, commas: int, span: Span) -> bool | None:
    """Whether parentheses behind a declared symbol are arguments; None for a role that decides nothing."""
    if role in ("function", "operator"):
        return True
    if role in ("event", "set", "random", "boolean", "vector", "matrix") and not commas:
        return False if role in ("vector", "matrix") else None
    if role in NUMBERS:
        if commas:
            raise row.scope.error("declared as a number, but used with several arguments", span, code="declared")
        return False
    return None


def _is_application(row: Row, name: str, inner: Row, commas: int, square: bool, marked: bool) -> bool:
    uses = row.scope.census.of(name)
    if square:
        return (
            inner.count > 0 and inner.texts[0] in ("n", "k") and len(name) == 1 and name not in row.texts[row.at + 1 :]
        )
    if commas or marked:
        return True
    inside = Census(inner.items).uses
    if name in row.scope.census.functions:
        return name in FUNCTION_LETTERS or name not in inside
    document = row.scope.document
    if document is not None and name not in inside and document.single[name] > max(1, document.elsewhere[name]):
        return True  # the other formulae say f(x), and seldom f
    others = uses.alone + uses.subscripted + uses.power + uses.numeric_power
    if uses.applied > 1 and not others and name in _OFTEN_FUNCTIONS and name not in inside:
        return True
    unapplied = uses.alone + uses.subscripted + uses.power + uses.numeric_power > uses.applied
    if name in FUNCTION_LETTERS and not unapplied:
        if _ARGUMENTS.isdisjoint(inside):
            row.scope.warn(f"{name}(...) was read as an application", inner.span)
        return True
    return False


def _may_be_application(name: str, inner: Row) -> bool:
    """Whether a reader could take `name(...)` for a function: not when the letter stands inside, as in n(n+1)."""
    return name not in inner.texts
