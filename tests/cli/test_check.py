"""`texlift check` as its contract says."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner

from texlift.cli.check import app

runner = CliRunner()


def test_verified_and_refuted() -> None:
    good = runner.invoke(app, ["--semantic", r"\sin@{-x}=-\sin@@{x}"])
    assert good.exit_code == 0 and "verified" in good.output
    bad = runner.invoke(app, ["--semantic", r"\sin@{-x}=\sin@@{x}"])
    assert bad.exit_code == 1 and "refuted" in bad.output and "x = " in bad.output


def test_constraints_and_plot(tmp_path: Path) -> None:
    picture = tmp_path / "sides.png"
    result = runner.invoke(app, ["--semantic", r"\sqrt{x^{2}}=x", "--where", "x>0", "--plot", str(picture)])
    assert result.exit_code == 0
    assert picture.stat().st_size > 5000


def test_json_lines_answer_each_line() -> None:
    lines = [
        {"semantic": r"\cos@{-x}=\cos@@{x}", "constraints": ["x>0"]},
        {"semantic": r"\cos@{-x}=2\cos@@{x}"},
        {"x": 1},
    ]
    text = "\n".join([*(json.dumps(line) for line in lines), "no json"])
    result = runner.invoke(app, ["--jsonl", "--seconds", "5"], input=text)
    answers = [json.loads(line) for line in result.output.splitlines()]
    assert [answer["verdict"] for answer in answers] == ["verified", "refuted", "undecided", "undecided"]
    assert set(answers[0]) == {"verdict", "points", "counterexample", "reason"}
    assert answers[1]["counterexample"]["point"]
