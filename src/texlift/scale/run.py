"""A run over all partitions: by processes of this machine, or by the actors of a Ray cluster.

Every partition is one file, written whole or not at all. Whatever dies meanwhile, a second run goes on with those that
are not there. On a cluster, input and output must lie where all nodes see them.
"""

from __future__ import annotations

import json
import logging
import os
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from pathlib import Path
from typing import Any, Final

from texlift.errors import TexliftError
from texlift.extras import require
from texlift.files import write_file
from texlift.scale.partitions import Partition
from texlift.scale.work import Figures, Job, done, figures_of, work_on

__all__ = ["begin", "finished", "run", "run_on_ray"]

_MANIFEST: Final = "_texlift.json"
_AGAIN: Final = 1  # times that all processes are started again when one has died
_MOST_DEATHS: Final = 3  # of actors over one partition; nodes die of other things too


def begin(job: Job, settings: Mapping[str, Any], partitions: list[Partition]) -> list[Partition]:
    """Make the folder ready; the partitions that are still to be done.

    Raises TexliftError if another run, with other settings or over another input, has begun to fill it.
    """
    folder = Path(job.out)
    manifest = folder / _MANIFEST
    inputs = sorted({partition.path for partition in partitions})
    files = [[path, (stat := Path(path).stat()).st_size, stat.st_mtime_ns] for path in inputs]
    own = json.loads(json.dumps({"settings": settings, "partitions": len(partitions), "input": files}))
    try:
        (folder / "_figures").mkdir(parents=True, exist_ok=True)
        known = json.loads(manifest.read_text("utf-8")) if manifest.exists() else None
    except (OSError, ValueError) as error:
        raise TexliftError(f"cannot use {folder}: {error}") from error
    if known is None:
        if any(folder.glob("part-*")):
            raise TexliftError(f"{folder} has files of something else; give another folder")
        write_file(manifest, json.dumps(own, indent=1).encode())
    elif known != own:
        changed = [name for name in own if known.get(name) != own[name]]
        raise TexliftError(f"{folder} was begun with another {' and '.join(changed)}; give another folder")
    return [partition for partition in partitions if not done(job, partition)]


def finished(job: Job, partitions: list[Partition]) -> Iterator[Figures]:
    """The figures of partitions that were done before."""
    return (figures_of(job, partition) for partition in partitions if done(job, partition))


def run(job: Job, partitions: list[Partition], jobs: int) -> Iterator[Figures]:
    """The figures of each partition when it is done, by processes of this machine."""
    if jobs <= 1:
        for partition in partitions:
            yield work_on(job, partition)
        return
    waiting, tries = list(partitions), 0
    while waiting:
        with ProcessPoolExecutor(jobs) as pool:
            under_way = {pool.submit(partial(work_on, job), partition): partition for partition in waiting}
            try:
                for future in as_completed(under_way):
                    figures = future.result()
                    waiting.remove(under_way[future])
                    yield figures
            except BrokenProcessPool:
                # a process died; what it worked on is not known, what is written is
                waiting = [partition for partition in waiting if not done(job, partition)]
                tries += 1
        if tries > _AGAIN and waiting:
            yield from _one_by_one(job, waiting)
            return


def _one_by_one(job: Job, partitions: list[Partition]) -> Iterator[Figures]:
    """Each partition in a process of its own: one over which processes die is lost, and said."""
    for partition in partitions:
        with ProcessPoolExecutor(1) as pool:
            try:
                yield pool.submit(work_on, job, partition).result()
            except BrokenProcessPool:
                yield Figures(lost=(f"{partition.path} ({partition.name}): the process died, perhaps of its memory",))


def run_on_ray(job: Job, partitions: list[Partition], workers: int, address: str | None = None) -> Iterator[Figures]:
    """The same by actors of a Ray cluster at `address`, or of a local one, each of which holds the model.

    A partition whose actor or node dies is given to another. Raises TexliftError without Ray or without a cluster.
    """
    require("ray")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    import ray

    own = not ray.is_initialized()
    try:
        if own:
            options: dict[str, Any] = {} if address else {"num_cpus": workers, "include_dashboard": False}
            ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR, **options)
    except (ConnectionError, ValueError) as error:
        raise TexliftError(f"no Ray cluster at {address}: {error}") from error
    try:
        yield from _Crew(job, partitions, workers).run()
    finally:
        if own:
            ray.shutdown()


class _Crew:
    """Actors at work. A new one says that it is ready before it gets a partition: a cluster may have no room for it."""

    def __init__(self, job: Job, partitions: list[Partition], workers: int) -> None:
        import ray

        self._actor: Any = ray.remote(num_cpus=1, max_restarts=0)(_Actor)
        self._job = job
        self._waiting = deque(partitions)
        self._under_way: dict[Any, tuple[Any, Partition | None]] = {}  # answer to come -> actor, what it works on
        self._deaths: Counter[int] = Counter()
        for _ in range(min(workers, len(partitions))):
            self._hire()

    def _hire(self) -> None:
        actor: Any = self._actor.remote(self._job)
        self._under_way[actor.ready.remote()] = (actor, None)

    def run(self) -> Iterator[Figures]:
        """The figures of partitions as they are done."""
        import ray
        from ray.exceptions import RayActorError

        while self._waiting or any(partition for _, partition in self._under_way.values()):
            answers, _ = ray.wait(list(self._under_way), num_returns=1)
            for answer in answers:
                actor, partition = self._under_way.pop(answer)
                try:
                    figures = ray.get(answer)
                except RayActorError:
                    self._hire()
                    if partition is not None:
                        yield from self._bury(partition)
                    continue
                if partition is not None:
                    yield figures
                if self._waiting:
                    following = self._waiting.popleft()
                    self._under_way[actor.work.remote(following)] = (actor, following)

    def _bury(self, partition: Partition) -> Iterator[Figures]:
        """A partition whose actor died: written all the same, or to be tried again, or lost."""
        self._deaths[partition.number] += 1
        if done(self._job, partition):
            yield figures_of(self._job, partition)
        elif self._deaths[partition.number] > _MOST_DEATHS:
            yield Figures(lost=(f"{partition.path} ({partition.name}): {_MOST_DEATHS + 1} actors died over it",))
        else:
            self._waiting.appendleft(partition)


class _Actor:
    """Works on one partition after the other; the model is loaded with the first."""

    def __init__(self, job: Job) -> None:
        self._job = job

    def ready(self) -> None:
        """Answer when there is room for the actor."""

    def work(self, partition: Partition) -> Figures:
        return work_on(self._job, partition)
