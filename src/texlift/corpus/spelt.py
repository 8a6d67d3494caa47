"""Pairs whose semantic side is in another syntax, as pairs in macros, which is what is learnt from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from texlift.corpus.pair import Pair
from texlift.errors import FormulaError
from texlift.macros.syntaxes.syntax import Syntax

__all__ = ["in_macros"]


def in_macros(pairs: Sequence[Pair], syntax: Syntax) -> tuple[list[Pair], list[str]]:
    """The pairs with macros on the semantic side, and what was left out, with the reason."""
    spelt: list[Pair] = []
    problems: list[str] = []
    for pair in pairs:
        try:
            spelt.append(replace(pair, semantic=syntax.as_macros(pair.semantic, pair.generic)))
        except FormulaError as error:
            problems.append(f"{pair.id}: {error.message}")
    return spelt, problems
