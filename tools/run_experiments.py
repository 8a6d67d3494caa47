"""Run a queue of experiments one after another, and go on where it stopped when called again.

    python tools/run_experiments.py                       # all of tools/experiment_queue.toml
    python tools/run_experiments.py --workers 2           # two at a time, one core each
    python tools/run_experiments.py --list                # what is done, what is left, how long it will take
    python tools/run_experiments.py --only plain attention

A job is one fold of an experiment, or any other command of texlift. Runs with their weights go to `--runs`; figures and
histories, with command, seed, fold and times (`run.json`), are copied to `--results`, and committed with `--commit`, so
that another machine goes on where this one stopped. A job is done if its `run.json` is there and was made with the same
configuration: after a change of settings it runs again, after a change of comments it does not. A job that was killed
goes on at its last checkpoint; one that fails is logged and left.
"""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import itertools
import json
import logging
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from texlift_paper.cli.figures_table import NAMES, TEXT_NAMES
from texlift_paper.training.experiment import Experiment
from texlift_paper.training.study import read_study, summarise_runs

ROOT = Path(__file__).parents[1]
KEPT = ("figures.json", "history.jsonl")
_TEXLIFT = [sys.executable, "-m", "texlift.cli"]
logger = logging.getLogger("experiments")


@dataclass(frozen=True)
class Item:
    """One entry of the queue: an experiment file with folds, or a command, with `{KEY}` for values of the grid."""

    name: str
    entry: str
    """The entry of the queue that it belongs to; the points of a grid share one."""
    minutes: float
    """Of one job, estimated."""
    file: str = ""
    folds: tuple[int, ...] = ()
    settings: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    free: bool = True
    """Whether the network also grows its own trees, which takes a minute or two."""

    @classmethod
    def of(cls, record: dict[str, Any]) -> Iterator[Item]:
        """The items of an entry: one, or one for each point of its grid."""
        folds = tuple(_folds(str(record.get("folds", ""))))
        name, file, command = str(record["name"]), str(record.get("file", "")), record.get("command", [])
        if not re.fullmatch(r"[\w.-]+", name) or bool(file) != bool(folds) or bool(file) == bool(command):
            raise SystemExit(f"queue: {name!r} must be a plain name, and have either a file with folds or a command")
        grid: dict[str, list[Any]] = record.get("grid", {})
        for values in itertools.product(*grid.values()):
            point = {key: _toml(value) for key, value in zip(grid, values, strict=True)}
            full = "-".join((name, *(key.rsplit(".", 1)[-1] + value for key, value in point.items())))
            settings = (*map(str, record.get("set", ())), *(f"{key}={value}" for key, value in point.items()))
            arguments = tuple(point.get(str(part).strip("{}"), str(part)) for part in command)
            free = bool(record.get("free", True))
            yield cls(full, name, float(record["minutes"]), file, folds, () if command else settings, arguments, free)

    def jobs(self) -> Iterator[Job]:
        if self.command:
            yield Job(self, None)
        for fold in self.folds:
            yield Job(self, fold)


@dataclass(frozen=True)
class Job:
    """One fold of an item, or its command."""

    item: Item
    fold: int | None

    @property
    def name(self) -> str:
        return self.item.name if self.fold is None else f"{self.item.name}/fold{self.fold}"

    def command(self, runs: Path) -> list[str]:
        """The arguments of texlift."""
        if self.item.command:
            return list(self.item.command)
        item = self.item
        command = ["crossval", "experiment", item.file, "--out", str(runs / item.name), "--folds", str(self.fold)]
        for setting in item.settings:
            command += ["--set", setting]
        return command if item.free else [*command, "--no-free-running"]

    def configuration(self) -> str:
        """A digest of everything that decides what the job finds, but the code.

        Settings that have their default are no part of it: a new setting does not make old results stale.
        """
        if self.item.command:
            content: Any = self.item.command
        else:
            study = read_study(ROOT / self.item.file, self.item.settings)
            changed = [changes(point.experiment.as_dict()) for point in study.points]
            content = [changed, list(study.seeds), self.fold, self.item.free]
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]


def changes(record: dict[str, Any]) -> dict[str, Any]:
    """The settings of an experiment that are not the default, by `section.key`."""
    found: dict[str, Any] = {}
    for section, default in Experiment().as_dict().items():
        value = record[section]
        if isinstance(default, dict):
            found |= {f"{section}.{key}": value[key] for key in default if value[key] != default[key]}
        elif section != "name" and value != default:
            found[section] = value
    return found


def in_order(items: list[Item]) -> list[Job]:
    """The first job of every entry, then the other jobs in turns: early on there is a figure for everything.

    Of an entry with a grid, all points with their first fold come before the second fold of any.
    """
    entries: dict[str, list[Item]] = {}
    for item in items:
        entries.setdefault(item.entry, []).append(item)
    rounds = itertools.zip_longest(*(_by_fold(some) for some in entries.values()))
    return [job for each in rounds for job in each if job is not None]


def _by_fold(items: list[Item]) -> list[Job]:
    return [job for each in itertools.zip_longest(*(item.jobs() for item in items)) for job in each if job is not None]


def _folds(text: str) -> Iterator[int]:
    """Folds in the order in which they are written: `1-9,0`."""
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def _toml(value: Any) -> str:
    return json.dumps(value) if not isinstance(value, str) else value


class Driver:
    """Works through jobs; `stopping` is set by a signal, and the children are then asked to end."""

    def __init__(self, runs: Path, results: Path, commit: bool = False) -> None:
        self.runs = runs
        self.results = results
        self.commit = commit
        self.stopping = threading.Event()

    def done(self, job: Job) -> bool:
        try:
            record = json.loads((self.results / job.name / "run.json").read_text("utf-8"))
        except (OSError, ValueError):
            return False
        return bool(record.get("configuration") == job.configuration())

    def run(self, job: Job) -> None:
        """Run one job to its end and keep what it found."""
        if self.stopping.is_set() or self.done(job):
            return
        state = self.runs / "state" / f"{job.name.replace('/', '-')}.json"
        state.parent.mkdir(parents=True, exist_ok=True)
        before = json.loads(state.read_text()) if state.is_file() else {"wall": 0.0, "processor": 0.0, "starts": 0}
        command = job.command(self.runs)
        logger.info("%s: %s (texlift %s)", job.name, "going on" if before["starts"] else "starting", " ".join(command))
        output = self.runs / "logs" / f"{job.name.replace('/', '-')}"
        code, spent = self.watch(command, output, state, before)
        if self.stopping.is_set():
            logger.info("%s: stopped after %.1f minutes", job.name, spent["wall"] / 60)
        elif code:
            logger.error("%s: failed with code %d, see %s.log", job.name, code, output)
        else:
            self.keep(job, command, spent, output)
            self.summarise(job.item)
            self.save(job)
            logger.info("%s: done in %.1f minutes", job.name, spent["wall"] / 60)

    def watch(
        self, command: list[str], output: Path, state: Path, before: dict[str, Any]
    ) -> tuple[int, dict[str, Any]]:
        """(exit code, times so far); times are written down while it runs, so that a kill does not lose them."""
        output.parent.mkdir(parents=True, exist_ok=True)
        began = time.monotonic()
        spent = before
        environment = {**os.environ, "OMP_NUM_THREADS": "1"}
        with open(f"{output}.out", "wb") as out, open(f"{output}.log", "ab") as log:  # noqa: PTH123
            child = subprocess.Popen([*_TEXLIFT, *command], stdout=out, stderr=log, cwd=ROOT, env=environment)
            processor = 0.0
            while child.poll() is None:
                processor = _processor_seconds(child.pid) or processor
                spent = {
                    "wall": before["wall"] + time.monotonic() - began,
                    "processor": before["processor"] + processor,
                    "starts": before["starts"] + 1,
                }
                state.write_text(json.dumps(spent))
                if self.stopping.wait(2):
                    child.terminate()
                    child.wait()
        return child.returncode, spent

    def keep(self, job: Job, command: list[str], spent: dict[str, Any], output: Path) -> None:
        """Copy figures and histories, and write down how they came about."""
        folder = self.results / job.name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        record: dict[str, Any] = {
            "command": "texlift " + shlex.join(self.public(command)),
            "fold": job.fold,
            "configuration": job.configuration(),
        }
        if job.fold is not None:
            run = self.runs / job.item.name / f"fold{job.fold}"
            for path in (path for name in KEPT for path in run.rglob(name)):
                target = folder / path.relative_to(run)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)
            experiment = json.loads((run / "experiment.json").read_text())
            record["seed"] = experiment["training"]["seed"]
            record["experiment"] = experiment
        else:
            shutil.copyfile(f"{output}.out", folder / "output.txt")
        record |= {
            "wall minutes": round(spent["wall"] / 60, 2),
            "processor minutes": round(spent["processor"] / 60, 2),
            "starts": spent["starts"],
            "commit": _commit(),
            "finished": time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime()),
        }
        (folder / "run.json").write_text(json.dumps(record, indent=2) + "\n")

    def public(self, command: list[str]) -> list[str]:
        """The command as anybody could call it: below the folder `runs`."""
        return [part.replace(str(self.runs), "runs") for part in command]

    def summarise(self, item: Item) -> None:
        """Mean and deviation over the folds of an item that are done so far."""
        done = [job for job in item.jobs() if job.fold is not None and self.done(job)]
        if len(item.folds) < 2 or not done:
            return
        figures = {
            job.fold: json.loads((self.results / job.name / "figures.json").read_text("utf-8"))["validation"]
            for job in done
        }
        summary = summarise_runs(figures, (*NAMES, *TEXT_NAMES), "folds")
        (self.results / item.name / "summary.json").write_text(json.dumps(summary, indent=2) + "\n", "utf-8")

    def save(self, job: Job) -> None:
        """Commit what a job found, and nothing else."""
        if not self.commit:
            return
        folder = str(self.results / job.item.name)
        steps = (["add", folder], ["commit", "--quiet", "-m", f"Result of {job.name}", "--only", "--", folder])
        for step in steps:
            for _ in range(5):  # somebody else may hold the index for a moment
                found = subprocess.run(["git", *step], cwd=ROOT, capture_output=True, check=False)
                if not found.returncode:
                    break
                time.sleep(2)
            else:
                logger.error("%s: not committed: %s", job.name, found.stderr.decode()[-300:])
                return


def _processor_seconds(pid: int) -> float:
    """Processor time of a process, where the system tells it."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except (OSError, IndexError):
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _commit() -> str:
    found = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, check=False)
    return found.stdout.decode().strip()


def read_queue(path: Path, only: list[str]) -> list[Item]:
    """The items in order; `only` names some of them, or beginnings of names."""
    items = [item for record in tomllib.loads(path.read_text("utf-8"))["item"] for item in Item.of(record)]
    names = [item.name for item in items]
    if len(set(names)) < len(names):
        raise SystemExit(f"{path}: names must differ; they are {', '.join(names)}")
    chosen = [item for item in items if not only or item.name.startswith(tuple(only))]
    if not chosen:
        raise SystemExit(f"{path}: no item is called {', '.join(only)}; there are {', '.join(names)}")
    return chosen


def show(items: list[Item], driver: Driver) -> None:
    """One line an item: jobs done, minutes left by the estimate."""
    total = 0.0
    for item in items:
        jobs = list(item.jobs())
        left = sum(not driver.done(job) for job in jobs)
        total += left * item.minutes
        sys.stdout.write(
            f"{item.name:28} {len(jobs) - left:2} of {len(jobs):2} done, {left * item.minutes:6.0f} min left\n"
        )
    sys.stdout.write(f"{total / 60:.1f} hours left for one worker\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--queue", type=Path, default=ROOT / "tools" / "experiment_queue.toml")
    parser.add_argument("--runs", type=Path, default=ROOT / "runs", help="folder for runs with weights, and logs")
    parser.add_argument("--results", type=Path, default=ROOT / "research" / "results")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--nice", type=int, default=10)
    parser.add_argument("--only", nargs="*", default=[], metavar="NAME")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--commit", action="store_true", help="commit the result of each job when it ends")
    options = parser.parse_args()
    driver = Driver(options.runs.resolve(), options.results.resolve(), options.commit)
    items = read_queue(options.queue, options.only)
    if options.list:
        show(items, driver)
        return
    driver.runs.mkdir(parents=True, exist_ok=True)
    lock = (driver.runs / ".lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise SystemExit(f"another driver works in {driver.runs}") from None
    os.nice(options.nice)
    handlers = (logging.FileHandler(driver.runs / "experiments.log"), logging.StreamHandler())
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", handlers=handlers)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: driver.stopping.set())
    with ThreadPoolExecutor(options.workers) as pool:
        futures = [pool.submit(driver.run, job) for job in in_order(items)]
        for future in futures:
            while not future.done():  # signals are handled between waits
                time.sleep(0.2)
            future.result()


if __name__ == "__main__":
    main()
