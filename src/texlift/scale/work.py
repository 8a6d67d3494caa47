"""The work on one partition: read its requests, answer them, write one file, all of it or nothing."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, Final, TypeAlias

from texlift.errors import FormulaError, TexliftError
from texlift.files import write_file
from texlift.scale.partitions import Partition
from texlift.scale.tables import encoded, parquet_requests

__all__ = ["BINS", "Figures", "Job", "done", "figures_of", "total", "work_on"]

BINS: Final = 10
"""Of the histogram of confidences."""

_RELATION: Final = re.compile(r"[=<>]|\\(?:leq?|geq?|neq?|approx|equiv|sim|in)(?![A-Za-z])")

Answering: TypeAlias = Callable[[bytes, int], Iterable[dict[str, Any]]]
"""Answers to JSON lines, one each, as `texlift translate --jsonl` gives them; the number of the first line."""


@dataclass(frozen=True, slots=True)
class Job:
    """What is done with each partition. `answer` must be a function at the top of a module, or a partial of one."""

    out: str
    answer: Answering
    format: str = "jsonl"
    threshold: float = 0.7  # of documents: less likely readings are left alone
    model: str | None = None
    check: float = 0.0  # seconds for checking each statement; 0: none is checked

    def file(self, partition: Partition) -> Path:
        """Where the answers of a partition go; it is there when they all are."""
        return Path(self.out) / f"{partition.name}.{self.format}"

    def figures(self, partition: Partition) -> Path:
        return Path(self.out) / "_figures" / f"{partition.name}.json"


@dataclass(frozen=True, slots=True)
class Figures:
    """What became of a partition, or of many."""

    formulae: int = 0
    refused: int = 0  # formulae without an answer
    warned: int = 0
    seconds: float = 0.0
    confidences: tuple[int, ...] = (0,) * BINS
    lost: tuple[str, ...] = field(default=())  # partitions that could not be read or written, with the reason

    def __add__(self, other: Figures) -> Figures:
        return Figures(
            self.formulae + other.formulae,
            self.refused + other.refused,
            self.warned + other.warned,
            self.seconds + other.seconds,
            tuple(a + b for a, b in zip(self.confidences, other.confidences, strict=True)),
            self.lost + other.lost,
        )


def total(some: Iterable[Figures]) -> Figures:
    """The figures of many partitions."""
    return sum(some, Figures())


def done(job: Job, partition: Partition) -> bool:
    """Whether a partition has been translated, by this run or another."""
    return job.file(partition).is_file()


def figures_of(job: Job, partition: Partition) -> Figures:
    """The figures of a partition that is done."""
    try:
        found = json.loads(job.figures(partition).read_text("utf-8"))
        return Figures(**{**found, "confidences": tuple(found["confidences"]), "lost": tuple(found["lost"])})
    except (OSError, ValueError, TypeError, KeyError):
        return Figures()


def work_on(job: Job, partition: Partition) -> Figures:
    """Translate a partition. What cannot be read or written is lost, and said; everything else goes on."""
    started = time.monotonic()
    try:
        rows = list(_rows(job, partition))
        if job.check:
            _check(rows, job.check)
        figures = _counted(rows, time.monotonic() - started)
        write_file(job.figures(partition), json.dumps(asdict(figures)).encode())
        write_file(job.file(partition), encoded(rows, job.format))
    except (TexliftError, OSError) as error:
        return Figures(lost=(f"{partition.path} ({partition.name}): {error}",))
    return figures


def _check(rows: list[dict[str, Any]], seconds: float) -> None:
    """Add a verdict to each row that states something."""
    from texlift.verify import Task, check_all

    claims = [row for row in rows if row.get("semantic") and _RELATION.search(row["semantic"])]
    tasks = [Task(row["semantic"], sure=row["confidence"], excerpt=True) for row in claims]
    for row, verdict in zip(claims, check_all(tasks, seconds), strict=True):
        row["check"] = verdict.as_dict()


def _counted(rows: list[dict[str, Any]], seconds: float) -> Figures:
    bins = [0] * BINS
    for row in rows:
        confidence = row.get("confidence")
        if isinstance(confidence, int | float):
            bins[min(BINS - 1, int(confidence * BINS))] += 1
    refused = sum(row.get("semantic") is None for row in rows)
    warned = sum(bool(row.get("warnings")) for row in rows)
    return Figures(len(rows), refused, warned, seconds, tuple(bins))


def _rows(job: Job, partition: Partition) -> Iterator[dict[str, Any]]:
    path = Path(partition.path)
    if partition.kind == "document":
        return _of_document(job, path)
    if partition.kind == "parquet":
        requests = list(parquet_requests(path, partition.start, partition.end))
        lines = "".join([json.dumps(request) + "\n" for request in requests]).encode()
        return chain(job.answer(lines, partition.start + 1))
    with path.open("rb") as stream:
        stream.seek(partition.start)
        return chain(job.answer(stream.read(partition.end - partition.start), partition.first_line))


def _of_document(job: Job, path: Path) -> Iterator[dict[str, Any]]:
    """The formulae of a document, read together as `texlift document` does."""
    from texlift.documents.document import read_document
    from texlift.documents.lifting import Options, lift

    model = Path(job.model) if job.model else None
    outcome = lift(read_document(path), Options(threshold=job.threshold, model=model))
    for number, item in enumerate(outcome.lifted):
        row: dict[str, Any] = {
            "id": f"{path.name}:{item.formula.line}:{number}",
            "document": str(path),
            "semantic": item.semantic if item.state != "broken" else None,
            "confidence": round(item.confidence, 6),
            "decisions": [decision.as_dict() for decision in item.decisions],
            "alternatives": [{"semantic": text, "probability": value} for text, value in item.alternatives],
            "warnings": [item.message] if item.message else [],
        }
        if row["semantic"] is None:
            error = FormulaError(item.message or "not understood", item.formula.latex, (0, 0), "", "input")
            row["error"] = error.as_dict()
        yield row
