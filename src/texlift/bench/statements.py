"""True and false statements given to the check: it must not verify false ones nor refute true ones.

Each line of the data is a statement in LaTeX as people write it, with its constraints, whether it is true, and whether
a false one holds on a part of its domain (`partly`). The statements were written by people who did not see the program.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from texlift.bench.figure import Figure
from texlift.errors import TexliftError
from texlift.verify import TRUE, Task, Verdict, check_all

__all__ = ["Statement", "checked", "measure", "packaged", "statements"]

SECONDS = 10.0
VERDICTS = ("proved", "verified", "undecided", "refuted")


@dataclass(frozen=True, slots=True)
class Statement:
    """One line of the data; `kind` is true, false or partly."""

    id: str
    latex: str
    constraints: tuple[str, ...]
    kind: str

    def is_lie(self, verdict: str) -> bool:
        """Whether the verdict contradicts what is known of the statement."""
        return verdict == "refuted" if self.kind == "true" else verdict in TRUE


def packaged() -> Path:
    """The set that comes with the package."""
    return Path(__file__).parent / "data" / "statements.jsonl"


def statements(path: Path) -> list[Statement]:
    """The statements of a file."""
    if not path.is_file():
        raise TexliftError(f"no file {path}")
    with path.open(encoding="utf-8") as lines:
        return [_statement(json.loads(line)) for line in lines if line.strip()]


def _statement(row: dict[str, object]) -> Statement:
    kind = "true" if row["truth"] else "partly" if row.get("partly") else "false"
    constraints = row.get("constraints") or []
    assert isinstance(constraints, list)
    return Statement(str(row["id"]), str(row["latex"]), tuple(map(str, constraints)), kind)


def measure(data: Path) -> list[Figure]:
    """Verdicts by kind, and the statements about which the check is wrong."""
    rows = statements(data)
    verdicts = dict(zip((row.id for row in rows), checked(rows), strict=True))
    return list(_figures(rows, {name: verdict.verdict for name, verdict in verdicts.items()}))


def _figures(rows: list[Statement], verdicts: dict[str, str]) -> Iterator[Figure]:
    counts = Counter((row.kind, verdicts[row.id]) for row in rows)
    kinds = Counter(row.kind for row in rows)
    for kind in ("true", "false", "partly"):
        note = {"partly": "false statements that hold on a part of their domain"}.get(kind, "")
        yield Figure(f"{kind}_statements", kinds[kind], "", "", note)
        for verdict in VERDICTS:
            wrong = verdict == "refuted" if kind == "true" else verdict in TRUE
            lies = [row.id for row in rows if row.kind == kind and wrong and verdicts[row.id] == verdict]
            yield Figure(f"{kind}_{verdict}", counts[kind, verdict], "", "<= 0" if wrong else "", " ".join(lies))


def checked(rows: list[Statement]) -> Iterator[Verdict]:
    """Each statement translated and checked as `texlift check` does."""
    from texlift.verify.lifting import task_of

    errors: dict[int, str] = {}
    tasks: list[Task] = []
    places: list[int] = []
    for index, row in enumerate(rows):
        try:
            tasks.append(task_of(row.latex, row.constraints))
            places.append(index)
        except TexliftError as error:
            errors[index] = str(error)
    jobs = int(os.environ.get("TEXLIFT_BENCH_JOBS", "1"))
    verdicts = dict(zip(places, check_all(tasks, SECONDS, jobs), strict=True))
    for index in range(len(rows)):
        yield verdicts.get(index) or Verdict("undecided", reason=errors[index])
