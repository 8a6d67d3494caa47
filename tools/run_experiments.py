"""Run a queue of experiments one after another, and go on where it stopped when called again.

    python tools/run_experiments.py                       # all of tools/experiment_queue.toml
    python tools/run_experiments.py --workers 2           # two at a time, one core each
    python tools/run_experiments.py --list                # what is done, what is left, how long it will take
    python tools/run_experiments.py --only plain attention

A job is one fold of an experiment, or any other command of texlift. Runs with their weights go to `--runs`; figures and
histories, with command, seed, fold and times (`run.json`), are copied to `--results`. A job with a `run.json` is done;
remove it to run the job again. A job that was killed goes on at its last checkpoint; one that fails is logged and left.
"""

from __future__ import annotations

import argparse
import fcntl
import itertools
import json
import logging
import os
import re
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

ROOT = Path(__file__).parents[1]
KEPT = ("figures.json", "history.jsonl")
_TEXLIFT = [sys.executable, "-m", "texlift.cli"]
logger = logging.getLogger("experiments")


@dataclass(frozen=True)
class Item:
    """One entry of the queue: an experiment file with folds, or a command, with `{KEY}` for values of the grid."""

    name: str
    minutes: float
    """Of one job, estimated."""
    file: str = ""
    folds: tuple[int, ...] = ()
    settings: tuple[str, ...] = ()
    command: tuple[str, ...] = ()

    @classmethod
    def of(cls, record: dict[str, Any]) -> Iterator[Item]:
        """The items of an entry: one, or one for each point of its grid."""
        first, _, last = str(record.get("folds", "")).partition("-")
        folds = tuple(range(int(first), int(last or first) + 1)) if first else ()
        name, file, command = str(record["name"]), str(record.get("file", "")), record.get("command", [])
        if not re.fullmatch(r"[\w.-]+", name) or bool(file) != bool(folds) or bool(file) == bool(command):
            raise SystemExit(f"queue: {name!r} must be a plain name, and have either a file with folds or a command")
        grid: dict[str, list[Any]] = record.get("grid", {})
        for values in itertools.product(*grid.values()):
            point = {key: _toml(value) for key, value in zip(grid, values, strict=True)}
            full = "-".join((name, *(key.rsplit(".", 1)[-1] + value for key, value in point.items())))
            settings = (*map(str, record.get("set", ())), *(f"{key}={value}" for key, value in point.items()))
            arguments = tuple(point.get(str(part).strip("{}"), str(part)) for part in command)
            yield cls(full, float(record["minutes"]), file, folds, () if command else settings, arguments)

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
        return crossval(self.item, runs, str(self.fold))


def crossval(item: Item, runs: Path, folds: str) -> list[str]:
    """The cross-validation of an item over some folds."""
    command = ["crossval", "experiment", item.file, "--out", str(runs / item.name), "--folds", folds]
    for setting in item.settings:
        command += ["--set", setting]
    return command


def _toml(value: Any) -> str:
    return json.dumps(value) if not isinstance(value, str) else value


class Driver:
    """Works through jobs; `stopping` is set by a signal, and the children are then asked to end."""

    def __init__(self, runs: Path, results: Path) -> None:
        self.runs = runs
        self.results = results
        self.stopping = threading.Event()

    def done(self, job: Job) -> bool:
        return (self.results / job.name / "run.json").is_file()

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
        folder.mkdir(parents=True, exist_ok=True)
        record: dict[str, Any] = {"command": "texlift " + " ".join(self.public(command)), "fold": job.fold}
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
        """Mean and deviation over the folds of an item that are all done."""
        if not item.folds or not all(map(self.done, item.jobs())):
            return
        target = self.results / item.name / "summary.json"
        if target.is_file() or self.stopping.is_set():
            return
        folds = ",".join(map(str, item.folds))
        finished = subprocess.run(
            [*_TEXLIFT, *crossval(item, self.runs, folds)], cwd=ROOT, capture_output=True, check=False
        )
        if finished.returncode:
            logger.error("%s: no summary: %s", item.name, finished.stderr.decode()[-300:])
            return
        shutil.copyfile(self.runs / item.name / "summary.json", target)


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
    options = parser.parse_args()
    driver = Driver(options.runs.resolve(), options.results.resolve())
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
        futures = [pool.submit(driver.run, job) for item in items for job in item.jobs()]
        for future in futures:
            while not future.done():  # signals are handled between waits
                time.sleep(0.2)
            future.result()
    for item in items:
        driver.summarise(item)


if __name__ == "__main__":
    main()
