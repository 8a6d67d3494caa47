"""Honest confidence: from what the scorer says to how often it is right.

The signs of an answer (see `confidence`) are weighed by a logistic regression, and its log-odds mapped by a monotone,
piecewise linear function (pool-adjacent-violators); both are fitted on formulae the scorer was not trained on.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Calibration", "probability_of"]

_LEAST = 40  # formulae a step of the fit must rest on
_PENALTY = 1.0  # on squared weights of the standardised signs
_STEPS = 30


@dataclass(frozen=True, slots=True)
class Calibration:
    """Weights of the signs and knots of the map, in log-odds; without them the first sign is taken as it is."""

    weights: tuple[float, ...] = ()
    bias: float = 0.0
    inputs: tuple[float, ...] = ()
    outputs: tuple[float, ...] = ()

    def score(self, signs: Sequence[float]) -> float:
        """Log-odds that an answer is right, before the map: what answers are ranked by."""
        if not self.weights:
            return signs[0]
        return self.bias + sum([weight * sign for weight, sign in zip(self.weights, signs, strict=True)])

    def __call__(self, signs: Sequence[float]) -> float:
        """The calibrated probability that an answer is right."""
        at = self.score(signs)
        if not self.inputs:
            return probability_of(at)
        if at <= self.inputs[0]:
            return self.outputs[0] * probability_of(at) / probability_of(self.inputs[0])  # down to 0 in proportion
        above = bisect_left(self.inputs, at)
        if above == len(self.inputs):
            return self.outputs[-1]
        (x0, x1), (y0, y1) = self.inputs[above - 1 : above + 1], self.outputs[above - 1 : above + 1]
        return y0 + (y1 - y0) * (at - x0) / max(x1 - x0, 1e-9)

    @staticmethod
    def of(table: Mapping[str, Any]) -> Calibration:
        """A calibration from its JSON form; ValueError, KeyError or TypeError if it is none."""
        weights, inputs, outputs = (tuple(map(float, table[name])) for name in ("weights", "inputs", "outputs"))
        if len(inputs) != len(outputs):
            raise ValueError("as many inputs as outputs are needed")
        return Calibration(weights, float(table["bias"]), inputs, outputs)

    @staticmethod
    def fit(signs: Sequence[Sequence[float]], right: Sequence[bool]) -> Calibration:
        """The calibration of held-out answers."""
        weights, bias = _logistic(np.array(signs, np.float64), np.array(right, np.float64))
        start = Calibration(weights, bias)
        points = sorted(zip(map(start.score, signs), right, strict=True))
        blocks: list[list[float]] = []  # sum of inputs, right ones, count
        for at in range(0, len(points), _LEAST):
            chunk = points[at : at + _LEAST]
            blocks.append([sum(x for x, _ in chunk), float(sum(ok for _, ok in chunk)), float(len(chunk))])
            while len(blocks) > 1 and blocks[-2][1] / blocks[-2][2] >= blocks[-1][1] / blocks[-1][2]:
                last = blocks.pop()
                blocks[-1] = [a + b for a, b in zip(blocks[-1], last, strict=True)]
        # half a success and half a failure more than seen: never claim certainty from a finite sample
        outputs = tuple((good + 0.5) / (count + 1.0) for _, good, count in blocks)
        return Calibration(weights, bias, tuple(total / count for total, _, count in blocks), outputs)


def _logistic(signs: NDArray[np.float64], right: NDArray[np.float64]) -> tuple[tuple[float, ...], float]:
    """Weights and bias of a logistic regression with a penalty, by Newton's method."""
    mean, deviation = signs.mean(0), signs.std(0)
    deviation[deviation < 1e-6] = 1.0
    inputs = np.concatenate(((signs - mean) / deviation, np.ones((len(signs), 1))), axis=1)
    penalty = np.full(inputs.shape[1], _PENALTY)
    penalty[-1] = 1e-6
    weights = np.zeros(inputs.shape[1])
    for _ in range(_STEPS):
        probability = 1.0 / (1.0 + np.exp(-np.clip(inputs @ weights, -30, 30)))
        gradient = inputs.T @ (probability - right) + penalty * weights
        curvature = (inputs * (probability * (1.0 - probability) + 1e-9)[:, None]).T @ inputs + np.diag(penalty)
        step = np.linalg.solve(curvature, gradient)
        weights -= step
        if np.abs(step).max() < 1e-8:
            break
    plain = weights[:-1] / deviation
    return tuple(plain.tolist()), float(weights[-1] - plain @ mean)


def probability_of(log_odds: float) -> float:
    """The probability with these log-odds."""
    return 1.0 / (1.0 + math.exp(-max(-700.0, min(700.0, log_odds))))
