"""Whole documents sent to the service: one at a time, in a thread of their own, nothing on disk."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor

from texlift.documents.document import document_of
from texlift.documents.lifting import Options, lift
from texlift.documents.report import report_html
from texlift.errors import TexliftError
from texlift.server.batching import BusyError
from texlift.server.metrics import Metrics
from texlift.server.settings import Settings
from texlift.translate.translator import Translator

__all__ = ["Uploads"]


class Uploads:
    """Lifts uploaded documents; more than a few waiting are refused."""

    def __init__(self, translator: Translator, settings: Settings, metrics: Metrics) -> None:
        self._settings = settings
        self._metrics = metrics
        self._thread = ThreadPoolExecutor(1, "documents")
        self._count = 0

    async def lift(self, data: bytes, name: str, threshold: float) -> bytes:
        """The result as JSON: the new text, counts, problems, every formula, and the report as a page."""
        if self._count >= self._settings.documents:
            self._metrics.add("rejected_busy")
            raise BusyError("other documents are being worked on")
        self._count += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._thread, self._lift, data, name, threshold)
        finally:
            self._count -= 1

    def close(self) -> None:
        """Let go of the thread."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _lift(self, data: bytes, name: str, threshold: float) -> bytes:
        document = document_of(data, name)
        most = self._settings.max_document_formulae
        if len(document.formulae) > most:
            raise TexliftError(f"{len(document.formulae):,} formulae are more than the service's limit of {most:,}")
        outcome = lift(document, Options(threshold, 2, model=self._settings.model, longest=self._settings.max_formula))
        record = {
            "name": name,
            "output": outcome.texts()[0],
            "counts": outcome.counts,
            "problems": [str(problem) for problem in document.problems],
            "formulae": [item.as_dict() for item in outcome.lifted],
            "report": report_html(outcome, name),
        }
        return json.dumps(record).encode()
