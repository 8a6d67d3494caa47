"""`texlift convert` as its contract says."""

from __future__ import annotations

import json

from typer.testing import CliRunner

from texlift.cli.convert import app

runner = CliRunner()


def test_a_formula() -> None:
    result = runner.invoke(app, [r"\BesselJ{\nu}@{z}", "--to", "mathematica"])
    assert result.exit_code == 0
    assert r"BesselJ[\[Nu], z]" in result.output


def test_explanations_name_conventions_and_definitions() -> None:
    result = runner.invoke(app, [r"\compellintKk@{k}+\MillsM@{x}", "--to", "sympy", "--explain"])
    assert "m = k²" in result.output and "defined by" in result.output and "dlmf.nist.gov" in result.output


def test_json_lines_answer_each_line() -> None:
    lines = [{"semantic": r"\sin@@{x}"}, {"semantic": r"\frac{"}, {"semantic": r"\RiemannsymP@{z}"}, {"latex": "x"}]
    text = "\n".join([*(json.dumps(line) for line in lines), "no json"])
    result = runner.invoke(app, ["--to", "maxima", "--jsonl"], input=text)
    answers = [json.loads(line) for line in result.output.splitlines()]
    assert len(answers) == 5
    assert answers[0]["code"] == "sin(x)" and answers[0]["warnings"] == []
    assert all(answer["code"] is None and answer["error"]["message"] for answer in answers[1:])


def test_an_unknown_target_is_a_usage_error() -> None:
    assert runner.invoke(app, ["x", "--to", "fortran"]).exit_code == 2
