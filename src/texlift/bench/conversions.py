"""How many equations each target can write, as code that runs, and how fast.

"Translated" means that every function is mapped and the result runs: SymPy builds objects of it, or mpmath evaluates
it; Mathics3, Maxima, Python and XML parse it (`texlift.bench.runnable`). Where the text beside an asymptotic equation
says what its variable tends to, that is part of the equation.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from texlift.bench.figure import Figure
from texlift.bench.runnable import built_by_sympy, evaluated_by_mpmath, parsed
from texlift.errors import FormulaError
from texlift.targets import TARGETS, convert

if TYPE_CHECKING:
    from texlift.bench.compute import Equation, Tell

__all__ = ["conversions"]

_log = logging.getLogger(__name__)
PASSES = 3  # over all equations, of which the fastest counts: neighbours on the machine cost processor time, too
BARS = {
    "mathematica": 92,
    "maple": 90,
    "maxima": 78,
    "mathml": 98,
    "intent": 98,
    "mathjson": 95,
    "numpy": 0,
    "julia": 0,
}
"""Least share of equations that a target writes, in percent; 0 where none is set."""


def conversions(rows: list[Equation], tell: Tell | None = None) -> Iterator[Figure]:
    """Shares of equations translated, and the speed of the slowest target."""
    done: dict[str, set[int]] = {}
    judges: dict[str, str] = {}
    rates: dict[str, float] = {}
    for number, target in enumerate(TARGETS):
        if tell:
            tell("converting", number, len(TARGETS))
        codes, rates[target] = _written(rows, target)
        done[target], judges[target] = parsed(codes, target)
        _log.info("%s: %d written, %d %s", target, len(codes), len(done[target]), judges[target])

    def share(indices: set[int]) -> float:
        return round(100 * len(indices) / max(1, len(rows)), 2)

    built, evaluated = _run(rows, done, tell)
    yield Figure("converted", len(rows), "", "", "equations, spread over the corpus")
    note = "objects built by SymPy in 5 s, or else evaluated by mpmath in 5 s"
    yield Figure("translated_sympy_or_mpmath_percent", share(built | evaluated), "%", ">= 85", note)
    yield Figure("translated_sympy_percent", share(built), "%", "", f"built; {share(done['sympy'])} % parsed")
    yield Figure("translated_mpmath_percent", share(done["mpmath"]), "%", "", judges["mpmath"])
    for target, bar in BARS.items():
        yield Figure(
            f"translated_{target}_percent", share(done[target]), "%", f">= {bar}" if bar else "", judges[target]
        )
    slowest = min(rates, key=rates.__getitem__)
    note = f"slowest target, {slowest}, processor time, best of {PASSES} passes"
    yield Figure("conversions_per_second", round(rates[slowest]), "1/s", ">= 2000", note)


def _written(rows: list[Equation], target: str) -> tuple[dict[int, str], float]:
    """The codes by number of the equation, and how many conversions there are in a second."""
    convert("x", target)  # tables are read once
    codes: dict[int, str] = {}
    shortest = 1e9
    for _ in range(PASSES):
        started = time.process_time()
        for index, row in enumerate(rows):
            try:
                codes[index] = convert(row.stated, target).code
            except FormulaError:
                continue
        shortest = min(shortest, time.process_time() - started)
    return codes, len(rows) / max(1e-9, shortest)


def _run(rows: list[Equation], done: dict[str, set[int]], tell: Tell | None) -> tuple[set[int], set[int]]:
    """The numbers of the equations that SymPy builds, and of the others that mpmath evaluates."""
    built: set[int] = set()
    evaluated: set[int] = set()
    for index, row in enumerate(rows):
        if tell:
            tell("running", index, len(rows))
        if index in done["sympy"] and built_by_sympy(row.stated):
            built.add(index)
        elif index in done["mpmath"] and evaluated_by_mpmath(row.semantic, row.constraints):
            evaluated.add(index)
    return built, evaluated
