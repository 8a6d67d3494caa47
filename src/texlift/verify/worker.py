"""Checks in worker processes with a time and a memory limit.

A numeric routine may hang, overflow or use up memory; only a separate process can be stopped reliably. A worker that
exceeds its limits is killed and replaced, its formula is undecided, and the batch continues.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import select
import signal
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from texlift.meaning.declarations import Declarations
from texlift.verify.declared import words_of
from texlift.verify.process import LineProcess
from texlift.verify.verdict import Verdict

__all__ = ["MEMORY", "SECONDS", "Task", "check", "check_all", "serve"]

SECONDS = 10.0
"""Processor time for one formula unless the caller says otherwise; twenty times that on the clock."""

MEMORY = 1_500_000_000
"""Bytes of address space of a worker."""

_RECURSION = 4000


@dataclass(frozen=True, slots=True)
class Task:
    """One formula to check; `symbols` says what its symbols are, where that is known.

    An `excerpt` stands in a text that may say more about its letters; `sure` is the confidence of its
    translation, `others` are other readings of it, `declared` what its letters were declared to be, in words.
    """

    semantic: str
    constraints: tuple[str, ...] = ()
    symbols: Mapping[str, str] = field(default_factory=dict)
    excerpt: bool = False
    sure: float = 1.0
    others: tuple[str, ...] = ()
    declared: Mapping[str, str] = field(default_factory=dict)


def check(
    semantic: str,
    constraints: Sequence[str] = (),
    seconds: float = SECONDS,
    symbols: Mapping[str, str] | None = None,
    sure: float = 1.0,
    declare: Mapping[str, str] | Declarations | None = None,
) -> Verdict:
    """Check one formula in a worker process; `sure` is the confidence of its translation.

    check(r"\\EulerGamma@{z+1}=z\\EulerGamma@{z}").verdict -> "verified"
    """
    declared = words_of(Declarations.of(declare))
    return next(
        check_all([Task(semantic, tuple(constraints), symbols or {}, sure=sure, declared=declared)], seconds, 1)
    )


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
            select.select(busy, [], [], 0.2)
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


class _Worker(LineProcess):
    """One process; `index` is the task it works on."""

    def __init__(self, seconds: float, memory: int) -> None:
        self.index: int | None = None
        super().__init__(f"from texlift.verify.worker import serve; serve({seconds!r}, {memory!r})", seconds)

    def start(self, index: int, task: Task) -> None:
        self.index = index
        self.send(json.dumps(asdict(task)).encode())

    def poll(self) -> Verdict | None:
        """The verdict if there is one; a worker that overran or died is replaced."""
        line = self.line(0)
        if line:
            answer: dict[str, Any] = json.loads(line)
            return Verdict(**answer)
        if line == b"":
            reason = "the computation broke down (memory limit?)"
        elif self.overran():
            reason = f"no result within {self.seconds:g} seconds"
        else:
            return None
        self.stop()
        self.spawn()
        return Verdict("undecided", reason=reason)


def serve(seconds: float, memory: int) -> None:
    """The worker's loop: a task on each line of standard input, the fields of its verdict on standard output."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing a library prints may come between the answers
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    sys.setrecursionlimit(_RECURSION)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGPROF, _alarm)
    from texlift.meaning.reader.reading import semantic_signatures
    from texlift.verify import checker, evaluation  # noqa: F401  load mpmath before the clock starts

    evaluation.namespace(evaluation.Trust())
    semantic_signatures()
    answers.write(b"ready\n")
    answers.flush()
    for line in sys.stdin:
        verdict = _limited(Task(**json.loads(line)), seconds)
        answers.write(json.dumps(verdict.as_dict()).encode() + b"\n")
        answers.flush()


def _limited(task: Task, seconds: float) -> Verdict:
    """One check with an alarm after `seconds` of processor time."""
    from texlift.verify.checker import check_here, reconsidered  # need mpmath, which only the worker loads

    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        declared = Declarations.of(task.declared)
        verdict = check_here(
            task.semantic,
            task.constraints,
            seconds * 0.8,
            task.symbols,
            excerpt=task.excerpt,
            sure=task.sure,
            declared=declared,
        )
        return reconsidered(verdict, task.others, task.constraints, seconds * 0.1, declared)
    except TimeoutError:
        return Verdict("undecided", reason=f"no result within {seconds:g} seconds")
    except MemoryError:
        return Verdict("undecided", reason="the computation needs too much memory")
    except RecursionError:
        return Verdict("undecided", reason="nested too deeply")
    except Exception as error:  # noqa: BLE001  a batch must go on whatever a numeric routine throws
        return Verdict("undecided", reason=f"{type(error).__name__}: {str(error)[:100]}")
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _alarm(signum: int, frame: object) -> None:
    raise TimeoutError
