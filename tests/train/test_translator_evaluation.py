"""What the evaluation of a translator counts, and the report it writes; with the packaged model."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from texlift.corpus.pair import Pair
from texlift.train.evaluate import (
    SETTINGS,
    Outcome,
    calibrated,
    calibration_of,
    coverage,
    evaluate,
    share,
)
from texlift.train.report import write_report
from texlift.translate.translator import load

GAMMA = Pair("5.1", r"\Gamma\left(z\right)", r"\EulerGamma@{z}", {"section": "Gamma Function"}, fold=0)
PAIRS = [
    GAMMA,
    Pair("5.2", "x+y", "x+y", {"section": "Gamma Function"}, fold=0),
    replace(GAMMA, id="5.3", context={"section": "Definitions"}),
    Pair("5.4", r"J_{\nu}\left(z\right)", r"\BesselY{\nu}@{z}", fold=0),  # gold is wrong
]


@pytest.fixture(scope="module")
def outcomes() -> list[Outcome]:
    return evaluate(load(), PAIRS, SETTINGS[0])


def test_every_row_counts_and_says_whether_its_pair_is_new(outcomes: list[Outcome]) -> None:
    assert [outcome.id for outcome in outcomes] == ["5.1", "5.2", "5.3", "5.4"]
    assert [outcome.right for outcome in outcomes] == [True, True, True, False]
    assert [outcome.first for outcome in outcomes] == [True, True, False, True]
    assert share(outcomes) == 75.0
    assert share(outcomes, lambda outcome: outcome.first) == pytest.approx(200 / 3)
    assert [outcome.copied for outcome in outcomes] == [False, True, False, False]


def test_everyday_notation_is_right_too() -> None:
    setting = next(setting for setting in SETTINGS if setting.name == "everyday notation")
    everyday = evaluate(load(), PAIRS[:1], setting)
    assert everyday[0].generic == r"\Gamma(z)"
    assert everyday[0].right


def test_white_space_does_not_count_in_texts_either() -> None:
    spaced = Pair("5.5", r"x=\text{ const.}\ y", r"x=\text{const.}\ y")
    other = replace(spaced, semantic=r"x=\text{const.}y")  # a control space is no white space
    assert [outcome.right for outcome in evaluate(load(), [spaced, other], SETTINGS[0])] == [True, False]


def test_wrong_answers_that_print_what_gold_prints_are_marked() -> None:
    gold = Pair("14.2", r"P_{n}\left(x\right)", r"\assLegendreP[]{n}@{x}", {"chapter": "Legendre polynomials"})
    other = Pair("10.2", r"J_{\nu}\left(z\right)", r"\BesselY{\nu}@{z}")
    outcomes = evaluate(load(), [gold, replace(gold, semantic=r"\LegendrepolyP{n}@{x}"), other], SETTINGS[0])
    assert sorted((outcome.right, outcome.homograph) for outcome in outcomes[:2]) == [(False, True), (True, False)]
    assert not outcomes[2].right
    assert not outcomes[2].homograph


def test_coverage_is_what_the_surest_answers_make_up(outcomes: list[Outcome]) -> None:
    ranked = [replace(o, probability=p) for o, p in zip(outcomes, (0.9, 0.8, 0.7, 0.6), strict=True)]
    assert coverage(ranked, 0.999) == 75.0
    assert coverage(ranked, 0.7) == 100.0
    assert coverage(ranked[::-1], 0.999) == 75.0


def test_the_report_has_both_counts(outcomes: list[Outcome], tmp_path: Path) -> None:
    judged = calibrated([outcomes])
    calibration = calibration_of([judged])
    text = write_report(tmp_path, "Two functions", {SETTINGS[0].name: judged}, calibration)
    figures = json.loads((tmp_path / "figures.json").read_text("utf-8"))[SETTINGS[0].name]
    assert figures["all"] == 75.0
    assert figures["once_all"] == pytest.approx(200 / 3)
    assert figures["once_nontrivial"] == 50.0
    assert "| 75.00 ± 0.00 | 66.67 ± 0.00 | 75.00 / 66.67 | 66.67 / 50.00 | 25.0 |" in text
    assert r"`\BesselY{\nu}@{z}` was read as `\BesselJ{\nu}@{z}`" in text
    assert (tmp_path / "reliability.png").stat().st_size > 1000
