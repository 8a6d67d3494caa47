"""Scores of a formula in one spelling carried over to another: `\\mathrm{Ai}` is one element, `Ai` are two.

Both spellings show the same signs, so a sign is known by how many stand before it. A reading is the same in both if its
rule is, and if it ends and its holes stand at the same signs. What one spelling alone makes possible, an i inside `Ai`,
is not meant.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

from texlift.context.spelling import skeleton
from texlift.grammar.match import Match
from texlift.scorer.encoded import Encoded, Place
from texlift.translate.variation import EXCLUDED, normalised

__all__ = ["Respelled", "respelled"]


@dataclass(frozen=True, slots=True, eq=False)
class Respelled:
    """A formula as it is to be judged, and where its scores belong in the formula that was asked for."""

    encoded: Encoded
    readings: list[tuple[int, list[int]]]  # of each place that was asked for: the judged place, its readings; -1: none

    def carried(self, scores: list[list[float]]) -> list[list[float]]:
        """Log-probabilities of the judged places and readings as those of the places that were asked for."""
        return [
            normalised([scores[place][k] if k >= 0 else EXCLUDED for k in numbers])
            if place >= 0
            else [0.0, *[EXCLUDED] * (len(numbers) - 1)]
            for place, numbers in self.readings
        ]


def respelled(asked: list[Place], latex: str, judged: Encoded, spelled: str) -> Respelled | None:
    """How the places `asked` for in `latex` are judged in the spelling `spelled`; None if that cannot be told."""
    signs, other_signs = skeleton(latex)[1], skeleton(spelled)[1]
    there = {_first(place, other_signs): number for number, place in enumerate(judged.places)}
    if len(signs) != len(other_signs) or len(there) < len(judged.places):
        return None
    readings: list[tuple[int, list[int]]] = []
    for place in asked:
        number = there.get(_first(place, signs), -1)
        same: dict[tuple[object, ...], int] = {}
        if number >= 0:
            matches = judged.places[number].matches
            same = {_shown(match, other_signs): k for k, match in enumerate(matches, 1)}
        readings.append((number, [0, *(same.get(_shown(match, signs), -1) for match in place.matches)]))
    return Respelled(judged, readings)


def _first(place: Place, signs: list[int]) -> int:
    """How many signs stand before a place."""
    return bisect_left(signs, place.row.elements[place.position].start)


def _shown(match: Match, signs: list[int]) -> tuple[object, ...]:
    """A rule, and the signs at which it ends and at which its holes start and end."""
    elements = match.row.elements
    holes = [
        (hole, bisect_left(signs, span.elements[0].start), bisect_left(signs, span.elements[-1].end))
        for hole, span in sorted(match.holes.items())
        if span.start < span.end
    ]
    end = max([element.end for element in elements[match.start : match.end]])
    return (match.rule.call, match.rule.generic, bisect_left(signs, end), len(match.trailing), *holes)
