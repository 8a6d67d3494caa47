r"""Closed forms of sequences that a recurrence beside them defines: `a_n=2^n-1 where a_{n+1}=2a_n+1, a_0=0`.

The closed form is put into the recurrence and the first values, and these are checked. It is the sequence if they hold
and there are as many first values as the recurrence reaches back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from texlift.errors import FormulaError
from texlift.meaning.reader.linear import linear
from texlift.meaning.reader.reading import read
from texlift.meaning.tree import Expression, Indexed, Relation, Symbol, walk
from texlift.verify.givens import Given, given_of
from texlift.verify.verdict import TRUE, Verdict

__all__ = ["check_recurrence"]


@dataclass(frozen=True, slots=True)
class _Beside:
    """An equation beside the claim: by how much its indices differ from the letter, or the number that the index is."""

    text: str
    shifts: tuple[int, ...] = ()
    first: int | None = None
    value: str = ""  # of the sequence at `first`


def check_recurrence(
    semantic: str, constraints: Sequence[str], check: Callable[[str, Sequence[str]], Verdict]
) -> Verdict | None:
    """The verdict on a closed form; None for other claims. `check` decides on a formula with its constraints."""
    try:
        found = _closed_form(semantic, constraints)
    except FormulaError:
        return None
    if found is None:
        return None
    given, recurrence, beside, together = found
    order = recurrence.shifts[-1] - recurrence.shifts[0]
    firsts = sorted({one.first for one in beside if one.first is not None})
    start = (firsts[0] if firsts else 0) - recurrence.shifts[0]
    others = [one.text for one in beside if not one.shifts and one.first is None]
    counted = rf"{given.parameters[0]}={start},{start + 1},\dots"
    verdicts = [check(together, (*others, counted))]
    closed = together[slice(*given.value.span)]
    verdicts += [
        check(f"{closed}={one.value}", (*others, f"{given.parameters[0]}={one.first}"))
        for one in beside
        if one.first is not None
    ]
    for verdict in verdicts:
        if verdict.verdict == "refuted":
            why = "; ".join(part for part in verdict.reason.split("; ") if "wide space" not in part)  # that is ours
            return replace(verdict, reason=f"put into what defines {given.name}_n: {why}".rstrip(": "))
    undecided = [verdict for verdict in verdicts if verdict.verdict not in TRUE]
    if undecided:
        return undecided[0]
    if firsts != list(range(start + recurrence.shifts[0], start + recurrence.shifts[0] + max(order, len(firsts)))):
        return Verdict("undecided", reason="solves the recurrence, but so do others: give the first values")
    weakest = min(verdicts, key=lambda verdict: verdict.verdict == "proved")
    return replace(weakest, reason=f"solves the recurrence of {given.name}_n and has its first values")


def _closed_form(semantic: str, constraints: Sequence[str]) -> tuple[Given, _Beside, list[_Beside], str] | None:
    """The closed form, the recurrence, all equations beside it, and both in one text, where each explains the other."""
    for text in constraints:
        together = rf"{text.strip('$ ')},\quad {semantic}"
        statements = read(together).statements
        given = given_of(statements[-1]) if len(statements) == 2 else None
        if given is None or not given.indexed or len(given.parameters) != 1:
            continue
        beside = [_beside(one, given.name, given.parameters[0]) for one in constraints]
        recurrences = [one for one in beside if one.shifts]
        if len(recurrences) == 1 and recurrences[0].text == text:
            return given, recurrences[0], beside, together
    return None


def _beside(text: str, name: str, letter: str) -> _Beside:
    statements = read(text.strip("$ ")).statements
    statement = statements[0]
    if len(statements) != 1 or not isinstance(statement, Relation) or statement.operators != ("=",):
        return _Beside(text)
    left, right = statement.operands
    number = _number(left, name)
    if number is not None and not any(isinstance(part, Indexed) for part in walk(right)):
        return _Beside(text, first=number, value=text.strip("$ ")[slice(*right.span)])
    shifts: set[int] = set()
    for part in walk(statement):
        if isinstance(part, Indexed) and part.base == name:
            value = linear(part.indices[0]) if len(part.indices) == 1 else None
            if value is None or value.get(letter) != 1 or set(value) - {letter, ""}:
                return _Beside(text)
            if value.get("", 1) != int(value.get("", 1)):
                return _Beside(text)
            shifts.add(int(value.get("", 0)))
    return _Beside(text, tuple(sorted(shifts))) if len(shifts) > 1 else _Beside(text)


def _number(node: Expression, name: str) -> int | None:
    """The index of `a_0`, which is read as a letter with a label where no other index of it is seen."""
    if isinstance(node, Indexed) and node.base == name and len(node.indices) == 1:
        value = linear(node.indices[0])
        whole = value is not None and set(value) <= {""} and value.get("", 0) == int(value.get("", 0))
        return int(value.get("", 0)) if whole and value is not None else None
    if isinstance(node, Symbol) and (match := re.fullmatch(re.escape(name) + r"_\{?(\d+)\}?", node.name)):
        return int(match[1])
    return None
