"""Other ways to read a formula: the best derivation with one decision changed, and whether a derivation makes sense."""

from __future__ import annotations

import math

from texlift.grammar.readings import Forest
from texlift.scorer.encoded import Encoded
from texlift.translate.decoding import Derivation, Probabilities, decode

__all__ = ["EXCLUDED", "FAINT", "flipped", "normalised", "symbols_alike"]

FAINT = math.log(0.001)
"""Readings less likely than this are not worth mentioning."""

EXCLUDED = -60.0
"""The log-probability of a reading that must not be."""


def normalised(scores: list[float]) -> list[float]:
    """Scores of the readings of a place as log-probabilities."""
    top = max(scores)
    total = top + math.log(sum([math.exp(value - top) for value in scores]))
    return [value - total for value in scores]


def flipped(
    forest: Forest, encoded: Encoded, probabilities: Probabilities, best: Derivation, count: int
) -> list[Derivation]:
    """The best derivation with one decision changed, wherever it holds; the likeliest changes only."""
    groups = _groups(encoded)
    changes: dict[tuple[int, int], float] = {}
    for choice in best.choices:
        place = id(choice.row), choice.position
        matches = forest.places[place[0]][place[1]]
        own = 0 if choice.match is None else next((k for k, m in enumerate(matches, 1) if m is choice.match), -1)
        for reading, value in enumerate(probabilities[place]):
            if reading != own and value > FAINT:
                changes.setdefault((groups[place], reading), value)
    found: list[Derivation] = []
    for (group, reading), _ in sorted(changes.items(), key=lambda item: -item[1])[:count]:
        steered = {
            place: [value if k == reading else EXCLUDED for k, value in enumerate(own)]
            if groups[place] == group
            else own
            for place, own in probabilities.items()
        }
        found += decode(forest, steered)
    return found


def symbols_alike(derivation: Derivation, encoded: Encoded) -> bool:
    """Whether one symbol, written alike, is read in one way: where its readings are the same, and as a constant."""
    groups = _groups(encoded)
    calls: dict[int, str] = {}
    constants: dict[tuple[str, str], str] = {}
    for choice in derivation.choices:
        call = choice.match.rule.call if choice.match else ""
        if calls.setdefault(groups[id(choice.row), choice.position], call) != call:
            return False
        if "{" not in call and "@" not in call:
            element = choice.row.elements[choice.position]
            if constants.setdefault((element.label, element.style), call) != call:
                return False
    return True


def _groups(encoded: Encoded) -> dict[tuple[int, int], int]:
    """(id(row), position) -> the group of the place, whose members are decided together."""
    return dict(zip(encoded.where, encoded.place_group.tolist(), strict=True))
