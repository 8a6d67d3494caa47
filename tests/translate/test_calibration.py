"""Calibrated confidence is how often answers are right."""

from __future__ import annotations

import random

from texlift.translate.calibration import Calibration


def test_overconfidence_is_corrected() -> None:
    rng = random.Random(1)
    claimed = [rng.uniform(0.5, 1.0) for _ in range(20_000)]
    right = [rng.random() < value**2 for value in claimed]
    calibration = Calibration.fit(claimed, right)
    for value in (0.6, 0.75, 0.9):
        assert abs(calibration(value) - value**2) < 0.05


def test_it_is_monotone_and_never_certain() -> None:
    rng = random.Random(2)
    claimed = [rng.random() for _ in range(3000)]
    calibration = Calibration.fit(claimed, [rng.random() < value for value in claimed])
    values = [calibration(step / 200) for step in range(201)]
    assert values == sorted(values)
    assert 0 <= values[0] <= values[-1] < 1


def test_without_a_fit_it_changes_nothing() -> None:
    assert Calibration()(0.37) == 0.37
