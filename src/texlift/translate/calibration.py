"""Honest confidence: from what the scorer says to how often it is right.

The signs and marks of an answer (see `confidence`) are weighed by a logistic regression, and its log-odds mapped by a
monotone, piecewise linear function (pool-adjacent-violators); both are fitted on formulae it was not trained on.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from texlift.translate.confidence import HEAD, UNPRINTED

__all__ = ["Calibration", "Weighing", "probability_of"]


@dataclass(frozen=True, slots=True)
class Weighing:
    """Weights of the signs and of the marks: log-odds that an answer is right."""

    weights: tuple[float, ...] = ()
    bias: float = 0.0
    marks: Mapping[str, float] = field(default_factory=dict)

    def __call__(self, signs: Sequence[float], marks: Collection[str]) -> float:
        known = self.marks
        weighed = [weight * sign for weight, sign in zip(self.weights, signs, strict=True)]
        # marks come in no order, so the sum must be the same in any
        return math.fsum([self.bias, *weighed, *(known[mark] for mark in marks if mark in known)])

    @staticmethod
    def of(table: Mapping[str, Any]) -> Weighing:
        """A weighing from its JSON form; ValueError, KeyError or TypeError if it is none."""
        marks = {str(mark): float(weight) for mark, weight in table["marks"].items()}
        return Weighing(tuple(map(float, table["weights"])), float(table["bias"]), marks)


@dataclass(frozen=True, slots=True)
class Calibration:
    """How signs are weighed, and knots of the map, in log-odds; without them the first sign is taken as it is.

    Symbols with which calls start, alone and left as they stand, are weighed apart: some of them mention the function,
    and the scorers are as sure of those as of letters. So are formulae in which a macro is read that prints something
    else: where somebody else writes, that is usual, and where the DLMF does, it is mostly an error.
    """

    formulae: Weighing = field(default_factory=Weighing)
    heads: Weighing = field(default_factory=Weighing)
    unprinted: Weighing = field(default_factory=Weighing)
    inputs: tuple[float, ...] = ()
    outputs: tuple[float, ...] = ()

    def score(self, signs: Sequence[float], marks: Collection[str] = ()) -> float:
        """Log-odds that an answer is right, before the map: what answers are ranked by."""
        if not self.formulae.weights:
            return signs[0]
        own = self.heads if signs[HEAD] else self.unprinted if signs[UNPRINTED] else self.formulae
        return own(signs, marks)

    def __call__(self, signs: Sequence[float], marks: Collection[str] = ()) -> float:
        """The calibrated probability that an answer is right."""
        at = self.score(signs, marks)
        if not self.inputs:
            return probability_of(at)
        if at <= self.inputs[0]:
            return self.outputs[0] * probability_of(at) / probability_of(self.inputs[0])  # down to 0 in proportion
        above = bisect_left(self.inputs, at)
        if above == len(self.inputs):
            # the surest keep their order, and stay further from certainty than half of what the last step has left
            last = self.outputs[-1]
            return last + 0.5 * (1.0 - last) * (1.0 - math.exp(self.inputs[-1] - at))
        (x0, x1), (y0, y1) = self.inputs[above - 1 : above + 1], self.outputs[above - 1 : above + 1]
        return y0 + (y1 - y0) * (at - x0) / max(x1 - x0, 1e-9)

    @staticmethod
    def of(table: Mapping[str, Any]) -> Calibration:
        """A calibration from its JSON form; ValueError, KeyError or TypeError if it is none."""
        inputs, outputs = (tuple(map(float, table[name])) for name in ("inputs", "outputs"))
        if len(inputs) != len(outputs):
            raise ValueError("as many inputs as outputs are needed")
        formulae, heads, unprinted = (Weighing.of(table[name]) for name in ("formulae", "heads", "unprinted"))
        return Calibration(formulae, heads, unprinted, inputs, outputs)


def probability_of(log_odds: float) -> float:
    """The probability with these log-odds."""
    return 1.0 / (1.0 + math.exp(-max(-700.0, min(700.0, log_odds))))
