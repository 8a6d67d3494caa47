"""What a stranger's input reaches: commands and endpoints, run in this process, and what must hold of their answers.

A surface gives for each input a sentence on what went wrong, or "".
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from texlift.bench.hostile import Hostile
from texlift.errors import INTERNAL, TexliftError
from texlift.grammar.expansion import expand
from texlift.latex.canonical import canonical_key
from texlift.latex.wrapping import unwrapped
from texlift.targets import TARGETS

__all__ = ["Command", "Finished", "Surface", "surfaces"]


@dataclass(frozen=True, slots=True)
class Finished:
    """How a command ended: what it wrote, its exit code, and the exception it failed with, if any."""

    output: str
    code: int
    error: BaseException | None = None


class Command(Protocol):
    """Runs `texlift ARGUMENTS` in this process."""

    def __call__(self, arguments: Sequence[str], given: bytes = b"") -> Finished: ...


@dataclass(frozen=True, slots=True)
class Surface:
    """One way in: `make` invents an input, `run` feeds it some and says what went wrong with each ("" for nothing).

    `many` is how many inputs go in together, `share` how often this surface is chosen beside the others.
    """

    name: str
    share: float
    many: int
    make: Callable[[Hostile], str]
    run: Callable[[Sequence[str]], list[str]]


def surfaces(command: Command) -> Iterator[Surface]:
    """All commands that take formulae or files of strangers, and all endpoints of the service."""
    for target in ("", *TARGETS):
        to = ["--to", target] if target else []
        share = 1.0 if target else 4.0
        yield Surface(
            " ".join(["translate", *to]), share, 48, Hostile.formula, _Lines(command, ["translate", *to], "latex")
        )
        if target:
            yield Surface(f"convert {target}", 1.0, 48, Hostile.semantic, _Lines(command, ["convert", *to], "semantic"))
    yield Surface("expand", 2.0, 48, Hostile.semantic, _Lines(command, ["expand"], "semantic"))
    for name, field in (("translate", "latex"), ("expand", "semantic"), ("convert --to sympy", "semantic")):
        broken = _Broken(command, name.split())
        yield Surface(f"lines of {name}", 0.5, 48, partial(Hostile.line, field=field), broken)
    for flags in ("", "--binary", "--semantic --brackets", "--prefix --concat-end"):
        yield Surface(f"parse {flags}".strip(), 0.3, 16, Hostile.formula, _Each(_Parse(command, flags.split())))
    yield Surface("macros", 0.05, 8, Hostile.words, _Each(_Macros(command)))
    for suffix, make in ((".tex", Hostile.tex), (".md", Hostile.markdown), (".ipynb", Hostile.notebook)):
        yield Surface(f"document {suffix}", 0.4, 4, make, _Each(_Document(command, suffix)))
    check = ["check", "--seconds", "0.2"]
    yield Surface("check", 0.04, 12, Hostile.statement, _Lines(command, check, "latex"))
    yield Surface("lines of check", 0.04, 12, partial(Hostile.line, field="latex"), _Broken(command, check))
    with contextlib.suppress(ImportError):
        yield from _endpoints()


class _Each:
    """One input at a time."""

    def __init__(self, one: Callable[[str], str]) -> None:
        self._one = one

    def __call__(self, inputs: Sequence[str]) -> list[str]:
        return [self._one(text) for text in inputs]


def _trouble(finished: Finished) -> str:
    """Why a command did not end as it should: with an exit code, not with an exception."""
    error = finished.error
    if error is not None and not isinstance(error, SystemExit | TexliftError):
        return f"crash: {type(error).__name__}: {error}"[:200]
    return "" if finished.code in (0, 1, 2) else f"exit code {finished.code}"


class _Lines:
    """A command with --jsonl: a line for each line, none of them an internal error, changed answers expand back."""

    def __init__(self, command: Command, arguments: Sequence[str], field: str) -> None:
        self._command = command
        self._arguments = arguments
        self._field = field

    def __call__(self, inputs: Sequence[str]) -> list[str]:
        given = "".join([json.dumps({self._field: text}) + "\n" for text in inputs]).encode()
        finished = self._command([*self._arguments, "--jsonl"], given)
        answers = finished.output.splitlines()
        if trouble := _trouble(finished) or ("" if len(answers) == len(inputs) else "wrong number of lines"):
            return [trouble] if len(inputs) == 1 else [self([text])[0] for text in inputs]
        return [self._judged(text, json.loads(answer)) for text, answer in zip(inputs, answers, strict=True)]

    def _judged(self, text: str, answer: dict[str, Any]) -> str:
        error = answer.get("error")
        if error:
            return f"internal: {error['message']}" if error.get("code") == INTERNAL else ""
        if self._field == "latex" and "semantic" in answer and "verdict" not in answer:
            return _certified(text, str(answer["semantic"]))
        return ""


def _certified(latex: str, semantic: str) -> str:
    """Whether an answer expands back to the formula by the public expander, macros in the formula expanded too."""
    from texlift.latex.definitions import expand_definitions

    asked = unwrapped(expand_definitions(latex))
    if semantic == asked:
        return ""
    try:
        key = canonical_key(expand(semantic))
    except TexliftError as error:
        return f"uncertified: {str(error).splitlines()[0]}"
    if key == canonical_key(asked):
        return ""
    with contextlib.suppress(TexliftError):  # macros of semantic LaTeX in the formula stand for what they print
        if key == canonical_key(expand(asked)):
            return ""
    return "uncertified: the answer does not expand back"


class _Broken:
    """Lines that may be no JSON at all: each has an answer, and none ends the others."""

    def __init__(self, command: Command, arguments: Sequence[str]) -> None:
        self._command = command
        self._arguments = arguments

    def __call__(self, inputs: Sequence[str]) -> list[str]:
        given = b"".join([text.encode("latin-1") + b"\n" for text in inputs])
        finished = self._command([*self._arguments, "--jsonl"], given)
        answers = finished.output.splitlines()
        if trouble := _trouble(finished) or ("" if len(answers) == len(inputs) else "wrong number of lines"):
            return [trouble] if len(inputs) == 1 else [self([text])[0] for text in inputs]
        errors = [json.loads(answer).get("error") or {} for answer in answers]
        return [f"internal: {error['message']}" if error.get("code") == INTERNAL else "" for error in errors]


@dataclass(frozen=True, slots=True)
class _Parse:
    command: Command
    flags: Sequence[str]

    def __call__(self, text: str) -> str:
        return _trouble(self.command(["parse", *self.flags, "--", text]))


@dataclass(frozen=True, slots=True)
class _Macros:
    command: Command

    def __call__(self, text: str) -> str:
        return _trouble(self.command(["macros", "--", text]))


@dataclass(frozen=True, slots=True)
class _Document:
    command: Command
    suffix: str

    def __call__(self, text: str) -> str:
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / f"in{self.suffix}"
            source.write_bytes(text.encode("latin-1"))
            out, report = str(source.with_stem("out")), str(source.with_suffix(".json"))
            return _trouble(self.command(["document", str(source), "-o", out, "-r", report, "-q"]))


# -- endpoints -----------------------------------------------------------------------------------------------


def _endpoints() -> Iterator[Surface]:
    from texlift.server.app import create_app
    from texlift.server.settings import Settings
    from texlift.translate.translator import load

    service = _Service(create_app(load(), Settings()))
    for path, field in (("translate", "latex"), ("expand", "semantic"), ("convert", "semantic"), ("parse", "latex")):
        make = Hostile.formula if field == "latex" else Hostile.semantic
        yield Surface(f"POST /{path}", 0.4, 16, make, _Each(_Single(service, f"/{path}", field)))
        yield Surface(f"POST /{path}/batch", 0.4, 32, make, _Batch(service, f"/{path}/batch", field))
        broken = _StreamOf(service, f"/{path}/stream")
        yield Surface(f"POST /{path}/stream", 0.3, 32, partial(Hostile.line, field=field), broken)
        raw = _Each(_Raw(service, f"/{path}"))
        yield Surface(f"body of /{path}", 0.1, 16, partial(Hostile.line, field=field), raw)
    yield Surface("POST /document", 0.2, 4, Hostile.tex, _Each(_Raw(service, "/document", "name=a.tex", b"text/plain")))
    yield Surface("GET /macros", 0.05, 8, Hostile.words, _Each(_Search(service)))


class _Service:
    """The application, asked in this process; one event loop for all requests."""

    def __init__(self, app: Any) -> None:
        self._app = app
        self._loop = asyncio.new_event_loop()

    def request(
        self, method: str, path: str, body: bytes = b"", query: str = "", kind: bytes = b"application/json"
    ) -> tuple[int, bytes]:
        """Status and body of the answer."""
        return self._loop.run_until_complete(self._request(method, path, body, query, kind))

    async def _request(self, method: str, path: str, body: bytes, query: str, kind: bytes) -> tuple[int, bytes]:
        headers = [(b"host", b"127.0.0.1"), (b"content-type", kind), (b"content-length", str(len(body)).encode())]
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "path": path,
            "raw_path": path.encode("utf-8", "replace"),
            "query_string": query.encode("ascii", "replace"),
            "headers": headers,
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 8017),
            "scheme": "http",
            "root_path": "",
        }
        messages = iter(({"type": "http.request", "body": body, "more_body": False},))
        status, pieces = 0, []

        async def receive() -> dict[str, Any]:
            message = next(messages, None)
            if message is None:
                await asyncio.sleep(600)  # a client that waits for its answer
                return {"type": "http.disconnect"}
            return message

        async def send(message: Any) -> None:
            nonlocal status
            status = message.get("status", status)
            pieces.append(message.get("body", b""))

        with contextlib.suppress(Exception):  # answered with status 500, then raised again for the server's log
            await self._app(scope, receive, send)
        return status, b"".join(pieces)


def _wrong(status: int, body: bytes) -> str:
    """What is wrong with an answer: no JSON, an internal error, an error of another shape."""
    try:
        record = json.loads(body)
    except ValueError:
        return f"status {status} without JSON"
    error = record.get("error") if isinstance(record, dict) else None
    if status >= 500 or (error and error.get("code") == INTERNAL):
        return f"internal: status {status}, {(error or {}).get('message')}"
    if status >= 400 and not (isinstance(error, dict) and {"code", "message"} <= error.keys()):
        return f"status {status} without an error of the usual shape"
    return ""


@dataclass(frozen=True, slots=True)
class _Single:
    service: _Service
    path: str
    field: str

    def __call__(self, text: str) -> str:
        return _wrong(*self.service.request("POST", self.path, json.dumps({self.field: text}).encode()))


@dataclass(frozen=True, slots=True)
class _Batch:
    service: _Service
    path: str
    field: str

    def __call__(self, inputs: Sequence[str]) -> list[str]:
        formulae = [{self.field: text} for text in inputs]
        status, body = self.service.request("POST", self.path, json.dumps({"formulae": formulae}).encode())
        if trouble := _wrong(status, body):
            return [trouble] if len(inputs) == 1 else [self([text])[0] for text in inputs]
        results = json.loads(body)["results"]
        if len(results) != len(inputs):
            return ["wrong number of results"] * len(inputs)
        return [_wrong(200, json.dumps(result).encode()) for result in results]


@dataclass(frozen=True, slots=True)
class _StreamOf:
    service: _Service
    path: str

    def __call__(self, inputs: Sequence[str]) -> list[str]:
        wanted = [text for text in inputs if text.strip()]
        body = b"".join([text.encode("latin-1") + b"\n" for text in inputs])
        status, answer = self.service.request("POST", self.path, body, kind=b"application/x-ndjson")
        lines = answer.splitlines()
        if status != 200 or len(lines) != len([t for t in wanted if t.encode("latin-1").strip()]):
            return [f"status {status}, wrong number of lines"] if len(inputs) == 1 else [self([t])[0] for t in inputs]
        troubles = [_wrong(200, line) for line in lines]
        return [*troubles, *[""] * (len(inputs) - len(troubles))]


@dataclass(frozen=True, slots=True)
class _Raw:
    service: _Service
    path: str
    query: str = ""
    kind: bytes = b"application/json"

    def __call__(self, text: str) -> str:
        return _wrong(*self.service.request("POST", self.path, text.encode("latin-1"), self.query, self.kind))


@dataclass(frozen=True, slots=True)
class _Search:
    service: _Service

    def __call__(self, text: str) -> str:
        from urllib.parse import quote

        words = quote(text.encode("utf-8", "replace"))
        return _wrong(*self.service.request("GET", "/macros", query=f"q={words[:400]}")) or _wrong(
            *self.service.request("GET", f"/macros/{text[:100]}")
        )
