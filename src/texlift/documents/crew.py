"""Who translates the formulae of a document: this process, or workers that end with each round.

Workers are forked where the system can: then they share the model, and nothing is loaded twice. What they remember
goes with them: a book is large enough itself.
"""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TypeAlias

from texlift.documents.consistency import Preferences
from texlift.errors import FormulaError
from texlift.translate.answer import Translation

__all__ = ["Crew", "Progress", "Work"]

Progress: TypeAlias = Callable[[str, int, int], None]
"""Called with the step, how many formulae are done and how many there are."""

Work: TypeAlias = tuple[int, str, Mapping[str, str]]
"""The number of a formula, its source, its context."""

_Answer: TypeAlias = Translation | FormulaError
_CHUNK = 256  # formulae that share what they say of each other's symbols: another number gives other answers


class Crew:
    """Translates with `jobs` processes."""

    def __init__(self, jobs: int, model: Path | None, alternatives: int, constants: bool) -> None:
        self._jobs = jobs
        self._model = model
        self._alternatives = alternatives
        self._constants = constants

    def translations(
        self, work: Sequence[Work], preferences: Preferences, tell: Progress | None = None
    ) -> Iterator[tuple[int, _Answer]]:
        """Translations by index, in worker processes if there are enough formulae to be worth it."""
        queue = iter(work)
        chunks = iter(lambda: list(islice(queue, _CHUNK)), [])
        done = 0
        for part in self._parts(chunks, dict(preferences), self._jobs > 1 and len(work) > _CHUNK):
            done += len(part)
            if tell:
                tell("translating", done, len(work))
            yield from part

    def _parts(
        self, chunks: Iterator[list[Work]], preferences: dict[tuple[str, str], float], together: bool
    ) -> Iterator[list[tuple[int, _Answer]]]:
        arguments = (self._model, self._alternatives, self._constants, preferences)
        if not together:
            yield from (_translate(chunk, *arguments) for chunk in chunks)
            return
        if multiprocessing.get_start_method() == "fork":
            from texlift.translate.translator import load

            load(self._model)
        with ProcessPoolExecutor(self._jobs) as pool:
            waiting: deque[Future[list[tuple[int, _Answer]]]] = deque()
            for chunk in chunks:  # a few chunks ahead: answers that nobody has asked for yet take memory
                waiting.append(pool.submit(_translate, chunk, *arguments))
                if len(waiting) > 2 * self._jobs:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()


def _translate(
    work: list[Work], model: Path | None, alternatives: int, constants: bool, preferences: dict[tuple[str, str], float]
) -> list[tuple[int, _Answer]]:
    from texlift.translate.translator import load

    def prefer(symbol: str, macro: str) -> float:
        return preferences.get((symbol, macro), 0.0)

    formulae = [(latex, context) for _, latex, context in work]
    results = load(model).translate_many(
        formulae, alternatives, constants, prefer if preferences else None, bare=True, document=True, cautious=False
    )
    return [(index, _slim(result)) for (index, _, _), result in zip(work, results, strict=True)]


def _slim(answer: _Answer) -> _Answer:
    """An answer without what its confidence rests on: a book has fifty thousand of them."""
    if not isinstance(answer, Translation):
        return answer
    return replace(answer, evidence=(), topics=(), around="", document=None)
