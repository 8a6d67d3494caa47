"""Conversion and checks over the equations of the corpus, statements and pairs, against the targets of the project.

`Extent` says how much is measured; by default a run takes minutes, with all equations hours. Parts are
`conversions`, `checks` (with equations broken on purpose), `objects`, `statements` and `equal`.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from texlift.bench.figure import Figure
from texlift.errors import FormulaError
from texlift.meaning.reader.reading import read
from texlift.meaning.tree import free_symbols
from texlift.verify import Task
from texlift.verify.surroundings import condition_before, conditions_said, letters_defined

__all__ = ["PARTS", "Equation", "Extent", "Tell", "equations", "measure"]

PARTS = ("conversions", "checks", "objects", "statements", "equal")
Tell = Callable[[str, int, int], None]
"""Called with the name of a step, how much of it is done, and how much there is."""

_UNSEEN = r"\text{a condition in the sentence before}"  # which the data does not hold
_ELSEWHERE = "defined elsewhere, says the sentence"


@dataclass(frozen=True, slots=True)
class Extent:
    """How much is measured: equations converted, checkable equations checked, broken ones; 0 for all there are."""

    sample: int = 1500
    checks: int = 300
    broken: int = 300
    seed: int = 1
    parts: tuple[str, ...] = PARTS


@dataclass(frozen=True, slots=True)
class Equation:
    """A row of the corpus as far as checks need it."""

    id: str
    semantic: str
    constraints: tuple[str, ...]
    symbols: tuple[tuple[str, str], ...]
    fold: int = 1

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
            found[row["semantic"]] = Equation(row["id"], row["semantic"], constraints, symbols, row.get("fold", 1))
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


def measure(data: Path, extent: Extent | None = None, tell: Tell | None = None) -> list[Figure]:
    """The figures of the parts asked for."""
    extent = extent or Extent()
    figures: list[Figure] = []
    if {"conversions", "checks"} & set(extent.parts):
        rows = equations(data)
        figures.append(Figure("equations", len(rows)))
    if "conversions" in extent.parts:
        from texlift.bench.conversions import conversions

        chosen = stratified(rows, extent.sample or len(rows))
        figures += conversions(chosen, tell)
    if "checks" in extent.parts:
        from texlift.bench.checks import checks

        figures += checks(drawn(rows, extent.seed), extent.checks, extent.broken, tell)
    if "objects" in extent.parts:
        from texlift.bench.surviving import surviving

        figures += surviving()
    if "statements" in extent.parts:
        from texlift.bench import statements

        figures += statements.measure(statements.packaged())
    if "equal" in extent.parts:
        from texlift.bench import equal

        figures += equal.measure(equal.packaged())
    return figures


def stratified(rows: list[Equation], count: int) -> list[Equation]:
    """Equally spread over the corpus, which is ordered by chapter; the same choice each time."""
    step = len(rows) / count
    return rows if count >= len(rows) else [rows[int((index + 0.5) * step)] for index in range(count)]


def drawn(rows: list[Equation], seed: int) -> list[Equation]:
    """The equations outside fold 0, in an order drawn at random."""
    others = [row for row in rows if row.fold]
    return random.Random(seed).sample(others, len(others))
