"""Connections that give up on slow clients: a request's head must arrive in time and be of a sane size, and the answer
must be read.

The server's own protocol has a timeout between requests only. A client that sends one byte a minute would keep its
connection for ever, and so would one that does not read: its answer counts as a running request until it is sent. Open
connections are counted, those of one address too: where there are too many, the one that waits longest for a request is
closed, so that others (a health check) can always connect.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from texlift.server.settings import Settings

__all__ = ["protocol"]

_LARGEST_HEAD = 65_536


class _Open:
    """The open connections of one worker; `idle` are those without a request, the oldest first."""

    def __init__(self) -> None:
        self.count = 0
        self.clients: Counter[str] = Counter()
        self.idle: OrderedDict[Any, None] = OrderedDict()


def protocol(settings: Settings) -> type[asyncio.Protocol]:
    """The protocol class with the limits of `settings`."""
    opened = _Open()
    seconds = settings.read_seconds

    class PatientProtocol(HttpToolsProtocol):
        _timer: asyncio.TimerHandle | None = None
        _unread: asyncio.TimerHandle | None = None
        _head = 0
        _address = ""

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._address = str((transport.get_extra_info("peername") or ("",))[0])
            opened.count += 1
            opened.clients[self._address] += 1
            opened.idle[self] = None
            most = settings.client_connections
            if most and opened.clients[self._address] > most:
                transport.abort()
                return
            if opened.count > settings.connections:
                next(iter(opened.idle))._give_up()
            self._timer = self.loop.call_later(seconds, self._give_up)

        def data_received(self, data: bytes) -> None:
            if self._timer is None and (self.cycle is None or self.cycle.response_complete):
                self._timer = self.loop.call_later(seconds, self._give_up)
                self._head = 0
            self._head += len(data)
            super().data_received(data)
            # A complete head has stopped the timer, whatever part of the body came along with it.
            if self._timer is not None and self._head > _LARGEST_HEAD:
                self._give_up()

        def on_headers_complete(self) -> None:
            self._stop_timer()
            opened.idle.pop(self, None)
            super().on_headers_complete()

        def on_response_complete(self) -> None:
            opened.idle[self] = None
            super().on_response_complete()

        def pause_writing(self) -> None:
            super().pause_writing()
            if self._unread is None:
                self._unread = self.loop.call_later(seconds, self._give_up)

        def resume_writing(self) -> None:
            super().resume_writing()
            self._read_on()

        def _read_on(self) -> None:
            if self._unread is not None:
                self._unread.cancel()
                self._unread = None

        def connection_lost(self, exc: Exception | None) -> None:
            self._stop_timer()
            self._read_on()
            opened.count -= 1
            opened.idle.pop(self, None)
            opened.clients[self._address] -= 1
            if opened.clients[self._address] <= 0:
                del opened.clients[self._address]
            super().connection_lost(exc)

        def _stop_timer(self) -> None:
            self._head = 0
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

        def _give_up(self) -> None:
            self._timer = None
            opened.idle.pop(self, None)
            transport: Any = self.transport
            if transport is not None and not transport.is_closing():
                transport.abort()  # what is still to be sent would keep it open

    return PatientProtocol
