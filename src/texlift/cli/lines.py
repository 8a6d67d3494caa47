"""JSON lines in, JSON lines out: one line for each line, in order, never fewer, each as soon as it can be answered."""

from __future__ import annotations

import io
import json
import logging
import os
import select
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, BinaryIO

from texlift.errors import INTERNAL, FormulaError, TexliftError

__all__ = [
    "CHUNK_BYTES",
    "CHUNK_CHARACTERS",
    "MAX_LINE",
    "Answer",
    "Request",
    "answered_lines",
    "error_line",
    "identified",
    "requests",
    "stream",
]

MAX_LINE = 400_000
"""Longest line in bytes; a longer one is skipped and answered with an error."""

_CHUNK = 512  # independent lines that are answered at a time
_DOCUMENT = 2048  # lines of one document
CHUNK_BYTES = 4_000_000
"""Bytes of lines that are answered at a time, whatever their number."""
CHUNK_CHARACTERS = 200_000
"""Characters of formulae of a document that are answered at a time, of others half as many: an answer may be some
hundred times as long."""
_BLOCK = 1 << 16
_log = logging.getLogger(__name__)

Request = dict[str, Any] | TexliftError
"""A line that was read; one that could not be is its error."""
Answer = Callable[[list[Request]], list[dict[str, Any]]]
"""Answers some requests, one answer each; those of one "document" come together and alone."""


def error_line(error: TexliftError, key: str) -> dict[str, Any]:
    """The line that answers a request that failed; `key` is the field that would hold the result."""
    if isinstance(error, FormulaError):
        return {key: None, "error": error.as_dict()}
    return {key: None, "error": {"code": "input", "message": str(error)}}


def stream(answer: Answer, key: str, jobs: int = 1, source: BinaryIO | None = None) -> None:
    """Read requests from standard input, write answers to standard output, as soon as no more lines are waiting.

    Lines with the same "document" one after the other are answered together, when the document ends. The "id" of a
    request is in its answer. `key` is the field of an answer that is null where something went wrong.
    `answer` must be a function at the top of a module if `jobs` is more than one: it runs in worker processes.
    """
    chunks = _chunks(_waiting(_Lines(source or sys.stdin.buffer)))
    if jobs <= 1:
        for chunk in chunks:
            if chunk:
                _write(_answered(answer, key, chunk))
        return
    from texlift.cli.processes import in_processes

    for answers in in_processes(partial(_answered, answer, key), partial(_lost, key), chunks, jobs):
        _write(answers)


def answered_lines(answer: Answer, key: str, content: bytes, first: int = 1) -> Iterator[dict[str, Any]]:
    """The answers to JSON lines that are all there, as `stream` writes them; `first` is the number of the first."""
    for chunk in _chunks(_waiting(_Lines(io.BytesIO(content)), first)):
        if chunk:
            yield from _answered(answer, key, chunk)


def _lost(key: str, chunk: list[Request]) -> list[dict[str, Any]]:
    """The answers to a chunk over which processes die, perhaps for want of memory."""
    message = "the process that worked on this line and its neighbours died, perhaps for want of memory"
    return [identified(request, {key: None, "error": {"code": INTERNAL, "message": message}}) for request in chunk]


def _answered(answer: Answer, key: str, chunk: list[Request]) -> list[dict[str, Any]]:
    """The answers to a chunk, each with the id of its request; an unforeseen failure concerns its own line only."""
    try:
        answers = answer(chunk)
    except Exception as error:  # noqa: BLE001  one line must not end the others
        if len(chunk) > 1:
            return [line for request in chunk for line in _answered(answer, key, [request])]
        _log.exception("a line failed")
        message = f"this line failed unexpectedly ({type(error).__name__}); please report it"
        answers = [{key: None, "error": {"code": INTERNAL, "message": message}}]
    return [identified(request, line) for request, line in zip(chunk, answers, strict=True)]


def identified(request: Request, line: dict[str, Any]) -> dict[str, Any]:
    """The answer to a request with its "id", if it has one."""
    return {"id": request["id"], **line} if isinstance(request, dict) and "id" in request else line


def requests(source: BinaryIO | None = None) -> Iterator[Request]:
    """The requests on standard input, one for each line, for commands that answer them one by one."""
    return (request for request, _ in _waiting(_Lines(source or sys.stdin.buffer)) if request is not None)


def _write(answers: Iterable[dict[str, Any]]) -> None:
    sys.stdout.write("".join([json.dumps(answer, ensure_ascii=True) + "\n" for answer in answers]))
    sys.stdout.flush()


def _chunks(requests: Iterator[tuple[Request | None, int]]) -> Iterator[list[Request]]:
    """Requests that are answered together: what is there, or one document; nothing at all where input lets us wait.

    `None` among the requests says that no more is there yet.
    """
    chunk: list[Request] = []
    document: Any = None
    size = characters = 0
    for request, length in requests:
        if request is None:
            if document is None and chunk:
                yield chunk
                chunk, size, characters = [], 0, 0
            yield []
            continue
        own = request.get("document") if isinstance(request, dict) else None
        size += length
        characters += _formula_length(request)
        full = len(chunk) == (_CHUNK if document is None else _DOCUMENT)
        most = CHUNK_CHARACTERS // 2 if document is None else CHUNK_CHARACTERS
        full |= size > CHUNK_BYTES or characters > most
        if chunk and (own != document or full):
            yield chunk
            chunk, size, characters = [], length, _formula_length(request)
        document = own
        chunk.append(request)
    if chunk:
        yield chunk


def _formula_length(request: Request) -> int:
    formulae = (request.get("latex"), request.get("semantic")) if isinstance(request, dict) else ()
    return sum([len(text) for text in formulae if isinstance(text, str)])


class _Lines:
    """Lines of a binary stream, and whether another one is there without waiting for it."""

    def __init__(self, source: BinaryIO) -> None:
        self._at = 0  # where in the buffer the next line starts
        try:
            self._file: int | None = source.fileno()
            self._buffer, self._ended = b"", False
        except OSError:
            self._file = None
            self._buffer, self._ended = source.read(), True

    def ready(self) -> bool:
        """Whether `read` would return at once."""
        while self._buffer.find(b"\n", self._at) < 0 and not self._ended:
            assert self._file is not None
            try:
                if not select.select([self._file], [], [], 0)[0]:
                    return False
            except (OSError, ValueError):
                return False  # a system on which only sockets can be asked
            self._fill()
        return True

    def read(self) -> bytes | None:
        """The next line, of which no more than MAX_LINE bytes and one are kept; None at the end."""
        while (end := self._buffer.find(b"\n", self._at)) < 0 and not self._ended:
            self._fill()
        if end < 0:
            end = len(self._buffer)
            if self._at >= end:
                return None
        line = self._buffer[self._at : end]
        self._at = end + 1
        return line

    def _fill(self) -> None:
        """Read another block; of a line that is too long nothing more is kept."""
        assert self._file is not None
        block = os.read(self._file, _BLOCK)
        self._buffer = self._buffer[self._at : self._at + MAX_LINE + 1] + block
        self._at = 0
        self._ended = not block


def _waiting(lines: _Lines, first: int = 1) -> Iterator[tuple[Request | None, int]]:
    """The requests with the lengths of their lines; None wherever the next one would have to be waited for."""
    number = first - 1
    while (line := lines.read()) is not None:
        number += 1
        if len(line) > MAX_LINE:
            yield TexliftError(f"line {number} is longer than {MAX_LINE:,} bytes"), 0
        elif not line.strip():
            yield TexliftError(f"line {number} is empty"), 0
        else:
            yield _request(line, number), len(line)
        if not lines.ready():
            yield None, 0


def _request(line: bytes, number: int) -> Request:
    try:
        request = json.loads(line)
    except RecursionError:
        return TexliftError(f"line {number} is not JSON: nested too deeply")
    except ValueError as error:
        return TexliftError(f"line {number} is not JSON: {error}")
    if not isinstance(request, dict):
        return TexliftError(f"line {number} is not a JSON object")
    return request
