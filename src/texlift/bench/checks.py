"""Equations of the corpus given to the check, and those that hold again, broken on purpose.

Verdicts are kept in a log (`TEXLIFT_BENCH_LOG`, default in the temporary folder) and reused for equal formulae as long
as the sources of the package do not change, so a run that was stopped goes on where it was.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from texlift.bench.figure import Figure
from texlift.bench.mutation import Mutation, mutations, shown_wrong
from texlift.verify import TRUE, Task, check_all

if TYPE_CHECKING:
    from texlift.bench.compute import Equation, Tell

__all__ = ["checks"]

SECONDS = 5.0
_AT_ONCE = 20  # equations checked before the checkable ones are counted


def checks(rows: list[Equation], wanted: int, broken: int, tell: Tell | None = None) -> Iterator[Figure]:
    """Check rows until `wanted` of them were checkable (0: all), then break `broken` of those that hold."""
    log = _Log()
    verdicts: list[dict[str, Any]] = []
    checkable = 0
    while len(verdicts) < len(rows) and (not wanted or checkable < wanted):
        batch = rows[len(verdicts) : len(verdicts) + _AT_ONCE]
        for verdict in log.checked([row.task() for row in batch]):
            if not wanted or checkable < wanted:
                verdicts.append(verdict)
                checkable += verdict["checkable"]
        if tell:
            tell("checking", checkable, wanted or len(rows))
    checked = rows[: len(verdicts)]
    yield from _verdict_figures(verdicts)
    yield from _broken_figures(checked, verdicts, broken, log, tell)


class _Log:
    """Verdicts that were found before, by formula and constraints."""

    def __init__(self) -> None:
        default = Path(tempfile.gettempdir()) / f"texlift-checks-{_fingerprint()}.jsonl"
        self.path = Path(os.environ.get("TEXLIFT_BENCH_LOG", default))
        self.known: dict[str, dict[str, Any]] = {}
        if self.path.exists():
            with self.path.open(encoding="utf-8") as lines:
                for line in lines:
                    entry = json.loads(line)
                    self.known[entry["key"]] = entry["verdict"]

    def checked(self, tasks: list[Task]) -> list[dict[str, Any]]:
        """Verdicts of all tasks, from the log where it has them."""
        keys = [json.dumps([task.semantic, task.constraints]) for task in tasks]
        missing = {key: task for key, task in zip(keys, tasks, strict=True) if key not in self.known}
        jobs = int(os.environ.get("TEXLIFT_BENCH_JOBS", "1"))
        with self.path.open("a", encoding="utf-8") as log:
            verdicts = check_all(iter(missing.values()), SECONDS, jobs)
            for key, verdict in zip(missing, verdicts, strict=True):
                self.known[key] = verdict.as_dict()
                log.write(json.dumps({"key": key, "verdict": self.known[key]}, ensure_ascii=False) + "\n")
                log.flush()
        return [self.known[key] for key in keys]


def _fingerprint() -> str:
    """A hash of the sources that decide on verdicts."""
    folder = Path(__file__).resolve().parent.parent
    digest = hashlib.sha256()
    for part in ("targets", "verify", "meaning"):
        for path in sorted(folder.glob(f"{part}/**/*")):
            if path.suffix in (".py", ".json"):
                digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _verdict_figures(verdicts: list[dict[str, Any]]) -> Iterator[Figure]:
    checkable = [v for v in verdicts if v["checkable"]]
    counts = Counter(v["verdict"] for v in checkable)
    total = max(1, len(checkable))
    yield Figure("checked", len(verdicts), "", "", "equations outside fold 0, drawn at random")
    yield Figure("checkable", len(checkable), "", "", "state an equation or inequality between defined things")
    true = counts["verified"] + counts["proved"]
    yield Figure("true_percent", round(100 * true / total, 2), "%", ">= 75", "verified or proved, of the checkable")
    yield Figure(
        "proved_percent", round(100 * counts["proved"] / max(1, true), 2), "%", ">= 25", "of the verified or proved"
    )
    yield Figure("refuted_percent", round(100 * counts["refuted"] / total, 2), "%", "<= 0.5", "of the checkable")
    yield Figure("undecided_percent", round(100 * counts["undecided"] / total, 2), "%", "", "of the checkable")


def _broken_figures(
    rows: list[Equation], verdicts: list[dict[str, Any]], wanted: int, log: _Log, tell: Tell | None
) -> Iterator[Figure]:
    true = [row for row, verdict in zip(rows, verdicts, strict=True) if verdict["verdict"] in TRUE]
    candidates: dict[str, tuple[Equation, Mutation]] = {}
    for seed in (5, 6):  # the second one only where the first gives too few
        fresh = [(row, mutation) for row in true for mutation in mutations(row.semantic, seed)]
        random.Random(5).shuffle(fresh)
        for row, mutation in fresh:
            candidates.setdefault(mutation.semantic, (row, mutation))
    found: list[dict[str, Any]] = []
    kinds: Counter[str] = Counter()
    unshown = 0
    for row, mutation in candidates.values():
        if wanted and len(found) == wanted:
            break
        if shown_wrong(row.semantic, mutation.semantic, row.constraints, dict(row.symbols)):
            found += log.checked([row.task(mutation.semantic)])
            kinds[mutation.kind] += 1
        else:
            unshown += 1
        if tell:
            tell("checking broken ones", len(found), wanted or len(candidates))
    caught = sum(v["verdict"] == "refuted" for v in found)
    passed = sum(v["verdict"] in TRUE for v in found)
    total = max(1, len(found))
    note = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
    yield Figure("broken", len(found), "", "", note)
    yield Figure("broken_not_shown", unshown, "", "", "not shown to be wrong, left out")
    yield Figure("broken_caught_percent", round(100 * caught / total, 2), "%", ">= 99", "refuted")
    yield Figure(
        "broken_passed_percent", round(100 * passed / total, 2), "%", "<= 0", "verified or proved all the same"
    )
