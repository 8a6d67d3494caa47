"""Honest confidence: from what the scorer says to how often it is right.

The scorer's probability of a whole derivation is mapped by a monotone, piecewise linear function, fitted on
formulae it was not trained on (pool-adjacent-violators, in the log-odds of the probability).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Calibration"]

_LEAST = 40  # formulae a step of the fit must rest on


@dataclass(frozen=True, slots=True)
class Calibration:
    """Knots of the map, in log-odds; without knots the map is the identity."""

    inputs: tuple[float, ...] = ()
    outputs: tuple[float, ...] = ()

    def __call__(self, probability: float) -> float:
        """The calibrated probability."""
        if not self.inputs:
            return probability
        at = _log_odds(probability)
        if at <= self.inputs[0]:
            return self.outputs[0] * probability * (1.0 + math.exp(-self.inputs[0]))  # down to 0 in proportion
        for (x0, y0), (x1, y1) in zip(self._knots(), self._knots()[1:], strict=False):
            if at <= x1:
                return y0 + (y1 - y0) * (at - x0) / max(x1 - x0, 1e-9)
        return self.outputs[-1]

    def _knots(self) -> list[tuple[float, float]]:
        return list(zip(self.inputs, self.outputs, strict=True))

    @staticmethod
    def fit(probabilities: Sequence[float], right: Sequence[bool]) -> Calibration:
        """The calibration of held-out answers."""
        points = sorted(zip(map(_log_odds, probabilities), right, strict=True))
        blocks: list[list[float]] = []  # sum of inputs, right ones, count
        for start in range(0, len(points), _LEAST):
            chunk = points[start : start + _LEAST]
            blocks.append([sum(x for x, _ in chunk), float(sum(ok for _, ok in chunk)), float(len(chunk))])
            while len(blocks) > 1 and blocks[-2][1] / blocks[-2][2] >= blocks[-1][1] / blocks[-1][2]:
                last = blocks.pop()
                blocks[-1] = [a + b for a, b in zip(blocks[-1], last, strict=True)]
        # one success and one failure more than seen: never claim certainty from a finite sample
        outputs = tuple((good + 0.5) / (count + 1.0) for _, good, count in blocks)
        return Calibration(tuple(total / count for total, _, count in blocks), outputs)


def _log_odds(probability: float) -> float:
    clipped = min(max(probability, 1e-9), 1.0 - 1e-9)
    return math.log(clipped / (1.0 - clipped))
