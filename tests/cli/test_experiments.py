"""The laboratory's commands as a user calls them."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

sys.path.insert(0, str(Path(__file__).parents[1] / "training"))
from tiny_corpus import write_corpus, write_experiment

from texlift.cli import cluster, crossval_experiment, evaluate_experiment, report, train_experiment
from texlift.errors import TexliftError

RUNNER = CliRunner()


def test_train_evaluate_report(tmp_path: Path) -> None:
    run = tmp_path / "run"
    result = RUNNER.invoke(train_experiment.app, [str(write_experiment(tmp_path)), "--out", str(run), "--quiet"])
    assert result.exit_code == 0, result.output
    result = RUNNER.invoke(evaluate_experiment.app, [str(run), "--json"])
    figures = json.loads(result.stdout)
    assert set(figures) == {"identity", "topology given", "free-running"}
    assert figures["identity"]["exact"] == 50  # a + b is its own translation, the Bessel function is not
    result = RUNNER.invoke(report.app, [str(tmp_path), "--plot", str(tmp_path / "report.png")])
    assert "run" in result.stdout
    assert (tmp_path / "report.png").stat().st_size > 1000


def test_crossval(tmp_path: Path) -> None:
    file = write_experiment(tmp_path)
    result = RUNNER.invoke(crossval_experiment.app, [str(file), "--out", str(tmp_path / "cv"), "--folds", "1"])
    assert result.exit_code == 0, result.output
    assert "free-running: p_m" in result.stdout
    assert RUNNER.invoke(crossval_experiment.app, [str(file), "--folds", "x"]).exit_code == 2


def test_cluster(tmp_path: Path) -> None:
    picture = tmp_path / "clusters.png"
    arguments = [str(write_corpus(tmp_path)), "--algorithm", "all", "--both", "--plot", str(picture)]
    result = RUNNER.invoke(cluster.app, arguments)
    assert result.exit_code == 0, result.output
    for name in cluster.ALGORITHMS:
        assert name in result.stdout
    assert picture.stat().st_size > 1000
    assert RUNNER.invoke(cluster.app, ["--algorithm", "magic"]).exit_code == 2


def test_report_without_runs(tmp_path: Path) -> None:
    result = RUNNER.invoke(report.app, [str(tmp_path)])
    assert isinstance(result.exception, TexliftError)
    with pytest.raises(TexliftError, match="no run in"):
        raise result.exception
