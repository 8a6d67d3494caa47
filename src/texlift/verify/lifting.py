"""Generic LaTeX for commands that compute: translated first."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from texlift.errors import TexliftError

if TYPE_CHECKING:
    from texlift.verify import Task

__all__ = ["lifted", "readings", "task_of"]

_LIKELY = 0.02  # probability below which another reading is not looked at


def lifted(latex: str, context: str | None) -> tuple[str, float]:
    """Semantic LaTeX for generic LaTeX, and its confidence."""
    from texlift.translate.translator import load

    result = load().translate(latex, context=context or None)
    if not result.semantic:
        raise TexliftError(f"no translation for {latex}")
    return result.semantic, result.confidence


def readings(latex: str, context: str | None) -> tuple[str, float, tuple[str, ...]]:
    """Semantic LaTeX for generic LaTeX, its confidence, and other readings that are likely enough to try."""
    from texlift.translate.translator import load

    result = load().translate(latex, context=context or None, alternatives=3)
    if not result.semantic:
        raise TexliftError(f"no translation for {latex}")
    others = tuple(other.semantic for other in result.alternatives if other.confidence >= _LIKELY)
    return result.semantic, result.confidence, others


def task_of(latex: str, constraints: Iterable[str], context: str | None = None) -> Task:
    """A check of generic LaTeX with its constraints, translated."""
    from texlift.verify import Task

    semantic, sure, others = readings(latex, context)
    return Task(semantic, tuple(lifted(text, context)[0] for text in constraints), sure=sure, others=others)
