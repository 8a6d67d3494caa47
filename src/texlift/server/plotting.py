"""Points for a plot: both sides of an equation or inequality along one real variable.

Numeric routines may hang, so they run in a process of their own that is ended when its time is up.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import resource
import time
from multiprocessing.connection import Connection
from typing import Any

from texlift.errors import FormulaError, TexliftError

__all__ = ["curves"]

_POINTS = 81
_RANGE = {"integer": (0.0, 12.0), "unit": (0.02, 0.98), "large": (1.05, 6.0), "real": (0.1, 5.0)}
_PREFERRED = ("x", "z", "t", "k", "q", "s", r"\theta", r"\phi", "y", "u", "w")
_MEMORY = 1_500_000_000


def curves(semantic: str, constraints: list[str], seconds: float = 6.0) -> dict[str, Any]:
    """`{"variable", "fixed", "x": [..], "left": [..], "right": [..]}`; None stands where a side has no real value.

    Raises TexliftError where there is nothing to draw.
    """
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, semantic, constraints, seconds), daemon=True)
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


def _serve(connection: Connection, semantic: str, constraints: list[str], seconds: float) -> None:
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    try:
        answer = _curves(semantic, constraints, seconds)
    except FormulaError as error:
        answer = {"error": error.message}
    except Exception as error:  # noqa: BLE001  whatever a numeric routine throws, the page gets a sentence
        answer = {"error": str(error) or type(error).__name__}
    connection.send(answer)


def _curves(semantic: str, constraints: list[str], seconds: float) -> dict[str, Any]:
    from mpmath import mp

    from texlift.verify.conditions import conditions_of
    from texlift.verify.evaluation import Trust, compile_expression, namespace
    from texlift.verify.sampling import Sampler, domains_of
    from texlift.verify.statement import claim_of

    claim = claim_of(semantic, {})
    comparison = claim.comparisons[0]
    names = namespace(Trust())
    left, own = compile_expression(comparison.left, semantic, names)
    right, other = compile_expression(comparison.right, semantic, names)
    labels = {**own, **other}
    if not claim.variables:
        raise TexliftError("no variable to draw along")
    conditions = conditions_of(constraints)
    domains = domains_of(claim, conditions, {})
    along = next((name for name in _PREFERRED if name in claim.variables), claim.variables[0])
    start = Sampler(domains, conditions, lambda point: True, 1).draw(0) or {}
    fixed = {name: _real(value) for name, value in start.items() if name != along}
    kind = domains[along].kind if along in domains else "real"
    low, high = _RANGE.get(kind, (0.1, 5.0))
    if domains.get(along) and domains[along].negative:
        low = -high
    count = int(high - low) + 1 if kind == "integer" else _POINTS
    xs = [low + (high - low) * index / (count - 1) for index in range(count)]
    deadline = time.monotonic() + seconds
    values: dict[str, list[float | None]] = {"left": [], "right": []}
    for x in xs:
        environment = {labels.get(name, name): mp.mpf(value) for name, value in {**fixed, along: x}.items()}
        for side, code in (("left", left), ("right", right)):
            values[side].append(_value(code, environment) if time.monotonic() < deadline else None)
    if not any(value is not None for value in values["left"] + values["right"]):
        raise TexliftError("no real values to draw")
    return {"variable": along, "fixed": fixed, "kind": kind, "x": xs, **values}


def _value(code: Any, environment: dict[str, Any]) -> float | None:
    try:
        value = complex(code(environment))
    except Exception:  # noqa: BLE001  a pole, no convergence: a gap in the curve
        return None
    small = abs(value.imag) <= 1e-9 * max(1.0, abs(value))
    return value.real if small and abs(value.real) < 1e100 else None


def _real(value: complex) -> float:
    """Two digits are enough to read, and a real value shows more than a complex one."""
    return round(complex(value).real, 2)
