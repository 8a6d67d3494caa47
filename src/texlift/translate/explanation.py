"""What was decided at a place of a formula, and what else might stand there."""

from __future__ import annotations

import math
from collections.abc import Collection
from functools import cache

from texlift.grammar.match import Match, SpanRef
from texlift.macros.inverses import inverse_of
from texlift.macros.lexicon import lexicon
from texlift.translate.answer import Decision, Reading
from texlift.translate.decoding import Choice, Derivation, Probabilities
from texlift.translate.preparation import Work
from texlift.translate.rendering import Renderer
from texlift.translate.variation import FAINT

__all__ = ["decision", "traps"]

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


def traps(derivation: Derivation, latex: str) -> list[str]:
    """Warnings of readings that expand back but often are meant otherwise.

    `\\sin^{-1}x` may be the inverse function, `\\cos\\theta(a+b)` a product.
    """
    read = {(id(choice.row), choice.position) for choice in derivation.choices if choice.match is not None}
    found: list[str] = []
    for choice in derivation.choices:
        match = choice.match
        if match is None:
            continue
        name = match.rule.name
        if match.scripts and (inverse := _meant_as_inverse(match)):
            found.append(f"{name}^{{-1}} is a power here; the inverse function is {inverse}")
        elif (span := _maybe_product(match, read)) is not None:
            argument = latex[span.elements[0].start : span.elements[-1].end]
            found.append(f"{name} is taken of {argument}; if that is a product, write the other factor first")
    return list(dict.fromkeys(found))


def _meant_as_inverse(match: Match) -> str:
    """The inverse of a function that is raised to the power -1, if there is one."""
    elements = match.row.elements
    raised = any(elements[at].label == "^" and elements[at].rows[0].key == "- 1" for at in match.scripts)
    return inverse_of(match.rule.name) if raised else ""


def _maybe_product(match: Match, read: Collection[tuple[int, int]]) -> SpanRef | None:
    """An argument without brackets around it that is a variable before a sum in brackets."""
    last = match.rule.pattern.items[-1].hole
    if last < 0 or not match.rule.has_ats:
        return None
    span = match.holes[last]
    elements = span.row.elements
    end = span.end - 1
    if end <= span.start or not elements[end].label.startswith("( "):
        return None
    if all(element.label not in _SIGNS for element in elements[end].rows[0].elements[1:]):
        return None
    before = end - 1
    while before > span.start and elements[before].label in _SCRIPTS:
        before -= 1
    label = elements[before].label
    is_variable = label[-1].isalpha() and label not in _FUNCTIONS and (id(span.row), before) not in read
    return span if is_variable else None


_SIGNS = frozenset({"+", "-", r"\pm", r"\mp"})
_SCRIPTS = frozenset("_'^")
_FUNCTIONS = frozenset([*"fghFGH", r"\phi", r"\psi", r"\Phi", r"\Psi", r"\Gamma"])  # letters of functions


def _reading(match: Match, log_probability: float, renderer: Renderer) -> Reading:
    name = match.rule.name
    return Reading(name, renderer.call(match), _described(name)[0], math.exp(log_probability))


@cache
def _described(name: str) -> tuple[str, str]:
    """Meaning and address of a macro; both are empty for one that the lexicon does not know."""
    macro = lexicon().lookup(name) if name else None
    return (macro.meaning, macro.dlmf_url) if macro else ("", "")
