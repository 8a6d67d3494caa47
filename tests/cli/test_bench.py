"""`texlift bench`: bars, tables, JSON, and the scores behind the foundation's figures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from texlift.bench import foundation
from texlift.bench.figure import Figure
from texlift.bench.foundation import Score, goes_back
from texlift.cli.bench import app
from texlift.errors import TexliftError
from texlift.latex.signatures import generic_signatures

runner = CliRunner()
FIGURES = [
    Figure("share_percent", 99.5, "%", ">= 99"),
    Figure("seconds", 3.0, "s", "<= 2", "slow"),
    Figure("bare", 1.0),
]


def test_bars() -> None:
    assert [figure.reached for figure in FIGURES] == [True, False, None]


def test_table_and_exit_code(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(foundation, "measure", lambda data: FIGURES)
    result = runner.invoke(app, ["foundation", "--data", str(tmp_path)])
    assert result.exit_code == 3  # a bar is missed
    assert "share_percent" in result.stdout
    monkeypatch.setattr(foundation, "measure", lambda data: FIGURES[:1])
    assert runner.invoke(app, ["foundation", "--data", str(tmp_path)]).exit_code == 0


def test_json_is_one_flat_object(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(foundation, "measure", lambda data: FIGURES)
    result = runner.invoke(app, ["foundation", "--json", "--data", str(tmp_path)])
    assert json.loads(result.stdout) == {"share_percent": 99.5, "seconds": 3.0, "bare": 1.0}


def test_unknown_benchmark_and_missing_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert runner.invoke(app, ["nonsense"]).exit_code == 2
    monkeypatch.delenv("TEXLIFT_DATA", raising=False)
    assert isinstance(runner.invoke(app, ["foundation"]).exception, TexliftError)
    assert isinstance(runner.invoke(app, ["foundation", "--data", str(tmp_path / "none")]).exception, TexliftError)


def test_scores() -> None:
    score = Score()
    for pair, success in ((("x", "x"), True), (("a", r"\A"), True), (("b", r"\B"), False), (("c", "c"), True)):
        score.add(pair, success)
    assert (score.tested, score.nontrivial) == (4, 2)
    assert score.percent == 75
    assert score.percent_nontrivial == 50
    assert score.failed == [("b", r"\B")]


def test_round_trip_of_one_formula() -> None:
    assert goes_back(r"\frac{2a}{n+\sqrt{2}}+\sqrt{3}", generic_signatures())


def test_one_fold_of_a_small_corpus(tmp_path: Path) -> None:
    from texlift.corpus.demo import demo_pairs
    from texlift.corpus.folds import assign_folds
    from texlift.corpus.jsonl import write_pairs

    path = tmp_path / "dlmf.jsonl"
    write_pairs(path, assign_folds(demo_pairs()))
    scores = foundation._fold_scores(path, 0, False)
    assert scores["expand_with_lexicon"].tested > 10
    assert scores["reading_with_lexicon"].percent > 80
    assert scores["reading_with_lexicon"].percent >= scores["reading_induced"].percent
