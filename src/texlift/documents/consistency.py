r"""One symbol, one meaning: what the whole document says about a symbol corrects the uncertain places.

Every formula is translated independently first. For each symbol the probabilities of its readings are added up over
the document; readings that the document as a whole makes unlikely get a penalty, and the formulae that went against
the common reading, or were unsure of it, are translated again with it. Where the text gives a symbol a new meaning
("now let $P_n$ denote ..."), the count starts anew.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from texlift.documents.choices import symbol_of
from texlift.errors import FormulaError
from texlift.translate.answer import Decision

__all__ = ["FIXED", "Evidence", "Preferences", "consistent", "disputed", "symbol_at"]

Preferences = Mapping[tuple[str, str], float]
"""(label of the symbol, macro or "") -> what to add to the log-score of that reading."""

FIXED = 40.0
"""What an author's own choice adds: more than any score."""

_PRIOR = 0.5
_LITERAL = -4.0  # the most that is held against leaving a symbol as it is
_DEFINING = 3.0  # weight of a place where the text says what the symbol means
_SURE = 0.95  # a reading this likely is not argued with
_UNSURE = 0.9  # a reading less likely than this is weighed again with what the document says
_INTRODUCES = re.compile(
    r"\b(?:let|denot(?:es?|ed|ing)|(?:re)?define[sd]?|stands? for|from now on|we write|(?:is|are|be) the)\b",
    re.IGNORECASE,
)


@dataclass(slots=True)
class _Era:
    """The stretch of a document in which a symbol keeps its meaning: mass and number of places by macro."""

    mass: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    places: float = 0.0
    formulae: set[int] = field(default_factory=set)
    established: set[str] = field(default_factory=set)  # macros met for certain, or said to be meant

    def add(self, decision: Decision, weight: float) -> None:
        self.places += weight
        if decision.macro and (weight > 1.0 or decision.probability >= _UNSURE):
            self.established.add(decision.macro)
        for macro, probability in _readings(decision).items():
            self.mass[macro] += weight * probability

    @property
    def leading(self) -> str:
        """The most common macro; "" if there is none."""
        return max((macro for macro in self.mass if macro), key=self.mass.__getitem__, default="")

    def preferences(self) -> dict[str, float]:
        """What to add to the log-score of each reading, 0 for the most common one.

        Where a function has been met for certain, its symbol is that function elsewhere too, and not just a letter;
        but only up to a point: `K` alone is often a constant beside `K(k)`.
        """
        logs = {m: math.log((_PRIOR + mass) / (_PRIOR + self.places)) for m, mass in self.mass.items()}
        best = max(logs.values(), default=0.0)
        strength = 1.0 + 0.5 * math.log2(max(1.0, self.places))  # the more places agree, the more they say
        malus = {macro: strength * (value - best) for macro, value in logs.items()}
        if self.established and self.leading in self.established:
            malus[""] = _LITERAL
        return {macro: value if macro else max(_LITERAL, value) for macro, value in malus.items()}


def symbol_at(decision: Decision) -> str:
    """The label of the symbol a decision is about."""
    try:
        return symbol_of(decision.source)
    except FormulaError:
        return ""


Evidence = Sequence[tuple[Sequence[Decision], str]]
"""The formulae of a document in order, each by its decisions and the sentence around it."""

_Seen = list[tuple[str, int, Decision]]  # for one formula: symbol, number of its era, decision


def _eras(formulae: Evidence) -> tuple[dict[str, list[_Era]], list[_Seen]]:
    """The stretches in which each symbol keeps its meaning, and which of them each decision belongs to."""
    eras: dict[str, list[_Era]] = {}
    seen: list[_Seen] = []
    for number, (decisions, sentence) in enumerate(formulae):
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
            own[-1].formulae.add(number)
            places.append((symbol, len(own) - 1, decision))
        seen.append(places)
    return eras, seen


def consistent(formulae: Evidence) -> dict[int, Preferences]:
    """Which formulae to translate again, with which preferences."""
    eras, seen = _eras(formulae)
    again: dict[int, Preferences] = {}
    for index, places in enumerate(seen):
        preferences: dict[tuple[str, str], float] = {}
        against = False
        for symbol, era, decision in places:
            if len(eras[symbol][era].formulae) < 2:
                continue  # a formula is no witness for itself
            malus = eras[symbol][era].preferences()
            preferences.update({(symbol, macro): value for macro, value in malus.items()})
            best = max(malus, key=malus.__getitem__, default="")
            limit = _UNSURE if decision.macro == best else _SURE
            others = any(reading.macro in malus for reading in decision.competing)
            against |= others and decision.probability < limit
        if against:
            again[index] = preferences
    return again


def disputed(formulae: Evidence) -> list[list[Decision]]:
    """For each formula the decisions that give a symbol another meaning than the rest of the document gives it.

    Only where the other meaning was possible there too: `P_n` and `P_n^{(a,b)}` are different functions.
    """
    eras, seen = _eras(formulae)
    return [
        [
            decision
            for symbol, era, decision in places
            if decision.macro
            and (leading := eras[symbol][era].leading) != decision.macro
            and eras[symbol][era].mass[leading] > eras[symbol][era].mass[decision.macro]
            and _competes(decision, leading)
        ]
        for places in seen
    ]


def _readings(decision: Decision) -> dict[str, float]:
    """Probabilities by macro; several calls of one macro count together."""
    total: dict[str, float] = defaultdict(float)
    total[decision.macro] += decision.probability
    for reading in decision.competing:
        total[reading.macro] += reading.probability
    return total


def _competes(decision: Decision, macro: str) -> bool:
    return any(reading.macro == macro for reading in decision.competing)
