"""Ordinary formulae with their meaning: how many come out right, and how many wrong without a word.

The set is a file of JSON lines: `id`, `area`, `latex`, optionally `context`, and `gold`, a list of SymPy codes each of
which is right; REFUSE among them says that refusing is right too. Formulae go through the command line one by one.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any

from texlift.bench.figure import Figure
from texlift.bench.judge import Judge
from texlift.bench.normal import normal
from texlift.bench.term import CodeError, read_code
from texlift.errors import TexliftError

__all__ = ["OUTCOMES", "Formula", "Outcome", "Result", "figures", "judged", "packaged_formulae", "read_formulae"]

OUTCOMES = ("right", "wrong without warning", "wrong with warning", "refused", "crashed")
REFUSE = "REFUSE"
_HIGH = 0.95  # a confidence at which an answer had better be right
_COMMAND = [sys.executable, "-m", "texlift.cli", "translate", "--jsonl", "--to", "sympy", "--apart", "-k", "0"]


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula of the set; `gold` has the codes, `may_refuse` is whether refusing is right."""

    id: str
    area: str
    latex: str
    context: str
    gold: tuple[str, ...]
    may_refuse: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a formula: one of OUTCOMES, and the code, error or warnings behind it."""

    formula: Formula
    kind: str
    code: str = ""
    confidence: float = 0.0
    remark: str = ""


@dataclass(frozen=True)
class Result:
    """All outcomes, counted."""

    outcomes: tuple[Outcome, ...]

    @cached_property
    def areas(self) -> dict[str, Counter[str]]:
        """Counts by area, in the order of the file."""
        table: dict[str, Counter[str]] = {}
        for outcome in self.outcomes:
            table.setdefault(outcome.formula.area, Counter())[outcome.kind] += 1
        return table

    @cached_property
    def total(self) -> Counter[str]:
        return Counter(outcome.kind for outcome in self.outcomes)

    @property
    def high(self) -> tuple[int, int]:
        """How many of the answers with a high confidence are wrong, and how many there are."""
        high = [o for o in self.outcomes if o.code and o.confidence >= _HIGH]
        return sum(o.kind.startswith("wrong") for o in high), len(high)


def packaged_formulae() -> list[Formula]:
    """The set that ships with texlift."""
    source = files("texlift.bench").joinpath("data/ordinary.jsonl")
    if not source.is_file():
        raise TexliftError("no set of ordinary formulae is packaged; give one with --data")
    return _formulae(source.read_text("utf-8").splitlines(), "ordinary.jsonl")


def read_formulae(path: Path) -> list[Formula]:
    """The formulae of a file. Raises TexliftError, naming the line, where one is not as it should be."""
    return _formulae(path.read_text("utf-8").splitlines(), str(path))


def _formulae(lines: Iterable[str], name: str) -> list[Formula]:
    found: list[Formula] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            refuse = REFUSE in record["gold"]
            gold = tuple(
                code for code in record["gold"] if code != REFUSE and (len(record["gold"]) == 1 or _readable(code))
            )
            for code in gold:
                normal(read_code(code))
            context = record.get("context") or ""
            found.append(Formula(record["id"], record["area"], record["latex"], context, gold, refuse))
        except (ValueError, KeyError, TypeError, CodeError) as error:
            raise TexliftError(f"{name}, line {number}: {error}") from None
    return found


def _readable(code: str) -> bool:
    """Whether one of several codes can be compared; the others stand for it where it cannot."""
    try:
        normal(read_code(code))
    except CodeError:
        return False
    return True


# -- answers -------------------------------------------------------------------------------------------


def judged(formulae: Sequence[Formula]) -> Result:
    """Translate all formulae and compare each with its gold."""
    answers = _answers(formulae)
    with Judge() as judge:
        return Result(tuple(_outcome(f, answer, judge) for f, answer in zip(formulae, answers, strict=True)))


def _answers(formulae: Sequence[Formula]) -> list[dict[str, Any] | None]:
    """The command's answer to each formula; None where it died of it. A group that kills it is halved."""
    lines = [
        json.dumps({"id": f.id, "latex": f.latex, **({"context": f.context} if f.context else {})}) for f in formulae
    ]
    done = subprocess.run(_COMMAND, input="\n".join(lines) + "\n", capture_output=True, text=True, check=False)
    answers: list[dict[str, Any] | None] = [json.loads(line) for line in done.stdout.splitlines()]
    if len(answers) == len(formulae):
        return answers
    if len(formulae) == 1:
        return [None]
    middle = max(len(answers), (len(formulae) + 1) // 2)
    if len(answers) == middle:
        return [*answers, *_answers(formulae[middle:])]
    return [*_answers(formulae[:middle]), *_answers(formulae[middle:])]


def _outcome(formula: Formula, answer: dict[str, Any] | None, judge: Judge) -> Outcome:
    if answer is None or _code_of_error(answer) == "internal":
        return Outcome(formula, "crashed", remark=json.dumps(answer))
    confidence = float(answer.get("confidence") or 0.0)
    code = answer.get("code")
    if code is None:
        kind = "right" if formula.may_refuse else "refused"
        return Outcome(formula, kind, "", confidence, _message(answer))
    warnings = answer.get("warnings") or []
    wrong = "wrong with warning" if warnings else "wrong without warning"
    kind = "right" if judge.same(code, formula.gold) else wrong
    return Outcome(formula, kind, code, confidence, "; ".join(map(str, warnings)))


def _code_of_error(answer: dict[str, Any]) -> str:
    error = answer.get("error")
    return str(error.get("code", "")) if isinstance(error, dict) else ""


def _message(answer: dict[str, Any]) -> str:
    error = answer.get("error")
    return str(error.get("message", "")) if isinstance(error, dict) else str(error or "")


# -- figures -------------------------------------------------------------------------------------------


def figures(result: Result) -> list[Figure]:
    """The totals in percent, against their targets, and the counts of each area."""
    count = max(1, len(result.outcomes))
    share = {kind: 100.0 * result.total[kind] / count for kind in OUTCOMES}
    wrong, high = result.high
    note = f"of {len(result.outcomes):,} formulae"
    return [
        Figure("right", share["right"], "%", ">= 65", note),
        Figure("wrong_without_warning", share["wrong without warning"], "%", "<= 3", note),
        Figure("wrong_with_warning", share["wrong with warning"], "%", "", note),
        Figure("refused", share["refused"], "%", "", note),
        Figure("crashed", float(result.total["crashed"]), "", "<= 0", note),
        Figure(
            "wrong_at_high_confidence", float(wrong), "", "", f"of {high:,} answers with confidence {_HIGH} or more"
        ),
    ]
