"""Pairs that take long, in a worker process that can be stopped: one for each caller at a time, kept for the next."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import resource
import signal
import sys
import threading

from texlift.errors import TexliftError
from texlift.verify.equality.judgement import Pair
from texlift.verify.equality.result import Equality, undecided
from texlift.verify.process import LineProcess

__all__ = ["judged_aside", "serve"]

_MEMORY = 1_500_000_000  # bytes of address space of a worker
_RECURSION = 4000
_MOST_IDLE = 4
_CLOCK = 1.0  # the limit holds on the clock as well
_GRACE = 0.2
_SHARE = 0.7  # of the time that the worker plans with; the rest is for a machine that is busy
_POLL = 0.05

_idle: list[tuple[int, LineProcess]] = []  # with the process that started them: a fork must not share them
_lock = threading.Lock()


def judged_aside(pair: Pair, seconds: float) -> Equality:
    """The verdict of a worker process, within `seconds` of processor time."""
    worker = _taken()
    worker.seconds = seconds
    request = {**pair.as_fields(), "semantic": pair.semantic, "seconds": seconds}
    try:
        worker.send(json.dumps(request).encode())
        while True:
            line = worker.line(_POLL)
            if line:
                answer = Equality(**json.loads(line))
                _put_back(worker)
                return answer
            if line == b"":
                worker.stop()
                return undecided("the computation broke down (memory limit?)")
            if worker.overran():
                worker.stop()
                return undecided(f"no result within {seconds:g} seconds")
    except (OSError, ValueError):
        worker.stop()
        return undecided("the computation broke down")
    except BaseException:
        worker.stop()
        raise


def _taken() -> LineProcess:
    with _lock:
        while _idle:
            owner, worker = _idle.pop()
            if owner == os.getpid() and worker.process.poll() is None:
                return worker
    command = f"from texlift.verify.equality.worker import serve; serve({_MEMORY!r})"
    return LineProcess(command, 5.0, _CLOCK, _GRACE)


def _put_back(worker: LineProcess) -> None:
    with _lock:
        if len(_idle) < _MOST_IDLE:
            _idle.append((os.getpid(), worker))
            return
    worker.stop()


@atexit.register
def _stop_all() -> None:
    with _lock:
        for owner, worker in _idle:
            if owner == os.getpid():
                worker.stop()
        _idle.clear()


def serve(memory: int) -> None:
    """The worker's loop: a pair on each line of standard input, its verdict on standard output."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing a library prints may come between the answers
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    sys.setrecursionlimit(_RECURSION)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGPROF, _alarm)
    from texlift.verify.equality.patience import prepare

    prepare()
    answers.write(b"ready\n")
    answers.flush()
    for line in sys.stdin:
        fields = json.loads(line)
        found = _limited(Pair.of(fields, bool(fields["semantic"])), float(fields["seconds"]))
        answers.write(json.dumps(found.as_dict()).encode() + b"\n")
        answers.flush()


def _limited(pair: Pair, seconds: float) -> Equality:
    from texlift.verify.equality.patience import judged_patiently

    signal.setitimer(signal.ITIMER_PROF, seconds * 0.95)
    try:
        return judged_patiently(pair, seconds * _SHARE)
    except TimeoutError:
        return undecided(f"no result within {seconds:g} seconds")
    except MemoryError:
        return undecided("the computation needs too much memory")
    except RecursionError:
        return undecided("nested too deeply")
    except TexliftError as error:
        return undecided(str(error))
    except Exception as error:  # noqa: BLE001  a batch must go on whatever a numeric routine throws
        return undecided(f"{type(error).__name__}: {str(error)[:100]}")
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _alarm(signum: int, frame: object) -> None:
    raise TimeoutError
