"""Change a module in many small ways and see whether the tests notice.

    python tools/mutate.py certificate                        a target of tools/mutate.toml
    python tools/mutate.py src/texlift/grammar/certificate.py --tests tests/promises/test_certificate.py

Each mutant runs in a process of its own, forked before anything is imported that uses the module; no file is
changed. The tests run the fastest first, those that noticed other mutants before, and stop at the first failure.
Results are kept in a log of JSON lines, so that a run that was stopped goes on where it was; a change of the module or
of the tests makes them void, unless a mutant was noticed by a test that is still there. `tools/mutate.toml` says which
tests belong to which module, and which mutants change nothing that a user could notice, with the reason. The exit code
is 1 if any other mutant survives.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import random
import resource
import signal
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from mutants import Mutant, mutants

ROOT = Path(__file__).parents[1]
CONFIGURATION = Path(__file__).with_name("mutate.toml")
SURVIVED, KILLED, TIMEOUT = "survived", "killed", "timeout"
_GRACE = 15.0  # seconds of processor time on top of three times what all tests need
_CLOCK = 12.0  # times that on the clock
_MEMORY = 6_000_000_000


@dataclass(frozen=True, slots=True)
class Target:
    """A module, the tests that are to notice its mutants, and those mutants that need not be noticed."""

    path: Path
    tests: tuple[str, ...]
    slow: tuple[str, ...] = ()  # tests that only run if all others pass
    equivalent: tuple[dict[str, Any], ...] = ()
    warm: tuple[str, ...] = ()

    @property
    def module(self) -> str:
        parts = self.path.resolve().with_suffix("").parts
        return ".".join(parts[parts.index("src") + 1 :])


@dataclass(slots=True)
class Tests:
    """What is known about the tests: seconds of each, and how many mutants each has noticed."""

    seconds: dict[str, float] = field(default_factory=dict)
    kills: Counter[str] = field(default_factory=Counter)


class _Finder(importlib.abc.MetaPathFinder):
    """Finds one module in another file."""

    def __init__(self, name: str, path: str) -> None:
        self.name, self.path = name, path

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        return importlib.util.spec_from_file_location(fullname, self.path) if fullname == self.name else None


class _Plugin:
    """Orders the tests and writes down how they went."""

    def __init__(self, tests: Tests) -> None:
        self.tests = tests
        self.seconds: dict[str, float] = {}
        self.failed: list[str] = []

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        items.sort(key=lambda item: (-self.tests.kills[item.nodeid], self.tests.seconds.get(item.nodeid, 0.0)))

    def pytest_runtest_logreport(self, report: Any) -> None:
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0.0) + report.duration
        if report.failed:
            self.failed.append(report.nodeid)

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self.failed.append(report.nodeid)


def _child(target: Target, source: str | None, tests: Tests, seconds: float, folder: Path) -> None:
    """Run the tests with the module's source replaced; the outcome is written into the folder."""
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    os.setsid()
    if seconds:
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    if source is not None:
        path = folder / f"{target.module}.py"
        path.write_text(source, "utf-8")
        sys.meta_path.insert(0, _Finder(target.module, str(path)))
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # loading them takes longer than most tests
    import pytest

    plugin = _Plugin(tests)
    once = ["-x"] if source is not None else []
    code = 0
    for some in (target.tests, target.slow):
        if some and not code:
            code = int(pytest.main(["-q", "-p", "no:cacheprovider", *once, *some], plugins=[plugin]))
    (folder / "outcome.json").write_text(json.dumps([code, plugin.failed, plugin.seconds]), "utf-8")


def _fork(target: Target, source: str | None, tests: Tests, seconds: float, folder: Path) -> int:
    process = os.fork()
    if process:
        return process
    try:
        _child(target, source, tests, seconds, folder)
    finally:
        os._exit(0)


@dataclass(slots=True)
class _Running:
    process: int
    mutant: Mutant
    folder: tempfile.TemporaryDirectory[str]
    started: float

    def outcome(self, seconds: float) -> tuple[str, str] | None:
        """How it went and which test noticed; None while it runs."""
        done, _ = os.waitpid(self.process, os.WNOHANG)
        if not done:
            if time.monotonic() - self.started < _CLOCK * seconds:
                return None
            os.killpg(self.process, signal.SIGKILL)
            os.waitpid(self.process, 0)
        path = Path(self.folder.name) / "outcome.json"
        result = (TIMEOUT, "")
        if path.exists():
            code, failed, _ = json.loads(path.read_text("utf-8"))
            result = (SURVIVED, "") if code == 0 else (KILLED, failed[0] if failed else "")
        self.folder.cleanup()
        return result


def warm_up(target: Target) -> None:
    """Load what the tests need and what does not depend on the module, before the processes part."""
    for name in target.warm:
        module, _, function = name.partition(":")
        loaded = importlib.import_module(module)
        if function:
            getattr(loaded, function)()
    if target.module in sys.modules:
        sys.exit(f"{CONFIGURATION.name}: one of {', '.join(target.warm)} imports {target.module}, the module to mutate")


def baseline(target: Target) -> Tests:
    """The tests without a mutant; ends the program if one fails."""
    with tempfile.TemporaryDirectory() as folder:
        os.waitpid(_fork(target, None, Tests(), 0, Path(folder)), 0)
        path = Path(folder) / "outcome.json"
        code, failed, seconds = json.loads(path.read_text("utf-8")) if path.exists() else (-1, ["no outcome"], {})
    if code:
        sys.exit(f"the tests fail without a mutant: {', '.join(failed) or f'pytest ends with {code}'}")
    return Tests(seconds)


def run(target: Target, chosen: list[Mutant], log: Path, jobs: int) -> dict[str, str]:
    """Outcomes by the key of the mutant; those in the log are not run again."""
    stamp = _stamp(target)
    known = _logged(log, stamp)
    waiting = [mutant for mutant in chosen if _key(mutant) not in known]
    outcomes = {_key(mutant): known[_key(mutant)] for mutant in chosen if _key(mutant) in known}
    if not waiting:
        return outcomes
    warm_up(target)
    tests = baseline(target)
    tests.kills.update(_killers(log))
    seconds = 3 * sum(tests.seconds.values()) + _GRACE
    _tell(f"{len(tests.seconds)} tests take {sum(tests.seconds.values()):.1f} s; {len(waiting)} mutants to run")
    running: list[_Running] = []
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("a", encoding="utf-8") as out:
        while waiting or running:
            while waiting and len(running) < jobs:
                mutant, folder = waiting.pop(0), tempfile.TemporaryDirectory()
                process = _fork(target, mutant.source, tests, seconds, Path(folder.name))
                running.append(_Running(process, mutant, folder, time.monotonic()))
            time.sleep(0.02)
            for one in list(running):
                result = one.outcome(seconds)
                if result is None:
                    continue
                running.remove(one)
                outcome, killer = result
                tests.kills[killer] += 1
                key = _key(one.mutant)
                outcomes[key] = outcome
                record = {"stamp": stamp, "key": key, "outcome": outcome, "by": killer, "line": one.mutant.line}
                out.write(json.dumps(record | {"was": one.mutant.was, "now": one.mutant.now}) + "\n")
                out.flush()
    return outcomes


def _key(mutant: Mutant) -> str:
    return hashlib.sha256(mutant.source.encode()).hexdigest()[:16]


def _stamp(target: Target) -> str:
    """Changes with the tests; the module itself is in the key of each mutant."""
    found = hashlib.sha256()
    for name in (*target.tests, *target.slow):
        path = ROOT / name.partition("::")[0]
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            found.update(file.read_bytes())
        found.update(name.encode())
    return found.hexdigest()[:16]


def _logged(log: Path, stamp: str) -> dict[str, str]:
    """What is known of mutants: who survived the tests of today, who was noticed by a test that is still there."""
    records = [json.loads(line) for line in log.read_text("utf-8").splitlines()] if log.exists() else []
    return {
        record["key"]: record["outcome"]
        for record in records
        if record["stamp"] == stamp or (record["outcome"] == KILLED and _exists(record["by"]))
    }


@cache
def _exists(test: str) -> bool:
    name, _, function = test.partition("::")
    path = ROOT / name
    return path.is_file() and f"def {function.partition('[')[0]}(" in path.read_text("utf-8")


def _killers(log: Path) -> list[str]:
    """The tests that noticed mutants before."""
    return [json.loads(line)["by"] for line in log.read_text("utf-8").splitlines()] if log.exists() else []


def _shown(target: Target, mutant: Mutant) -> str:
    where = f"{target.path}:{mutant.line} {mutant.function} ({mutant.operator})"
    return f"{where}\n  - {mutant.was}\n  + {mutant.now}"


def _reason(target: Target, mutant: Mutant) -> str:
    """Why a mutant changes nothing that a user could notice, if somebody has said so."""
    for entry in target.equivalent:
        same = entry["was"] == mutant.was and entry.get("function", mutant.function) == mutant.function
        if same and ("now" not in entry or mutant.now in entry["now"]):
            return str(entry["reason"])
    return ""


def report(target: Target, chosen: list[Mutant], outcomes: dict[str, str]) -> int:
    """Print what survived; the number of survivors without a reason."""
    survivors = [mutant for mutant in chosen if outcomes[_key(mutant)] == SURVIVED]
    explained = [mutant for mutant in survivors if _reason(target, mutant)]
    open_ones = [mutant for mutant in survivors if not _reason(target, mutant)]
    counts = Counter(outcomes[_key(mutant)] for mutant in chosen)
    for mutant in open_ones:
        _tell(_shown(target, mutant))
    _tell(
        f"{target.path}: {len(chosen)} mutants, {counts[KILLED]} noticed, {counts[TIMEOUT]} did not end, "
        f"{len(explained)} equivalent, {len(open_ones)} survived"
    )
    return len(open_ones)


def _tell(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def targets(name: str, tests: Sequence[str]) -> list[Target]:
    """What to mutate: targets of the configuration by name or path, or a module with the tests given."""
    entries = tomllib.loads(CONFIGURATION.read_text("utf-8"))["target"]
    found = [
        Target(
            Path(path),
            tuple(tests or entry["tests"]),
            () if tests else tuple(entry.get("slow", ())),
            tuple(entry.get("equivalent", ())),
            tuple(entry.get("warm", ())),
        )
        for title, entry in entries.items()
        for path in entry["modules"]
        if name in (title, path, "all") and (ROOT / path).exists()
    ]
    if not found and Path(name).exists() and tests:
        found = [Target(Path(name), tuple(tests))]
    if not found:
        sys.exit(f"{name} is no target of {CONFIGURATION.name} ({', '.join(entries)}), nor a module with --tests")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", help="a target of tools/mutate.toml, a module, or all")
    parser.add_argument("--tests", nargs="+", default=(), help="test files, folders or single tests")
    parser.add_argument("--jobs", type=int, default=1, help="processes at a time")
    parser.add_argument("--limit", type=int, default=0, help="so many mutants, drawn at random")
    parser.add_argument("--seed", type=int, default=1, help="of that draw")
    parser.add_argument("--log", type=Path, default=None, help="JSON lines; default build/mutants/MODULE.jsonl")
    options = parser.parse_args()
    os.chdir(ROOT)
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    import hypothesis  # noqa: F401  what every process needs is imported once
    import numpy  # noqa: F401
    import pytest  # noqa: F401

    survived = 0
    for target in targets(options.target, options.tests):
        every = mutants(target.path.read_text("utf-8"))
        some = random.Random(options.seed).sample(every, min(options.limit, len(every))) if options.limit else every
        chosen = sorted(some, key=lambda mutant: mutant.line)
        log = options.log or Path("build/mutants") / f"{target.module}.jsonl"
        survived += report(target, chosen, run(target, chosen, log, options.jobs))
    return 1 if survived else 0


if __name__ == "__main__":
    raise SystemExit(main())
