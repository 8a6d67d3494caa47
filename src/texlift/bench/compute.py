"""Conversion and numeric checks over the equations of the corpus, against the bars of the project.

"Translated" means that every function is mapped and the result runs: SymPy builds objects of it, or mpmath evaluates
it; Mathics3, Maxima, Python and XML parse it (`texlift.bench.runnable`).

Checks take long. By default a stratified sample is checked; `TEXLIFT_BENCH=full` checks all equations. Verdicts
are kept in a log (`TEXLIFT_BENCH_LOG`, default in the temporary folder) and reused for equal formulae as long as
the sources of the package do not change.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import random
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from texlift.bench.figure import Figure
from texlift.bench.mutation import Mutation, mutations, shown_wrong
from texlift.bench.runnable import built_by_sympy, evaluated_by_mpmath, parsed
from texlift.errors import FormulaError
from texlift.meaning.reader.reading import read
from texlift.meaning.tree import free_symbols
from texlift.targets import TARGETS, convert
from texlift.verify import TRUE, Task, check_all
from texlift.verify.surroundings import condition_before, conditions_said, letters_defined

__all__ = ["Equation", "equations", "measure"]

_log = logging.getLogger(__name__)
SAMPLE = 1000
BROKEN = 500
SECONDS = 5.0
PASSES = 3  # over all equations, of which the fastest counts: neighbours on the machine cost processor time, too
BARS = {
    "mathematica": 92,
    "maple": 90,
    "maxima": 78,
    "mathml": 98,
    "intent": 98,
    "mathjson": 95,
    "numpy": 0,
    "julia": 0,
}
"""Least share of equations that a target writes, in percent; 0 where none is set."""
_UNDEFINED = "it is kept as the undefined"  # what the warning says
_UNSEEN = r"\text{a condition in the sentence before}"  # which the data does not hold
_ELSEWHERE = "defined elsewhere, says the sentence"


@dataclass(frozen=True, slots=True)
class Equation:
    """A row of the corpus as far as checks need it."""

    id: str
    semantic: str
    constraints: tuple[str, ...]
    symbols: tuple[tuple[str, str], ...]

    def task(self, semantic: str = "") -> Task:
        return Task(semantic or self.semantic, self.constraints, dict(self.symbols), excerpt=True)


def equations(data: Path) -> list[Equation]:
    """The equations of `dlmf.jsonl`, each formula once."""
    found: dict[str, Equation] = {}
    with (data / "dlmf.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if row["kind"] != "equation" or row["semantic"] in found:
                continue
            constraints = tuple(c["semantic"] for c in row["constraints"])
            constraints += _said(row)
            symbols = tuple((s["semantic"], s["meaning"]) for s in row["symbols"] if r"\NVar" not in s["semantic"])
            sentence = (row.get("context") or {}).get("sentence") or ""
            symbols += tuple((name, _ELSEWHERE) for name in sorted(letters_defined(sentence)))
            found[row["semantic"]] = Equation(row["id"], row["semantic"], constraints, symbols)
    return list(found.values())


def _said(row: dict[str, Any]) -> tuple[str, ...]:
    """Conditions that the sentence of an equation states around it."""
    sentence = (row.get("context") or {}).get("sentence") or ""
    if "$" not in sentence:
        return ()
    try:
        names = {name for statement in read(row["semantic"]).statements for name in free_symbols(statement)}
    except FormulaError:
        return ()
    unseen = (_UNSEEN,) if names and condition_before(sentence) else ()
    return (*conditions_said(sentence, row["generic"], names), *unseen)


def measure(data: Path) -> list[Figure]:
    """All figures; see the module's text for what is run."""
    rows = equations(data)
    figures = list(_conversions(rows))
    full = os.environ.get("TEXLIFT_BENCH") == "full"
    # Shuffled, so that the log of a run that was stopped is a fair sample.
    chosen = random.Random(1).sample(rows, len(rows)) if full else _stratified(rows, SAMPLE)
    verdicts = _checked([row.task() for row in chosen])
    return [*figures, *_verdict_figures(chosen, verdicts, full), *_broken_figures(chosen, verdicts)]


# -- conversion ----------------------------------------------------------------------------------------


def _conversions(rows: list[Equation]) -> Iterator[Figure]:
    done: dict[str, set[int]] = {}
    undefined: dict[str, set[int]] = {"sympy": set(), "maxima": set()}
    judges: dict[str, str] = {}
    slowest = 1e9
    for target in TARGETS:
        convert("x", target)  # tables are read once
        codes: dict[int, str] = {}
        shortest = 1e9
        for _ in range(PASSES):
            started = time.process_time()
            for index, row in enumerate(rows):
                try:
                    made = convert(row.semantic, target)
                except FormulaError:
                    continue
                codes[index] = made.code
                if target in undefined and any(_UNDEFINED in warning for warning in made.warnings):
                    undefined[target].add(index)
            shortest = min(shortest, time.process_time() - started)
        slowest = min(slowest, len(rows) / shortest)
        done[target], judges[target] = parsed(codes, target)
        _log.info("%s: %d written, %d %s", target, len(codes), len(done[target]), judges[target])

    def share(indices: set[int]) -> float:
        return round(100 * len(indices) / len(rows), 2)

    built = {index for index in done["sympy"] if built_by_sympy(rows[index].semantic)}
    _log.info("SymPy: %d written, %d built", len(done["sympy"]), len(built))
    rest = done["mpmath"] - built
    evaluated = {index for index in rest if evaluated_by_mpmath(rows[index].semantic, rows[index].constraints)}
    yield Figure("equations", len(rows))
    note = "objects built by SymPy in 5 s, or else evaluated by mpmath in 5 s"
    yield Figure("translated_sympy_or_mpmath_percent", share(built | evaluated), "%", ">= 85", note)
    yield Figure("translated_sympy_percent", share(built), "%", "", f"built; {share(done['sympy'])} % parsed")
    yield Figure("translated_mpmath_percent", share(done["mpmath"]), "%", "", judges["mpmath"])
    for target, indices in undefined.items():
        note = "part of the figures above and below: statements with a relation that the system keeps undefined"
        yield Figure(f"undefined_relations_{target}_percent", share(indices & done[target]), "%", "", note)
    for target, bar in BARS.items():
        yield Figure(
            f"translated_{target}_percent", share(done[target]), "%", f">= {bar}" if bar else "", judges[target]
        )
    yield Figure(
        "conversions_per_second",
        round(slowest),
        "1/s",
        ">= 2000",
        f"slowest target, processor time, best of {PASSES} passes",
    )


# -- checks --------------------------------------------------------------------------------------------


def _stratified(rows: list[Equation], count: int) -> list[Equation]:
    """Equally spread over the corpus, which is ordered by chapter; the same choice each time."""
    step = len(rows) / count
    return [rows[int((index + 0.5) * step)] for index in range(min(count, len(rows)))]


def _fingerprint() -> str:
    """A hash of the sources that decide on verdicts."""
    folder = Path(__file__).resolve().parent.parent
    digest = hashlib.sha256()
    for path in sorted([*folder.glob("targets/**/*"), *folder.glob("verify/**/*.py")]):
        if path.suffix in (".py", ".json"):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _log_file() -> Path:
    default = Path(tempfile.gettempdir()) / f"texlift-checks-{_fingerprint()}.jsonl"
    return Path(os.environ.get("TEXLIFT_BENCH_LOG", default))


def _checked(tasks: list[Task]) -> list[dict[str, Any]]:
    """Verdicts of all tasks, from the log where it has them."""
    path = _log_file()
    known: dict[str, dict[str, Any]] = {}
    if path.exists():
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                entry = json.loads(line)
                known[entry["key"]] = entry["verdict"]
    keys = [json.dumps([task.semantic, task.constraints]) for task in tasks]
    missing = [(key, task) for key, task in zip(keys, tasks, strict=True) if key not in known]
    jobs = int(os.environ.get("TEXLIFT_BENCH_JOBS", "1"))
    with path.open("a", encoding="utf-8") as log:
        verdicts = check_all((task for _, task in missing), SECONDS, jobs)
        for (key, _), verdict in zip(missing, verdicts, strict=True):
            known[key] = verdict.as_dict()
            log.write(json.dumps({"key": key, "verdict": known[key]}, ensure_ascii=False) + "\n")
            log.flush()
    return [known[key] for key in keys]


def _verdict_figures(rows: list[Equation], verdicts: list[dict[str, Any]], full: bool) -> Iterator[Figure]:
    checkable = [v for v in verdicts if v["checkable"]]
    counts = Counter(v["verdict"] for v in checkable)
    total = max(1, len(checkable))
    note = "all equations" if full else f"a stratified sample of {len(rows)}"
    yield Figure("checked", len(rows), "", "", note)
    yield Figure("checkable", len(checkable), "", "", "state an equation or inequality between defined things")
    true = counts["verified"] + counts["proved"]
    yield Figure("true_percent", round(100 * true / total, 2), "%", ">= 75", "verified or proved, of the checkable")
    yield Figure(
        "proved_percent", round(100 * counts["proved"] / max(1, true), 2), "%", ">= 25", "of the verified or proved"
    )
    yield Figure("refuted_percent", round(100 * counts["refuted"] / total, 2), "%", "<= 1.5", "of the checkable")
    yield Figure("undecided_percent", round(100 * counts["undecided"] / total, 2), "%", "", "of the checkable")


def _broken_figures(rows: list[Equation], verdicts: list[dict[str, Any]]) -> Iterator[Figure]:
    verified = [row for row, verdict in zip(rows, verdicts, strict=True) if verdict["verdict"] in TRUE]
    candidates: dict[str, tuple[Equation, Mutation]] = {}
    for seed in (5, 6):  # the second one only where the first gives too few
        fresh = [(row, mutation) for row in verified for mutation in mutations(row.semantic, seed)]
        random.Random(5).shuffle(fresh)
        for row, mutation in fresh:
            candidates.setdefault(mutation.semantic, (row, mutation))
    tasks: list[Task] = []
    kinds: Counter[str] = Counter()
    unshown = 0
    for row, mutation in candidates.values():
        if len(tasks) == BROKEN:
            break
        if shown_wrong(row.semantic, mutation.semantic, row.constraints, dict(row.symbols)):
            tasks.append(row.task(mutation.semantic))
            kinds[mutation.kind] += 1
        else:
            unshown += 1
    found = _checked(tasks)
    caught = sum(v["verdict"] == "refuted" for v in found)
    passed = sum(v["verdict"] in TRUE for v in found)
    total = max(1, len(tasks))
    note = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
    yield Figure("broken", len(tasks), "", "", note)
    yield Figure("broken_not_shown", unshown, "", "", "not shown to be wrong, left out")
    yield Figure("broken_caught_percent", round(100 * caught / total, 2), "%", ">= 97", "refuted")
    yield Figure("broken_passed_percent", round(100 * passed / total, 2), "%", "", "verified all the same")
