"""`texlift expand`: for a person, and line by line for a program."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from typer.testing import CliRunner

from texlift.cli.expand import app
from texlift.latex.canonical import canonical_key

runner = CliRunner()


def texlift(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-c", "from texlift.cli.app import main; main()", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, timeout=120, check=False)


def lines(text: bytes | str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_one_line_a_formula() -> None:
    result = runner.invoke(app, [r"\BesselJ{\nu}@{z}", r"\sin@@{x}"])
    assert result.exit_code == 0
    first, second = result.stdout.splitlines()
    assert canonical_key(first) == canonical_key(r"J_\nu(z)")
    assert second == r"\sin x"


def test_an_error_shows_the_place_without_a_traceback() -> None:
    result = texlift("expand", r"x+\BesselJ@{z}")
    assert result.returncode == 1
    assert result.stdout == b""
    message = result.stderr.decode()
    assert r"error: line 1, column 3: \BesselJ cannot be written like this" in message
    assert "  ^^^^^^^^^^^^" in message
    assert "Traceback" not in message


def test_nothing_to_do_is_a_usage_error() -> None:
    assert runner.invoke(app, []).exit_code == 2


INPUT = [
    (rb'{"semantic": "\\EulerGamma@{z}"}', None),
    (b"not json", "input"),
    (b"", "input"),
    (b"[1]", "input"),
    (b'{"latex": "x"}', "input"),
    (b'{"semantic": 3}', "input"),
    (rb'{"semantic": "\\frac{a}"}', "syntax"),
    (rb'{"semantic": "\\nosuch@{a}"}', "unknown-macro"),
    (b'{"semantic": "' + b"x" * 1_000_000 + b'"}', "input"),
    (b'{"semantic": "' + b"x" * 300_000 + b'"}', "too-long"),
    (b'{"semantic": "' + b"{" * 10_000 + b'"}', "too-deep"),
    (b"[" * 100_000, "input"),
    (b'{"semantic": "\\u0000"}', "encoding"),
    (b'{"semantic": "\\ud800"}', "encoding"),
    (b"\xff\xfe", "input"),
    (b'{"semantic": "x", "other": [1, 2]}', None),
    (b'{"semantic": ""}', "empty"),
    (b'{"semantic": "last"}', None),
]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_one_line_out_for_each_line_in_in_order(jobs: str) -> None:
    result = texlift("expand", "--jsonl", "--jobs", jobs, stdin=b"\n".join(line for line, _ in INPUT))
    assert result.returncode == 0
    assert result.stderr == b""
    answers = lines(result.stdout)
    assert [answer.get("error", {}).get("code") for answer in answers] == [code for _, code in INPUT]
    assert canonical_key(answers[0]["latex"]) == canonical_key(r"\Gamma(z)")
    assert [answer["latex"] for answer in answers[-3:]] == ["x", None, "last"]
    assert all(answer["latex"] is None for answer in answers if "error" in answer)


def test_errors_in_lines_have_a_place() -> None:
    result = runner.invoke(app, ["--jsonl"], input=rb'{"semantic": "a+\\sin@{x"}')
    (answer,) = lines(result.stdout)
    assert answer["error"]["position"] == 7
    assert answer["error"]["hint"]


def test_many_lines_keep_their_order() -> None:
    source = "\n".join(json.dumps({"semantic": rf"\BesselJ{{{number}}}@{{z}}"}) for number in range(1000))
    result = runner.invoke(app, ["--jsonl"], input=source + "\n")
    answers = [answer["latex"] for answer in lines(result.stdout)]
    assert len(answers) == 1000
    assert all(f"J_{{{number}}}" in answer for number, answer in enumerate(answers))


def test_no_lines_no_answers() -> None:
    result = runner.invoke(app, ["--jsonl"], input="")
    assert (result.exit_code, result.stdout) == (0, "")
