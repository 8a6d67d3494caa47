"""The general term of `a_1b_{n-1}+a_2b_{n-2}+\\dots+a_nb_0`: terms of one shape whose parts move on by equal steps.

Two terms before the dots and the one behind them must all agree; where nothing stands behind the dots, three terms in a
row must. Signs are all equal or alternate.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from texlift.meaning.reader.linear import Linear, add, expression, linear, scale
from texlift.meaning.tree import Apply, Expression, Number, Symbol, children, rebuild, substitute

__all__ = ["INDEX", "endless", "finite"]

INDEX = Symbol("k_")
_MINUS_ONE = Apply("negate", (Number("1"),))


@dataclass(frozen=True, slots=True)
class _Moving:
    """A part that moves on: its value in the first term, and the step."""

    first: Linear
    step: Fraction


def finite(before: tuple[Expression, ...], after: Expression) -> tuple[Expression, Expression, Expression] | None:
    """General term in INDEX, first and last index of `before`, dots, `after`."""
    if len(before) < 2:
        return None
    signs, bodies = _signs(before)
    if signs is None:
        return None
    moving: dict[str, _Moving] = {}
    form = _fit(bodies, moving)
    if form is None or not moving:
        return None
    alternating = signs[0] != signs[1]
    power, sign, last = _signed(after)
    counts: list[Linear] = []
    if not _unify(form, last, moving, counts):
        return None
    count = counts[0]
    if any(other != count for other in counts[1:]) or set(count) == {""}:
        return None
    if not _sign_fits(alternating, signs[0], power, sign, count):
        return None
    return _with_sign(_general(form, moving), alternating, signs[0]), Number("0"), expression(count)


def endless(terms: tuple[Expression, ...]) -> tuple[int, Expression] | None:
    """Where a run of at least three terms starts that goes on for ever, and its general term, INDEX from 0 on."""
    for start in range(len(terms) - 2):
        signs, bodies = _signs(terms[start:])
        if signs is None:
            continue
        moving: dict[str, _Moving] = {}
        form = _fit(bodies, moving)
        if form is not None and moving:
            return start, _with_sign(_general(form, moving), signs[0] != signs[1], signs[0])
    return None


# -- signs -------------------------------------------------------------------------------------------------


def _signs(terms: tuple[Expression, ...]) -> tuple[list[int] | None, list[Expression]]:
    """Signs and bodies of terms; no signs where they neither stay nor alternate."""
    pairs = [(-1, t.arguments[0]) if isinstance(t, Apply) and t.head == "negate" else (1, t) for t in terms]
    signs = [sign for sign, _ in pairs]
    steps = {a * b for a, b in pairwise(signs)}
    return (signs if len(steps) == 1 else None), [body for _, body in pairs]


def _signed(term: Expression) -> tuple[Linear | None, int, Expression]:
    """Exponent of -1 in a term (None where there is none), its own sign, and the rest."""
    sign = 1
    if isinstance(term, Apply) and term.head == "negate":
        sign, term = -1, term.arguments[0]
    if isinstance(term, Apply) and term.head == "times":
        first = term.arguments[0]
        if isinstance(first, Apply) and first.head == "power" and _is_minus_one(first.arguments[0]):
            rest = term.arguments[1:]
            return linear(first.arguments[1]), sign, rest[0] if len(rest) == 1 else Apply("times", rest, term.span)
    return None, sign, term


def _is_minus_one(node: Expression) -> bool:
    inner = node.arguments[0] if isinstance(node, Apply) and node.head == "negate" else None
    return isinstance(inner, Number) and inner.value == "1"


def _sign_fits(alternating: bool, first: int, power: Linear | None, sign: int, count: Linear) -> bool:
    if not alternating:
        return power is None and sign == first
    if power is None:
        return False
    rest = add(power, scale(count, Fraction(-1)))
    if set(rest) - {""} or rest.get("", Fraction(0)).denominator != 1:
        return False
    odd = int(rest.get("", Fraction(0))) % 2 == 1
    return (-sign if odd else sign) == first


def _with_sign(general: Expression, alternating: bool, first: int) -> Expression:
    if alternating:
        general = Apply("times", (Apply("power", (_MINUS_ONE, INDEX)), general), general.span)
    return Apply("negate", (general,), general.span) if first < 0 else general


# -- parts that move -----------------------------------------------------------------------------------------


def _fit(column: list[Expression], moving: dict[str, _Moving]) -> Expression | None:
    """The common form of one part over all terms, with a placeholder for each part that moves on."""
    first = column[0]
    if all(_same(first, other) for other in column[1:]):
        return first
    forms = [linear(part) for part in column]
    known = [form for form in forms if form is not None]
    if len(known) == len(forms):
        steps = [add(b, scale(a, Fraction(-1))) for a, b in pairwise(known)]
        if set(steps[0]) == {""} and all(step == steps[0] for step in steps):
            name = f"#{len(moving)}"  # no letter of a formula is called so
            moving[name] = _Moving(known[0], steps[0][""])
            return Symbol(name, first.span)
    if not all(_alike(first, other) for other in column[1:]):
        return None
    columns = zip(*(children(part) for part in column), strict=True)
    fitted = [_fit(list(parts), moving) for parts in columns]
    if any(part is None for part in fitted):
        return None
    parts = iter(fitted)
    return rebuild(first, lambda part: next(parts) or part)


def _unify(form: Expression, last: Expression, moving: dict[str, _Moving], counts: list[Linear]) -> bool:
    """Whether a term has the common form; `counts` gets how often each part has moved on."""
    if isinstance(form, Symbol) and form.name in moving:
        value = linear(last)
        if value is None:
            return False
        part = moving[form.name]
        counts.append(scale(add(value, scale(part.first, Fraction(-1))), 1 / part.step))
        return True
    if not children(form):
        return _same(form, last)
    return _alike(form, last) and all(
        _unify(a, b, moving, counts) for a, b in zip(children(form), children(last), strict=True)
    )


def _general(form: Expression, moving: dict[str, _Moving]) -> Expression:
    """The common form with INDEX in the parts that move on."""
    values: dict[str, Expression] = {}
    for name, part in moving.items():
        step = expression({"": part.step})
        change = INDEX if part.step == 1 else Apply("times", (step, INDEX))
        if part.step < 0:
            size = expression({"": -part.step})
            change = Apply("negate", (INDEX if part.step == -1 else Apply("times", (size, INDEX)),))
        values[name] = Apply("plus", (expression(part.first), change)) if part.first else change
    return substitute(form, values)


def _alike(a: Expression, b: Expression) -> bool:
    """Whether two nodes have the same shape, whatever their parts are."""
    if type(a) is not type(b) or len(children(a)) != len(children(b)) or not children(a):
        return False
    return all(getattr(a, name, None) == getattr(b, name, None) for name in ("head", "base", "kind", "operators"))


def _same(a: Expression, b: Expression) -> bool:
    """Equality without spans."""
    if type(a) is not type(b):
        return False
    for name in ("value", "name", "head", "base", "kind", "operators"):
        if getattr(a, name, None) != getattr(b, name, None):
            return False
    left, right = children(a), children(b)
    return len(left) == len(right) and all(_same(x, y) for x, y in zip(left, right, strict=True))
