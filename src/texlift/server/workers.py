"""Worker processes: the model is loaded once and shared, each worker listens on a socket of its own.

The kernel spreads connections over the sockets (SO_REUSEPORT). A worker that dies is replaced; on SIGTERM or
SIGINT all finish their running requests and leave.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import socket
import sys
import time

import uvicorn

from texlift.collector import collect_rarely
from texlift.errors import TexliftError
from texlift.server.app import create_app
from texlift.server.connection import protocol
from texlift.server.metrics import Metrics
from texlift.server.settings import Settings
from texlift.translate.translator import Translator, load

__all__ = ["bind", "serve"]

_log = logging.getLogger(__name__)
_MOST_DEATHS = 10  # in a minute; then something is wrong for good


def bind(settings: Settings) -> socket.socket:
    """A socket bound to the address, not yet listening; raises TexliftError if that is not possible."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if settings.workers > 1:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    try:
        bound.bind((settings.host, settings.port))
    except OSError as error:
        raise TexliftError(f"cannot listen on {settings.host}:{settings.port}: {error.strerror}") from None
    return bound


def serve(settings: Settings, bound: socket.socket) -> None:
    """Serve until told to stop."""
    translator = load(settings.model)
    translator.translate(r"\Gamma(z)", "warm up")
    collect_rarely()
    metrics = Metrics(settings.workers)
    if settings.workers == 1:
        _work(settings, metrics, translator, bound)
        return
    _Master(settings, metrics, translator, bound).run()


class _Master:
    def __init__(self, settings: Settings, metrics: Metrics, translator: Translator, bound: socket.socket) -> None:
        self.settings = settings
        self.metrics = metrics
        self.translator = translator
        self.bound = bound
        self.workers: dict[int, int] = {}  # process id -> row in the metrics
        self.stopping = False
        self.deaths: list[float] = []

    def run(self) -> None:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self.stop)
        for row in range(self.settings.workers):
            self.start(row)
        while self.workers:
            try:
                process, status = os.waitpid(-1, 0)
            except InterruptedError:
                continue
            except ChildProcessError:
                break
            row = self.workers.pop(process, -1)
            if row < 0 or self.stopping:
                continue
            _log.error("worker %d ended with status %d and is replaced", process, status)
            now = time.monotonic()
            self.deaths = [*(death for death in self.deaths if now - death < 60), now]
            if len(self.deaths) > _MOST_DEATHS:
                _log.error("workers keep ending; giving up")
                self.stop(signal.SIGTERM, None)
                sys.exit(1)
            self.start(row)

    def start(self, row: int) -> None:
        process = os.fork()
        if process:
            self.workers[process] = row
            return
        status = 1
        try:
            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, signal.SIG_DFL)
            self.metrics.row = row
            own = bind(Settings(self.settings.host, self.bound.getsockname()[1], self.settings.workers))
            self.bound.close()
            _work(self.settings, self.metrics, self.translator, own)
            status = 0
        finally:
            os._exit(status)

    def stop(self, number: int, frame: object) -> None:
        self.stopping = True
        for process in self.workers:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGTERM)


def _stopped(number: int, frame: object) -> None:
    _log.info("stopped by signal %d", number)


def _work(settings: Settings, metrics: Metrics, translator: Translator, bound: socket.socket) -> None:
    # Two threads, one that translates and one that talks: shorter turns make for quicker answers.
    sys.setswitchinterval(0.001)
    config = uvicorn.Config(
        create_app(translator, settings, metrics),
        http=protocol(settings.read_seconds),
        ws="none",
        lifespan="on",
        access_log=False,
        log_level="warning",
        server_header=False,
        limit_concurrency=settings.connections,
        backlog=1024,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=settings.stop_seconds,
    )
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _stopped)  # the server repeats the signal when it is done; that is not an error
    with contextlib.suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[bound])
