"""Worker processes: the model is loaded once and shared, each worker listens on a socket of its own.

The kernel spreads connections over the sockets (SO_REUSEPORT). A worker that dies is replaced; on SIGTERM or
SIGINT all finish their running requests and leave, or are ended when their time is up. A worker whose master is gone
leaves, too.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import socket
import sys
import threading
import time
from dataclasses import replace

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
_GRACE = 1.0  # seconds between the end of requests and the end of the process
_LEAVE = 9.0  # seconds that a worker without a master may take to leave
_FORKS = hasattr(os, "fork")


def bind(settings: Settings) -> socket.socket:
    """A socket bound to the address, not yet listening; raises TexliftError if that is not possible."""
    if settings.port and _FORKS:
        _bound(settings, shared=False).close()  # fails where another server listens, also one that shares its port
    return _bound(settings, shared=_FORKS)


def _bound(settings: Settings, shared: bool) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if shared:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    try:
        bound.bind((settings.host, settings.port))
    except OSError as error:
        bound.close()
        raise TexliftError(f"cannot listen on {settings.host}:{settings.port}: {error.strerror}") from None
    return bound


def serve(settings: Settings, bound: socket.socket) -> None:
    """Serve until told to stop."""
    translator = load(settings.model)
    translator.translate(r"\Gamma(z)", "warm up")
    collect_rarely()
    _allow_files()
    metrics = Metrics(settings.workers)
    if not _FORKS:
        _work(settings, metrics, translator, bound)
        return
    _Master(settings, metrics, translator, bound).run()


def _allow_files() -> None:
    """As many open files as the system lets us have: each connection is one."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


class _Master:
    def __init__(self, settings: Settings, metrics: Metrics, translator: Translator, bound: socket.socket) -> None:
        self.settings = settings
        self.metrics = metrics
        self.translator = translator
        self.bound = bound
        self.workers: dict[int, int] = {}  # process id -> row in the metrics
        self.stopping = False
        self.deaths: list[float] = []
        self.watched, self.held = os.pipe()  # the held end closes with the master, however it ends

    def run(self) -> None:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self.stop)
        signal.signal(signal.SIGALRM, self.end)
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
            if row >= 0:
                self.metrics.forget_gauges(row)
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
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGALRM):
                signal.signal(number, signal.SIG_DFL)
            os.close(self.held)
            threading.Thread(target=_leave_with_master, args=(self.watched,), daemon=True).start()
            self.metrics.row = row
            own = _bound(replace(self.settings, port=self.bound.getsockname()[1]), shared=True)
            self.bound.close()
            _work(self.settings, self.metrics, self.translator, own)
            status = 0
        finally:
            os._exit(status)

    def stop(self, number: int, frame: object) -> None:
        """Let all workers finish; those that have not in time are ended."""
        self.stopping = True
        signal.setitimer(signal.ITIMER_REAL, self.settings.stop_seconds + _GRACE)
        self._signal(signal.SIGTERM)

    def end(self, number: int, frame: object) -> None:
        """Time is up."""
        self._signal(signal.SIGKILL)

    def _signal(self, number: int) -> None:
        for process in list(self.workers):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, number)


def _leave_with_master(watched: int) -> None:
    """Wait until the master is gone, then leave: there is nobody to replace or stop this worker."""
    os.read(watched, 1)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(_LEAVE)
    os._exit(1)


def _stopped(number: int, frame: object) -> None:
    _log.info("stopped by signal %d", number)


def _work(settings: Settings, metrics: Metrics, translator: Translator, bound: socket.socket) -> None:
    # Two threads, one that translates and one that talks: shorter turns make for quicker answers.
    sys.setswitchinterval(0.001)
    config = uvicorn.Config(
        create_app(translator, settings, metrics),
        http=protocol(settings),
        ws="none",
        lifespan="on",
        access_log=False,
        log_level="warning",
        server_header=False,
        backlog=2048,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=int(settings.stop_seconds),
    )
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _stopped)  # the server repeats the signal when it is done; that is not an error
    with contextlib.suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[bound])
