"""`texlift equal`: verdicts as exit codes, JSON lines in order."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

pytest.importorskip("flint")

from texlift.cli.equal import app

runner = CliRunner()


@pytest.mark.parametrize(
    ("a", "b", "code", "word"),
    [("x=5", "The answer is $5$", 0, "equal"), ("x^2=4", "x=2", 1, "different"), ("5 cm", "5", 2, "undecided"),
     ("x+", "5", 2, "undecided")],
)  # fmt: skip
def test_the_exit_code_is_the_verdict(a: str, b: str, code: int, word: str) -> None:
    result = runner.invoke(app, [a, b])
    assert result.exit_code == code
    assert result.stdout.startswith(word)
    assert "reason" in result.stdout


def test_a_counterexample_is_shown() -> None:
    result = runner.invoke(app, [r"\sqrt{x^2}", "x"])
    assert "at        x = -" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "code"),
    [(["1,2", "2,1"], 0), (["1,2", "2,1", "--order"], 1), (["0.5", r"\frac12", "--form"], 1),
     ([r"\pi", "3.14", "--tolerance", "0.01"], 0), ([r"\sqrt{x^2}", "x", "--where", "x>0"], 0),
     ([r"\sin(n\pi)", "0", "--declare", "n: integer"], 0)],
)  # fmt: skip
def test_options(arguments: list[str], code: int) -> None:
    assert runner.invoke(app, arguments).exit_code == code


def test_json_lines_are_answered_one_for_one() -> None:
    lines = ['{"a": "1/2", "b": "0.5", "id": 7}', "no json", '{"a": "1"}', '{"a": "x", "b": "2x", "id": "q"}',
             '{"a": "1,2", "b": "2,1", "options": {"order": true}}']  # fmt: skip
    result = runner.invoke(app, ["--jsonl"], input="\n".join(lines) + "\n")
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [answer["verdict"] for answer in answers] == ["equal", "undecided", "undecided", "different", "different"]
    assert answers[0]["id"] == 7
    assert answers[3]["id"] == "q"
    assert all(set(answer) >= {"verdict", "reason", "counterexample"} for answer in answers)
    assert "error" in answers[1]
    assert result.exit_code == 0


def test_two_answers_are_needed() -> None:
    assert runner.invoke(app, ["5"]).exit_code == 2
