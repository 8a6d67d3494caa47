"""What is wrong with one formula or line concerns that one; the others are answered."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from texlift.cli.app import app
from texlift.cli.formulae import formulae_in
from texlift.cli.processes import in_processes
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


def fatal(chunk: list[Any]) -> list[dict[str, Any]]:
    """Answers, in a process that dies over one of the lines, and once over another."""
    for request in chunk:
        if request["n"] == 7:
            os.kill(os.getpid(), signal.SIGKILL)
        once = Path(request["once"])
        if request["n"] == 3 and not once.exists():
            once.write_text("died", "utf-8")
            os.kill(os.getpid(), signal.SIGKILL)
    return [{"n": request["n"]} for request in chunk]


def gone(chunk: list[Any]) -> list[dict[str, Any]]:
    return [{"n": None} for _ in chunk]


def test_a_process_that_dies_takes_only_its_own_chunk_with_it(tmp_path: Path) -> None:
    chunks = [[{"n": n, "once": str(tmp_path / "once")}] for n in range(12)]
    results = [line["n"] for lines in in_processes(fatal, gone, chunks, jobs=2) for line in lines]
    assert results == [0, 1, 2, 3, 4, 5, 6, None, 8, 9, 10, 11]


def test_a_check_goes_on_when_its_worker_is_killed() -> None:
    from texlift.verify import Task, check_all

    def tasks() -> Iterator[Task]:
        yield Task("1=1")
        children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text("ascii").split()
        os.kill(int(children[-1]), signal.SIGKILL)
        time.sleep(0.2)
        yield Task("2=2")
        yield Task("3=3")

    verdicts = [verdict.verdict for verdict in check_all(tasks(), 5.0)]
    assert len(verdicts) == 3
    assert verdicts[1] == "undecided" and verdicts[2] in ("verified", "proved")
