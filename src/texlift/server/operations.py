"""What the service can do with one formula; the same for single requests, batches and streams."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel

from texlift.errors import FormulaError, TexliftError, fenced
from texlift.latex.wrapping import unwrapped
from texlift.server.batching import Answer, Batcher, BusyError, Question
from texlift.server.interpretation import Declared, Settled, chosen_places, declarations, drawing
from texlift.server.messages import (
    CheckAnswer,
    CheckRequest,
    ConvertAnswer,
    ConvertRequest,
    EqualAnswer,
    EqualRequest,
    ExpandAnswer,
    ExpandRequest,
    ParseAnswer,
    ParseRequest,
    Request,
    TranslateAnswer,
    TranslateRequest,
)
from texlift.server.metrics import Metrics
from texlift.server.settings import Settings

__all__ = ["Operation", "Operations", "failure"]

_MOST_DRAWN = 2_000  # nodes; a larger picture is of no use

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing the service does: how it is asked, how it answers, how many at once."""

    name: str
    summary: str
    request: type[Request]
    response: type[BaseModel]
    answer: Callable[[Any, bool], Awaitable[Answer]]
    most: int


def failure(error: TexliftError) -> Answer:
    """The answer for a formula with which something is wrong."""
    place = error.as_dict() if isinstance(error, FormulaError) else {"code": "input", "message": str(error)}
    return Answer(json.dumps({"error": place}).encode(), True)


class Operations:
    """All operations of one worker."""

    def __init__(self, batcher: Batcher, settings: Settings, metrics: Metrics) -> None:
        self._batcher = batcher
        self._settings = settings
        self._metrics = metrics
        self._checks = 0
        self._check_threads = ThreadPoolExecutor(2, "check")
        many = settings.max_batch
        self.all = (
            Operation("translate", "LaTeX to semantic LaTeX", TranslateRequest, TranslateAnswer, self.translate, many),
            Operation("expand", "Semantic LaTeX to generic LaTeX", ExpandRequest, ExpandAnswer, self.expand, many),
            Operation("convert", "To computer algebra", ConvertRequest, ConvertAnswer, self.convert, many),
            Operation("check", "Check numerically", CheckRequest, CheckAnswer, self.check, settings.max_checks),
            Operation("equal", "Compare two answers", EqualRequest, EqualAnswer, self.equal, settings.max_checks),
            Operation("parse", "The parse tree", ParseRequest, ParseAnswer, self.parse, many),
        )

    def close(self) -> None:
        """Let go of the threads."""
        self._check_threads.shutdown(wait=False, cancel_futures=True)
        self._batcher.close()

    async def translate(self, asked: TranslateRequest, patient: bool = False) -> Answer:
        """The translation of a formula."""
        self._sized(asked.latex)
        context = tuple(sorted(asked.context.items())) if isinstance(asked.context, dict) else asked.context or None
        choices = tuple(((c.start, c.end), c.macro) for c in asked.choices)
        declared, settled = await self._said(asked, patient)
        if settled and not asked.meaning:
            raise TexliftError('"structure" goes with "meaning"')
        question = Question(
            asked.latex, context, asked.alternatives, asked.constants, choices, asked.render,
            declared, settled, asked.meaning,
        )  # fmt: skip
        return await self._batcher.ask(question, patient)

    async def expand(self, asked: ExpandRequest, patient: bool = False) -> Answer:
        """The presentation of semantic LaTeX."""
        self._sized(asked.semantic)
        return self._bounded(await self._batcher.work(_expand, asked.semantic, patient=patient))

    async def convert(self, asked: ConvertRequest, patient: bool = False) -> Answer:
        """Code for one target or for all."""
        semantic, _ = await self._semantic(asked, patient)
        said = await self._said(asked, patient)
        return self._bounded(await self._batcher.work(_convert, semantic, asked.to, *said, patient=patient))

    async def parse(self, asked: ParseRequest, patient: bool = False) -> Answer:
        """The tree of a formula."""
        self._sized(asked.latex)
        if asked.meaning:
            said = await self._said(asked, patient)
            return self._bounded(await self._batcher.work(_meaning, asked.latex, *said, patient=patient))
        return self._bounded(
            await self._batcher.work(_parse, asked.latex, asked.binary, asked.semantic, patient=patient)
        )

    async def check(self, asked: CheckRequest, patient: bool = False) -> Answer:
        """The verdict on a formula. Checks run in processes of their own, a few at a time."""
        semantic, sure = await self._semantic(asked, patient)
        constraints = [
            text if asked.semantic is not None else (await self._translated(text, asked.context, patient))[0]
            for text in asked.constraints
        ]
        seconds = min(asked.seconds, self._settings.check_seconds)
        sure *= asked.confidence
        return await self.aside(_check, semantic, constraints, seconds, sure, asked.declare, patient=patient)

    async def equal(self, asked: EqualRequest, patient: bool = False) -> Answer:
        """Whether two answers mean the same. Comparisons run beside the checks."""
        self._sized(asked.a)
        self._sized(asked.b)
        seconds = min(asked.seconds, self._settings.check_seconds)
        return await self.aside(_equal, asked, seconds, patient=patient)

    async def aside(self, function: Callable[..., Result], *arguments: Any, patient: bool = False) -> Result:
        """Run work that takes seconds beside the translating thread, a few at a time."""
        while self._checks >= self._settings.checks:
            if not patient:
                self._metrics.add("rejected_busy")
                raise BusyError("too many checks are running")
            await asyncio.sleep(0.05)
        self._checks += 1
        limit = self._settings.request_seconds + 3 * self._settings.check_seconds
        try:
            async with asyncio.timeout(limit):
                return await asyncio.get_running_loop().run_in_executor(self._check_threads, function, *arguments)
        except TimeoutError:
            raise BusyError("no answer in time") from None
        finally:
            self._checks -= 1

    async def _said(
        self, asked: TranslateRequest | ConvertRequest | ParseRequest, patient: bool
    ) -> tuple[Declared, Settled]:
        """What the user says of symbols and of ambiguous places; an error where that cannot be obeyed."""
        declared = tuple(sorted(asked.declare.items()))
        if declared:
            await self._batcher.work(declarations, declared, patient=patient)
        return declared, tuple((one.start, one.source, one.meaning) for one in asked.structure)

    def _bounded(self, answer: Answer) -> Answer:
        """The answer, unless it is too long to be of use."""
        if len(answer.body) <= self._settings.max_answer:
            return answer
        message = f"the answer has more than {self._settings.max_answer:,} bytes"
        return Answer(json.dumps({"error": {"code": "too-long", "message": message}}).encode(), True)

    async def _semantic(self, asked: ConvertRequest | CheckRequest, patient: bool) -> tuple[str, float]:
        """Semantic LaTeX, and how likely it is what is meant."""
        if asked.semantic is not None:
            self._sized(asked.semantic)
            return asked.semantic, 1.0
        assert asked.latex is not None
        return await self._translated(asked.latex, asked.context, patient)

    async def _translated(self, latex: str, context: str | dict[str, str] | None, patient: bool) -> tuple[str, float]:
        asked = TranslateRequest.model_validate({"latex": latex, "context": context, "alternatives": 0})
        answer = await self.translate(asked, patient)
        record = json.loads(answer.body)
        if answer.failed:
            place = record["error"]
            raise FormulaError(place["message"], latex, (place["position"], place["end"]), place["hint"], place["code"])
        return str(record["semantic"]), float(record["confidence"])

    def _sized(self, latex: str) -> None:
        limit = self._settings.max_formula
        if len(latex) > limit:
            raise FormulaError(
                f"formula of {len(latex):,} characters is longer than the service's limit of {limit:,}",
                latex,
                (limit, limit + 1),
                "split it into single formulae",
                "too-long",
            )


def _json(record: dict[str, Any]) -> Answer:
    return Answer(json.dumps(record).encode())


def _expand(semantic: str) -> Answer:
    from texlift.grammar.expansion import expand

    with fenced(semantic, "expanding"):
        return _json({"latex": expand(unwrapped(semantic))})


def _convert(semantic: str, target: str, declared: Declared, settled: Settled) -> Answer:
    from texlift.targets import TARGETS, convert

    places = chosen_places(semantic, settled)

    def one(name: str) -> dict[str, Any]:
        done = convert(semantic, name, declarations(declared), places)
        return {"code": done.code, "warnings": list(done.warnings), "notes": list(done.notes)}

    if target != "all":
        return _json(one(target))
    targets: dict[str, Any] = {}
    for name in TARGETS:
        try:
            targets[name] = one(name)
        except TexliftError as error:
            targets[name] = {"code": None, **json.loads(failure(error).body)}
    return _json({"targets": targets})


def _check(semantic: str, constraints: list[str], seconds: float, sure: float, declare: dict[str, str]) -> Answer:
    from texlift.verify import SHOWN, check

    declared = declarations(tuple(sorted(declare.items())))
    if declared.vocabulary is not None:
        raise TexliftError("formulae with declared notations are not checked yet")
    verdict = check(semantic, constraints, seconds, sure=sure, declare=declared).as_dict()
    return _json({"semantic": semantic, **{name: verdict[name] for name in SHOWN}})


def _equal(asked: EqualRequest, seconds: float) -> Answer:
    from texlift.verify.equality import equal

    options = asked.options
    found = equal(
        asked.a, asked.b, where=asked.where, declare=asked.declare, form=options.form, order=options.order,
        tolerance=options.tolerance, seconds=seconds, semantic=asked.semantic,
    )  # fmt: skip
    return _json(found.as_dict())


def _meaning(semantic: str, declared: Declared, settled: Settled) -> Answer:
    return _json(drawing(unwrapped(semantic), declared, settled))


def _parse(latex: str, binary: bool, semantic: bool) -> Answer:
    from texlift.latex.binary import parse_binary
    from texlift.latex.drawing import tree_svg, tree_text
    from texlift.latex.tree import PLAIN, parse_tree
    from texlift.macros.semantic import semantic_signatures

    latex = unwrapped(latex)
    signatures = semantic_signatures() if semantic else None
    with fenced(latex, "parsing"):
        nested = parse_binary(latex, PLAIN, signatures).nested() if binary else parse_tree(latex, PLAIN, signatures)
        size = _size(nested)
        small = size <= _MOST_DRAWN
        text, drawn = (tree_text(nested), tree_svg(nested)) if small else ("", None)
        return _json({"tree": nested, "text": text, "svg": drawn, "nodes": size})


def _size(tree: Any) -> int:
    stack, count = [tree], 0
    while stack:
        node = stack.pop()
        count += 1
        if not isinstance(node, str):
            stack += node
    return count
