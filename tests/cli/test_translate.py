"""`texlift translate` at the command line."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest


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


def test_unknown_targets_are_usage_errors() -> None:
    for extra in ([], ["--jsonl"], ["-q"]):
        done = run("--to", "sympy", "--to", "foo", "x", *extra)
        assert done.returncode == 2
        assert b"foo" in done.stderr
        assert not done.stdout


def test_every_target_counts() -> None:
    done = run("--to", "sympy", "--to", "maple", r"J_\nu(z)", "-q")
    assert done.stdout.decode().split("\n")[:2] == ["besselj(nu, z)", "BesselJ(nu, z)"]
    line = json.dumps({"latex": r"\frac{x}{2}"}).encode()
    answer = json.loads(run("--jsonl", "--to", "sympy", "--to", "mathematica", source=line).stdout)
    assert answer["code"] == {"sympy": "x/2", "mathematica": "x/2"}


def test_what_fails_is_told_by_the_exit_code_and_does_not_stop_the_rest() -> None:
    done = run("-q", "{", r"\Gamma(z)", "")
    assert done.returncode == 1
    assert done.stdout.decode().splitlines() == [r"\EulerGamma@{z}"]
    assert b"never closed" in done.stderr
    assert b"empty" in done.stderr
    done = run("--to", "maxima", r"a+\ldots")
    assert done.returncode == 1
    assert b"maxima:" in done.stdout


def test_lines_are_as_long_as_they_need_to_be() -> None:
    long = "+".join(rf"\Gamma(z+{n})" for n in range(60))
    done = run("--to", "sympy", long, "-k", "0")
    lines = done.stdout.decode().splitlines()
    assert lines[0].count(r"\EulerGamma") == 60
    assert lines[2].count("gamma(") == 60


def test_standard_input() -> None:
    formulae = b"$\\Gamma(z)$\n\n\\begin{equation}\na=b\n\\end{equation}\n\\[x^2.\\]\n"
    for arguments in (["-q", "-"], ["-q"]):
        done = run(*arguments, source=formulae)
        assert done.returncode == 0
        assert done.stdout.decode().splitlines() == [r"\EulerGamma@{z}", "a=b", "x^2"]
    assert run("-q", "y", "-", source=b"x\n").stdout == b"y\nx\n"
    assert run("-q").returncode == 2


def test_each_line_is_answered_when_it_comes() -> None:
    command = [sys.executable, "-m", "texlift", "translate", "--jsonl"]
    for jobs in ("1", "2"):
        with subprocess.Popen([*command, "--jobs", jobs], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            assert process.stdin
            assert process.stdout
            for number in range(3):  # would wait for ever if the answer waited for more input
                process.stdin.write(json.dumps({"latex": f"x_{number}", "id": [number]}).encode() + b"\n")
                process.stdin.flush()
                answer = json.loads(process.stdout.readline())
                assert answer["id"] == [number]
                assert answer["semantic"] == f"x_{number}"
            process.stdin.close()
            assert process.wait() == 0


def test_ids_come_back_also_with_errors() -> None:
    source = b'{"id": "a", "latex": "{"}\n{"id": null, "latex": "x"}\n{"id": 3}\n{"latex": "y"}\n'
    answers = [json.loads(line) for line in run("--jsonl", "--to", "sympy", source=source).stdout.splitlines()]
    assert [answer.get("id", "none") for answer in answers] == ["a", None, 3, "none"]
    assert [answer["code"] for answer in answers] == [None, "x", None, "y"]


def test_only_lines_of_one_document_are_read_together() -> None:
    def answers(lines: list[dict[str, object]]) -> list[object]:
        source = "\n".join(json.dumps(line) for line in lines).encode()
        return [json.loads(line) for line in run("--jsonl", "-k", "0", source=source).stdout.splitlines()]

    printed = [{"latex": rf"P_{{{n}}}\left(x\right)=\Gamma\left({n}\right)"} for n in range(20)]
    plain: dict[str, object] = {"latex": "C(x)+P_{n}(x)+J_{0}(x)"}
    alone = answers([plain])
    assert answers([*printed, plain])[-1] == alone[0]
    together = answers([{**line, "document": "d"} for line in (*printed, plain)])
    assert together[-1] != alone[0]  # the others write \left( as macros do
    assert answers([{**line, "document": "d"} for line in printed] + [{**plain, "document": "e"}])[-1] == alone[0]


def test_warnings_of_the_conversion_are_told() -> None:
    from texlift import ConversionWarning, load

    latex = next(f for f in (r"f(x)g(y)", r"a(b+c)", r"\ln 2x", r"x\pm1", r"\pi(x)") if warned(f))
    done = run("--to", "sympy", latex)
    assert b"warning: sympy: " in done.stdout
    answer = json.loads(run("--jsonl", "--to", "sympy", source=json.dumps({"latex": latex}).encode()).stdout)
    result = load().translate(latex)
    expected = result.converted("sympy").warnings
    assert expected
    assert set(expected) <= set(answer["warnings"])
    with pytest.warns(ConversionWarning):
        result.to("sympy")


def warned(latex: str) -> bool:
    from texlift import load

    return bool(load().translate(latex).converted("sympy").warnings)
