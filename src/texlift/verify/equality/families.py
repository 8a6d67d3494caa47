"""Solutions with a parameter that runs over the integers: `x = pi/4 + n pi`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Any

import flint

from texlift.meaning.tree import Apply, Expression, Number, Symbol, free_symbols
from texlift.verify.balls import NoBallError
from texlift.verify.equality.evaluation import Evaluator, UndefinedError
from texlift.verify.equality.polynomial import TooLargeError, quotient
from texlift.verify.equality.result import Equality, different, equal_because

__all__ = ["Lines", "lines_of", "parameter_of", "same_families", "same_lines"]

_INTEGERS = frozenset("nkmjl")
_MOST = 400  # members in one period
_BITS = 1024
_LARGEST = 1000

Lines = list[tuple[Any, Any]]
"""Start and step of each family, as balls."""


def parameter_of(values: Sequence[Expression], given: Sequence[str]) -> str:
    """The letter that runs over the integers; empty where none does."""
    names = {name for value in values for name in free_symbols(value)}
    listed = names & set(given) if given else names & _INTEGERS
    return listed.pop() if len(listed) == 1 and len(names) == 1 else ""


def same_families(a: Sequence[Expression], first: str, b: Sequence[Expression], second: str) -> Equality | None:
    """Compare unions of `start + step n`; None where they are something else.

    All members are taken modulo a common period, in units of the first step.
    """
    one, other = lines_of(a, first), lines_of(b, second)
    return None if one is None or other is None else same_lines(one, other)


def same_lines(one: Lines, other: Lines) -> Equality | None:
    """Compare unions of `start + step n`, given as balls."""
    old = flint.ctx.prec
    try:
        flint.ctx.prec = _BITS
        unit = one[0][1]
        steps = [[_fraction(step / unit) for _, step in lines] for lines in (one, other)]
        if any(step is None or step == 0 for listed in steps for step in listed):
            return None
        sizes = [abs(step) for listed in steps for step in listed if step is not None]
        below = lcm(*(size.denominator for size in sizes))
        period = Fraction(lcm(*(int(size * below) for size in sizes)), below)
        sets = []
        for lines, listed in zip((one, other), steps, strict=True):
            members: list[object] = []
            for (start, _), step in zip(lines, listed, strict=True):
                assert step is not None
                count = int(period / abs(step))
                if count > _MOST:
                    return None
                begin = start / unit
                members += [_modulo(begin + flint.arb(flint.fmpq(k * abs(step).numerator, step.denominator)), period)
                            for k in range(count)]  # fmt: skip
            sets.append(members)
        return _compared(sets[0], sets[1], period)
    except (NoBallError, UndefinedError, ValueError):
        return None
    finally:
        flint.ctx.prec = old


def _lines(values: Sequence[Expression], name: str) -> list[tuple[Expression, Expression]] | None:
    """Start and step of each value; None where one is not linear in the parameter."""
    found: list[tuple[Expression, Expression]] = []
    for value in values:
        if not name or name not in free_symbols(value):
            return None
        start = _put(value, 0)
        step = Apply("plus", (_put(value, 1), Apply("negate", (start,))))
        twice = Apply("plus", (_put(value, 2), Apply("negate", (start,))))
        try:
            gap = quotient(Apply("plus", (twice, Apply("negate", (Apply("times", (Number("2"), step)),)))))
        except (TooLargeError, ZeroDivisionError):
            return None
        again = quotient(_minus(_put(value, 5), Apply("plus", (start, Apply("times", (Number("5"), step))))))
        if not gap.above.is_zero() or not again.above.is_zero():
            return None
        found.append((start, step))
    return found or None


def lines_of(values: Sequence[Expression], name: str) -> Lines | None:
    """Start and step of each value as balls; None where one is not linear in the parameter."""
    found = _lines(values, name)
    if found is None:
        return None
    old = flint.ctx.prec
    try:
        flint.ctx.prec = _BITS
        return [(_ball(start), _ball(step)) for start, step in found]
    except (NoBallError, UndefinedError, ValueError):
        return None
    finally:
        flint.ctx.prec = old


def _put(value: Expression, number: int) -> Expression:
    from texlift.meaning.tree import substitute

    names = free_symbols(value)
    return substitute(value, {name: Number(str(number)) for name in names if isinstance(names[name], Symbol)})


def _minus(a: Expression, b: Expression) -> Expression:
    return Apply("plus", (a, Apply("negate", (b,))))


def _ball(node: Expression) -> flint.arb:
    value = Evaluator({}).number(node)
    if not value.imag.contains(0):
        raise NoBallError("not real")
    return value.real


def _fraction(value: flint.arb) -> Fraction | None:
    """The simple fraction in a ball of a thousand bits."""
    for below in range(1, _LARGEST):
        whole = (value * below).unique_fmpz()
        if whole is not None:
            return Fraction(int(whole), below)
    return None


def _modulo(value: flint.arb, period: Fraction) -> flint.arb:
    unit = flint.arb(flint.fmpq(period.numerator, period.denominator))
    turns = (value / unit + flint.arb("0.0001234")).floor()
    if turns.unique_fmpz() is None:
        raise NoBallError("on the edge of a period")
    return value - unit * turns


def _compared(a: list[object], b: list[object], period: Fraction) -> Equality:
    for mine, others, which in ((a, b, "first"), (b, a, "second")):
        for member in mine:
            if not any(member.overlaps(other) for other in others):  # type: ignore[attr-defined]
                return different(
                    f"a member of the {which} family only",
                    {"point": {}, "a": _shown(a), "b": _shown(b)},
                )
    return equal_because("the same family of solutions")


def _shown(members: list[object]) -> str:
    return f"{len(members)} in a period"
