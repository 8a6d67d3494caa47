"""Calibrated confidence is how often answers are right."""

from __future__ import annotations

import json
import math
import random
from dataclasses import asdict

from texlift.training.translator_calibration import fit_calibration
from texlift.translate.calibration import Calibration
from texlift.translate.confidence import HEAD, SIGNS, log_odds


def _signs(probability: float, doubt: float = 0.0) -> tuple[float, ...]:
    return (log_odds(probability), *([0.0] * (len(SIGNS) - 2)), doubt)


def test_overconfidence_is_corrected() -> None:
    rng = random.Random(1)
    claimed = [rng.uniform(0.5, 1.0) for _ in range(20_000)]
    right = [rng.random() < value**2 for value in claimed]
    calibration = fit_calibration([_signs(value) for value in claimed], right)
    for value in (0.6, 0.75, 0.9):
        assert abs(calibration(_signs(value)) - value**2) < 0.05


def test_a_sign_of_doubt_lowers_confidence() -> None:
    """Of answers the scorer is equally sure of, those with the sign are wrong far more often."""
    rng = random.Random(3)
    answers = [(rng.uniform(0.9, 1.0), float(rng.random() < 0.3)) for _ in range(5000)]
    right = [rng.random() < (0.6 if doubt else 0.99) for _, doubt in answers]
    calibration = fit_calibration([_signs(*answer) for answer in answers], right)
    assert calibration(_signs(0.95, 1.0)) < 0.75 < 0.95 < calibration(_signs(0.95, 0.0))


def test_it_is_monotone_and_never_certain() -> None:
    rng = random.Random(2)
    claimed = [rng.random() for _ in range(3000)]
    calibration = fit_calibration([_signs(value) for value in claimed], [rng.random() < value for value in claimed])
    values = [calibration(_signs(step / 200)) for step in range(201)]
    assert values == sorted(values)
    assert 0 <= values[0] <= values[-1] < 1


def test_without_a_fit_it_changes_nothing() -> None:
    assert math.isclose(Calibration()(_signs(0.37)), 0.37, rel_tol=1e-6)


def test_symbols_that_may_be_mentions_are_weighed_apart() -> None:
    """Of formulae the scorer is right if it is sure; of such symbols it is sure and wrong as often as not."""
    rng = random.Random(4)

    def answer(probability: float, head: bool) -> tuple[float, ...]:
        signs = list(_signs(probability))
        signs[HEAD] = float(head)
        return tuple(signs)

    answers = [(rng.random(), rng.random() < 0.2) for _ in range(5000)]
    right = [rng.random() < (0.5 if head else claimed) for claimed, head in answers]
    calibration = fit_calibration([answer(*each) for each in answers], right)
    assert calibration(answer(0.97, False)) > 0.85
    assert calibration(answer(0.97, True)) < 0.7
    assert Calibration.of(json.loads(json.dumps(asdict(calibration)))) == calibration
