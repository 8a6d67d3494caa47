"""What was decided at a place of a formula, and what else might stand there."""

from __future__ import annotations

import math
from functools import cache

from texlift.grammar.match import Match
from texlift.macros.inverses import inverse_of
from texlift.macros.lexicon import lexicon
from texlift.translate.decoding import Choice, Derivation, Probabilities
from texlift.translate.preparation import Work
from texlift.translate.rendering import Renderer
from texlift.translate.translation import Decision, Reading
from texlift.translate.variation import FAINT

__all__ = ["decision", "inverses"]

_MOST_COMPETING = 8


def decision(work: Work, choice: Choice, probabilities: Probabilities, renderer: Renderer) -> Decision:
    """The decision at one place: the span in the source, the macro, its meaning, the readings that compete."""
    row, position, match = choice.row, choice.position, choice.match
    scores = probabilities[id(row), position]
    matches = work.forest.places[id(row)][position]
    element = row.elements[position]
    span = renderer.spans.get(choice.key, (element.start, element.end))
    literal = Reading("", work.latex[element.start : element.end], "as it stands", math.exp(scores[0]))
    own = literal
    if match is not None:
        # a match cut short by the end of its span is not among those scored at the place
        own = _reading(match, choice.log_probability, renderer)
    readings = [literal, own]
    for index, other in enumerate(matches, 1):
        if other is not match and scores[index] > FAINT:
            readings.append(_reading(other, scores[index], renderer))
    competing = tuple(sorted((r for r in readings if r is not own), key=lambda r: -r.probability)[:_MOST_COMPETING])
    return Decision(
        span,
        work.latex[span[0] : span[1]],
        own.macro,
        own.call,
        own.meaning,
        _described(own.macro)[1],
        math.exp(choice.log_probability),
        competing,
    )


def inverses(derivation: Derivation) -> list[str]:
    """Warnings of powers that may be meant as inverse functions: `\\sin^{-1}x`."""
    found = {}
    for choice in derivation.choices:
        match = choice.match
        if match is not None and match.scripts:
            elements = match.row.elements
            inverse = inverse_of(match.rule.name)
            if inverse and any(elements[at].label == "^" and elements[at].rows[0].key == "- 1" for at in match.scripts):
                found[match.rule.name] = inverse
    return [f"{name}^{{-1}} is a power here; the inverse function is {inverse}" for name, inverse in found.items()]


def _reading(match: Match, log_probability: float, renderer: Renderer) -> Reading:
    name = match.rule.name
    return Reading(name, renderer.call(match), _described(name)[0], math.exp(log_probability))


@cache
def _described(name: str) -> tuple[str, str]:
    """Meaning and address of a macro; both are empty for one that the lexicon does not know."""
    macro = lexicon().lookup(name) if name else None
    return (macro.meaning, macro.dlmf_url) if macro else ("", "")
