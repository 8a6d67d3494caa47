"""The gate every request passes: sizes, rates and slow clients are dealt with before the application sees it.

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

from texlift.server.metrics import Metrics
from texlift.server.settings import Settings

__all__ = ["Gate", "RateLimit", "error_body"]

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

# Scripts, styles and images come from here only; nothing is embedded elsewhere or sent elsewhere.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = [
    (b"content-security-policy", _POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
]
_MOST_CLIENTS = 10_000


def error_body(code: str, message: str) -> bytes:
    """The one shape of errors that are not about a place in a formula."""
    return json.dumps({"error": {"code": code, "message": message}}).encode()


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

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        path: str = scope["path"]
        started = time.perf_counter()
        status = 500

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", ()), *_HEADERS]
            await send(message)

        self._metrics.add("in_flight")
        try:
            await self._serve(scope, receive, send_with_headers, path)
        finally:
            self._metrics.add("in_flight", -1)
            self._metrics.observe(path, status, time.perf_counter() - started)

    async def _serve(self, scope: Scope, receive: Receive, send: Send, path: str) -> None:
        settings = self._settings
        if self._rate is not None and path not in ("/health", "/metrics"):
            client = (scope.get("client") or ("",))[0]
            if wait := self._rate.wait(client, time.monotonic()):
                self._metrics.add("rejected_rate")
                await _refuse(send, 429, "rate", f"more than {settings.rate:g} requests a second", int(wait) + 1)
                return
        if scope["method"] in ("GET", "HEAD"):
            await self._app(scope, receive, send)
            return
        if path.endswith("/stream"):
            await self._app(scope, _paced(receive, settings), send)
            return
        limit = settings.max_document if path == "/document" else settings.max_body
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
        given = False

        async def replay() -> Message:
            nonlocal given
            if given:
                return await receive()
            given = True
            return {"type": "http.request", "body": bytes(body), "more_body": False}

        await self._app(scope, replay, send)


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
    body = error_body(code, message)
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if after:
        headers.append((b"retry-after", str(after).encode()))
    if close:
        headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
