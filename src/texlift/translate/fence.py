"""A fence around each formula of a batch: one on which the translator fails costs the others nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from texlift.errors import FormulaError, internal_error

__all__ = ["answer_each"]

Asked = TypeVar("Asked")
Answer = TypeVar("Answer")
Run = Callable[[Sequence[Asked]], Iterable[Answer | FormulaError]]

_STEP = "translating"


def answer_each(
    run: Run[Asked, Answer], asked: Sequence[Asked], source: Callable[[Asked], str]
) -> list[Answer | FormulaError]:
    """Answers in order. What `run` fails on gets an error of its own; the others are run again without it."""
    try:
        return list(run(asked))
    except Exception as error:  # noqa: BLE001  found out below which formula it was
        if len(asked) == 1:
            return [internal_error(error, source(asked[0]), _STEP)]
    alone = [answer_each(run, [one], source)[0] for one in asked]
    sound = [index for index, answer in enumerate(alone) if not isinstance(answer, FormulaError)]
    try:
        together = list(run([asked[index] for index in sound]))
    except Exception:  # noqa: BLE001  each succeeds alone
        return alone
    for index, answer in zip(sound, together, strict=True):
        alone[index] = answer
    return alone
