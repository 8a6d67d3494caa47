"""Whole documents sent to the service: one at a time, in a thread of their own, nothing on disk."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from texlift.documents.choices import FILE_NAME, choices_of, choices_toml
from texlift.documents.difference import unified_diff
from texlift.documents.document import Document, document_of
from texlift.documents.lifting import Options, Outcome, lift
from texlift.documents.notation import notation
from texlift.documents.report import report_html
from texlift.documents.review import review_of
from texlift.documents.sidefile import side_name, side_text
from texlift.errors import TexliftError
from texlift.server.batching import BusyError
from texlift.server.messages import ReviewRequest
from texlift.server.metrics import Metrics
from texlift.server.settings import Settings
from texlift.translate.translator import Translator

__all__ = ["Uploads"]


@dataclass(slots=True)
class _Limit:
    """When work on a document ends whether or not it is done."""

    end: float
    over: bool = False

    def check(self, step: str = "", done: int = 0, total: int = 0) -> None:
        """Raise TexliftError if time is up or nobody waits any more; called between portions of formulae."""
        if self.over or time.monotonic() > self.end:
            raise TexliftError("the document takes too long: split it, or use `texlift document`")


class Uploads:
    """Lifts uploaded documents; more than a few waiting are refused."""

    def __init__(self, translator: Translator, settings: Settings, metrics: Metrics) -> None:
        self._settings = settings
        self._metrics = metrics
        self._thread = ThreadPoolExecutor(1, "documents")
        self._count = 0

    async def lift(self, data: bytes, name: str, threshold: float) -> bytes:
        """The result as JSON: the new text, counts, problems, every formula, and the report as a page."""
        return await self._run(partial(self._lift, data, name, threshold), data)

    async def review(self, data: bytes, asked: ReviewRequest) -> bytes:
        """The review as JSON: symbols, changes, and the files that an author takes home."""
        return await self._run(partial(self._review, data, asked), data)

    async def _run(self, task: Callable[[_Limit], bytes], data: bytes) -> bytes:
        if self._count >= self._settings.documents:
            self._metrics.add("rejected_busy")
            raise BusyError("other documents are being worked on")
        self._refuse_many(data)
        self._count += 1
        limit = _Limit(time.monotonic() + self._settings.document_seconds)
        loop = asyncio.get_running_loop()
        work = self._thread.submit(task, limit)
        work.add_done_callback(partial(self._done, loop))
        try:
            return await asyncio.wrap_future(work)
        finally:
            limit.over = True  # answered, or the client has gone

    def _done(self, loop: asyncio.AbstractEventLoop, work: Future[bytes]) -> None:
        def count() -> None:
            self._count -= 1

        with contextlib.suppress(RuntimeError):  # the loop is closed: the service stops
            loop.call_soon_threadsafe(count)

    def _refuse_many(self, data: bytes) -> None:
        """Refuse a document that must have too many formulae before it is read: a formula has two marks."""
        marks = data.count(b"$") + data.count(b"\\(") + data.count(b"\\[") + data.count(b"\\begin")
        if marks > 8 * self._settings.max_document_formulae:
            raise TexliftError(f"more formulae than the service's limit of {self._settings.max_document_formulae:,}")

    def close(self) -> None:
        """Let go of the thread."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _read(self, data: bytes, name: str) -> Document:
        document = document_of(data, name)
        most = self._settings.max_document_formulae
        if len(document.formulae) > most:
            raise TexliftError(f"{len(document.formulae):,} formulae are more than the service's limit of {most:,}")
        return document

    def _lift(self, data: bytes, name: str, threshold: float, limit: _Limit) -> bytes:
        limit.check()
        document = self._read(data, name)
        options = Options(threshold, 2, model=self._settings.model, longest=self._settings.max_formula, compare=False)
        outcome = lift(document, options, progress=limit.check)
        limit.check()
        record = {
            "name": name,
            "output": outcome.texts()[0],
            "macros": side_text(document.kind, outcome.spellings) if outcome.spellings else "",
            "counts": outcome.counts,
            "problems": [str(problem) for problem in document.problems],
            "formulae": [item.as_dict() for item in outcome.lifted],
            "report": report_html(outcome, name),
        }
        return json.dumps(record).encode()

    def _review(self, data: bytes, asked: ReviewRequest, limit: _Limit) -> bytes:
        limit.check()
        document = self._read(data, asked.name)
        tables = {"readings": asked.readings, "rejected": asked.rejected}
        settings = self._settings
        options = Options(
            asked.threshold,
            check=asked.check,
            seconds=settings.check_seconds / 4,
            patience=settings.document_check_seconds,
            model=settings.model,
            longest=settings.max_formula,
            compare=asked.check,
        )
        outcome = lift(document, options, choices_of(tables, Path(FILE_NAME)), limit.check)
        limit.check()
        record = review_of(outcome, notation(outcome))
        limit.check()
        return json.dumps({"name": asked.name, **record, "files": _files(outcome, asked.name, tables)}).encode()


def _files(outcome: Outcome, name: str, tables: Mapping[str, Mapping[str, str]]) -> list[dict[str, str]]:
    """What an author takes home: names, what they are, contents in base64."""
    document = outcome.document
    stem, _, suffix = Path(name).name.rpartition(".")
    found = [("result", f"{stem}.lifted.{suffix}", document.files[0].encoded(outcome.texts()[0]))]
    if outcome.spellings:
        found.append(("macros", side_name(document.kind), _bytes(side_text(document.kind, outcome.spellings))))
    found.append(("choices", FILE_NAME, _bytes(choices_toml(tables))))
    found.append(("diff", f"{stem}.diff", _bytes(unified_diff(outcome))))
    found.append(("report", f"{stem}.report.html", _bytes(report_html(outcome, name))))
    return [
        {"kind": kind, "name": called, "data": base64.b64encode(content).decode("ascii")}
        for kind, called, content in found
    ]


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "replace")
