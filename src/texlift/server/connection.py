"""Connections that give up on slow clients: a request's head must arrive in time and be of a sane size.

The server's own protocol has a timeout between requests only; a client that sends one byte a minute would keep
its connection for ever.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

__all__ = ["protocol"]

_LARGEST_HEAD = 65_536


def protocol(seconds: float) -> type[asyncio.Protocol]:
    """The protocol class with a limit of `seconds` for the head of a request."""

    class PatientProtocol(HttpToolsProtocol):
        _timer: asyncio.TimerHandle | None = None
        _head = 0

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
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
            super().on_headers_complete()

        def connection_lost(self, exc: Exception | None) -> None:
            self._stop_timer()
            super().connection_lost(exc)

        def _stop_timer(self) -> None:
            self._head = 0
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

        def _give_up(self) -> None:
            self._timer = None
            transport: Any = self.transport
            if transport is not None and not transport.is_closing():
                transport.close()

    return PatientProtocol
