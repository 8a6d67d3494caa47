"""Rows in and out of files: JSON lines as they are, Parquet with the nested fields as JSON text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from texlift.errors import TexliftError
from texlift.extras import require

__all__ = ["FORMATS", "encoded", "parquet_requests", "parquet_rows"]

FORMATS: Final = ("jsonl", "parquet")
"""What the output can be written as."""

_NESTED: Final = ("decisions", "alternatives", "code", "error", "check")
_TEXTS: Final = ("id", "document", "semantic", *_NESTED)


def parquet_rows(path: Path) -> int:
    """How many rows a Parquet file has. Raises TexliftError where it is none, or has no column "latex"."""
    require("pyarrow")
    import pyarrow.parquet as parquet

    try:
        file = parquet.ParquetFile(path)
    except (OSError, ValueError) as error:  # pyarrow's own errors are subclasses
        raise TexliftError(f"{path} is no Parquet file: {str(error).splitlines()[0]}") from None
    if "latex" not in file.schema_arrow.names:
        raise TexliftError(f'{path} has no column "latex"; it has {", ".join(file.schema_arrow.names[:8])}')
    return int(file.metadata.num_rows)


def parquet_requests(path: Path, start: int, end: int) -> Iterator[dict[str, Any]]:
    """The rows `start` to `end` of a Parquet file as requests; columns that no request has are left out."""
    import pyarrow.parquet as parquet

    file = parquet.ParquetFile(path)
    names = [name for name in ("latex", "context", "id", "document", "declare") if name in file.schema_arrow.names]
    at = 0
    for batch in file.iter_batches(columns=names):
        if at + batch.num_rows > start and at < end:
            first, behind = max(0, start - at), min(end - at, batch.num_rows)
            for row in batch.slice(first, behind - first).to_pylist():
                yield {name: value for name, value in row.items() if value is not None}
        at += batch.num_rows
        if at >= end:
            return


def encoded(rows: Sequence[Mapping[str, Any]], kind: str) -> bytes:
    """The content of an output file."""
    if kind == "jsonl":
        return "".join([json.dumps(row, ensure_ascii=True) + "\n" for row in rows]).encode("ascii")
    require("pyarrow")
    import pyarrow as arrow
    import pyarrow.parquet as parquet

    fields = [(name, arrow.string()) for name in _TEXTS]
    fields += [("confidence", arrow.float64()), ("warnings", arrow.list_(arrow.string()))]
    columns = {
        name: arrow.array([_cell(row, name) for row in rows], kind_of)  # the same columns in every file
        for name, kind_of in fields
    }
    sink = arrow.BufferOutputStream()
    parquet.write_table(arrow.table(columns), sink, compression="zstd")
    return bytes(sink.getvalue())


def _cell(row: Mapping[str, Any], name: str) -> Any:
    value = row.get(name)
    if value is None or name in ("confidence", "warnings"):
        return value
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=True)
