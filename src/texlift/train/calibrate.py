"""Calibration of a translator's confidence by answers to formulae it was not trained on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack
from sklearn.linear_model import LogisticRegression

from texlift.translate.confidence import HEAD, UNPRINTED, Calibration, Weighing

__all__ = ["fit_calibration"]

_LEAST = 40  # formulae a step of the fit must rest on
_FEWEST = 10  # right answers and wrong ones among those that are weighed apart
_OFTEN = 4  # answers that must have a topic for it to be weighed
_TOPIC_SCALE = 0.4  # beside the standardised evidence, in the penalty on squared weights


def fit_calibration(
    evidence: Sequence[Sequence[float]], right: Sequence[bool], topics: Sequence[Collection[str]] | None = None
) -> Calibration:
    """The calibration of held-out answers, of which each has evidence and topics."""
    shown = topics if topics is not None else [()] * len(evidence)
    inputs, wanted = np.array(evidence, np.float64), np.array(right, np.float64)
    everything = _logistic(inputs, shown, wanted)
    head = inputs[:, HEAD] > 0
    unprinted = (inputs[:, UNPRINTED] > 0) & ~head
    formulae, heads, others = (
        _weighed_apart(inputs, shown, wanted, own) or everything for own in (~head & ~unprinted, head, unprinted)
    )
    start = Calibration(formulae, heads, others)
    points = sorted(zip(map(start.score, evidence, shown), right, strict=True))
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
    evidence: NDArray[np.float64], topics: Sequence[Collection[str]], right: NDArray[np.float64], own: NDArray[np.bool_]
) -> Weighing | None:
    """The weighing of some of the answers; None if too few of them are right or wrong to tell."""
    some = right[own]
    if min(some.sum(), len(some) - some.sum()) < _FEWEST:
        return None
    return _logistic(evidence[own], [shown for shown, wanted in zip(topics, own, strict=True) if wanted], some)


def _logistic(evidence: NDArray[np.float64], topics: Sequence[Collection[str]], right: NDArray[np.float64]) -> Weighing:
    """Weights of the evidence and of the topics that occur often enough, and the bias, by logistic regression."""
    seen = Counter(topic for some in topics for topic in some)
    known = {topic: number for number, topic in enumerate(sorted(t for t, n in seen.items() if n >= _OFTEN))}
    mean, deviation = evidence.mean(0), evidence.std(0)
    deviation[deviation < 1e-6] = 1.0
    at = [(row, known[topic]) for row, some in enumerate(topics) for topic in some if topic in known]
    rows, columns = zip(*at, strict=True) if at else ((), ())
    shown = csr_matrix((np.full(len(at), _TOPIC_SCALE), (rows, columns)), shape=(len(evidence), len(known)))
    inputs = hstack([csr_matrix((evidence - mean) / deviation), shown]).tocsr()
    fitted = LogisticRegression(C=1.0, max_iter=1000).fit(inputs, right)
    weights = fitted.coef_[0]
    plain = weights[: evidence.shape[1]] / deviation
    of_topics = {topic: round(_TOPIC_SCALE * float(weights[evidence.shape[1] + k]), 4) for topic, k in known.items()}
    bias = float(fitted.intercept_[0] - plain @ mean)
    return Weighing(tuple(plain.tolist()), bias, {topic: weight for topic, weight in of_topics.items() if weight})
