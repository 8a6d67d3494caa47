"""Calibrated confidence is how often answers are right."""

from __future__ import annotations

import itertools
import json
import math
import random
from dataclasses import asdict

import pytest

from texlift.train.calibrate import fit_calibration
from texlift.translate.confidence import EVIDENCE, HEAD, UNPRINTED, Calibration, Weighing, log_odds

RARE = EVIDENCE.index("rules used less than five times")


def _evidence(probability: float, doubt: float = 0.0, kind: int = RARE) -> tuple[float, ...]:
    values = [log_odds(probability), *([0.0] * (len(EVIDENCE) - 1))]
    values[kind] = doubt
    return tuple(values)


def test_overconfidence_is_corrected() -> None:
    rng = random.Random(1)
    claimed = [rng.uniform(0.5, 1.0) for _ in range(20_000)]
    right = [rng.random() < value**2 for value in claimed]
    calibration = fit_calibration([_evidence(value) for value in claimed], right)
    for value in (0.6, 0.75, 0.9):
        assert abs(calibration(_evidence(value)) - value**2) < 0.05


def test_a_reason_for_doubt_lowers_confidence() -> None:
    """Of answers the scorer is equally sure of, those with the reason are wrong far more often."""
    rng = random.Random(3)
    answers = [(rng.uniform(0.9, 1.0), float(rng.random() < 0.3)) for _ in range(5000)]
    right = [rng.random() < (0.6 if doubt else 0.99) for _, doubt in answers]
    calibration = fit_calibration([_evidence(*answer) for answer in answers], right)
    assert calibration(_evidence(0.95, 1.0)) < 0.75 < 0.95 < calibration(_evidence(0.95, 0.0))


def test_it_is_monotone_and_never_certain() -> None:
    rng = random.Random(2)
    claimed = [rng.random() for _ in range(3000)]
    calibration = fit_calibration([_evidence(value) for value in claimed], [rng.random() < value for value in claimed])
    values = [calibration(_evidence(step / 200)) for step in range(201)]
    assert values == sorted(values)
    assert 0 <= values[0] <= values[-1] < 1


def test_topics_count_in_any_order() -> None:
    weighing = Weighing((), 0.1, {"a": 0.2, "b": 0.3, "c": 1e9})
    assert len({weighing((), order) for order in itertools.permutations("abc")}) == 1


def test_without_a_fit_it_changes_nothing() -> None:
    assert math.isclose(Calibration()(_evidence(0.37)), 0.37, rel_tol=1e-6)


@pytest.mark.parametrize("kind", [HEAD, UNPRINTED])
def test_some_answers_are_weighed_apart(kind: int) -> None:
    """The scorer is right if it is sure; of answers of the kind it is sure and wrong as often as not."""
    rng = random.Random(4)
    answers = [(rng.random(), float(rng.random() < 0.2)) for _ in range(5000)]
    right = [rng.random() < (0.5 if apart else claimed) for claimed, apart in answers]
    calibration = fit_calibration([_evidence(claimed, apart, kind) for claimed, apart in answers], right)
    assert calibration(_evidence(0.97, 0.0, kind)) > 0.85
    assert calibration(_evidence(0.97, 1.0, kind)) < 0.7
    assert Calibration.of(json.loads(json.dumps(asdict(calibration)))) == calibration
