"""Notation variants: the same formula as other people write it.

The DLMF writes `\\Gamma\\left(z\\right)` and `\\mathrm{d}x`, a textbook `\\Gamma(z)` and `dx`. One model is to
serve both, so it is trained on variants. Every variant presents the same: its canonical key is unchanged.
"""

from __future__ import annotations

import re
from functools import lru_cache
from random import Random

from texlift.corpus.habits import EVERYDAY, Habits
from texlift.corpus.pair import Context
from texlift.corpus.scribe import Scribe
from texlift.errors import FormulaError
from texlift.latex.canonical import canonical_key
from texlift.latex.parser import parse

__all__ = ["everyday", "rewritten", "rewritten_context", "variants"]

_TRIES = 4  # draws per variant asked for; short formulae have few variants


def everyday(generic: str) -> str:
    """The formula in everyday notation: no `\\left` and `\\right`, plain d, i and e, `\\mathrm` for operators.

    Raises FormulaError where it does not parse.
    """
    return rewritten(generic, EVERYDAY)


def rewritten(generic: str, habits: Habits) -> str:
    """The formula as a writer with these habits writes it. Raises FormulaError where it does not parse."""
    return Scribe(habits, Random(0)).write(parse(generic), generic)


def rewritten_context(context: Context | None, habits: Habits = EVERYDAY) -> Context | None:
    """A context whose formulae, in dollars, are written with these habits; what does not parse stays."""

    def segment(found: re.Match[str]) -> str:
        return f"${_rewritten_or_same(found[1], habits)}$"

    if context is None:
        return None
    if isinstance(context, str):
        return _MATH.sub(segment, context)
    return {name: _MATH.sub(segment, text) for name, text in context.items()}


_MATH = re.compile(r"\$([^$]*)\$")


@lru_cache(maxsize=65536)
def _rewritten_or_same(source: str, habits: Habits) -> str:
    try:
        return rewritten(source, habits)
    except FormulaError:
        return source


def variants(generic: str, seed: int, n: int) -> list[str]:
    """Up to `n` different ways of writing a formula, each by a writer with other habits.

    The same seed gives the same variants. The formula itself is not among them, and there are fewer than `n`
    if it has no more. Raises FormulaError where it does not parse.
    """
    rng = Random(f"{seed}:{generic}")
    row = parse(generic)
    key = canonical_key(generic)
    found: dict[str, None] = {}
    for _ in range(_TRIES * n):
        if len(found) == n:
            break
        variant = Scribe(Habits.random(rng), rng).write(row, generic)
        if variant != generic and variant not in found and _presents(variant, key):
            found[variant] = None
    return list(found)


def _presents(variant: str, key: str) -> bool:
    """Whether a variant still presents the same; a brace more can be too deep or too long to parse."""
    try:
        return canonical_key(variant) == key
    except FormulaError:
        return False
