"""Worker processes that answer chunks of lines in order; one that dies is replaced, its chunk is tried once more."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

__all__ = ["in_processes"]

Chunk = TypeVar("Chunk", bound=list[Any])
Result = TypeVar("Result")


def in_processes(
    work: Callable[[Chunk], Result], lost: Callable[[Chunk], Result], chunks: Iterable[Chunk], jobs: int
) -> Iterator[Result]:
    """`work(chunk)` for each chunk, in order. An empty chunk asks for everything that is under way.

    Only a few chunks are under way at a time, so memory does not grow with the input. If a process dies twice over a
    chunk, the result is `lost(chunk)`.
    """
    crew = _Crew(work, lost, jobs)
    try:
        for chunk in chunks:
            if chunk:
                crew.start(chunk)
            while crew.pending and (not chunk or len(crew.pending) > 2 * jobs):
                yield crew.next()
        while crew.pending:
            yield crew.next()
    finally:
        crew.pool.shutdown(cancel_futures=True)


class _Crew:
    def __init__(self, work: Callable[..., Any], lost: Callable[..., Any], jobs: int) -> None:
        self.work = work
        self.lost = lost
        self.jobs = jobs
        self.pool = ProcessPoolExecutor(jobs)
        self.pending: deque[tuple[Any, Future[Any]]] = deque()

    def start(self, chunk: Any) -> None:
        try:
            self.pending.append((chunk, self.pool.submit(self.work, chunk)))
        except BrokenProcessPool:
            self.pending.append((chunk, Future()))
            self._again()

    def next(self) -> Any:
        """The result of the oldest chunk."""
        chunk, future = self.pending[0]
        try:
            result = future.result()
        except BrokenProcessPool:
            result = self._alone(chunk)
            self.pending.popleft()
            self._again()
            return result
        self.pending.popleft()
        return result

    def _alone(self, chunk: Any) -> Any:
        """Was it this chunk that a process died over? It gets one of its own."""
        with ProcessPoolExecutor(1) as pool:
            try:
                return pool.submit(self.work, chunk).result()
            except BrokenProcessPool:
                return self.lost(chunk)

    def _again(self) -> None:
        """New processes for what was under way."""
        self.pool.shutdown(wait=False, cancel_futures=True)
        self.pool = ProcessPoolExecutor(self.jobs)
        self.pending = deque([(chunk, self._resumed(chunk, future)) for chunk, future in self.pending])

    def _resumed(self, chunk: Any, future: Future[Any]) -> Future[Any]:
        done = future.done() and not future.cancelled() and future.exception() is None
        return future if done else self.pool.submit(self.work, chunk)
