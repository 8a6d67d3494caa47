"""Pairs of answers given to `texlift equal`: it must not call different ones equal, nor equal ones different.

Each line of the data is a pair of answers with its area, conditions and options, and whether they are equal. The pairs
were written by people who did not see the program.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from texlift.bench.figure import Figure
from texlift.errors import TexliftError
from texlift.verify.equality import Equality, Pair, equal_all

__all__ = ["Case", "cases", "measure", "packaged"]

SECONDS = 5.0
_SLOW = 0.2  # seconds from which a pair is not an ordinary answer, for the figure of pairs per second
_VERDICTS = ("equal", "different")


@dataclass(frozen=True, slots=True)
class Case:
    """One line of the data; `gold` is equal or different."""

    id: str
    area: str
    pair: Pair
    gold: str


def packaged() -> Path:
    """The set that comes with the package."""
    return Path(__file__).parent / "data" / "equality.jsonl"


def cases(path: Path) -> list[Case]:
    """The pairs of a file."""
    if not path.is_file():
        raise TexliftError(f"no file {path}")
    with path.open(encoding="utf-8") as lines:
        return [_case(json.loads(line)) for line in lines if line.strip()]


def _case(row: dict[str, Any]) -> Case:
    if row.get("gold") not in _VERDICTS:
        raise TexliftError(f'{row.get("id")}: "gold" must be equal or different')
    return Case(str(row["id"]), str(row.get("area", "")), Pair.of(row), str(row["gold"]))


def measure(data: Path) -> list[Figure]:
    """False verdicts, decided pairs, speed; false and open pairs by name."""
    rows = cases(data)
    timed: list[tuple[Equality, float, float]] = []
    for row in rows:
        clock, used = time.perf_counter(), time.process_time()
        found = next(equal_all([row.pair], SECONDS))
        timed.append((found, time.process_time() - used, time.perf_counter() - clock))
    return list(_figures(rows, timed))


def _figures(rows: list[Case], timed: list[tuple[Equality, float, float]]) -> Iterator[Figure]:
    verdicts = [found.verdict for found, _, _ in timed]
    for gold in _VERDICTS:
        yield Figure(f"{gold}_pairs", sum(row.gold == gold for row in rows))
    for said in _VERDICTS:
        wrong = [row.id for row, verdict in zip(rows, verdicts, strict=True) if verdict == said != row.gold]
        yield Figure(f"false_{said}", len(wrong), "", "<= 0", " ".join(wrong))
    open_ones = [row.id for row, verdict in zip(rows, verdicts, strict=True) if verdict == "undecided"]
    share = 100.0 * (len(rows) - len(open_ones)) / max(1, len(rows))
    yield Figure("decided", share, "%", ">= 92", " ".join(open_ones[:40]))
    areas = Counter(row.area for row in rows)
    left = Counter(row.area for row, verdict in zip(rows, verdicts, strict=True) if verdict == "undecided")
    for area, count in sorted(areas.items()):
        if left[area]:
            yield Figure(f"undecided_{area or 'other'}", left[area], "", "", f"of {count}")
    ordinary = [used for _, used, clock in timed if clock < _SLOW]
    rate = len(ordinary) / max(1e-9, sum(ordinary))
    yield Figure("ordinary_pairs_per_second", rate, "/s", ">= 200", f"{len(ordinary)} of {len(rows)} pairs")
    yield Figure("slowest", max((clock for _, _, clock in timed), default=0.0), "s", "<= 5.5")
