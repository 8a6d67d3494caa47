"""Pairs in a file, one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from texlift.corpus.pair import Pair
from texlift.errors import TexliftError
from texlift.files import write_file

__all__ = ["MAX_LINE", "PairFileError", "iterate_pairs", "read_pairs", "write_pairs", "write_text"]

MAX_LINE = 1_000_000
"""Longest line in bytes; a longer one is refused before it is read whole."""


class PairFileError(TexliftError):
    """Something is wrong in one line of a file of pairs."""

    def __init__(self, path: Path, line: int, message: str) -> None:
        super().__init__(f"{path}:{line}: {message}")
        self.path = path
        self.line = line


def read_pairs(path: Path | str) -> list[Pair]:
    """All pairs of a file. Raises PairFileError at the first line that is not a pair."""
    return list(iterate_pairs(path))


def iterate_pairs(path: Path | str, on_error: Callable[[PairFileError], None] | None = None) -> Iterator[Pair]:
    """The pairs of a file, one by one; empty lines are skipped.

    With `on_error` a bad line is handed to it and reading goes on; without, it is raised. A pair without an
    id gets the number of its line.
    """
    path = Path(path)
    try:
        stream = path.open("rb")
    except OSError as error:
        raise TexliftError(f"cannot read {path}: {error.strerror}") from error
    with stream:
        number = 0
        while line := stream.readline(MAX_LINE + 1):
            number += 1
            try:
                if len(line) > MAX_LINE:
                    _skip_line(stream.readline, line)
                    raise PairFileError(path, number, f"line is longer than {MAX_LINE:,} bytes")
                if line.strip():
                    yield _pair(path, number, line)
            except PairFileError as error:
                if on_error is None:
                    raise
                on_error(error)


def write_pairs(path: Path | str, pairs: Iterable[Pair]) -> int:
    """Write pairs to a file, all or nothing; the number written."""
    count = 0

    def lines() -> Iterator[str]:
        nonlocal count
        for pair in pairs:
            count += 1
            yield json.dumps(pair.as_dict(), ensure_ascii=False) + "\n"

    write_text(path, lines())
    return count


def write_text(path: Path | str, chunks: Iterable[str]) -> None:
    """Write a file atomically: readers see the old file or the new one, never a half."""
    write_file(path, (chunk.encode("utf-8") for chunk in chunks))


def _pair(path: Path, number: int, line: bytes) -> Pair:
    try:
        record = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise PairFileError(path, number, f"not UTF-8 at byte {error.start}") from error
    except json.JSONDecodeError as error:
        raise PairFileError(path, number, f"not JSON: {error.msg} at column {error.colno}") from error
    except RecursionError:
        raise PairFileError(path, number, "not a pair: nested too deep") from None
    if not isinstance(record, dict):
        raise PairFileError(path, number, f"not an object but {type(record).__name__}")
    try:
        return Pair.from_dict(record, default_id=str(number))
    except TexliftError as error:
        raise PairFileError(path, number, str(error)) from error


def _skip_line(readline: Callable[[int], bytes], line: bytes) -> None:
    while line and not line.endswith(b"\n"):
        line = readline(MAX_LINE)
