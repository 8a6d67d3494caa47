"""Answers compared with gold code in a process of its own: SymPy may take for ever over one of them."""

from __future__ import annotations

import contextlib
import multiprocessing
from collections.abc import Sequence
from multiprocessing.connection import Connection
from types import TracebackType

from texlift.bench.equality import same_code
from texlift.bench.runnable import limited
from texlift.bench.term import CodeError

__all__ = ["Judge"]

_SECONDS = 10.0  # of processor time for one comparison
_CLOCK = 120.0  # on the clock, for what no signal interrupts


class Judge:
    """Compares codes; use it in a `with` block. A comparison that takes too long counts as different."""

    def __init__(self) -> None:
        self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, far = context.Pipe()
        self._process = context.Process(target=_serve, args=(far,), daemon=True)
        self._process.start()
        far.close()

    def __enter__(self) -> Judge:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._process.kill()
        self._process.join()

    def same(self, answer: str, golds: Sequence[str]) -> bool:
        """Whether the answer means what one of the gold codes means."""
        with contextlib.suppress(EOFError, BrokenPipeError):
            self._pipe.send((answer, list(golds)))
            if self._pipe.poll(_CLOCK):
                return bool(self._pipe.recv())
        self._process.kill()
        self._process.join()
        self._start()
        return False


def _serve(pipe: Connection) -> None:
    with contextlib.suppress(EOFError, KeyboardInterrupt):
        while True:
            answer, golds = pipe.recv()
            pipe.send(any(_same(answer, gold) for gold in golds))


def _same(answer: str, gold: str) -> bool:
    try:
        with limited(_SECONDS):
            return same_code(answer, gold)
    except (CodeError, TimeoutError, RecursionError, MemoryError):
        return False
    except Exception:  # noqa: BLE001  whatever SymPy throws, the two were not shown to be the same
        return False
