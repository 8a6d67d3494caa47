"""Generic LaTeX for commands that compute: translated first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from texlift.errors import TexliftError
from texlift.meaning.declarations import Declarations
from texlift.verify.declared import words_of
from texlift.verify.verdict import NO_POINT

if TYPE_CHECKING:
    from texlift.verify import Task, Verdict

__all__ = ["check", "lifted", "readings", "task_of"]

_LIKELY = 0.02  # probability below which another reading is not looked at


def lifted(
    latex: str, context: str | None, declare: Mapping[str, str] | Declarations | None = None
) -> tuple[str, float]:
    """Semantic LaTeX for generic LaTeX, and its confidence."""
    from texlift.translate.translator import load

    result = load().translate(latex, context=context or None, declare=declare)
    if not result.semantic:
        raise TexliftError(f"no translation for {latex}")
    return result.semantic, result.confidence


def readings(
    latex: str, context: str | None, declare: Mapping[str, str] | Declarations | None = None
) -> tuple[str, float, tuple[str, ...]]:
    """Semantic LaTeX for generic LaTeX, its confidence, and other readings that are likely enough to try."""
    from texlift.translate.translator import load

    result = load().translate(latex, context=context or None, alternatives=3, declare=declare)
    if not result.semantic:
        raise TexliftError(f"no translation for {latex}")
    others = tuple(other.semantic for other in result.alternatives if other.confidence >= _LIKELY)
    return result.semantic, result.confidence, others


def task_of(
    latex: str,
    constraints: Iterable[str],
    context: str | None = None,
    declare: Mapping[str, str] | Declarations | None = None,
) -> Task:
    """A check of generic LaTeX with its constraints, translated."""
    from texlift.verify import Task

    declared = Declarations.of(declare)
    semantic, sure, others = readings(latex, context, declared)
    said = tuple(lifted(text, context, _spoken_of(declared, text))[0] for text in constraints)
    return Task(semantic, said, sure=sure, others=others, declared=words_of(declared))


def check(
    latex: str,
    constraints: Iterable[str] = (),
    context: str | None = None,
    declare: Mapping[str, str] | Declarations | None = None,
    seconds: float = 10.0,
) -> Verdict:
    r"""Is an equation or inequality in LaTeX true? Translated, then tried at many points in a worker process.

    `constraints` are conditions in LaTeX (`x>0`), `declare` says what letters are. Constraints that no point satisfies
    are an error.

        check(r"\sqrt{x^2}=x", declare={"x": "positive"}).verdict -> "verified"
    """
    from texlift.verify import check_all

    verdict = next(check_all([task_of(latex, constraints, context, declare)], seconds))
    if verdict.reason.startswith(NO_POINT):
        raise TexliftError(verdict.reason)
    return verdict


def _spoken_of(declared: Declarations, text: str) -> Declarations:
    """The declarations without macros: a constraint need not use the function that a letter stands for."""
    return Declarations({name: one for name, one in declared.items() if not one.macro or name in text})
