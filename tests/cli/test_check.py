"""`texlift check` as its contract says."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner

from texlift.cli.check import app
from texlift.verify import SHOWN

runner = CliRunner()


def test_verified_and_refuted() -> None:
    good = runner.invoke(app, ["--semantic", r"\sin@{-x}=-\sin@@{x}"])
    assert good.exit_code == 0 and "verified" in good.output
    assert "domain    x real" in good.output and "digits" in good.output
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
    assert set(answers[0]) == set(SHOWN) and answers[0]["domain"].startswith("x real") and answers[0]["points"] > 50
    assert answers[1]["counterexample"]["point"]


def test_answers_carry_the_id_of_their_line() -> None:
    text = '{"id": 7, "semantic": "1<1"}\n{"id": "x", "latex": 3}\n'
    result = runner.invoke(app, ["--jsonl"], input=text)
    first, second = (json.loads(line) for line in result.output.splitlines())
    assert (first["id"], first["verdict"]) == (7, "refuted") and (second["id"], second["verdict"]) == ("x", "undecided")
