"""Choices of the caller that an answer does not follow: told, never ignored."""

from __future__ import annotations

from collections.abc import Mapping

from texlift.errors import FormulaError, Span
from texlift.translate.answer import Translation

__all__ = ["obeyed"]


def obeyed(answer: Translation | FormulaError, choices: Mapping[Span, str]) -> Translation | FormulaError:
    """The answer if it follows every choice, otherwise an error at the place of the first that it does not."""
    if isinstance(answer, FormulaError):
        return answer
    for (start, end), macro in choices.items():
        if not 0 <= start < end <= len(answer.latex):
            message = f"the choice {macro or 'as it stands'!r} is for {start}:{end}, outside of the formula"
            return FormulaError(message, answer.latex, (0, len(answer.latex)), _HINT, "choice")
        if not _follows(answer, (start, end), macro):
            message = f"{answer.latex[start:end]} cannot be read as {macro}" if macro else "the choice cannot be kept"
            return FormulaError(message, answer.latex, (start, end), _possible(answer, (start, end)), "choice")
    return answer


_HINT = "positions are those of the answer's `latex`, the formula without dollars, labels and definitions"


def _follows(answer: Translation, span: Span, macro: str) -> bool:
    if macro:
        return any(d.macro == macro and span[0] <= d.span[0] < span[1] for d in answer.decisions)
    return not any(d.macro and d.span == span for d in answer.decisions)


def _possible(answer: Translation, span: Span) -> str:
    """The readings there are at a place, for the hint of the error."""
    found = dict.fromkeys(
        name
        for decision in answer.decisions
        if decision.span[0] == span[0]
        for name in (decision.macro, *(reading.macro for reading in decision.competing))
        if name
    )
    return f"possible there: {', '.join(found)}" if found else _HINT
