"""Checks in worker processes with a time and a memory limit.

A numeric routine may hang, overflow or eat memory; only a process of its own can be stopped for certain. A
worker that overruns is killed and replaced, its formula is undecided, and the batch goes on.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import resource
import signal
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any

from texlift.verify.check import Verdict, check_here

__all__ = ["MEMORY", "SECONDS", "Task", "check", "check_all"]

SECONDS = 10.0
"""Processor time for one formula unless the caller says otherwise; three times that on the clock."""

MEMORY = 1_500_000_000
"""Bytes of address space of a worker."""

_GRACE = 1.5  # seconds on top of that before a worker is ended by force
_RECURSION = 4000


@dataclass(frozen=True, slots=True)
class Task:
    """One formula to check; `symbols` says what its symbols are, where somebody knows."""

    semantic: str
    constraints: tuple[str, ...] = ()
    symbols: Mapping[str, str] = field(default_factory=dict)


def check(
    semantic: str,
    constraints: Sequence[str] = (),
    seconds: float = SECONDS,
    symbols: Mapping[str, str] | None = None,
) -> Verdict:
    """Check one formula in a worker process.

    check(r"\\EulerGamma@{z+1}=z\\EulerGamma@{z}").verdict -> "verified"
    """
    return next(check_all([Task(semantic, tuple(constraints), symbols or {})], seconds, 1))


def check_all(
    tasks: Iterable[Task], seconds: float = SECONDS, jobs: int = 1, memory: int = MEMORY
) -> Iterator[Verdict]:
    """Verdicts in the order of the tasks."""
    waiting = enumerate(tasks)
    done: dict[int, Verdict] = {}
    next_out = 0
    workers: list[_Worker] = []
    exhausted = False
    try:
        while True:
            while not exhausted and len(workers) < jobs:
                workers.append(_Worker(seconds, memory))
            for worker in workers:
                if worker.index is None and not exhausted:
                    entry = next(waiting, None)
                    if entry is None:
                        exhausted = True
                    else:
                        worker.start(*entry)
            busy = [worker for worker in workers if worker.index is not None]
            if not busy:
                break
            wait([worker.connection for worker in busy], timeout=0.2)
            for worker in busy:
                verdict = worker.poll()
                if verdict is not None:
                    assert worker.index is not None
                    done[worker.index] = verdict
                    worker.index = None
            while next_out in done:
                yield done.pop(next_out)
                next_out += 1
    finally:
        for worker in workers:
            worker.stop()


class _Worker:
    """One process; `index` is the task it works on."""

    def __init__(self, seconds: float, memory: int) -> None:
        self.seconds = seconds
        self.memory = memory
        self.index: int | None = None
        self.started = 0.0
        self._spawn()

    def _spawn(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs, self.seconds, self.memory), daemon=True)
        self.process.start()
        theirs.close()
        if not self.connection.poll(60) or self.connection.recv() != "ready":
            raise RuntimeError("the worker process does not start")

    def start(self, index: int, task: Task) -> None:
        self.index = index
        self.started = time.monotonic()
        self.connection.send((task.semantic, task.constraints, dict(task.symbols)))

    def poll(self) -> Verdict | None:
        """The verdict if there is one; a worker that overran or died is replaced."""
        reason = ""
        if self.connection.poll():
            try:
                answer: dict[str, Any] = self.connection.recv()
                return Verdict(**answer)
            except (EOFError, OSError):
                reason = "the computation broke down (memory limit?)"
        elif not self.process.is_alive():
            reason = "the computation broke down (memory limit?)"
        elif time.monotonic() - self.started > 3 * self.seconds + _GRACE:
            reason = f"no result within {self.seconds:g} seconds"
        if not reason:
            return None
        self.stop()
        self._spawn()
        return Verdict("undecided", reason=reason)

    def stop(self) -> None:
        self.process.kill()
        self.process.join()
        self.connection.close()


def _serve(connection: Connection, seconds: float, memory: int) -> None:
    """The worker's loop: receive a task, answer with the fields of its verdict."""
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    sys.setrecursionlimit(_RECURSION)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGPROF, _alarm)
    from texlift.targets.reading import semantic_signatures
    from texlift.verify import evaluation  # load mpmath before the clock starts

    evaluation.namespace(evaluation.Trust())
    semantic_signatures()
    connection.send("ready")
    while True:
        try:
            semantic, constraints, symbols = connection.recv()
        except (EOFError, OSError):
            return
        signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            verdict = check_here(semantic, constraints, seconds * 0.8, symbols)
        except TimeoutError:
            verdict = Verdict("undecided", reason=f"no result within {seconds:g} seconds")
        except MemoryError:
            verdict = Verdict("undecided", reason="the computation needs too much memory")
        except RecursionError:
            verdict = Verdict("undecided", reason="nested too deeply")
        except Exception as error:  # noqa: BLE001  a batch must go on whatever a numeric routine throws
            verdict = Verdict("undecided", reason=f"{type(error).__name__}: {str(error)[:100]}")
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        connection.send(verdict.as_dict())


def _alarm(signum: int, frame: object) -> None:
    raise TimeoutError
