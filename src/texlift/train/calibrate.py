"""Calibration of a translator's confidence by answers to formulae it was not trained on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack
from sklearn.linear_model import LogisticRegression

from texlift.translate.calibration import Calibration, Weighing
from texlift.translate.confidence import HEAD, UNPRINTED

__all__ = ["fit_calibration"]

_LEAST = 40  # formulae a step of the fit must rest on
_FEWEST = 10  # right answers and wrong ones among those that are weighed apart
_OFTEN = 4  # answers that must have a mark for it to be weighed
_MARK_SCALE = 0.4  # beside the standardised signs, in the penalty on squared weights


def fit_calibration(
    signs: Sequence[Sequence[float]], right: Sequence[bool], marks: Sequence[Collection[str]] | None = None
) -> Calibration:
    """The calibration of held-out answers, of which each has signs and marks."""
    shown = marks if marks is not None else [()] * len(signs)
    inputs, wanted = np.array(signs, np.float64), np.array(right, np.float64)
    everything = _logistic(inputs, shown, wanted)
    head = inputs[:, HEAD] > 0
    unprinted = (inputs[:, UNPRINTED] > 0) & ~head
    formulae, heads, others = (
        _weighed_apart(inputs, shown, wanted, own) or everything for own in (~head & ~unprinted, head, unprinted)
    )
    start = Calibration(formulae, heads, others)
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
    return replace(start, inputs=tuple(total / count for total, _, count in blocks), outputs=outputs)


def _weighed_apart(
    signs: NDArray[np.float64], marks: Sequence[Collection[str]], right: NDArray[np.float64], own: NDArray[np.bool_]
) -> Weighing | None:
    """The weighing of some of the answers; None if too few of them are right or wrong to tell."""
    some = right[own]
    if min(some.sum(), len(some) - some.sum()) < _FEWEST:
        return None
    return _logistic(signs[own], [shown for shown, wanted in zip(marks, own, strict=True) if wanted], some)


def _logistic(signs: NDArray[np.float64], marks: Sequence[Collection[str]], right: NDArray[np.float64]) -> Weighing:
    """Weights of the signs and of the marks that occur often enough, and the bias, by logistic regression."""
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
    bias = float(fitted.intercept_[0] - plain @ mean)
    return Weighing(tuple(plain.tolist()), bias, {mark: weight for mark, weight in of_marks.items() if weight})
