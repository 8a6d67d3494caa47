"""Equations between algebraic numbers: a number that is smaller than any of its kind can be is zero.

An algebraic integer other than zero has a norm of at least 1. So if all its conjugates are at most H in size and its
degree is at most d, its size is at least H^(1-d). Ball arithmetic shows that a number is below that.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import lcm, log2
from typing import Any

import sympy

from texlift.meaning.tree import free_symbols
from texlift.verify.proof.identities import KNOWN
from texlift.verify.proof.problem import Problem
from texlift.verify.proof.quotients import TooLargeError
from texlift.verify.proof.terms import Terms

__all__ = ["proved"]

_MOST_BITS = 60_000


@dataclass(frozen=True, slots=True)
class _Bound:
    """Of a quotient of algebraic integers: logarithms of the largest conjugates of numerator and denominator."""

    above: float
    below: float


def proved(problem: Problem) -> str:
    """The proof of an equation between numbers, in words."""
    if problem.operator not in ("=", "===", "!="):
        return ""
    terms = Terms(problem.domains, KNOWN)
    term = terms.build(problem.left) - terms.build(problem.right)
    if term.free_symbols or term.has(sympy.Sum, sympy.Product, sympy.Integral, sympy.Derivative):
        return ""
    if problem.operator == "!=":
        return "the sides differ, by ball arithmetic" if 0 not in _value(_exact(term), 400) else ""
    if term.is_Rational:
        letters = {*free_symbols(problem.left), *free_symbols(problem.right)}
        return terms.said("" if term != 0 else "both sides are the same term" if letters else "compared exactly")
    return terms.said("both sides are the same algebraic number" if _vanishes(_exact(term)) else "")


def _vanishes(term: Any) -> bool:
    degrees: dict[Any, int] = {}
    bound = _bound(term, degrees)
    degree = 1
    for key, value in degrees.items():
        degree *= sympy.totient(value) if key == "turn" else value
    bits = int(degree) * (bound.above + 2) + bound.below + 64
    if bits > _MOST_BITS:
        return False
    value = _value(term, int(bits) + 64)
    size = abs(value)
    from flint import arb

    return bool(size.upper() * arb(2) ** int(bound.below + 2) < arb(2) ** int(-(degree - 1) * (bound.above + 1) - 1))


def _exact(term: Any) -> Any:
    """Sines and cosines of rational multiples of pi as roots of unity."""
    if isinstance(term, sympy.sin | sympy.cos):
        part = term.args[0] / sympy.pi
        if not part.is_Rational:
            raise TooLargeError("no algebraic number")
        turn, back = (sympy.Function("turn")(value) for value in (part, -part))
        return (turn - back) / (2 * sympy.I) if isinstance(term, sympy.sin) else (turn + back) / 2
    if isinstance(term, sympy.exp):
        part = term.exp / (sympy.I * sympy.pi)
        if not part.is_Rational:
            raise TooLargeError("no algebraic number")
        return sympy.Function("turn")(part)
    return term.func(*map(_exact, term.args)) if term.args else term


def _bound(term: Any, degrees: dict[Any, int]) -> _Bound:
    if term.is_Rational:
        return _Bound(log2(max(1, abs(int(term.p)))), log2(int(term.q)))
    if term is sympy.I or term.func.__name__ == "turn":
        half_turns = sympy.Rational(1, 2) if term is sympy.I else term.args[0]
        degrees["turn"] = lcm(degrees.get("turn", 1), 2 * int(half_turns.q))
        return _Bound(0.0, 0.0)
    if term.is_Add:
        parts = [_bound(part, degrees) for part in term.args]
        below = sum(part.below for part in parts)
        above = max(part.above + below - part.below for part in parts) + log2(len(parts))
        return _Bound(above, below)
    if term.is_Mul:
        parts = [_bound(part, degrees) for part in term.args]
        return _Bound(sum(part.above for part in parts), sum(part.below for part in parts))
    if term.is_Pow and term.exp.is_Rational:
        inner = _bound(term.base, degrees)
        root, power = int(term.exp.q), int(term.exp.p)
        if root > 1:
            key = ("root", term.base)
            degrees[key] = lcm(degrees.get(key, 1), root)
            inner = _Bound((inner.above + (root - 1) * inner.below) / root, inner.below)
        if power < 0:
            inner = _Bound(inner.below, inner.above)
        return _Bound(inner.above * abs(power), inner.below * abs(power))
    raise TooLargeError("no algebraic number")


def _value(term: Any, bits: int) -> Any:
    """A complex ball around the number."""
    from flint import ctx

    before = ctx.prec
    ctx.prec = bits + 64
    try:
        return _ball(term)
    finally:
        ctx.prec = before


def _ball(term: Any) -> Any:
    from flint import acb, fmpq

    if term.is_Rational:
        return acb(fmpq(int(term.p), int(term.q)))
    if term is sympy.I:
        return acb(0, 1)
    if term.func.__name__ == "turn":
        return acb(fmpq(int(term.args[0].p), int(term.args[0].q))).exp_pi_i()
    if term.is_Add:
        return sum((_ball(part) for part in term.args), acb(0))
    if term.is_Mul:
        result = acb(1)
        for part in term.args:
            result *= _ball(part)
        return result
    if term.is_Pow and term.exp.is_Rational:
        base = _ball(term.base)
        if not term.exp.is_Integer and base.real.upper() < 0 and 0 in base.imag and base.imag.rad() != 0:
            if not term.base.is_real:
                raise TooLargeError("a root on its cut")
            base = acb(base.real, 0)
        return base ** acb(fmpq(int(term.exp.p), int(term.exp.q))) if not term.exp.is_Integer else base ** int(term.exp)
    raise TooLargeError("no algebraic number")
