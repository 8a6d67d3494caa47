"""Fuzzing: hostile input for all commands and endpoints, in this process, for as long as one likes.

What must hold: no crash and no internal error, an answer for each input, none of which takes more than two seconds,
answers that expand back, answers to other formulae that stay the same, memory that stays below its ceiling. What breaks
a promise is made as small as possible and kept.
"""

from __future__ import annotations

import gc
import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from texlift.bench.figure import Figure
from texlift.bench.hostile import Hostile
from texlift.bench.surfaces import Command, Surface, surfaces
from texlift.corpus.demo import demo_pairs
from texlift.corpus.jsonl import write_text
from texlift.errors import TexliftError

__all__ = ["SLOWEST", "Case", "Report", "fuzz", "minimised", "read_cases", "write_cases"]

SLOWEST = 2.0
"""Seconds of processor time for one input."""
CEILING = 600.0
"""Megabytes of this process."""

_PROBES = 60  # formulae whose answers must not change
_EVERY = 4_000  # inputs between two looks at memory and probes
_TRIES = 300  # runs to make a case smaller
_MOST_KEPT = 200  # of one run: the same defect is found again and again


@dataclass(frozen=True, slots=True)
class Case:
    """An input that broke a promise: where it went in, and what went wrong."""

    surface: str
    text: str
    trouble: str

    @property
    def kind(self) -> tuple[str, str]:
        """Cases of one kind are taken for the same defect."""
        return self.surface.split(" --")[0].split(" /")[0], self.trouble[:60]


@dataclass(slots=True)
class Report:
    """What was tried and what was found."""

    inputs: Counter[str] = field(default_factory=Counter)
    cases: list[Case] = field(default_factory=list)
    slowest: float = 0.0
    peak: float = 0.0

    def figures(self) -> list[Figure]:
        """The figures of `texlift bench fuzz`."""
        total = self.inputs.total()
        where = ", ".join(f"{name} {count:,}" for name, count in self.inputs.most_common(4))
        return [
            Figure("fuzz_inputs", total, "", "", f"{len(self.inputs)} surfaces: {where}, ..."),
            Figure(
                "fuzz_broken_promises",
                len(self.cases),
                "",
                "<= 0",
                "; ".join(sorted({c.trouble[:60] for c in self.cases})),
            ),
            Figure("fuzz_slowest_seconds", self.slowest, "s", f"<= {SLOWEST}", "processor time, one input"),
            Figure("fuzz_peak_mb", self.peak, "MB", f"<= {CEILING}", "grown since the start"),
        ]


def fuzz(
    command: Command,
    minutes: float,
    seed: int,
    known: Sequence[Case] = (),
    tell: Callable[[Report], None] | None = None,
    most: int = 0,
) -> Report:
    """Feed hostile input for some minutes (or `most` inputs); the same seed gives the same input in the same order."""
    before = _memory()  # of a caller who has other things in memory
    ways = list(surfaces(command))
    hostile = Hostile(seed, [case.text for case in known])
    report = Report()
    probes = _probed(command)
    seen: set[tuple[str, str]] = set()
    end = time.monotonic() + 60 * minutes
    looked = 0
    while time.monotonic() < end and not (most and report.inputs.total() >= most):
        way = hostile.rng.choices(ways, [way.share for way in ways])[0]
        inputs = [way.make(hostile) for _ in range(way.many)]
        for text, trouble in zip(inputs, _timed(way, inputs, report), strict=True):
            case = Case(way.name, text, trouble)
            if trouble and case.kind not in seen and len(report.cases) < _MOST_KEPT:
                seen.add(case.kind)
                report.cases.append(minimised(case, way))
        report.inputs[way.name] += len(inputs)
        if report.inputs.total() - looked >= _EVERY:
            looked = report.inputs.total()
            _look(report, command, probes, inputs, before)
            if tell:
                tell(report)
    _look(report, command, probes, [], before)
    return report


def _timed(way: Surface, inputs: Sequence[str], report: Report) -> list[str]:
    """What went wrong with each input, also that it took too long."""
    start = time.process_time()
    troubles = way.run(inputs)
    spent = time.process_time() - start
    if spent <= SLOWEST or way.name == "check":
        report.slowest = max(report.slowest, spent / len(inputs) if way.name == "check" else min(spent, SLOWEST))
        return troubles
    longest = sorted(range(len(inputs)), key=lambda index: -len(inputs[index]))
    for index in longest if spent > 4 * SLOWEST else longest[:4]:  # which of them was it?
        spent = _seconds(way, inputs[index])
        report.slowest = max(report.slowest, spent)
        if spent > SLOWEST and not troubles[index]:
            troubles[index] = f"slow: more than {SLOWEST:g} s"
    return troubles


def _seconds(way: Surface, text: str) -> float:
    """Processor time of one input by a translator that remembers nothing of it."""
    from texlift.translate.translator import load

    load.cache_clear()
    load()
    start = time.process_time()
    way.run([text])
    return time.process_time() - start


def _probed(command: Command) -> str:
    """The answers to formulae that everything else must leave alone."""
    lines = [json.dumps({"latex": pair.generic}) for pair in demo_pairs()[:_PROBES]]
    lines += [json.dumps({"latex": latex}) for latex in (r"\int{\rm d}x", r"A^{\rm T}", r"{\rm e}^x")]
    return command(["translate", "--jsonl"], "\n".join(lines).encode()).output


def _look(report: Report, command: Command, probes: str, last: Sequence[str], before: float) -> None:
    gc.collect()
    memory = _memory() - before
    if memory > CEILING >= report.peak:
        report.cases.append(Case("process", "\n".join(last), f"memory: {memory:.0f} MB"))
    report.peak = max(report.peak, memory)
    if _probed(command) != probes and not any(case.trouble.startswith("state") for case in report.cases):
        report.cases.append(Case("process", "\n".join(last), "state: answers to other formulae changed"))


def _memory() -> float:
    """Resident megabytes of this process; 0 where the system does not tell."""
    try:
        return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * 4096 / 1e6
    except (OSError, ValueError, IndexError):
        return 0.0


def minimised(case: Case, way: Surface) -> Case:
    """The case with a text from which nothing can be left out: pieces of half, a quarter, ... its length are tried."""

    def breaks(text: str) -> bool:
        if case.trouble.startswith("slow"):
            return _seconds(way, text) > SLOWEST
        return Case(way.name, text, way.run([text])[0]).kind == case.kind

    text, size, tries = case.text, len(case.text) // 2, 0
    most = _TRIES if not case.trouble.startswith("slow") else 10
    while size and tries < most:
        start = 0
        while start < len(text) and tries < most:
            shorter = text[:start] + text[start + size :]
            tries += 1
            if breaks(shorter):
                text = shorter
            else:
                start += size
        size //= 2
    return Case(case.surface, text, case.trouble)


def read_cases(path: Path) -> list[Case]:
    """The cases of a file, one a line; none if there is no file."""
    if not path.exists():
        return []
    try:
        return [Case(**json.loads(line)) for line in path.read_text("utf-8").splitlines() if line.strip()]
    except (OSError, ValueError, TypeError) as error:
        raise TexliftError(f"{path} is not a file of cases: {error}") from None


def write_cases(path: Path, cases: Iterable[Case]) -> None:
    """All cases, each once, in the order given."""
    lines = [json.dumps({"surface": c.surface, "text": c.text, "trouble": c.trouble}) for c in dict.fromkeys(cases)]
    write_text(path, [line + "\n" for line in lines])
