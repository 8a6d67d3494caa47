"""Counters for Prometheus, shared by all workers.

Each worker process writes a row of its own in one block of shared memory; the worker that is asked for the
metrics adds the rows up. Nothing is written to disk.
"""

from __future__ import annotations

import mmap
import time
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

__all__ = ["ROUTES", "Metrics"]

ROUTES = (
    "/translate",
    "/expand",
    "/convert",
    "/check",
    "/equal",
    "/parse",
    "/plot",
    "/macros",
    "/document",
    "/",
    "/static",
    "/health",
    "/metrics",
    "other",
)
"""Requests are counted by the first part of their path."""

_STATUSES = (200, 304, 400, 403, 404, 405, 408, 413, 415, 421, 422, 429, 500, 503)
_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_GAUGES = ("in_flight", "waiting")
_COUNTERS = ("formulae", "batches", "cache_hits", "cache_misses", "rejected_busy", "rejected_rate")
_HELP = {
    "in_flight": "Requests being answered.",
    "waiting": "Formulae waiting to be translated.",
    "formulae": "Formulae translated.",
    "batches": "Batches they were translated in.",
    "cache_hits": "Answers taken from memory.",
    "cache_misses": "Answers that had to be computed.",
    "rejected_busy": "Requests refused because the queue was full.",
    "rejected_rate": "Requests refused because one client sent too many.",
}
_PLAIN = {name: index for index, name in enumerate((*_GAUGES, *_COUNTERS))}
_REQUESTS = len(_PLAIN)
_SECONDS = _REQUESTS + len(ROUTES) * (len(_STATUSES) + 1)
_WIDTH = _SECONDS + len(ROUTES) * (len(_BUCKETS) + 2)


class Metrics:
    """The counters; `row` is the worker that counts."""

    def __init__(self, workers: int = 1) -> None:
        self._memory = mmap.mmap(-1, workers * _WIDTH * 8)  # anonymous and shared with forked workers
        self._table: npt.NDArray[np.float64] = np.frombuffer(self._memory, np.float64).reshape(workers, _WIDTH)
        self._started = time.time()
        self.row = 0

    def add(self, name: str, amount: float = 1.0) -> None:
        """Count: one of the plain counters or gauges."""
        self._table[self.row, _PLAIN[name]] += amount

    def forget_gauges(self, row: int) -> None:
        """The worker of a row has died: nothing is under way there any more. What it counted stays."""
        self._table[row, [_PLAIN[name] for name in _GAUGES]] = 0.0

    def observe(self, path: str, status: int, seconds: float) -> None:
        """One request answered."""
        route = _route(path)
        number = ROUTES.index(route)
        kind = _STATUSES.index(status) if status in _STATUSES else len(_STATUSES)
        row = self._table[self.row]
        row[_REQUESTS + number * (len(_STATUSES) + 1) + kind] += 1
        at = _SECONDS + number * (len(_BUCKETS) + 2)
        row[at + next((i for i, limit in enumerate(_BUCKETS) if seconds <= limit), len(_BUCKETS))] += 1
        row[at + len(_BUCKETS) + 1] += seconds

    def value(self, name: str) -> float:
        """A plain counter or gauge over all workers."""
        return float(self._table[:, _PLAIN[name]].sum())

    def text(self) -> str:
        """All counters in the text format of Prometheus."""
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        total = self._table.sum(axis=0)
        for name, index in _PLAIN.items():
            kind = "gauge" if name in _GAUGES else "counter"
            full = f"texlift_{name}" + ("_total" if kind == "counter" else "")
            yield f"# HELP {full} {_HELP[name]}"
            yield f"# TYPE {full} {kind}"
            yield f"{full} {total[index]:g}"
        yield "# HELP texlift_uptime_seconds Time since the service started."
        yield "# TYPE texlift_uptime_seconds gauge"
        yield f"texlift_uptime_seconds {time.time() - self._started:.0f}"
        yield "# HELP texlift_requests_total Requests by route and status."
        yield "# TYPE texlift_requests_total counter"
        for number, route in enumerate(ROUTES):
            for column, status in enumerate((*map(str, _STATUSES), "other")):
                if count := total[_REQUESTS + number * (len(_STATUSES) + 1) + column]:
                    yield f'texlift_requests_total{{route="{route}",status="{status}"}} {count:.0f}'
        yield "# HELP texlift_request_seconds Time to answer, by route."
        yield "# TYPE texlift_request_seconds histogram"
        for number, route in enumerate(ROUTES):
            at = _SECONDS + number * (len(_BUCKETS) + 2)
            counts = total[at : at + len(_BUCKETS) + 1]
            if not counts.sum():
                continue
            below = counts.cumsum()
            for limit, count in zip((*map(str, _BUCKETS), "+Inf"), below, strict=True):
                yield f'texlift_request_seconds_bucket{{route="{route}",le="{limit}"}} {count:.0f}'
            yield f'texlift_request_seconds_sum{{route="{route}"}} {total[at + len(_BUCKETS) + 1]:.6f}'
            yield f'texlift_request_seconds_count{{route="{route}"}} {below[-1]:.0f}'


def _route(path: str) -> str:
    first = "/" + path.split("/", 2)[1] if path.startswith("/") else path
    return first if first in ROUTES else "other"
