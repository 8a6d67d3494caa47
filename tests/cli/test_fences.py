"""What is wrong with one formula or line concerns that one; the others are answered."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from texlift.cli.app import app
from texlift.cli.formulae import formulae_in
from texlift.latex.lexer import MAX_LENGTH

STRICT = {**os.environ, "PYTHONIOENCODING": "utf-8:strict"}


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [(["translate", "-q"], r"\EulerGamma@{z}"), (["expand"], "Gamma(z)"), (["convert", "--to", "maple"], "Gamma(z)")],
)
def test_bytes_that_are_no_text(arguments: list[str], answer: str) -> None:
    given = b"\xff\xfe\n\\Gamma(z)\n\xed\xa0\x80\n"
    done = subprocess.run(
        [sys.executable, "-m", "texlift", *arguments, "-"],
        input=given,
        capture_output=True,
        env=STRICT,
        timeout=120,
        check=False,
    )
    assert done.returncode == 1
    assert answer in done.stdout.decode()
    assert done.stderr.decode().count("error:") == 2
    assert b"defect" not in done.stderr


def test_a_formula_that_is_never_closed_does_not_take_all() -> None:
    lines = ["{\n", *["x+y\n"] * (MAX_LENGTH // 4 + 10), "a+b\n"]
    found = list(formulae_in(lines))
    assert len(found[0]) > MAX_LENGTH >= len(found[0]) - 10
    assert found[-1] == "a+b"


def test_check_goes_on_after_a_broken_formula() -> None:
    result = CliRunner().invoke(app, ["check", r"\frac{1}{", "1=1", r"\sin@{x}=1", "--seconds", "2"])
    assert result.exit_code == 1
    assert result.output.count("error:") == 2
    assert "verified" in result.output or "proved" in result.output


def test_check_answers_every_line() -> None:
    lines = [b"[" * 100_000, b"\xff\xfe{}", b"", b'{"latex": "\\ud800=1", "id": 4}', b'{"latex": "1=1", "id": 5}', b"7"]
    result = CliRunner().invoke(app, ["check", "--jsonl", "--seconds", "2"], input=b"\n".join(lines))
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [answer["verdict"] for answer in answers][:4] == ["undecided"] * 4
    assert (answers[3]["id"], answers[4]["id"], len(answers)) == (4, 5, 6)
    assert answers[4]["verdict"] in ("verified", "proved")
    assert all("error" in answer for answer in (*answers[:4], answers[5]))


def test_semantic_latex_is_read_when_it_is_said_to_be() -> None:
    refused = CliRunner().invoke(app, ["translate", r"\sin@{x+y}"])
    assert refused.exit_code == 1
    assert "this looks like semantic LaTeX" in refused.output and "--semantic" in refused.output
    read = CliRunner().invoke(app, ["translate", "--semantic", "-q", "--to", "sympy", r"\sin@{x+y}"])
    assert (read.exit_code, read.stdout) == (0, "sin(x + y)\n")
    wrong = CliRunner().invoke(app, ["translate", "--semantic", r"\nonsense@{x}"])
    assert wrong.exit_code == 1
    given = json.dumps({"latex": r"\BesselJ{\nu}@{z}", "id": 3}) + '\n{"latex": "\\\\sin@"}\n'
    lines = CliRunner().invoke(app, ["translate", "--jsonl", "--semantic", "--to", "mpmath"], input=given)
    first, second = (json.loads(line) for line in lines.stdout.splitlines())
    assert (first["id"], first["semantic"], first["code"]) == (3, r"\BesselJ{\nu}@{z}", "besselj(nu, z)")
    assert second["semantic"] is None and second["error"]["message"]
