"""Points for a plot: both sides of an equation or inequality along one real variable.

Numeric routines may hang, so they run in a process of their own that is ended when its time is up.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import resource
from multiprocessing.connection import Connection
from typing import Any

from texlift.errors import FormulaError, TexliftError

__all__ = ["curves"]

_MEMORY = 1_500_000_000


def curves(semantic: str, constraints: list[str], seconds: float = 6.0) -> dict[str, Any]:
    """`{"variable", "fixed", "x": [..], "left": [..], "right": [..]}`; None stands where a side has no real value.

    Raises TexliftError where there is nothing to draw.
    """
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, semantic, constraints), daemon=True)
    process.start()
    theirs.close()
    try:
        if not ours.poll(seconds + 8.0):
            raise TexliftError("no values in the time given")
        answer: dict[str, Any] = ours.recv()
    except (EOFError, OSError):
        raise TexliftError("the computation broke down") from None
    finally:
        process.kill()
        process.join()
        ours.close()
    if "error" in answer:
        raise TexliftError(answer["error"])
    return answer


def _serve(connection: Connection, semantic: str, constraints: list[str]) -> None:
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    try:
        answer = _curves(semantic, constraints)
    except FormulaError as error:
        answer = {"error": error.message}
    except Exception as error:  # noqa: BLE001  whatever a numeric routine throws, the page gets a sentence
        answer = {"error": str(error) or type(error).__name__}
    connection.send(answer)


def _curves(semantic: str, constraints: list[str]) -> dict[str, Any]:
    from texlift.verify.curves import curves as computed

    found = computed(semantic, constraints)
    left, right = ([_real(value) for value in side] for side in (found.left, found.right))
    if not any(value is not None for value in left + right):
        raise TexliftError("no real values to draw")
    shown = {"variable": found.variable, "fixed": found.fixed, "kind": found.kind, "x": found.places}
    axes = {"ends": found.ends, "frame": found.frame, "of_pi": found.of_pi, "differ": found.differ, "hold": found.hold}
    return {**shown, "left": left, "right": right, **axes}


def _real(value: complex | None) -> float | None:
    """A value without its imaginary part where that is rounding; None for others."""
    return value.real if value is not None and abs(value.imag) <= 1e-9 * max(1.0, abs(value)) else None
