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
    assert good.exit_code == 0 and "proved" in good.output
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
    assert [answer["verdict"] for answer in answers] == ["proved", "refuted", "undecided", "undecided"]
    assert set(answers[0]) == set(SHOWN) and answers[0]["domain"].startswith("x real") and answers[0]["points"] > 20
    assert answers[1]["counterexample"]["point"]


def test_answers_carry_the_id_of_their_line() -> None:
    text = '{"id": 7, "semantic": "1<1"}\n{"id": "x", "latex": 3}\n'
    result = runner.invoke(app, ["--jsonl"], input=text)
    first, second = (json.loads(line) for line in result.output.splitlines())
    assert (first["id"], first["verdict"]) == (7, "refuted") and (second["id"], second["verdict"]) == ("x", "undecided")


def test_declarations_are_the_domain() -> None:
    free = runner.invoke(app, ["--semantic", r"\sqrt{x^2}=x"])
    assert "refuted" in free.output
    declared = runner.invoke(app, ["--semantic", r"\sqrt{x^2}=x", "--declare", "x: positive"])
    assert declared.exit_code == 0
    assert "x>0" in declared.output


def test_declarations_of_a_line_and_of_all_lines() -> None:
    lines = [
        {"semantic": r"\sqrt{x^2}=x", "declare": {"x": "nonnegative"}},
        {"semantic": r"\sqrt{y^2}=y"},
        {"semantic": "x=x", "declare": {"x": "blue"}},
    ]
    result = runner.invoke(
        app, ["--jsonl", "--declare", "y: positive"], input="\n".join(json.dumps(line) for line in lines)
    )
    first, second, third = [json.loads(line) for line in result.stdout.splitlines()]
    assert first["verdict"] == second["verdict"] == "proved"
    assert "blue" in third["error"]["message"]


def test_a_domain_without_points_says_so() -> None:
    result = runner.invoke(app, ["--semantic", "x^2>0", "--declare", "x: positive", "--where", "x<0"])
    assert result.exit_code == 1
    assert "no point satisfies the constraints" in result.output
