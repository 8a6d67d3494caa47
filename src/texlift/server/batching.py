"""Requests that come at the same time are translated together.

One thread translates; while it works, new requests collect, and the next batch takes all of them. A single
request is translated at once; under load the batches grow, and with them the throughput. The queue is bounded: what
does not fit is refused at once instead of after a timeout. Answers are remembered as the bytes that were sent.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

from texlift.documents.mathml import render
from texlift.errors import FormulaError, Span, TexliftError
from texlift.server.interpretation import Declared, Settled, declarations, interpreted
from texlift.server.metrics import Metrics
from texlift.server.settings import Settings
from texlift.translate.answer import Translation
from texlift.translate.translator import Translator

__all__ = ["Answer", "Batcher", "BusyError", "Question"]

Result = TypeVar("Result")

_MOST_LONG = 4
_GATHER_SECONDS, _GATHER_TURNS = 0.0005, 4  # a batch of many formulae takes far less time than many of one


class BusyError(Exception):
    """The queue is full, or the answer did not come in time."""


@dataclass(frozen=True, slots=True)
class Question:
    """One formula with everything that decides on the answer; equal questions have equal answers."""

    latex: str
    context: str | tuple[tuple[str, str], ...] | None = None
    alternatives: int = 3
    constants: bool = False
    choices: tuple[tuple[Span, str], ...] = ()
    render: bool = False
    declared: Declared = ()
    settled: Settled = ()
    meaning: bool = False

    @property
    def options(self) -> tuple[int, bool, tuple[tuple[Span, str], ...], Declared]:
        """What formulae translated in one batch must share."""
        return self.alternatives, self.constants, self.choices, self.declared


@dataclass(frozen=True, slots=True)
class Answer:
    """A JSON object as bytes; `failed` if it is an error."""

    body: bytes
    failed: bool = False


@dataclass(slots=True, eq=False)
class _Wanted:
    """A question that waits for its answer; `clients` is how many want it."""

    question: Question
    answer: asyncio.Future[Answer]
    clients: int = 0


class Batcher:
    """Answers questions for the tasks of one event loop, with one thread that translates."""

    def __init__(self, translator: Translator, settings: Settings, metrics: Metrics) -> None:
        self._translator = translator
        self._settings = settings
        self._metrics = metrics
        self._waiting: deque[_Wanted] = deque()
        self._awaited: dict[Question, _Wanted] = {}
        self._runner: asyncio.Task[None] | None = None
        self._thread = ThreadPoolExecutor(1, "translate")
        self._aside = ThreadPoolExecutor(1, "long formulae")
        self._long = 0
        self._answers: OrderedDict[Question, Answer] = OrderedDict()
        self._remembered = 0
        self._jobs = 0
        self._shared = 0  # formulae in the last batch

    async def ask(self, question: Question, patient: bool = False) -> Answer:
        """The answer; raises BusyError if the queue is full (a patient caller waits for room instead)."""
        known = self._answers.get(question)
        if known is not None:
            self._answers.move_to_end(question)
            self._metrics.add("cache_hits")
            return known
        if len(question.latex) > self._settings.long_formula:
            return await self._ask_aside(question, patient)
        while len(self._waiting) >= self._settings.queue:
            if not patient:
                self._metrics.add("rejected_busy")
                raise BusyError("too many formulae are waiting")
            await asyncio.sleep(0.01)
        wanted = self._awaited.get(question)
        if wanted is None:
            self._metrics.add("cache_misses")
            wanted = _Wanted(question, asyncio.get_running_loop().create_future())
            self._awaited[question] = wanted
            self._waiting.append(wanted)
            self._metrics.add("waiting")
            if self._runner is None or self._runner.done():
                self._runner = asyncio.create_task(self._run())
        wanted.clients += 1
        try:
            async with asyncio.timeout(self._settings.request_seconds):
                return await asyncio.shield(wanted.answer)
        except TimeoutError:
            raise BusyError("no answer in time") from None
        finally:
            wanted.clients -= 1
            if not wanted.clients and not wanted.answer.done():
                self._drop(wanted)

    async def _ask_aside(self, question: Question, patient: bool) -> Answer:
        """Long formulae take seconds; they have a thread and a short queue of their own."""
        while self._long >= _MOST_LONG:
            if not patient:
                self._metrics.add("rejected_busy")
                raise BusyError("too many long formulae are waiting")
            await asyncio.sleep(0.05)
        self._metrics.add("cache_misses")
        self._long += 1
        work = self._aside.submit(self._translate, [question])
        work.add_done_callback(partial(self._long_done, asyncio.get_running_loop()))
        try:
            async with asyncio.timeout(self._settings.request_seconds):
                (answer,) = await asyncio.wrap_future(work)  # if the client goes, what has not begun is not begun
        except TimeoutError:
            raise BusyError("no answer in time") from None
        self._remember(question, answer)
        return answer

    def _long_done(self, loop: asyncio.AbstractEventLoop, work: Future[list[Answer]]) -> None:
        """Called by the thread, when it has finished, or by whoever gave up before it began."""

        def count() -> None:
            self._long -= 1

        with contextlib.suppress(RuntimeError):  # the loop is closed: the service stops
            loop.call_soon_threadsafe(count)

    async def work(self, function: Callable[..., Result], *arguments: Any, patient: bool = False) -> Result:
        """Run other short work on the same thread, under the same limits."""
        while self._jobs >= self._settings.queue:
            if not patient:
                self._metrics.add("rejected_busy")
                raise BusyError("too many requests are waiting")
            await asyncio.sleep(0.01)
        self._jobs += 1
        try:
            async with asyncio.timeout(self._settings.request_seconds):
                return await asyncio.get_running_loop().run_in_executor(self._thread, function, *arguments)
        except TimeoutError:
            raise BusyError("no answer in time") from None
        finally:
            self._jobs -= 1

    def close(self) -> None:
        """Stop the thread once it has finished what it is doing."""
        self._thread.shutdown(wait=False, cancel_futures=True)
        self._aside.shutdown(wait=False, cancel_futures=True)

    async def _gather(self) -> None:
        """Give those who were answered together a moment to ask again: they share the next batch too."""
        for _ in range(_GATHER_TURNS):
            if len(self._waiting) >= self._shared:
                return
            await asyncio.sleep(_GATHER_SECONDS)

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            await self._gather()
            batch = [self._waiting.popleft() for _ in range(min(len(self._waiting), self._settings.batch))]
            self._shared = len(batch)
            self._metrics.add("waiting", -len(batch))
            if not batch:
                continue  # their clients have left meanwhile
            try:
                answers = await loop.run_in_executor(self._thread, self._translate, [w.question for w in batch])
            except Exception as error:  # noqa: BLE001  whatever happened, every waiting request gets an answer
                for wanted in batch:
                    self._settle(wanted)
                    if not wanted.answer.done():
                        wanted.answer.set_exception(error)
                        wanted.answer.exception()  # seen, even if the client has gone
                continue
            self._metrics.add("batches")
            self._metrics.add("formulae", len(batch))
            for wanted, answer in zip(batch, answers, strict=True):
                self._settle(wanted)
                self._remember(wanted.question, answer)
                if not wanted.answer.done():
                    wanted.answer.set_result(answer)

    def _drop(self, wanted: _Wanted) -> None:
        """Nobody waits any more: make room for others; whoever asks from now on is answered anew."""
        self._settle(wanted)
        with contextlib.suppress(ValueError):  # being translated already
            self._waiting.remove(wanted)
            self._metrics.add("waiting", -1)

    def _settle(self, wanted: _Wanted) -> None:
        if self._awaited.get(wanted.question) is wanted:
            del self._awaited[wanted.question]

    def _translate(self, questions: list[Question]) -> list[Answer]:
        """Translate a batch (in the thread): one call for all that share their options."""
        groups: dict[Any, list[int]] = {}
        for index, question in enumerate(questions):
            groups.setdefault(question.options, []).append(index)
        answers: list[Answer] = [Answer(b"", True)] * len(questions)
        for (alternatives, constants, choices, declared), indices in groups.items():
            asked = [(questions[i].latex, _context(questions[i])) for i in indices]
            options = (alternatives, constants, None, dict(choices))
            results = self._translator.translate_many(asked, *options, declare=declarations(declared))
            for index, result in zip(indices, results, strict=True):
                answers[index] = _answer(questions[index], result)
        return answers

    def _remember(self, question: Question, answer: Answer) -> None:
        size = _size(question, answer)
        if size > self._settings.cache_bytes // 100:
            return
        if question in self._answers:
            return
        self._answers[question] = answer
        self._remembered += size
        while self._remembered > self._settings.cache_bytes:
            old, oldest = self._answers.popitem(last=False)
            self._remembered -= _size(old, oldest)


def _size(question: Question, answer: Answer) -> int:
    """Bytes that are remembered of an answer, its question included."""
    context = question.context if isinstance(question.context, tuple) else ((question.context or "",),)
    said = sum([sys.getsizeof(text) for pair in question.declared for text in pair])
    words = sum([sys.getsizeof(text) for pair in context for text in pair])
    return (
        len(answer.body)
        + sys.getsizeof(question.latex)
        + words
        + 200 * (len(question.choices) + len(question.settled))
        + said
        + 500
    )


def _context(question: Question) -> str | Mapping[str, str] | None:
    return dict(question.context) if isinstance(question.context, tuple) else question.context


def _answer(question: Question, result: Translation | FormulaError) -> Answer:
    if isinstance(result, FormulaError):
        return Answer(json.dumps({"semantic": None, "error": result.as_dict()}).encode(), True)
    record = {"latex": result.latex, **result.as_dict()}
    if question.render:
        record["mathml"] = render(result.latex)
    if question.meaning:
        try:
            around = question.context if isinstance(question.context, str) else ""
            record |= interpreted(replace(result, around=around), question.declared, question.settled)
        except FormulaError as error:
            return Answer(json.dumps({"semantic": None, "error": error.as_dict()}).encode(), True)
        except TexliftError as error:
            return Answer(
                json.dumps({"semantic": None, "error": {"code": "input", "message": str(error)}}).encode(), True
            )
    return Answer(json.dumps(record).encode())
