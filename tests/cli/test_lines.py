"""JSON lines in, JSON lines out, whatever comes in."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from texlift.cli.lines import MAX_LINE, error_line, stream
from texlift.errors import FormulaError, TexliftError


def echo(requests: list[dict[str, Any] | TexliftError]) -> list[dict[str, Any]]:
    return [error_line(r, "echo") if isinstance(r, TexliftError) else {"echo": r} for r in requests]


def answers(source: bytes, capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    stream(echo, "echo", source=io.BytesIO(source))
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_objects_are_requests_all_else_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    found = answers(b'{"a": 1}\nnull\n\n"x"\n{"a": \n{"b": 2}', capsys)
    assert [answer["echo"] for answer in found] == [{"a": 1}, None, None, None, None, {"b": 2}]
    assert "line 3 is empty" in found[2]["error"]["message"]


@pytest.mark.parametrize("extra", [-1, 0, 1, 2, MAX_LINE, 5 * MAX_LINE])
def test_lines_around_the_limit(extra: int, capsys: pytest.CaptureFixture[str]) -> None:
    line = b'{"a": "' + b"x" * (MAX_LINE + extra - 9) + b'"}'
    found = answers(b'{"n": 1}\n' + line + b'\n{"n": 2}\n', capsys)
    assert len(found) == 3
    assert (found[0], found[2]) == ({"echo": {"n": 1}}, {"echo": {"n": 2}})
    assert (found[1]["echo"] is None) == (extra > 0)


def test_output_is_ascii(capsys: pytest.CaptureFixture[str]) -> None:
    stream(echo, "echo", source=io.BytesIO('{"a": "é∞"}\n{"b": "\\ud800"}'.encode()))
    out = capsys.readouterr().out
    assert out.isascii()
    assert len(out.splitlines()) == 2


@given(st.lists(st.binary(max_size=30).filter(lambda line: b"\n" not in line), max_size=20))
def test_never_fewer_lines(chunks: list[bytes]) -> None:
    source = b"".join(chunk + b"\n" for chunk in chunks)
    counted: list[int] = []

    def count(requests: list[dict[str, Any] | TexliftError]) -> list[dict[str, Any]]:
        counted.append(len(requests))
        return [{}] * len(requests)

    stream(count, "n", source=io.BytesIO(source))
    assert sum(counted) == len(chunks)


def test_error_lines() -> None:
    assert error_line(TexliftError("no"), "latex") == {"latex": None, "error": {"code": "input", "message": "no"}}
    line = error_line(FormulaError("bad", "abc", (1, 2), "mend it"), "latex")
    assert line["error"]["position"] == 1
    assert line["error"]["hint"] == "mend it"
