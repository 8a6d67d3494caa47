"""Conversion and numeric checks over the equations of the corpus, against the bars of the project.

"Translated" means that the target can parse the result and every function in it is mapped: SymPy objects are
built, Python and XML are parsed, Mathematica and Maxima code by Mathics3 and Maxima in the tests.

Checks take long. By default a stratified sample is checked; `TEXLIFT_BENCH=full` checks all equations. Verdicts
are kept in a log (`TEXLIFT_BENCH_LOG`, default in the temporary folder) and reused for equal formulae as long as
the sources of the package do not change.
"""

from __future__ import annotations

import ast
import hashlib
import json
import logging
import os
import random
import re
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from texlift.bench.figure import Figure
from texlift.errors import FormulaError
from texlift.targets import TARGETS, convert
from texlift.verify import Task, check_all

__all__ = ["Equation", "broken_versions", "equations", "measure"]

_log = logging.getLogger(__name__)
SAMPLE = 600
BROKEN = 500
SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Equation:
    """A row of the corpus as far as checks need it."""

    id: str
    semantic: str
    constraints: tuple[str, ...]
    symbols: tuple[tuple[str, str], ...]

    def task(self, semantic: str = "") -> Task:
        return Task(semantic or self.semantic, self.constraints, dict(self.symbols))


def equations(data: Path) -> list[Equation]:
    """The equations of `dlmf.jsonl`, each formula once."""
    found: dict[str, Equation] = {}
    with (data / "dlmf.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if row["kind"] != "equation" or row["semantic"] in found:
                continue
            constraints = tuple(c["semantic"] for c in row["constraints"])
            symbols = tuple((s["semantic"], s["meaning"]) for s in row["symbols"] if r"\NVar" not in s["semantic"])
            found[row["semantic"]] = Equation(row["id"], row["semantic"], constraints, symbols)
    return list(found.values())


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
    slowest = 1e9
    for target in TARGETS:
        convert("x", target)  # tables are read once
        good: set[int] = set()
        codes: dict[int, str] = {}
        started = time.process_time()
        for index, row in enumerate(rows):
            try:
                codes[index] = convert(row.semantic, target).code
            except FormulaError:
                continue
        slowest = min(slowest, len(rows) / (time.process_time() - started))
        good = {index for index, code in codes.items() if _parses(code, target)}
        done[target] = good
    union = done["sympy"] | done["mpmath"]

    def share(indices: set[int]) -> float:
        return round(100 * len(indices) / len(rows), 2)

    yield Figure("equations", len(rows))
    yield Figure("translated_sympy_or_mpmath_percent", share(union), "%", ">= 75")
    yield Figure("translated_sympy_percent", share(done["sympy"]), "%")
    yield Figure("translated_mpmath_percent", share(done["mpmath"]), "%")
    yield Figure("translated_mathematica_percent", share(done["mathematica"]), "%", ">= 85")
    yield Figure("translated_maple_percent", share(done["maple"]), "%", ">= 80")
    yield Figure("translated_maxima_percent", share(done["maxima"]), "%", ">= 55")
    yield Figure("translated_mathml_percent", share(done["mathml"]), "%", ">= 95")
    yield Figure("conversions_per_second", round(slowest), "1/s", ">= 1000", "the slowest target, processor time")


def _parses(code: str, target: str) -> bool:
    """Whether the target's grammar accepts the code, as far as a parser is at hand."""
    try:
        if target in ("sympy", "mpmath"):
            ast.parse(code, mode="eval")
        elif target == "mathml":
            ElementTree.fromstring(f"<math>{code}</math>")
    except (SyntaxError, ElementTree.ParseError):
        return False
    return True


# -- checks --------------------------------------------------------------------------------------------


def _stratified(rows: list[Equation], count: int) -> list[Equation]:
    """Equally spread over the corpus, which is ordered by chapter; the same choice each time."""
    step = len(rows) / count
    return [rows[int(index * step)] for index in range(min(count, len(rows)))]


def _fingerprint() -> str:
    """A hash of the sources that decide on verdicts."""
    folder = Path(__file__).resolve().parent.parent
    digest = hashlib.sha256()
    for path in sorted([*folder.glob("targets/**/*"), *folder.glob("verify/*.py")]):
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
    yield Figure("verified_percent", round(100 * counts["verified"] / total, 2), "%", ">= 50", "of the checkable")
    yield Figure("refuted_percent", round(100 * counts["refuted"] / total, 2), "%", "<= 1.5", "of the checkable")
    yield Figure("undecided_percent", round(100 * counts["undecided"] / total, 2), "%", "", "of the checkable")


def _broken_figures(rows: list[Equation], verdicts: list[dict[str, Any]]) -> Iterator[Figure]:
    verified = [row for row, verdict in zip(rows, verdicts, strict=True) if verdict["verdict"] == "verified"]
    candidates = [row.task(version) for row in verified for version in broken_versions(row.semantic)]
    tasks = random.Random(5).sample(candidates, min(BROKEN, len(candidates)))
    found = _checked(tasks)
    caught = sum(v["verdict"] == "refuted" for v in found)
    passed = sum(v["verdict"] == "verified" for v in found)
    total = max(1, len(tasks))
    yield Figure("broken", len(tasks), "", "", "verified equations, broken on purpose")
    yield Figure("broken_caught_percent", round(100 * caught / total, 2), "%", ">= 97", "refuted")
    yield Figure("broken_passed_percent", round(100 * passed / total, 2), "%", "", "verified all the same")


# -- breaking formulae ---------------------------------------------------------------------------------

_SWAP = re.compile(
    r"(\\(?:BesselJ|BesselY|modBesselI|modBesselK|incGamma|incgamma|Hurwitzzeta|polylog|StruveH|Jacobiellsnk|"
    r"Jacobiellcnk|Jacobielldnk|incellintFk|incellintEk|ChebyshevpolyT|HermitepolyH|EulerpolyE|BernoullipolyB))"
    r"(@@?)?\{([^{}]*)\}(@@?)?\{([^{}]*)\}"
)


def broken_versions(semantic: str) -> list[str]:
    """The formula made wrong: a sign changed, a factor 2, two arguments swapped, an index shifted.

    Only equations with one `=`; the change is made to the right-hand side, which must not be 0.
    """
    if semantic.count("=") != 1 or r"\pm" in semantic or r"\mp" in semantic or "<" in semantic or "leq" in semantic:
        return []
    left, right = semantic.split("=")
    if right.strip() in ("0", r"\infty", r"-\infty") or left.count("{") != left.count("}") or r"\to" in left:
        return []
    versions = [f"{left}=-\\left({right}\\right)", f"{left}=2\\left({right}\\right)"]
    match = _SWAP.search(right)
    if match and match[3] != match[5]:
        swapped = f"{match[1]}{match[2] or ''}{{{match[5]}}}{match[4] or ''}{{{match[3]}}}"
        versions.append(f"{left}={right[: match.start()]}{swapped}{right[match.end() :]}")
    shift = re.search(
        r"\\(?:BesselJ|BesselY|modBesselI|modBesselK|ChebyshevpolyT|LegendrepolyP|HermitepolyH)\{([^{}]+)\}", right
    )
    if shift:
        versions.append(f"{left}={right[: shift.start(1)]}{shift[1]}+1{right[shift.end(1) :]}")
    return versions
