"""The routes of one operation: a single request, a batch, a stream of JSON lines."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from typing import Any

from fastapi import FastAPI
from fastapi import Request as HttpRequest
from fastapi.responses import Response
from fastapi.routing import APIRoute
from pydantic import ValidationError
from starlette.requests import ClientDisconnect

from texlift.errors import INTERNAL, TexliftError
from texlift.server.batching import Answer, BusyError
from texlift.server.gate import CUT_OFF, error_body
from texlift.server.messages import ErrorAnswer, Request
from texlift.server.operations import Operation, failure
from texlift.server.settings import Settings

__all__ = ["add_routes", "busy", "invalid"]

_log = logging.getLogger(__name__)
_JSON = "application/json"
_LINES = "application/x-ndjson"
_ERRORS: dict[int | str, dict[str, Any]] = {
    400: {"model": ErrorAnswer, "description": "not JSON, or not the fields that are asked for"},
    413: {"model": ErrorAnswer, "description": "too large"},
    422: {"model": ErrorAnswer, "description": "something is wrong with the formula, at the place given"},
    429: {"model": ErrorAnswer, "description": "too many requests from this address"},
    503: {"model": ErrorAnswer, "description": "too much to do just now; Retry-After says when to try again"},
}


def busy(error: BusyError) -> Response:
    """The answer under overload."""
    return Response(error_body("busy", str(error)), 503, {"retry-after": "1"}, _JSON)


def invalid(error: ValidationError) -> bytes:
    """What is wrong with a request, in one sentence."""
    first = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    return error_body("request", f"{place}: {first['msg']}" if place else first["msg"])


def add_routes(app: FastAPI, operation: Operation, settings: Settings) -> dict[str, Any]:
    """Add `/NAME`, `/NAME/batch` and `/NAME/stream`; returns the schemas their request bodies refer to."""
    schema = operation.request.model_json_schema(ref_template="#/components/schemas/{model}")
    definitions: dict[str, Any] = schema.pop("$defs", {})
    example = schema.pop("examples", [{}])[0]

    async def single(request: HttpRequest) -> Response:
        try:
            asked = operation.request.model_validate_json(await request.body())
        except ValidationError as error:
            return Response(invalid(error), 400, media_type=_JSON)
        try:
            answer = await operation.answer(asked, False)
        except TexliftError as error:
            answer = failure(error)
        except BusyError as error:
            return busy(error)
        return Response(_named(answer.body, asked), 422 if answer.failed else 200, media_type=_JSON)

    async def batch(request: HttpRequest) -> Response:
        try:
            items = json.loads(await request.body())
            formulae = items["formulae"]
            if not isinstance(formulae, list):
                raise TypeError
        except (ValueError, TypeError, KeyError, RecursionError):
            return Response(error_body("request", 'expected {"formulae": [...]}'), 400, media_type=_JSON)
        if len(formulae) > operation.most:
            message = f"more than {operation.most:,} formulae in one batch; use /{operation.name}/stream"
            return Response(error_body("too-large", message), 413, media_type=_JSON)
        try:
            async with asyncio.timeout(settings.batch_seconds):
                answers = await _all(operation, [json.dumps(item).encode() for item in formulae])
        except BusyError as error:
            return busy(error)
        except TimeoutError:
            return busy(BusyError(f"no answers within {settings.batch_seconds:g} s; use /{operation.name}/stream"))
        return Response(b'{"results": [' + b", ".join(answer.body for answer in answers) + b"]}", media_type=_JSON)

    async def stream(request: HttpRequest) -> Response:
        return _Lines(_answers(operation, request.stream(), settings))

    many = {"type": "array", "items": schema, "maxItems": operation.most}
    formulae = {"type": "object", "required": ["formulae"], "properties": {"formulae": many}}
    lines = f"{json.dumps(example)}\n{json.dumps(example)}\n"
    answers: dict[int | str, dict[str, Any]] = {200: {"model": operation.response}, **_ERRORS}
    for suffix, endpoint, note, responses, body in (
        ("", single, "", answers, {_JSON: {"schema": schema, "example": example}}),
        ("/batch", batch, ": many at once", _ERRORS, {_JSON: {"schema": formulae, "example": {"formulae": [example]}}}),
        ("/stream", stream, ": JSON lines", _ERRORS, {_LINES: {"schema": {"type": "string"}, "example": lines}}),
    ):
        app.router.add_api_route(
            f"/{operation.name}{suffix}",
            endpoint,
            methods=["POST"],
            summary=operation.summary + note,
            name=operation.name + suffix.replace("/", "-"),
            response_class=Response,
            responses=responses,
            openapi_extra={"requestBody": {"required": True, "content": body}},
            route_class_override=_Plain,
        )
    return definitions


class _Plain(APIRoute):
    """A route whose endpoint takes the request and nothing else: what the framework does to find out costs as much as
    a fifth of a translation.
    """

    def get_route_handler(self) -> Callable[[HttpRequest], Coroutine[Any, Any, Response]]:
        endpoint: Callable[[HttpRequest], Coroutine[Any, Any, Response]] = self.endpoint
        return endpoint


class _Lines(Response):
    """A response in pieces. The framework's own would read the request to see whether the client has left, and
    with it take away the lines that are still to come.
    """

    def __init__(self, pieces: AsyncIterator[bytes]) -> None:
        super().__init__(media_type=_LINES)
        del self.headers["content-length"]
        self._pieces = pieces

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        try:
            async for piece in self._pieces:
                await send({"type": "http.response.body", "body": piece, "more_body": True})
        except ClientDisconnect:  # gone, or too slow, or too much
            await send({"type": "http.response.body", "body": CUT_OFF})
            return
        await send({"type": "http.response.body", "body": b""})


async def _all(operation: Operation, bodies: Sequence[bytes]) -> list[Answer]:
    """Answers to many, in order; if one fails or the client leaves, work on the others ends."""
    tasks = [asyncio.ensure_future(_one(operation, body)) for body in bodies]
    try:
        return await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()


async def _one(operation: Operation, body: bytes, patient: bool = True) -> Answer:
    """One answer of many: an error is an answer too, also an unforeseen one."""
    try:
        asked = operation.request.model_validate_json(body)
    except ValidationError as error:
        return Answer(invalid(error), True)
    try:
        answer = await operation.answer(asked, patient)
    except TexliftError as error:
        answer = failure(error)
    except BusyError:
        raise
    except Exception:  # noqa: BLE001  one line must not end the others
        _log.exception("a request to /%s failed", operation.name)
        answer = Answer(error_body(INTERNAL, "something went wrong on our side"), True)
    return Answer(_named(answer.body, asked), answer.failed)


def _named(body: bytes, asked: Request) -> bytes:
    """The answer with the id of its request."""
    return body if asked.id is None else b'{"id": ' + json.dumps(asked.id).encode() + b", " + body[1:]


async def _answers(operation: Operation, chunks: AsyncIterator[bytes], settings: Settings) -> AsyncIterator[bytes]:
    """One line for each line, in order; as many as are there are worked on together."""
    rest = b""
    try:
        async for chunk in chunks:
            rest += chunk
            *lines, rest = rest.split(b"\n")
            if len(rest) > settings.max_body:
                yield error_body("too-large", f"a line of more than {settings.max_body:,} bytes") + b"\n"
                return
            async for answer in _lines(operation, lines):
                yield answer
        async for answer in _lines(operation, [rest]):
            yield answer
    except BusyError as error:
        yield error_body("busy", str(error)) + b"\n"


async def _lines(operation: Operation, lines: list[bytes]) -> AsyncIterator[bytes]:
    wanted = [line for line in lines if line.strip()]
    for start in range(0, len(wanted), operation.most):
        for answer in await _all(operation, wanted[start : start + operation.most]):
            yield answer.body + b"\n"
