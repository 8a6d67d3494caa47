"""Fungrim's formulae translated to mpmath, compared as numbers with Fungrim's own symbolic form.

Both sides of a relation are evaluated at the same points, the translation's and Fungrim's, each for itself: a formula
is right if all its sides have the same values. What has no number in Fungrim's form (sets, statements about all f) is
not compared.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from texlift.bench.fungrim_terms import RELATIONS, NoValueError, Term, parse_term, value_of, where
from texlift.bench.runnable import limited
from texlift.errors import TexliftError
from texlift.meaning.tree import Expression, Relation, Symbol, free_symbols, substitute
from texlift.translate.answer import Translation
from texlift.translate.translator import load

__all__ = ["OUTCOMES", "Outcome", "Result", "compared"]

OUTCOMES = ("right", "wrong without warning", "wrong with warning", "left as letters", "refused", "no number")
_SECONDS = 2.0
_CLOSE = 1e-8
_POINTS = 3


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a formula: one of OUTCOMES, or empty where Fungrim's own form has no number to compare with."""

    id: str
    latex: str
    kind: str
    remark: str = ""


@dataclass(frozen=True)
class Result:
    """All outcomes, counted."""

    outcomes: tuple[Outcome, ...]

    @cached_property
    def total(self) -> Counter[str]:
        return Counter(outcome.kind for outcome in self.outcomes if outcome.kind)

    @property
    def compared(self) -> int:
        return self.total.total()

    def share(self, kind: str) -> float:
        """Per cent of what was compared."""
        return 100.0 * self.total[kind] / max(1, self.compared)


def compared(path: Path) -> Result:
    """Translate every formula of a file of Fungrim's and compare it with its symbolic form."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    translator = load()
    found = []
    for row in rows:
        points = _values(row)
        if points is None:
            found.append(Outcome(row["id"], row["latex"], ""))
            continue
        found.append(_judged(row, points, translator))
    return Result(tuple(found))


# -- Fungrim's side --------------------------------------------------------------------------------------

Point = tuple[dict[str, Any], list[Any]]  # values of variables, values of sides


def _values(row: dict[str, Any]) -> list[Point] | None:
    """Up to three points, each with the numbers of both sides by Fungrim's form; None where it has none."""
    try:
        term = parse_term(row["expr"])
    except ValueError:
        return None
    found: list[Point] = []
    for env in _environments(row):
        try:
            with limited(_SECONDS):
                values = _sides(term, env)
            if term.head != "Equal" or _equal(values):  # elsewhere the formula does not hold: outside its domain
                found.append((env, values))
        except (NoValueError, TimeoutError):
            if not found:
                return None
        except Exception:  # noqa: BLE001  a pole, no convergence, outside the domain: try another point
            continue
        if len(found) == _POINTS or not row["variables"]:
            break
    return found or None


def _sides(term: Term, env: dict[str, Any]) -> list[Any]:
    from mpmath import mp

    inner, extended = where(term, env) if term.head == "Where" else (term, env)
    if inner.head not in RELATIONS:
        raise NoValueError(inner.head)
    values = [mp.mpmathify(value_of(part, extended)) for part in inner.parts]
    if any(mp.isnan(value) for value in values):
        raise ValueError("no value")
    return values


def _equal(values: list[Any]) -> bool:
    first = values[0]
    return all(value == first or abs(value - first) <= _CLOSE * max(1, abs(first)) for value in values[1:])


def _environments(row: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Points to try, by what is assumed of the variables."""
    from mpmath import mp

    said = row["assumptions"] or ""
    kinds = [_kind(name, said) for name in row["variables"]]
    for shift in range(6):
        env: dict[str, Any] = {}
        for index, (name, kind) in enumerate(zip(row["variables"], kinds, strict=True)):
            step = mp.mpf(index) * 17 / 100 + mp.mpf(shift) / 10
            if kind == "integer":
                env[name] = mp.mpf(2 + (index + shift) % 4)
            elif kind == "half-plane":
                env[name] = mp.mpc(mp.mpf(13) / 100 + step / 3, mp.mpf(11) / 10 + step)
            elif kind == "real" or shift % 2:
                env[name] = mp.mpf(31) / 100 + step
            else:
                env[name] = mp.mpc(mp.mpf(37) / 100 + step, mp.mpf(21) / 100 + step / 2)
        yield env


def _kind(name: str, said: str) -> str:
    written = rf"(?:\\{name}|{name})" if len(name) > 1 else name
    match = re.search(rf"(?<![A-Za-z\\]){written}(?![A-Za-z])\s*\\in\s*(.{{1,24}})", said)
    domain = match[1] if match else ""
    if domain.startswith((r"\mathbb{Z}", r"\mathbb{P}")) or re.match(r"\\left\\\{\s*-?\d", domain):
        return "integer"
    if domain.startswith(r"\mathbb{H}"):
        return "half-plane"
    if domain.startswith((r"\mathbb{R}", r"\mathbb{Q}", r"\left(", r"\left[")):
        return "real"
    return "complex"


# -- texlift's side --------------------------------------------------------------------------------------


def _judged(row: dict[str, Any], points: list[Point], translator: Any) -> Outcome:
    try:
        answer: Translation = translator.translate(row["latex"])
        conversion = answer.converted("mpmath")
    except TexliftError as error:
        return Outcome(row["id"], row["latex"], "refused", str(error).splitlines()[0])
    warnings = (*answer.warnings, *conversion.warnings)
    wrong = "wrong with warning" if warnings else "wrong without warning"
    assert conversion.reading is not None
    relations = [one for one in conversion.reading.statements if isinstance(one, Relation)]
    known = {_plain(name) for name in row["variables"]}
    defined = _definitions(conversion.reading.statements)
    relations = [substitute(one, defined) for one in relations if not _defines(one, defined)]  # type: ignore[misc]
    free = {name for one in relations for name in free_symbols(one)}
    strange = [name for name in sorted(free) if _plain(name) not in known]
    if conversion.functions or strange:
        names = [*strange, *(name for name, _ in conversion.functions)]
        return Outcome(row["id"], row["latex"], "left as letters", f"{', '.join(names)}: {conversion.code}")
    if not relations or len(relations[0].operands) != len(points[0][1]):
        return Outcome(row["id"], row["latex"], wrong, f"other sides: {conversion.code}")
    same = 0
    for env, values in points:
        agrees = _agrees(relations[0].operands, answer.semantic, env, values)
        if agrees is False:
            return Outcome(row["id"], row["latex"], wrong, f"other numbers: {conversion.code}")
        same += agrees is True
    return Outcome(row["id"], row["latex"], "right" if same else "no number", "; ".join(warnings))


def _definitions(statements: tuple[Expression, ...]) -> dict[str, Expression]:
    """What stands behind "where": letters and what they are short for."""
    found: dict[str, Expression] = {}
    for statement in statements[1:]:
        if isinstance(statement, Relation) and statement.operators == ("=",):
            left, right = statement.operands
            if isinstance(left, Symbol) and left.name not in free_symbols(right):
                found[left.name] = substitute(right, found)
    return found


def _defines(statement: Relation, defined: dict[str, Expression]) -> bool:
    left = statement.operands[0]
    return isinstance(left, Symbol) and left.name in defined and statement.operators == ("=",)


def _plain(name: str) -> str:
    plain = re.sub(r"[\\{}]", "", name)
    return {"lamda": "lambda"}.get(plain, plain)


def _agrees(sides: tuple[Expression, ...], source: str, env: dict[str, Any], values: list[Any]) -> bool | None:
    """Whether all sides have these values at a point; None where one cannot be computed."""
    from mpmath import mp

    from texlift.verify.evaluation import compile_expression, namespace
    from texlift.verify.trust import Trust

    names = namespace(Trust(), complex_letters=True)
    known = {_plain(name): number for name, number in env.items()}
    for side, value in zip(sides, values, strict=True):
        try:
            with limited(_SECONDS):
                code, labels = compile_expression(side, source, names)
                got = mp.mpmathify(code({labels[tex]: known[_plain(tex)] for tex in labels if _plain(tex) in known}))
        except Exception:  # noqa: BLE001  whatever mpmath throws: there is no number to compare
            return None
        if mp.isinf(value) or mp.isinf(got):
            if got != value:
                return False
        elif abs(got - value) > _CLOSE * max(1, abs(value)):
            return False
    return True
