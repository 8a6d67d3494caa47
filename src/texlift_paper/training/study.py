"""Several experiments in one file: a table [sweep] of values to try, and several seeds.

    seeds = [1, 2, 3]

    [sweep]
    "model.state" = [128, 256]
    "model.feed" = ["zero", "argmax"]

Every combination of the sweep is a point; every point is run with every seed.
"""

from __future__ import annotations

import itertools
import json
import re
import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from texlift_paper.training.experiment import Experiment, ExperimentError, parse_experiment, with_settings

__all__ = ["Point", "Study", "read_study", "summarise_runs"]

_MOST = 1000  # runs of one file


@dataclass(frozen=True, slots=True)
class Point:
    """One combination of the values of a sweep: its name, empty if there is no sweep, and the experiment."""

    name: str
    experiment: Experiment


@dataclass(frozen=True, slots=True)
class Study:
    """The points of an experiment file and the seeds that each is run with."""

    name: str
    points: tuple[Point, ...]
    seeds: tuple[int, ...]

    @property
    def single(self) -> bool:
        """Whether this is one experiment with one seed."""
        return len(self.points) == len(self.seeds) == 1

    def runs(self, point: Point) -> Iterator[tuple[str, Experiment]]:
        """(folder, experiment) of each run of a point; the folder is empty for a single run."""
        for seed in self.seeds:
            seeded = replace(point.experiment, training=replace(point.experiment.training, seed=seed))
            parts = [point.name] if point.name else []
            parts += [f"seed{seed}"] if len(self.seeds) > 1 else []
            yield "/".join(parts), seeded


def read_study(path: Path, settings: Iterable[str] = ()) -> Study:
    """Read an experiment file that may have `seeds` and a table [sweep]; `settings` change keys of all runs."""
    experiment, extra = parse_experiment(path, ("seeds", "sweep"))
    base = with_settings(experiment, settings)
    seeds = extra.get("seeds", [base.training.seed])
    if not isinstance(seeds, list) or not seeds or any(type(seed) is not int for seed in seeds):
        raise ExperimentError(path, 0, "seeds must be a list of whole numbers")
    sweep = dict(_keys(extra.get("sweep", {})))
    if any(not key or not isinstance(values, list) or not values for key, values in sweep.items()):
        raise ExperimentError(path, 0, '[sweep] has lines like "model.state" = [128, 256]')
    points = tuple(_points(base, sweep))
    if len(points) * len(seeds) > _MOST:
        raise ExperimentError(path, 0, f"{len(points) * len(seeds):,} runs are more than {_MOST:,}")
    return Study(base.name, points, tuple(dict.fromkeys(seeds)))


def _keys(table: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """`"model.state" = [1]` and `model.state = [1]` are the same here."""
    if not isinstance(table, dict):
        yield prefix, table
        return
    for key, value in table.items():
        yield from _keys(value, f"{prefix}.{key}" if prefix else key)


def _points(base: Experiment, sweep: Mapping[str, list[Any]]) -> Iterator[Point]:
    for values in itertools.product(*sweep.values()):
        chosen = [(key, _toml(value)) for key, value in zip(sweep, values, strict=True)]
        name = "-".join(key.rsplit(".", 1)[-1] + re.sub(r"[^\w.+-]+", "_", text) for key, text in chosen)
        yield Point(name, with_settings(base, [f"{key}={text}" for key, text in chosen]))


def _toml(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def summarise_runs(
    figures: Mapping[Any, Mapping[str, Mapping[str, Any]]], names: Sequence[str], by: str = "runs"
) -> dict[str, dict[str, dict[str, Any]]]:
    """Of every figure in every row: mean, deviation and the value of each run; figures nobody has are left out."""
    summary: dict[str, dict[str, dict[str, Any]]] = {}
    for row in next(iter(figures.values()), {}):
        for name in names:
            cells = {run: rows[row].get(name) for run, rows in figures.items() if row in rows}
            values = {run: float(value) for run, value in cells.items() if value is not None}
            if values:
                summary.setdefault(row, {})[name] = {
                    "mean": statistics.mean(values.values()),
                    "deviation": statistics.stdev(values.values()) if len(values) > 1 else 0.0,
                    by: values,
                }
    return summary
