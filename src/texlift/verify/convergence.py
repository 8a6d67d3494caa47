"""Whether the infinite series of a claim converge wherever its conditions allow.

A formula with a series is customarily meant where the series converges. Where somebody states conditions, the formula
is meant under these: `1/(1-x)` is no series of powers for all x other than 1.
"""

from __future__ import annotations

from itertools import chain

from texlift.errors import FormulaError
from texlift.meaning.tree import Constant, Number, Series, Symbol, free_symbols, substitute, walk
from texlift.verify.setting import FAILURES, Setting
from texlift.verify.statement import Claim

__all__ = ["divergence"]

_EARLY, _LATE = "200", "400"  # the terms that are compared
_POINTS = 24


def divergence(claim: Claim, setting: Setting) -> str:
    """A point at which the conditions hold and terms of a series grow, in words; empty where none was found."""
    sides = chain.from_iterable((one.left, one.right) for one in claim.comparisons)
    terms = []
    for part in chain.from_iterable(map(walk, sides)):
        if not isinstance(part, Series) or part.kind != "sum" or not isinstance(part.index, Symbol):
            continue
        if isinstance(part.upper, Constant) and part.upper.name == "infinity" and set(free_symbols(part)):
            try:
                codes = [setting.compiled(substitute(part.body, {part.index.name: Number(n)})) for n in (_EARLY, _LATE)]
            except FormulaError:
                continue
            terms.append(codes)
    for number in range(_POINTS if terms else 0):
        point = setting.sampler.gentle(number % 2)
        if point is None:
            continue
        for early, late in terms:
            try:
                environment = setting.environment(point)
                sizes = [abs(code(environment)) for code in (early, late)]
            except FAILURES:
                continue
            if 0 < sizes[0] <= sizes[1]:
                return ", ".join(f"{name} = {value.shown()}" for name, value in point.items())
    return ""
