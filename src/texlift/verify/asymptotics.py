"""Asymptotic statements: ratios at growing arguments. What they support is verified, never proved.

f ~ g         f/g tends to 1
f = g + O(h)  (f-g)/h stays bounded
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from mpmath import mp

from texlift.errors import FormulaError
from texlift.meaning.reader.reading import read
from texlift.meaning.tree import (
    Apply,
    Constant,
    Expression,
    Number,
    Relation,
    Series,
    Symbol,
    free_symbols,
    walk,
)
from texlift.verify.conditions import INTEGERS
from texlift.verify.decision import shown
from texlift.verify.evaluation import Trust, compile_expression, namespace
from texlift.verify.setting import FAILURES
from texlift.verify.timing import SlowError, limited
from texlift.verify.verdict import Verdict

__all__ = ["check_asymptotic"]

_DIGITS = 60
_POWERS = (2, 4, 8, 16, 32, 64)  # of ten, at which functions of real numbers are looked at
_COUNTS = (10, 30, 100, 300, 1000, 3000)  # for sums, which are computed term by term
_CLOSE = 0.002  # to 1, for an extrapolated ratio
_NEAR = 0.01  # to 1, for a ratio that approaches it faster than a logarithm
_TINY = 1e-9
_APART = 0.05  # from 1, for a ratio that has settled elsewhere
_ORDERS = (r"\bigO", r"\littleo")


@dataclass(frozen=True, slots=True)
class _Approach:
    """A letter and where it tends to; `point` is None for infinity."""

    letter: str
    point: Expression | None
    sign: int = 1

    def described(self) -> str:
        return f"{self.letter} to {'infinity' if self.point is None else 'the point given'}"


def check_asymptotic(semantic: str, constraints: Sequence[str], seconds: float) -> Verdict | None:
    """The verdict about an asymptotic statement in one letter; None for other statements."""
    try:
        statements = list(read(semantic).statements)
        for text in constraints:
            statements += read(text.strip("$ ")).statements
    except FormulaError:
        return None
    relation, approaches = _parts(statements)
    if relation is None or len(relation.operators) != 1:
        return None
    left, right = relation.operands
    small = next((part for part in walk(right) if isinstance(part, Apply) and part.head in _ORDERS), None)
    if relation.operators[0] != "~" and (relation.operators[0] != "=" or small is None):
        return None
    approach = _approach(approaches, relation)
    if approach is None:
        return Verdict("undecided", reason="an asymptotic statement that does not say where it holds", checkable=False)
    try:
        with limited(seconds * 0.8):
            if relation.operators[0] == "~":
                return _equivalent(_values([left, right], approach, semantic), approach)
            assert small is not None
            rest = _without(right, small)
            if rest is None or small.head != r"\bigO":
                return None
            return _bounded(_values([left, rest, small.arguments[0]], approach, semantic), approach)
    except FormulaError as error:
        return Verdict("undecided", reason=error.message)
    except (SlowError, *FAILURES):
        return Verdict("undecided", reason="no values at large arguments")


def _parts(statements: list[Expression]) -> tuple[Relation | None, list[Relation]]:
    claims: list[Relation] = []
    approaches: list[Relation] = []
    for statement in statements:
        if isinstance(statement, Relation) and statement.operators == ("->",):
            approaches.append(statement)
        elif isinstance(statement, Relation):
            claims.append(statement)
        else:
            return None, []
    return (claims[0] if len(claims) == 1 else None), approaches


def _approach(approaches: list[Relation], relation: Relation) -> _Approach | None:
    """Where the letter tends to: said, or to infinity where the only letter is one that counts."""
    names = list(free_symbols(relation))
    if len(names) != 1:
        return None
    if not approaches:
        return _Approach(names[0], None) if names[0] in INTEGERS else None
    variable, point = approaches[0].operands
    if len(approaches) != 1 or not isinstance(variable, Symbol) or variable.name != names[0]:
        return None
    if any(isinstance(part, Constant) and part.name == "infinity" for part in walk(point)):
        return _Approach(names[0], None, -1 if isinstance(point, Apply) and point.head == "negate" else 1)
    return None if free_symbols(point) else _Approach(names[0], point)


def _values(nodes: list[Expression], approach: _Approach, source: str) -> list[list[Any]]:
    """The values of expressions along the approach."""
    names = namespace(Trust(), False)
    codes = [compile_expression(node, source, names) for node in nodes]
    found: list[list[Any]] = []
    with mp.workdps(_DIGITS + 2 * max(_POWERS)):
        point = None
        if approach.point is not None:
            code, _ = compile_expression(approach.point, source, names)
            point = mp.mpmathify(code({}))
        counts = any(
            isinstance(part, Series) or (isinstance(part, Apply) and part.head == r"\binom")
            for node in nodes
            for part in walk(node)
        )
        steps = [mp.mpf(count) for count in _COUNTS] if counts else [mp.mpf(10) ** power for power in _POWERS]
        for step in steps:
            place = approach.sign * step if point is None else point + 1 / step
            row: list[Any] = []
            for code, labels in codes:
                row.append(mp.mpmathify(code({labels.get(approach.letter, approach.letter): place})))
            if not all(map(mp.isfinite, row)):
                raise ValueError("a value that is infinite")
            found.append([place, *row])
    return found


def _equivalent(rows: list[list[Any]], approach: _Approach) -> Verdict:
    ratios = [left / right for _, left, right in rows]
    gaps = [abs(ratio - 1) for ratio in ratios]
    domain = approach.described()
    falling = all(b <= a * mp.mpf("0.95") or b < mp.mpf(10) ** -20 for a, b in pairwise(gaps))
    fast = gaps[-1] < _TINY or (gaps[-1] < _NEAR and all(b <= a * mp.mpf("0.45") for a, b in pairwise(gaps[-3:])))
    if falling and gaps[-1] < mp.mpf("0.2") and (fast or abs(_extrapolated(rows, ratios) - 1) < _CLOSE):
        reason = f"supported numerically: the ratio is {mp.nstr(ratios[-1], 8)} at {mp.nstr(rows[-1][0], 3)}"
        return Verdict("verified", len(rows), reason=reason, domain=domain)
    if gaps[-1] > _APART and abs(ratios[-1] - ratios[-2]) < gaps[-1] / 50:
        return Verdict("refuted", len(rows), _example(rows[-1], approach), _tends(ratios[-1]), domain=domain)
    if all(b > a for a, b in pairwise(gaps)) and gaps[-1] > 10:
        return Verdict(
            "refuted", len(rows), _example(rows[-1], approach), "the ratio does not tend to 1", domain=domain
        )
    return Verdict("undecided", len(rows), reason="the ratio has not settled at large arguments", domain=domain)


def _extrapolated(rows: list[list[Any]], ratios: list[Any]) -> Any:
    """The limit of ratios that are a + b/L + c/L^2, where L is the logarithm of the argument."""
    logs = [1 / abs(mp.log(abs(row[0]))) for row in rows[-3:]]
    return sum(
        ratio * mp.fprod(other / (other - u) for other in logs if other != u)
        for u, ratio in zip(logs, ratios[-3:], strict=True)
    )


def _tends(ratio: Any) -> str:
    return f"the ratio of the sides tends to {mp.nstr(ratio, 8)}, not to 1"


def _bounded(rows: list[list[Any]], approach: _Approach) -> Verdict:
    quotients = [abs((left - rest) / order) for _, left, rest, order in rows]
    domain = approach.described()
    steps = [abs(b - a) for a, b in pairwise(quotients)]
    settles = all(b <= a / 2 or b < _TINY for a, b in pairwise(steps[-3:]))
    if settles or max(quotients[-3:]) <= max(quotients[:3]) * mp.mpf("1.01"):
        reason = f"supported numerically: the quotient is {mp.nstr(quotients[-1], 8)} at {mp.nstr(rows[-1][0], 3)}"
        return Verdict("verified", len(rows), reason=reason, domain=domain)
    if all(b > 3 * a for a, b in pairwise(quotients)):
        example = _example(rows[-1][:3], approach)
        return Verdict("refuted", len(rows), example, "the quotient grows without bound", domain=domain)
    return Verdict("undecided", len(rows), reason="the quotient has not settled at large arguments", domain=domain)


def _example(row: list[Any], approach: _Approach) -> dict[str, Any]:
    return {"point": {approach.letter: mp.nstr(row[0], 8)}, "left": shown(row[1]), "right": shown(row[2])}


def _without(node: Expression, small: Expression) -> Expression | None:
    """A sum without its order term; None where the term is something else than a summand."""
    if node is small:
        return Number("0")
    if not isinstance(node, Apply) or node.head != "plus":
        return None
    rest = tuple(
        part
        for part in node.arguments
        if part is not small and not (isinstance(part, Apply) and part.head == "negate" and part.arguments[0] is small)
    )
    if len(rest) != len(node.arguments) - 1:
        return None
    return rest[0] if len(rest) == 1 else Apply("plus", rest, node.span)
