"""The laboratory's commands as a user calls them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tiny_corpus import write_corpus, write_experiment
from typer.testing import CliRunner

from texlift.errors import TexliftError
from texlift_paper.cli import cluster, crossval_experiment, evaluate_experiment, report, train_experiment

RUNNER = CliRunner()


def test_train_evaluate_report(tmp_path: Path) -> None:
    run = tmp_path / "run"
    result = RUNNER.invoke(train_experiment.app, [str(write_experiment(tmp_path)), "--out", str(run), "--quiet"])
    assert result.exit_code == 0, result.output
    result = RUNNER.invoke(evaluate_experiment.app, [str(run), "--json"])
    figures = json.loads(result.stdout)
    rows = {"copying", "copying, hull given", "hull given", "topology given", "free-running"}
    assert set(figures) == rows | {f"{row}, non-trivial" for row in rows}
    assert figures["copying"]["exact"] == 50  # a + b is its own translation, the Bessel function is not
    assert figures["copying, non-trivial"]["exact"] == 0
    result = RUNNER.invoke(report.app, [str(tmp_path), "--plot", str(tmp_path / "report.png")])
    assert "run" in result.stdout and "copying, hull given" in result.stdout
    assert (tmp_path / "report.png").stat().st_size > 1000


def test_crossval(tmp_path: Path) -> None:
    file = write_experiment(tmp_path)
    result = RUNNER.invoke(crossval_experiment.app, [str(file), "--out", str(tmp_path / "cv"), "--folds", "1"])
    assert result.exit_code == 0, result.output
    assert "free-running" in result.stdout and "copying, hull given" in result.stdout
    summary = json.loads((tmp_path / "cv" / "summary.json").read_text())
    assert summary["copying, non-trivial"]["exact"] == {"mean": 0, "deviation": 0, "folds": {"1": 0}}
    assert RUNNER.invoke(crossval_experiment.app, [str(file), "--folds", "x"]).exit_code == 2


def test_crossval_of_an_auto_encoder_shows_that_copying_is_right(tmp_path: Path) -> None:
    file = write_experiment(tmp_path, "autoencode-semantic")
    out = tmp_path / "cv"
    result = RUNNER.invoke(
        crossval_experiment.app, [str(file), "--out", str(out), "--folds", "1", "--set", "model.state=6"]
    )
    assert result.exit_code == 0, result.output
    summary = json.loads((out / "summary.json").read_text())
    assert summary["copying"]["exact"]["mean"] == summary["copying, hull given"]["p_b"]["mean"] == 100
    assert "copying, non-trivial" not in summary


def test_crossval_refuses_to_choose_weights_on_the_held_out_fold(tmp_path: Path) -> None:
    file = write_experiment(tmp_path, training='keep = "best"')
    result = RUNNER.invoke(crossval_experiment.app, [str(file), "--out", str(tmp_path / "cv"), "--folds", "1"])
    assert isinstance(result.exception, TexliftError) and "choose its own weights" in str(result.exception)


def test_cluster(tmp_path: Path) -> None:
    picture = tmp_path / "clusters.png"
    arguments = [str(write_corpus(tmp_path)), "--algorithm", "all", "--both", "--plot", str(picture)]
    arguments += [
        "-k",
        "2",
        "-k",
        "3",
        "--linkage",
        "average",
        "--radius",
        "1.5",
        "--dimensions",
        "0",
        "--alpha",
        "1.02",
    ]
    result = RUNNER.invoke(cluster.app, [*arguments, "--json"])
    assert result.exit_code == 0, result.output
    table = json.loads(result.stdout)
    rows = {row["algorithm"]: row for row in table["rows"]}
    names = ["algorithm1", "algorithm1-fine", "k-means, k = 2, not reduced", "k-means, k = 3, not reduced"]
    names += ["average linkage, n = 2", "average linkage, n = 3", "dbscan, radius 1.5, not reduced"]
    assert list(rows) == ["none", *names, *(f"{name}, no traversal" for name in names)]
    row = rows["algorithm1"]
    assert row["estimate"] == pytest.approx(row["clusters"] * row["hulls"] ** 1.02)
    assert rows["average linkage, n = 3"]["clusters"] == 3
    assert picture.stat().st_size > 1000
    shown = RUNNER.invoke(cluster.app, [*arguments[:1], "--train-seconds", "0.1", "--state", "4"])
    assert "algorithm1-fine" in shown.stdout and "epoch, s" in shown.stdout
    for wrong in (["--algorithm", "magic"], ["--linkage", "magic"], ["--radius", "0"], ["--comparators", "magic"]):
        assert RUNNER.invoke(cluster.app, wrong).exit_code == 2


def test_report_without_runs(tmp_path: Path) -> None:
    result = RUNNER.invoke(report.app, [str(tmp_path)])
    assert isinstance(result.exception, TexliftError)
    with pytest.raises(TexliftError, match="no run in"):
        raise result.exception
