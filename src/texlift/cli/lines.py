"""JSON lines in, JSON lines out: one line for each line, in order, never fewer, whatever comes in."""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, BinaryIO

from texlift.errors import FormulaError, TexliftError

__all__ = ["MAX_LINE", "Answer", "error_line", "stream"]

MAX_LINE = 400_000
"""Longest line in bytes; a longer one is skipped and answered with an error."""

_CHUNK = 256

Answer = Callable[[list[dict[str, Any] | TexliftError]], list[dict[str, Any]]]
"""Answers a chunk of requests, one answer each; a request that could not be read is its error."""


def error_line(error: TexliftError, key: str) -> dict[str, Any]:
    """The line that answers a request that failed; `key` is the field that would hold the result."""
    if isinstance(error, FormulaError):
        return {key: None, "error": error.as_dict()}
    return {key: None, "error": {"code": "input", "message": str(error)}}


def stream(answer: Answer, jobs: int = 1, source: BinaryIO | None = None) -> None:
    """Read requests from standard input, write answers to standard output, a chunk at a time.

    `answer` must be a function at the top of a module if `jobs` is more than one: it runs in worker processes.
    """
    out = sys.stdout
    chunks = _chunks(_requests(source or sys.stdin.buffer))
    if jobs <= 1:
        for chunk in chunks:
            _write(out, answer(chunk))
        # what is remembered goes with the process: looking for cycles in it once more takes a second
        gc.freeze()
        return
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(jobs) as pool:
        # only a few chunks are in flight, so memory does not grow with the input
        pending: list[Any] = []
        for chunk in chunks:
            pending.append(pool.submit(answer, chunk))
            if len(pending) > 2 * jobs:
                _write(out, pending.pop(0).result())
        for future in pending:
            _write(out, future.result())


def _write(out: Any, answers: Iterable[dict[str, Any]]) -> None:
    out.write("".join([json.dumps(answer, ensure_ascii=True) + "\n" for answer in answers]))
    out.flush()


def _chunks(requests: Iterator[dict[str, Any] | TexliftError]) -> Iterator[list[dict[str, Any] | TexliftError]]:
    while chunk := list(islice(requests, _CHUNK)):
        yield chunk


def _requests(source: BinaryIO) -> Iterator[dict[str, Any] | TexliftError]:
    number = 0
    while line := source.readline(MAX_LINE + 1):
        number += 1
        if len(line) > MAX_LINE and not line.endswith(b"\n"):
            while (rest := source.readline(MAX_LINE)) and not rest.endswith(b"\n"):
                pass
            yield TexliftError(f"line {number} is longer than {MAX_LINE:,} bytes")
            continue
        if not line.strip():
            yield TexliftError(f"line {number} is empty")
            continue
        yield _request(line, number)


def _request(line: bytes, number: int) -> dict[str, Any] | TexliftError:
    try:
        request = json.loads(line)
    except (ValueError, RecursionError) as error:
        return TexliftError(f"line {number} is not JSON: {error}")
    if not isinstance(request, dict):
        return TexliftError(f"line {number} is not a JSON object")
    return request
