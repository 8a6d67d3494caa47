"""Conversion and checks over the equations of the corpus, statements and pairs, against the targets of the project.

`Extent` says how much is measured; by default a run takes minutes, with all equations hours. Parts are
`conversions`, `checks` (with equations broken on purpose), `objects`, `statements` and `equal`.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterable
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
_ASYMPTOTIC = (r"\bigO", r"\littleo", r"\asymp", r"\sim", r"\to")
_MATH = re.compile(r"\$([^$]*)\$")
_TENDS = re.compile(r"(?:[A-Za-z]|\\[a-z]+)\s*\\to\s*[+-]?\s*(?:\\infty|\d)")
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
    approach: str = ""  # what its variable tends to, if its text says so

    @property
    def stated(self) -> str:
        """The equation with what its variable tends to, as an author writes it behind the formula."""
        return rf"{self.semantic},\quad {self.approach}" if self.approach else self.semantic

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
            approach = _approach(row["semantic"], (*constraints, *_MATH.findall(sentence)))
            found[row["semantic"]] = Equation(
                row["id"], row["semantic"], constraints, symbols, row.get("fold", 1), approach
            )
    return list(found.values())


def _approach(semantic: str, said: Iterable[str]) -> str:
    """The one statement of a text that a variable of an asymptotic equation tends somewhere; empty for others."""
    if not any(sign in semantic for sign in _ASYMPTOTIC):
        return ""
    found = {match.group() for match in map(_TENDS.fullmatch, (part.strip(" ,.$") for part in said)) if match}
    return found.pop() if len(found) == 1 else ""


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
