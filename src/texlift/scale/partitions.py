"""An input cut into partitions, each of which is translated on its own and becomes one file of the output.

The cut depends on the input alone, so a second run finds the same partitions. Lines of one "document" that follow each
other stay together.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from texlift.errors import TexliftError

__all__ = ["ROWS", "Partition", "plan"]

ROWS: Final = 5_000
"""Lines of a partition, unless a document goes on."""

_MOST_BYTES: Final = 64 << 20  # of a partition, whatever its lines
_DOCUMENTS: Final = frozenset({".tex", ".md", ".ipynb"})
_SUFFIXES: Final = frozenset({".jsonl", ".parquet", *_DOCUMENTS})


@dataclass(frozen=True, slots=True)
class Partition:
    """A part of an input file: bytes of JSON lines, rows of a Parquet file, or a whole document."""

    number: int
    kind: str  # "jsonl", "parquet" or "document"
    path: str
    start: int
    end: int
    first_line: int = 1  # of JSON lines, for messages

    @property
    def name(self) -> str:
        """What its file is called, without a suffix."""
        return f"part-{self.number:07d}"


def plan(source: Path, rows: int = ROWS) -> list[Partition]:
    """The partitions of a file, or of all files in a folder, in the order of their names. Raises TexliftError."""
    files = _files(source)
    pieces = (piece for path in files for piece in _pieces(path, rows))
    return [
        Partition(number, kind, str(path), start, end, line)
        for number, (kind, path, start, end, line) in enumerate(pieces)
    ]


def _files(source: Path) -> list[Path]:
    if not source.exists():
        raise TexliftError(f"{source} does not exist")
    if source.is_file():
        if source.suffix not in _SUFFIXES:
            raise TexliftError(f"{source} is no {', '.join(sorted(_SUFFIXES))} file")
        return [source]
    found = sorted(path for path in source.rglob("*") if path.suffix in _SUFFIXES and path.is_file())
    inside = [path for path in found if path.resolve().is_relative_to(source.resolve())]  # no links out of the folder
    if not inside:
        raise TexliftError(f"no {', '.join(sorted(_SUFFIXES))} file in {source}")
    return inside


def _pieces(path: Path, rows: int) -> Iterator[tuple[str, Path, int, int, int]]:
    if path.suffix == ".jsonl":
        for start, end, line in _line_ranges(path, rows):
            yield "jsonl", path, start, end, line
    elif path.suffix == ".parquet":
        from texlift.scale.tables import parquet_rows

        count = parquet_rows(path)
        for start in range(0, count, rows):
            yield "parquet", path, start, min(start + rows, count), 1
    else:
        yield "document", path, 0, path.stat().st_size, 1


def _line_ranges(path: Path, rows: int) -> Iterator[tuple[int, int, int]]:
    """(first byte, byte behind, number of the first line) of partitions of JSON lines."""
    with path.open("rb") as stream:
        start = at = 0
        first = number = 1
        document: object = None
        for line in stream:
            if number - first >= rows or at - start >= _MOST_BYTES:
                own = _document_of(line)
                if own is None or own != document:
                    yield start, at, first
                    start, first = at, number
            if number - first + 1 >= rows:  # only the line before a cut tells whether its document goes on
                document = _document_of(line)
            at += len(line)
            number += line.endswith(b"\n")
        if at > start:
            yield start, at, first


def _document_of(line: bytes) -> object:
    if b'"document"' not in line[:1_000_000]:
        return None
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found.get("document") if isinstance(found, dict) else None
