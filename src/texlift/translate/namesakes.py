"""Macros that share their name with something better known: `\\ker(A)` is a kernel, not a Kelvin function.

Such a macro is read only where the formula or what is said about it speaks of its subject, or where it is written as
nobody writes the other thing.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from texlift.grammar.match import Match
from texlift.scorer.encoded import Encoded
from texlift.translate.scoring import Scores
from texlift.translate.variation import EXCLUDED, normalised

__all__ = ["without_namesakes"]


@dataclass(frozen=True, slots=True)
class _Namesake:
    """`command` is the other thing's own; with `beside` in the formula or `words` around it, the macro is meant."""

    command: str
    beside: frozenset[str]
    words: tuple[str, ...]
    arguments: frozenset[str]  # that only the other thing has


_MAPS: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZfgh") | {r"\phi", r"\psi", r"\pi", r"\rho", r"\partial", r"\alpha"}
_NAMESAKES: Final[Mapping[str, _Namesake]] = {
    r"\Kelvinker": _Namesake(r"\ker", frozenset({"ber", "bei", "kei"}), ("kelvin", "bessel"), _MAPS),
}


def without_namesakes(
    encoded: Encoded, by_scorer: Scores, latex: str, labels: Collection[str], context: str | Mapping[str, str] | None
) -> Scores:
    """The scores of a formula with the readings excluded in which a macro is mistaken for its namesake."""
    wrong = {
        index: [number for number, match in enumerate(place.matches, 1) if _is_namesake(match, latex, labels, context)]
        for index, place in enumerate(encoded.places)
        if any(match.rule.name in _NAMESAKES for match in place.matches)
    }
    if not any(wrong.values()):
        return by_scorer
    return [
        [_excluding(own, wrong[index]) if wrong.get(index) else own for index, own in enumerate(scores)]
        for scores in by_scorer
    ]


def _excluding(scores: list[float], numbers: list[int]) -> list[float]:
    return normalised([EXCLUDED if number in numbers else score for number, score in enumerate(scores)])


def _is_namesake(match: Match, latex: str, labels: Collection[str], context: str | Mapping[str, str] | None) -> bool:
    other = _NAMESAKES.get(match.rule.name)
    if other is None or "{}" not in match.rule.call:
        return False
    if not other.beside.isdisjoint(labels) or any(word in _said(context) for word in other.words):
        return False
    if latex.startswith(other.command, match.row.elements[match.start].start):
        return True
    return any(span.elements[0].label in other.arguments for span in match.holes.values())


def _said(context: str | Mapping[str, str] | None) -> str:
    text = " ".join(context.values()) if isinstance(context, Mapping) else context or ""
    return text.lower()
