"""Constraints beside a formula: tests of points, definitions of variables, domains."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from texlift.errors import FormulaError
from texlift.targets.expression import (
    Apply,
    Constant,
    Dots,
    Expression,
    Interval,
    Number,
    Relation,
    Sequence,
    Symbol,
    free_symbols,
)
from texlift.targets.reading import read

__all__ = ["INTEGERS", "Conditions", "conditions_of", "unsettled"]

INTEGERS = frozenset({"n", "m", "k", "j", "l", r"\ell", "N", "M", "n'", "m'"})
"""Letters that are integers unless something else is said."""

_WORDS = re.compile(r"\$\s*or\s*\$|\$\s*if\s*\$|\$\s*unless\s*\$")


@dataclass(slots=True)
class Conditions:
    """Constraints as tests, as fixed definitions of variables, and as domains of integers."""

    tests: list[Expression] = field(default_factory=list)
    defined: dict[str, Expression] = field(default_factory=dict)
    least: dict[str, int] = field(default_factory=dict)  # integers from here on
    choices: dict[str, tuple[Expression, ...]] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)  # "integer", "real", "complex"
    ignored: list[str] = field(default_factory=list)


def conditions_of(texts: list[str]) -> Conditions:
    """Read constraints; what is not understood is kept in `ignored`."""
    conditions = Conditions()
    for text in texts:
        if _WORDS.search(text):
            conditions.ignored.append(text)  # one of several conditions
            continue
        for piece in re.split(r";|\\quad", text.replace("$,$", ",").replace("$", "")):
            if not piece.strip(" ,."):
                continue
            try:
                for statement in read(piece).statements:
                    _take(conditions, statement, piece)
            except FormulaError:
                conditions.ignored.append(piece)
    return conditions


def unsettled(known: Mapping[str, str], texts: Iterable[str]) -> dict[str, str]:
    """What is known of the symbols that no constraint defines; the definition says more than `change of variable`."""
    defined = conditions_of(list(texts)).defined if known else {}
    return {name: meaning for name, meaning in known.items() if name not in defined}


def _take(conditions: Conditions, statement: Expression, text: str) -> None:
    if not isinstance(statement, Relation):
        conditions.ignored.append(text)
        return
    for operator, left, right in statement.links:
        if operator == "=" and isinstance(left, Symbol):
            _take_equation(conditions, left.name, right, text)
        elif operator == "in" and isinstance(left, Symbol) and isinstance(right, Constant):
            kind = {"integers": "integer", "reals": "real", "complexes": "complex", "naturals": "integer",
                    "nonnegative": "integer"}.get(right.name)  # fmt: skip
            if kind is None:
                conditions.ignored.append(text)
            else:
                conditions.kinds[left.name] = kind
                if right.name in ("naturals", "nonnegative"):
                    conditions.least[left.name] = 1 if right.name == "naturals" else 0
        elif operator == "in" and isinstance(right, Interval):
            conditions.tests.append(_inside(left, right))
        elif operator == "in" and isinstance(right, Apply) and right.head == "setminus":
            conditions.tests.append(Relation(("!=",), (left, Number("0"))))
            if isinstance(right.arguments[1], Interval):
                conditions.tests.append(Apply("not", (_inside(left, right.arguments[1]),)))
        elif operator in ("<", ">", "<=", ">=", "!=", "="):
            if isinstance(right, Sequence):
                if operator == "!=":
                    values = [v for v in right.items if not isinstance(v, Dots)]
                    conditions.tests.extend(Relation(("!=",), (left, value)) for value in values)
                    if len(values) < len(right.items):  # the poles go on in the same way
                        conditions.tests.append(Apply("noninteger", (left, *values)))
                elif operator == "=" and any(isinstance(v, Dots) for v in right.items):
                    conditions.tests.append(Apply("integral", (left,)))
                else:
                    conditions.ignored.append(text)
            elif operator == "=" and (solved := _solved(left, right) or _solved(right, left)):
                conditions.defined.setdefault(*solved)
            else:
                conditions.tests.append(Relation((operator,), (left, right)))
        elif operator == "->":
            conditions.ignored.append(text)
        elif operator == "notin" and isinstance(right, Constant) and right.name == "integers":
            conditions.tests.append(Apply("noninteger", (left,)))
        else:
            conditions.ignored.append(text)


def _inside(value: Expression, interval: Interval) -> Expression:
    low = "<=" if interval.closed_lower else "<"
    high = "<=" if interval.closed_upper else "<"
    return Relation((low, high), (interval.lower, value, interval.upper))


def _take_equation(conditions: Conditions, name: str, right: Expression, text: str) -> None:
    if isinstance(right, Sequence):
        numbers = [v for v in right.items if not isinstance(v, Dots)]
        if len(numbers) < len(right.items):
            first = numbers[0] if numbers else None
            conditions.kinds[name] = "integer"
            if isinstance(first, Number):
                conditions.least[name] = int(float(first.value))
            elif first is not None and not (isinstance(first, Apply) and first.head == "negate"):
                conditions.tests.append(Relation((">=",), (Symbol(name), first)))
            last = right.items[-1]
            if not isinstance(last, Dots):
                conditions.tests.append(Relation(("<=",), (Symbol(name), last)))
        elif all(_is_plain(number) for number in numbers):
            conditions.choices[name] = tuple(numbers)
        else:
            conditions.ignored.append(text)
    elif name in free_symbols(right):
        conditions.ignored.append(text)
    else:
        conditions.defined[name] = right


def _solved(left: Expression, right: Expression) -> tuple[str, Expression] | None:
    """`ef=abcq` as e = abcq/f, `a+b=c-n` as a = c-n-b: random points would never fulfil an equation."""
    if isinstance(left, Apply) and left.head == "plus":
        return _solved_sum(left, right)
    factors = left.arguments if isinstance(left, Apply) and left.head == "times" else (left,)
    for place, factor in enumerate(factors):
        others = (*factors[:place], *factors[place + 1 :])
        if not isinstance(factor, Symbol) or any(factor.name in free_symbols(part) for part in (*others, right)):
            continue
        below = others[0] if len(others) == 1 else Apply("times", others, left.span)
        return factor.name, Apply("divide", (right, below), left.span) if others else right
    return None


def _solved_sum(left: Apply, right: Expression) -> tuple[str, Expression] | None:
    """A sum solved for one of its terms, a letter that is no customary integer."""
    for place, term in enumerate(left.arguments):
        others = (*left.arguments[:place], *left.arguments[place + 1 :])
        minus = isinstance(term, Apply) and term.head == "negate"
        letter = term.arguments[0] if isinstance(term, Apply) and minus else term
        if not isinstance(letter, Symbol) or letter.name in INTEGERS:
            continue
        if any(letter.name in free_symbols(part) for part in (*others, right)):
            continue
        rest = Apply("plus", (right, *(Apply("negate", (part,), part.span) for part in others)), left.span)
        return letter.name, Apply("negate", (rest,), left.span) if minus else rest
    return None


def _is_plain(node: Expression) -> bool:
    """Whether a value is written with digits alone."""
    if isinstance(node, Apply):
        return node.head in ("negate", "divide") and all(_is_plain(part) for part in node.arguments)
    return isinstance(node, Number)
