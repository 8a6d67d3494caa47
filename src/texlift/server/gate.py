"""The gate every request passes: who asks, sizes, rates and slow clients are dealt with before the application sees it.

A client that leaves ends the work on its request.

Plain ASGI, because the framework's own middleware costs more than a translation.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from texlift import __version__
from texlift.server.metrics import Metrics
from texlift.server.settings import Settings

__all__ = ["CUT_OFF", "Gate", "RateLimit", "error_body"]

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

# Scripts, styles and images come from here only; nothing is embedded elsewhere or sent elsewhere.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
# The visual editor writes styles into what it draws. It is alone in a frame of the page, and has no connection.
_EDITOR = "/static/editor/editor.html"
_EDITOR_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self' data:; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)
_ALWAYS = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
]
_HEADERS = [(b"content-security-policy", _POLICY.encode()), (b"x-frame-options", b"DENY"), *_ALWAYS]
_EDITOR_HEADERS = [
    (b"content-security-policy", _EDITOR_POLICY.encode()),
    (b"x-frame-options", b"SAMEORIGIN"),
    *_ALWAYS,
]
_MOST_CLIENTS = 10_000
_LONG = frozenset({"/document", "/document/review", "/check", "/plot"})  # take seconds
# A form of another site's page cannot send these.
_JSON = ("application/json",)
_LINES = ("application/x-ndjson", "application/jsonl", "application/json")


def error_body(code: str, message: str) -> bytes:
    """The one shape of errors that are not about a place in a formula."""
    return json.dumps({"error": {"code": code, "message": message}}).encode()


CUT_OFF = error_body("cut-off", "the stream was cut off: too slow, too long or too large") + b"\n"
"""The last line of a stream that was not answered to its end."""


class RateLimit:
    """A bucket of tokens for each address; addresses not seen for longest are forgotten first."""

    def __init__(self, rate: float, burst: int) -> None:
        self._rate = rate
        self._burst = burst
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, client: str, now: float) -> float:
        """Seconds until `client` may ask again; 0 if now, which takes a token."""
        tokens, seen = self._buckets.pop(client, (float(self._burst), now))
        tokens = min(float(self._burst), tokens + (now - seen) * self._rate)
        allowed = tokens >= 1.0
        self._buckets[client] = (tokens - allowed, now)
        if len(self._buckets) > _MOST_CLIENTS:
            self._buckets.popitem(last=False)
        return 0.0 if allowed else (1.0 - tokens) / self._rate


class Gate:
    """Wraps an application."""

    def __init__(self, app: App, settings: Settings, metrics: Metrics) -> None:
        self._app = app
        self._settings = settings
        self._metrics = metrics
        self._rate = RateLimit(settings.rate, settings.burst) if settings.rate else None
        self._running = 0
        self._streams = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        path: str = scope["path"]
        if path == "/health" and scope["method"] in ("GET", "HEAD"):
            await self._health(send)
            return
        started = time.perf_counter()
        status = 500

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", ()), *(_EDITOR_HEADERS if path == _EDITOR else _HEADERS)]
            await send(message)

        self._metrics.add("in_flight")
        self._running += 1
        stream = path.endswith("/stream")
        self._streams += stream
        try:
            await self._serve(scope, receive, send_with_headers, path)
        finally:
            self._running -= 1
            self._streams -= stream
            self._metrics.add("in_flight", -1)
            self._metrics.observe(path, status, time.perf_counter() - started)

    async def _health(self, send: Send) -> None:
        """Answered here, whatever the limits: it says that the process is there, and how much it has to do."""
        record = {"status": "ok", "version": __version__, "waiting": self._metrics.value("waiting")}
        await _answer(send, 200, json.dumps(record).encode(), list(_HEADERS))
        self._metrics.observe("/health", 200, 0.0)

    async def _refused(self, scope: Scope, send: Send, path: str) -> bool:
        """Whether the request is not for us, from another site, in another language, or one too many."""
        settings = self._settings
        headers = dict(scope["headers"])
        host = headers.get(b"host", b"").decode("latin-1")
        if settings.hosts and _name(host) not in settings.hosts:
            await _refuse(send, 421, "host", f"no service for the host {host[:100]!r} here", close=True)
            return True
        if scope["method"] not in ("GET", "HEAD"):
            origin = headers.get(b"origin", b"").decode("latin-1").partition("://")[2]
            if b"origin" in headers and origin != host and _name(origin) not in settings.origins:
                await _refuse(send, 403, "origin", "requests from pages of other sites are not answered", close=True)
                return True
            kind = headers.get(b"content-type", b"").decode("latin-1").partition(";")[0].strip().lower()
            allowed = _LINES if path.endswith("/stream") else _JSON
            if path != "/document" and kind not in allowed:
                message = f"the content type must be {allowed[0]}, not {kind[:50] or 'missing'}"
                await _refuse(send, 415, "content-type", message, close=True)
                return True
        full = self._running > settings.requests or (path.endswith("/stream") and self._streams > settings.streams)
        if full:
            self._metrics.add("rejected_busy")
            await _refuse(send, 503, "busy", "too many requests at the same time", 1, close=True)
        return full

    async def _serve(self, scope: Scope, receive: Receive, send: Send, path: str) -> None:
        settings = self._settings
        if await self._refused(scope, send, path):
            return
        if self._rate is not None and path != "/metrics":
            client = (scope.get("client") or ("",))[0]
            if wait := self._rate.wait(client, time.monotonic()):
                self._metrics.add("rejected_rate")
                await _refuse(send, 429, "rate", f"more than {settings.rate:g} requests a second", int(wait) + 1)
                return
        if scope["method"] in ("GET", "HEAD"):
            await self._app(scope, receive, send)
            return
        if path.endswith("/stream"):
            try:
                async with asyncio.timeout(settings.stream_seconds):
                    await self._app(scope, _paced(receive, settings), send)
            except TimeoutError:  # the answer has begun: it begins with the request
                await send({"type": "http.response.body", "body": CUT_OFF})
            return
        limit = settings.largest(path)
        length = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
        too_large = f"the request is larger than {limit:,} bytes"
        if not length.isdigit() or int(length) > limit:
            if not any(name == b"expect" for name, _ in scope["headers"]):
                await _drain(receive, 2 * limit, settings.read_seconds)
            await _refuse(send, 413, "too-large", too_large, close=True)
            return
        body = bytearray()
        try:
            async with asyncio.timeout(settings.read_seconds * (3 if limit > settings.max_body else 1)):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        return
                    body += message.get("body", b"")
                    if len(body) > limit:
                        await _drain(receive, limit, settings.read_seconds)
                        await _refuse(send, 413, "too-large", too_large, close=True)
                        return
                    if not message.get("more_body", False):
                        break
        except TimeoutError:
            await _refuse(
                send, 408, "too-slow", f"the request did not arrive in {settings.read_seconds:g} s", close=True
            )
            return
        if path.endswith("/batch") or path in _LONG:
            await _while_there(self._app, scope, bytes(body), receive, send)
        else:  # soon answered: watching the client would cost as much as the answer
            await self._app(scope, _replayed(bytes(body), receive), send)


def _replayed(body: bytes, receive: Receive) -> Receive:
    """The messages of a request whose body has been read."""
    given = False

    async def replay() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


async def _while_there(app: App, scope: Scope, body: bytes, receive: Receive, send: Send) -> None:
    """Let the application answer a request that has arrived; end it if the client leaves before."""
    gone = asyncio.Event()

    async def left() -> Message:
        await gone.wait()
        return {"type": "http.disconnect"}

    async def watch() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        gone.set()

    answering = asyncio.ensure_future(app(scope, _replayed(body, left), send))
    watching = asyncio.ensure_future(watch())
    try:
        await asyncio.wait((answering, watching), return_when=asyncio.FIRST_COMPLETED)
        if answering.done():
            await answering
    finally:
        for task in (answering, watching):
            task.cancel()
        await asyncio.gather(answering, watching, return_exceptions=True)


def _name(host: str) -> str:
    """The name in a Host header, without the port."""
    if host.startswith("["):
        return host.partition("]")[0][1:].lower()
    return host.rpartition(":")[0].lower() if ":" in host else host.lower()


def _paced(receive: Receive, settings: Settings) -> Receive:
    """A stream may be long, but not without end, and not without progress."""
    seen = 0

    async def paced() -> Message:
        nonlocal seen
        try:
            async with asyncio.timeout(settings.read_seconds):
                message = await receive()
        except TimeoutError:
            return {"type": "http.disconnect"}
        seen += len(message.get("body", b""))
        return {"type": "http.disconnect"} if seen > settings.max_stream else message

    return paced


async def _drain(receive: Receive, limit: int, seconds: float) -> None:
    """Take in what is still being sent: a client that is cut off while sending never sees the answer."""
    seen = 0
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while seen <= limit:
                message = await receive()
                seen += len(message.get("body", b""))
                if message["type"] == "http.disconnect" or not message.get("more_body", False):
                    return


async def _refuse(send: Send, status: int, code: str, message: str, after: int = 0, close: bool = False) -> None:
    headers: list[tuple[bytes, bytes]] = []
    if after:
        headers.append((b"retry-after", str(after).encode()))
    if close:
        headers.append((b"connection", b"close"))
    await _answer(send, status, error_body(code, message), headers)


async def _answer(send: Send, status: int, body: bytes, headers: list[tuple[bytes, bytes]]) -> None:
    headers += [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
