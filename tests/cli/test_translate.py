"""`texlift translate` at the command line."""

from __future__ import annotations

import json
import subprocess
import sys


def run(*arguments: str, source: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "texlift.cli", "translate", *arguments]
    return subprocess.run(command, input=source, capture_output=True, timeout=120, check=False)


def test_for_a_person() -> None:
    done = run(r"\Gamma(z)", "--context", "Gamma function")
    assert done.returncode == 0
    text = done.stdout.decode()
    assert r"\EulerGamma@{z}" in text
    assert "confidence" in text


def test_an_error_shows_the_place() -> None:
    done = run(r"\frac{1}{2")
    assert done.returncode == 1
    assert b"^" in done.stderr
    assert b"Traceback" not in done.stderr


def test_one_line_out_for_each_line_in() -> None:
    lines = [
        json.dumps({"latex": r"\Gamma\left(z\right)", "context": {"section": "Gamma function"}}).encode(),
        b"not json",
        b'{"tex": "x"}',
        b'{"latex": "{"}',
        b"",
        json.dumps({"latex": "x" * 500_000}).encode(),
        b'{"latex": "x", "context": 7}',
        b'["x"]',
        b'{"latex": "\\u0000"}',
        b'{"latex": "\\ud800"}',
        json.dumps({"latex": "y=x"}).encode(),
    ]
    done = run("--jsonl", source=b"\n".join(lines) + b"\n")
    assert done.returncode == 0
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(lines)
    assert answers[0]["semantic"] == r"\EulerGamma@{z}"
    assert set(answers[0]) == {"semantic", "confidence", "decisions", "alternatives", "warnings"}
    for answer in answers[1:-1]:
        assert answer["semantic"] is None
        assert answer["error"]["message"]
    assert answers[-1]["semantic"] == "y=x"


def test_workers_keep_the_order() -> None:
    source = b"".join(json.dumps({"latex": rf"\Gamma(z+{n})"}).encode() + b"\n" for n in range(700))
    answers = [json.loads(line) for line in run("--jsonl", "--jobs", "2", source=source).stdout.splitlines()]
    assert [f"z+{n}" in answer["semantic"] for n, answer in enumerate(answers)] == [True] * 700
