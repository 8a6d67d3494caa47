"""Pictures made in a process of their own, with a limit of time and of memory."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import resource
import signal
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from texlift.errors import FormulaError, TexliftError
from texlift.extras import require
from texlift.verify.process import LineProcess

__all__ = ["SECONDS", "picture", "serve"]

SECONDS = 30.0
"""Processor time for a picture."""

_MEMORY = 2_000_000_000
_RECURSION = 4000
_CLOCK = 6  # times the processor time, on the clock


def picture(
    semantic: str,
    constraints: Sequence[str] = (),
    declared: Mapping[str, str] | None = None,
    kind: str = "svg",
    in_colour: bool = False,
    seconds: float = SECONDS,
) -> bytes:
    """The picture of a formula as `svg` or `png`; `in_colour` colours the complex plane.

    Raises TexliftError where there is nothing to draw, or not in time.
    """
    require("mpmath", "sympy", "matplotlib")
    task = {
        "semantic": semantic,
        "constraints": list(constraints),
        "declared": dict(declared or {}),
        "kind": kind,
        "in_colour": in_colour,
    }
    process = LineProcess(f"from texlift.verify.plots.worker import serve; serve({seconds!r})", seconds, _CLOCK)
    try:
        process.send(json.dumps(task).encode())
        while (line := process.line(0.2)) is None:
            if process.overran():
                raise TexliftError(f"no plot within {seconds:g} seconds")
    finally:
        process.stop()
    if not line:
        raise TexliftError("no plot: the computation broke down (memory limit?)")
    answer: dict[str, Any] = json.loads(line)
    if "error" in answer:
        raise TexliftError(answer["error"])
    return base64.b64decode(answer["picture"])


def serve(seconds: float) -> None:
    """The worker: one task on standard input, its picture or an error on standard output."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing a library prints may come between the answers
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    sys.setrecursionlimit(_RECURSION)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGPROF, _alarm)
    import matplotlib.figure  # noqa: F401  before the clock starts

    from texlift.verify.plots import colouring, trace  # noqa: F401

    answers.write(b"ready\n")
    answers.flush()
    for line in sys.stdin:
        answers.write(json.dumps(_limited(json.loads(line), seconds)).encode() + b"\n")
        answers.flush()


def _limited(task: dict[str, Any], seconds: float) -> dict[str, str]:
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        return {"picture": base64.b64encode(_drawn(task)).decode()}
    except FormulaError as error:
        return {"error": f"nothing to draw: {error.message}"}
    except TexliftError as error:
        return {"error": str(error)}
    except TimeoutError:
        return {"error": f"no plot within {seconds:g} seconds"}
    except MemoryError:
        return {"error": "no plot: it needs too much memory"}
    except Exception as error:  # noqa: BLE001  whatever a numeric routine throws, the user gets a sentence
        return {"error": f"no plot: {type(error).__name__}: {str(error)[:100]}"}
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _drawn(task: dict[str, Any]) -> bytes:
    from texlift.verify.plots.colouring import coloured
    from texlift.verify.plots.figure import picture_of
    from texlift.verify.plots.subject import subject_of
    from texlift.verify.plots.trace import trace_of

    subject = subject_of(task["semantic"], task["constraints"], task["declared"])
    if task["in_colour"]:
        return coloured(subject, task["kind"])
    return picture_of(trace_of(subject), task["kind"])


def _alarm(signum: int, frame: object) -> None:
    raise TimeoutError
