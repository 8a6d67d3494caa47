"""What to ask an author: one question for each symbol whose meaning is in doubt."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from texlift.documents.consistency import symbol_at
from texlift.documents.formula import Lifted
from texlift.translate.answer import Decision, Reading

__all__ = ["Question", "questions"]

_DOUBT = 0.9
_MOST = 100


@dataclass(frozen=True, slots=True)
class Question:
    """A symbol, an example of its use, and what it may mean, the most likely first."""

    symbol: str
    example: str
    line: int
    places: int
    readings: tuple[Reading, ...]


def questions(lifted: Iterable[Lifted]) -> list[Question]:
    """The symbols some place of which is read with less than 90 % probability, the most frequent first.

    Of a formula that is left alone as uncertain its least certain symbol is one of them in any case.
    """
    doubts: dict[str, list[tuple[Decision, int]]] = {}
    for item in lifted:
        choices = sorted((d for d in item.decisions if d.competing), key=lambda decision: decision.probability)
        for place, decision in enumerate(choices):
            least_sure = item.state == "uncertain" and not place
            if (decision.probability < _DOUBT or least_sure) and (symbol := symbol_at(decision)):
                doubts.setdefault(symbol, []).append((decision, item.formula.line))
    found = []
    for symbol, places in doubts.items():
        decision, line = min(places, key=lambda place: place[0].probability)
        own = Reading(decision.macro, decision.call, decision.meaning, decision.probability)
        by_macro: dict[str, Reading] = {}
        for reading in (own, *decision.competing):
            by_macro.setdefault(reading.macro, reading)
        readings = sorted(by_macro.values(), key=lambda reading: -reading.probability)
        found.append(Question(symbol, decision.source, line, len(places), tuple(readings)))
    return sorted(found, key=lambda question: -question.places)[:_MOST]
