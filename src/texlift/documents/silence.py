"""Readings that a document gives no reason for: its letters are left as they are.

In a text of some length, a function that is meant is also spoken of. What only a letter, a common sign or an accent
speaks for, and the text does not, is not read: a wrong meaning is worse than none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from texlift.context.subject import Subject
from texlift.documents.choices import symbol_of
from texlift.documents.context import plain_words
from texlift.errors import FormulaError
from texlift.translate.answer import Translation

__all__ = ["Unfounded", "unfounded"]

Unfounded = dict[tuple[str, str], float]
"""What is taken from the log-score of a reading, by symbol and macro."""

_FEWEST_WORDS = 25  # a shorter text need not name what it uses
_TITLE = re.compile(r"\\[A-Za-z]*title\s*\{([^{}]*)\}")
_NEVER = -40.0  # log-score of a reading that is not to be chosen


def unfounded(texts: Sequence[str], titles: Iterable[str], answers: Iterable[Translation | FormulaError]) -> Unfounded:
    """The readings among the answers that the texts of a document say nothing for, or something against."""
    subject = _subject(tuple(sorted(titles)), tuple(texts))
    if subject.length < _FEWEST_WORDS:
        return {}
    readings = {
        (symbol_of(decision.source), decision.macro): decision
        for answer in answers
        if isinstance(answer, Translation)
        for decision in answer.decisions
        if decision.macro
    }
    return {
        (symbol, macro): _NEVER
        for (symbol, macro), decision in readings.items()
        if subject.evidence(symbol, macro, decision.source).against
    }


@lru_cache(maxsize=1)
def _subject(titles: tuple[str, ...], texts: tuple[str, ...]) -> Subject:
    """What a document speaks of; asked for several times while it is lifted."""
    return Subject([*titles, *map(_prose, texts)])


def _prose(text: str) -> str:
    """The words of a text: of a LaTeX file its body, and the titles that the preamble gives."""
    before, begin, body = text.partition(r"\begin{document}")
    return " ".join([*_TITLE.findall(before), plain_words(body)]) if begin else plain_words(text)
