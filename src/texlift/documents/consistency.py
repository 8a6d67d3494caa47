r"""One symbol, one meaning: what the whole document says about a symbol corrects the places that are unsure.

Every formula is translated by itself first. For each symbol the probabilities of its readings are added up over
the document; readings that the document as a whole makes unlikely get a malus, and the formulae that went against
the common reading are translated again with it. Where the text gives a symbol a new meaning ("now let $P_n$ denote
..."), the count starts anew.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from texlift.documents.choices import symbol_of
from texlift.errors import FormulaError
from texlift.translate.translation import Decision

__all__ = ["FIXED", "Preferences", "consistent", "symbol_at"]

Preferences = Mapping[tuple[str, str], float]
"""(label of the symbol, macro or "") -> what to add to the log-score of that reading."""

FIXED = 40.0
"""What an author's own choice adds: more than any score."""

_STRENGTH = 1.5
_PRIOR = 0.5
_DEFINING = 3.0  # weight of a place where the text says what the symbol means
_SURE = 0.95  # a reading this likely is not argued with
_INTRODUCES = re.compile(
    r"\b(?:let|denot(?:es?|ed|ing)|(?:re)?define[sd]?|stands? for|from now on|we write|(?:is|are|be) the)\b",
    re.IGNORECASE,
)


@dataclass(slots=True)
class _Era:
    """The stretch of a document in which a symbol keeps its meaning: mass and number of places by macro."""

    mass: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    places: float = 0.0

    def add(self, decision: Decision, weight: float) -> None:
        self.places += weight
        for macro, probability in _readings(decision).items():
            self.mass[macro] += weight * probability

    @property
    def leading(self) -> str:
        return max(self.mass, key=lambda macro: self.mass[macro])

    def preferences(self) -> dict[str, float]:
        """Malus of each reading that is a macro; the literal one is not judged: `K` alone is often a constant."""
        logs = {m: math.log((_PRIOR + mass) / (_PRIOR + self.places)) for m, mass in self.mass.items() if m}
        best = max(logs.values(), default=0.0)
        return {macro: _STRENGTH * (value - best) for macro, value in logs.items()}


def symbol_at(decision: Decision) -> str:
    """The label of the symbol a decision is about."""
    try:
        return symbol_of(decision.source)
    except FormulaError:
        return ""


def consistent(formulae: Sequence[tuple[Sequence[Decision], str]]) -> dict[int, Preferences]:
    """Which formulae to translate again, with which preferences.

    Each formula is given by its decisions and the sentence around it, in the order of the document.
    """
    eras: dict[str, list[_Era]] = {}
    seen: list[list[tuple[str, int, Decision]]] = []  # for each formula: symbol, era, decision
    for decisions, sentence in formulae:
        places = []
        introduces = bool(_INTRODUCES.search(sentence))
        for decision in decisions:
            symbol = symbol_at(decision)
            if not symbol:
                continue
            own = eras.setdefault(symbol, [_Era()])
            changed = introduces and decision.macro and decision.probability >= 0.5
            if changed and own[-1].mass and own[-1].leading != decision.macro and _competes(decision, own[-1].leading):
                own.append(_Era())
            own[-1].add(decision, _DEFINING if changed else 1.0)
            places.append((symbol, len(own) - 1, decision))
        seen.append(places)
    again: dict[int, Preferences] = {}
    for index, places in enumerate(seen):
        preferences: dict[tuple[str, str], float] = {}
        against = False
        for symbol, era, decision in places:
            malus = eras[symbol][era].preferences()
            preferences.update({(symbol, macro): value for macro, value in malus.items()})
            best = max(malus, key=malus.__getitem__, default="")
            against |= decision.macro not in ("", best) and decision.probability < _SURE and _competes(decision, best)
        if against:
            again[index] = preferences
    return again


def _readings(decision: Decision) -> dict[str, float]:
    """Probabilities by macro; several calls of one macro count together."""
    total: dict[str, float] = defaultdict(float)
    total[decision.macro] += decision.probability
    for reading in decision.competing:
        total[reading.macro] += reading.probability
    return total


def _competes(decision: Decision, macro: str) -> bool:
    return any(reading.macro == macro for reading in decision.competing)
