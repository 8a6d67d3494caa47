"""Log-probabilities of all readings of formulae, by the scorers and by what the caller prefers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from texlift.context.hand import unlike_the_hand
from texlift.context.memory import agreement
from texlift.context.style import HOLLOW
from texlift.context.together import consensus
from texlift.errors import Span
from texlift.scorer.arrays import NumpyArrays
from texlift.scorer.batch import collate
from texlift.scorer.crossing import Indices
from texlift.scorer.encoded import Encoded, Place
from texlift.scorer.merging import merged
from texlift.scorer.network import combined, prepared, score_parts
from texlift.translate.confidence import is_alone
from texlift.translate.model import Model
from texlift.translate.variation import EXCLUDED, normalised

__all__ = ["Choices", "Prefer", "Scores", "Scoring", "cautious", "steered"]

Prefer: TypeAlias = Callable[[str, str], float]
"""(label of the symbol, macro or "") -> what to add to the log-score of that reading."""

Choices: TypeAlias = Mapping[Span, str]
"""Source span -> macro that must stand there, "" for the literal reading."""

Scores: TypeAlias = list[list[list[float]]]
"""Scorer (first all together), place, reading -> log-probability."""

_CAUTION = 2.0  # how much likelier, as a logarithm, a bare letter must be a name if nothing is said about it
_UNLIKE = np.float32(4.0)  # in plain parentheses none of 691 such readings in a third of the corpus is gold
_UNLIKE_ELSEWHERE = np.float32(3.0)  # people are less consistent from one formula to the next
_NEVER = np.float32(20.0)


class Scoring:
    """The scorer of one model."""

    def __init__(self, model: Model) -> None:
        self._config = model.config
        self._conventions = model.conventions
        self._arrays = NumpyArrays()
        self._weights = prepared(model.weights, model.config.state)

    def __call__(self, encoded: list[Encoded], together: bool = True) -> Iterator[Scores]:
        """For each formula, the log-probabilities of the readings of each place: by all, and by each scorer alone.

        `together`: what the formulae under the same titles agree on counts.
        """
        if not encoded:
            return
        bits = self._config.table_bits
        told = self._conventions.columns(encoded)
        _agree(encoded, agreement(told))
        batch = merged(collate(encoded, bits, shared=True, told=told))
        loss = _unlikely(encoded)
        scored = score_parts(self._weights, self._config, batch, self._arrays)
        parts = [part.astype(np.float32) - loss for part in scored]  # rounded alike in every batch
        starts = np.flatnonzero(np.diff(batch.reading_place, prepend=-1))
        bounds = [*starts.tolist(), len(batch.reading_place)]
        scores = parts if len(parts) == 1 else [combined(parts), *parts]
        found = [_log_softmax(values, starts, batch.reading_place) for values in scores]
        if together:
            lost = unlike_the_hand(encoded, found[0])
            if lost is not None:
                found = [_log_softmax(values - lost, starts, batch.reading_place) for values in found]
            added = consensus(encoded, found[0], batch.reading_place, self._conventions.kindred.known)
            if added is not None:
                found = [_log_softmax(values + added, starts, batch.reading_place) for values in found]
        flat = [values.tolist() for values in found]
        at = 0
        for formula in encoded:
            places = range(at, at + len(formula.places))
            yield [[values[bounds[k] : bounds[k + 1]] for k in places] for values in flat]
            at += len(formula.places)


def _agree(formulae: Sequence[Encoded], agreeing: NDArray[np.float32]) -> None:
    """Let formulae know how many others agree with their readings."""
    start = 0
    for formula in formulae:
        end = start + len(formula.reading_place)
        formula.agreeing = agreeing[start:end]
        start = end


def _unlikely(formulae: Sequence[Encoded]) -> NDArray[np.float32]:
    """(C,): what readings lose of their log-score whose macro would have printed something else, as far as it is known
    how its writer writes; those of some formulae one after the other."""
    sizes = [len(formula.reading_fenced) for formula in formulae]
    fenced = np.concatenate([formula.reading_fenced for formula in formulae])
    loss = np.zeros(len(fenced), np.float32)
    for weight, writings in (
        (_UNLIKE_ELSEWHERE, [formula.elsewhere for formula in formulae]),
        (_UNLIKE, [formula.writing for formula in formulae]),
    ):
        loss[fenced >= np.array([writing.plainest_left for writing in writings]).repeat(sizes)] = weight
        start = 0
        for formula, writing, size in zip(formulae, writings, sizes, strict=True):
            for reading, word in formula.reading_words:
                if word in writing.words:
                    loss[start + reading] = weight
            start += size
    loss[fenced == HOLLOW] = _NEVER
    return loss


def _log_softmax(values: NDArray[np.float32], starts: Indices, place: Indices) -> NDArray[np.float32]:
    """Log-probabilities of readings; the readings of a place stand together, from `starts` on."""
    values = values - np.maximum.reduceat(values, starts)[place]
    normalised: NDArray[np.float32] = values - np.log(np.add.reduceat(np.exp(values), starts))[place]
    return normalised


def cautious(encoded: Encoded, by_scorer: Scores) -> Scores:
    """The scores of a formula; of a bare letter about which nothing is said, with the literal reading favoured."""
    if len(encoded.titles) or len(encoded.sentence) or not (is_alone(encoded) and _is_bare(encoded.places)):
        return by_scorer
    return [[_literal_favoured(own) for own in scores] for scores in by_scorer]


def _is_bare(places: list[Place]) -> bool:
    """Whether the formula is a letter without scripts: `J_{\\nu}` tells more than `J`."""
    return len(places) == 1 and len(places[0].row.elements) == 1


def _literal_favoured(scores: list[float]) -> list[float]:
    """The log-probabilities of a place with the literal reading more likely: a wrong guess is worse than none."""
    return normalised([scores[0] + _CAUTION, *scores[1:]])


def steered(encoded: Encoded, scores: list[list[float]], prefer: Prefer | None, choices: Choices) -> list[list[float]]:
    """Log-probabilities with the caller's preferences and choices applied, normalised again."""
    found = []
    for place, own in zip(encoded.places, scores, strict=True):
        element = place.row.elements[place.position]
        names = ["", *(match.rule.name for match in place.matches)]
        if prefer is not None:
            own = [value + prefer(element.label, name) for value, name in zip(own, names, strict=True)]
        for (start, end), macro in choices.items():
            if start <= element.start < end and macro in names and _starts(place, start):
                own = [value if name == macro else EXCLUDED for value, name in zip(own, names, strict=True)]
        found.append(normalised(own))
    return found


def _starts(place: Place, start: int) -> bool:
    """Whether a place is the first of what starts at a source position, dissolved braces aside."""
    element = place.row.elements[place.position]
    before = place.row.elements[place.position - 1].end if place.position else place.row.start
    return before <= start <= element.start
