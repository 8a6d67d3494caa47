"""A limit of processor time for a computation in this process."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator

__all__ = ["SlowError", "limited"]


class SlowError(Exception):
    """A computation took longer than it was given."""


@contextlib.contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Stop what runs inside with a SlowError after so much processor time; only the main thread can be stopped."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    previous = signal.signal(signal.SIGVTALRM, _stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, previous)


def _stop(signum: int, frame: object) -> None:
    raise SlowError("takes too long")
