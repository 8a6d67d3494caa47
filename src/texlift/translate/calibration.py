"""Honest confidence: from what the scorer says to how often it is right.

The signs and marks of an answer (see `confidence`) are weighed by a logistic regression, and its log-odds mapped by a
monotone, piecewise linear function (pool-adjacent-violators); both are fitted on formulae it was not trained on.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Calibration", "probability_of"]

_LEAST = 40  # formulae a step of the fit must rest on
_OFTEN = 4  # answers that must have a mark for it to be weighed
_MARK_SCALE = 0.2  # beside the standardised signs, in the penalty on squared weights


@dataclass(frozen=True, slots=True)
class Calibration:
    """Weights of the signs and knots of the map, in log-odds; without them the first sign is taken as it is."""

    weights: tuple[float, ...] = ()
    bias: float = 0.0
    inputs: tuple[float, ...] = ()
    outputs: tuple[float, ...] = ()
    marks: Mapping[str, float] = field(default_factory=dict)

    def score(self, signs: Sequence[float], marks: Collection[str] = ()) -> float:
        """Log-odds that an answer is right, before the map: what answers are ranked by."""
        if not self.weights:
            return signs[0]
        known = self.marks
        return (
            self.bias
            + sum([weight * sign for weight, sign in zip(self.weights, signs, strict=True)])
            + sum([known[mark] for mark in marks if mark in known])
        )

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
        weights, inputs, outputs = (tuple(map(float, table[name])) for name in ("weights", "inputs", "outputs"))
        if len(inputs) != len(outputs):
            raise ValueError("as many inputs as outputs are needed")
        marks = {str(mark): float(weight) for mark, weight in table.get("marks", {}).items()}
        return Calibration(weights, float(table["bias"]), inputs, outputs, marks)

    @staticmethod
    def fit(
        signs: Sequence[Sequence[float]], right: Sequence[bool], marks: Sequence[Collection[str]] | None = None
    ) -> Calibration:
        """The calibration of held-out answers, of which each has signs and marks."""
        shown = marks if marks is not None else [()] * len(signs)
        weights, of_marks, bias = _logistic(np.array(signs, np.float64), shown, np.array(right, np.float64))
        start = Calibration(weights, bias, marks=of_marks)
        points = sorted(zip(map(start.score, signs, shown), right, strict=True))
        blocks: list[list[float]] = []  # sum of inputs, right ones, count
        for at in range(0, len(points), _LEAST):
            chunk = points[at : at + _LEAST]
            blocks.append([sum(x for x, _ in chunk), float(sum(ok for _, ok in chunk)), float(len(chunk))])
            while len(blocks) > 1 and blocks[-2][1] / blocks[-2][2] >= blocks[-1][1] / blocks[-1][2]:
                last = blocks.pop()
                blocks[-1] = [a + b for a, b in zip(blocks[-1], last, strict=True)]
        # half a success and half a failure more than seen: never claim certainty from a finite sample
        outputs = tuple((good + 0.5) / (count + 1.0) for _, good, count in blocks)
        return Calibration(weights, bias, tuple(total / count for total, _, count in blocks), outputs, of_marks)


def _logistic(
    signs: NDArray[np.float64], marks: Sequence[Collection[str]], right: NDArray[np.float64]
) -> tuple[tuple[float, ...], dict[str, float], float]:
    """Weights of the signs and of the marks that occur often enough, and the bias, by logistic regression."""
    from scipy.sparse import csr_matrix, hstack
    from sklearn.linear_model import LogisticRegression

    seen = Counter(mark for some in marks for mark in some)
    known = {mark: number for number, mark in enumerate(sorted(m for m, n in seen.items() if n >= _OFTEN))}
    mean, deviation = signs.mean(0), signs.std(0)
    deviation[deviation < 1e-6] = 1.0
    at = [(row, known[mark]) for row, some in enumerate(marks) for mark in some if mark in known]
    rows, columns = zip(*at, strict=True) if at else ((), ())
    shown = csr_matrix((np.full(len(at), _MARK_SCALE), (rows, columns)), shape=(len(signs), len(known)))
    inputs = hstack([csr_matrix((signs - mean) / deviation), shown]).tocsr()
    fitted = LogisticRegression(C=1.0, max_iter=1000).fit(inputs, right)
    weights = fitted.coef_[0]
    plain = weights[: signs.shape[1]] / deviation
    of_marks = {mark: round(_MARK_SCALE * float(weights[signs.shape[1] + k]), 4) for mark, k in known.items()}
    return tuple(plain.tolist()), {m: w for m, w in of_marks.items() if w}, float(fitted.intercept_[0] - plain @ mean)


def probability_of(log_odds: float) -> float:
    """The probability with these log-odds."""
    return 1.0 / (1.0 + math.exp(-max(-700.0, min(700.0, log_odds))))
