"""Relations joined by and, or, not, implies, iff: tested point by point."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from texlift.meaning.tree import Apply, Expression, Relation
from texlift.verify.domains import Domain
from texlift.verify.judging import Judge
from texlift.verify.setting import FAILURES, Setting
from texlift.verify.statement import Comparison, claim_from
from texlift.verify.timing import SlowError, limited
from texlift.verify.values import Point, Value, python_code, shown_point
from texlift.verify.verdict import Verdict

__all__ = ["JOINED", "check_joined", "is_joined"]

JOINED = frozenset({"and", "or", "not", "implies", "iff", "xor"})
_POINTS = 150
_ATTEMPTS = 500
_FEW = 20
_HITS = 5  # points at which a premise holds


@dataclass(frozen=True, slots=True)
class _Atom:
    """The comparisons of a relation, by their numbers."""

    numbers: tuple[int, ...]


def is_joined(statement: Expression) -> bool:
    """Whether a statement joins relations of numbers."""
    if isinstance(statement, Relation):
        return True
    return isinstance(statement, Apply) and statement.head in JOINED and all(map(is_joined, statement.arguments))


def check_joined(
    source: str,
    statement: Apply,
    constraints: Sequence[str],
    known: Mapping[str, str],
    seconds: float,
    seed: int = 1,
) -> Verdict:
    """The verdict; raises UncheckableError where a relation says nothing about numbers."""
    return _Joined(source, statement, constraints, known, seconds, seed).run()


class _Joined:
    def __init__(
        self,
        source: str,
        statement: Apply,
        constraints: Sequence[str],
        known: Mapping[str, str],
        seconds: float,
        seed: int,
    ) -> None:
        self.deadline = time.process_time() + seconds
        self.statement = statement
        self.comparisons: list[Comparison] = []
        self.formula = self._formula(statement, source)
        self.claim = claim_from(self.comparisons, source)
        self.setting = Setting(source, self.claim, constraints, known, seed)
        self.judge = Judge(self.setting, self.claim, max(0.2, seconds * 0.1))

    def _formula(self, node: Expression, source: str) -> Any:
        if isinstance(node, Apply):
            return (node.head, *(self._formula(part, source) for part in node.arguments))
        assert isinstance(node, Relation)
        start = len(self.comparisons)
        self.comparisons += claim_from([], source, node).comparisons
        return _Atom(tuple(range(start, len(self.comparisons))))

    def run(self) -> Verdict:
        domain = self.setting.domain()
        tried = decided = hits = misses = 0
        for point in self._points():
            tried += 1
            if tried > _ATTEMPTS or decided >= _POINTS or time.process_time() > self.deadline:
                break
            if point is None:
                continue
            values = self._values(point)
            holds = _value(self.formula, values)
            if holds is None:
                continue
            decided += 1
            if not holds:
                if self.setting.sampler.beyond_custom(point):
                    reason = f"fails at the point shown, but {self.setting.sampler.beyond_custom(point)}"
                    return Verdict("undecided", decided, self._example(point, values), reason, domain=domain)
                reason = "fails at the point shown"
                return Verdict("refuted", decided, self._example(point, values), reason, domain=domain)
            first = _value(self.formula[1], values)
            hits += first is True
            misses += first is False
        return self._verdict(decided, hits, misses, domain)

    def _verdict(self, decided: int, hits: int, misses: int, domain: str) -> Verdict:
        if decided < _FEW:
            return Verdict("undecided", decided, reason="too few points could be decided", domain=domain)
        head = self.statement.head
        if head in ("implies", "iff"):
            equal = any(comparison.operator in ("=", "===", "!=") for comparison in self.comparisons)
            if equal and not self._solved():
                reason = "holds wherever tested, but points at which an equation holds may have been missed"
                return Verdict("undecided", decided, reason=reason, domain=domain)
            if hits < (1 if equal else _HITS) or (head == "iff" and misses < _HITS):
                return Verdict("undecided", decided, reason="the condition held at too few points", domain=domain)
        return Verdict("verified", decided, domain=domain)

    # -- points ----------------------------------------------------------------------------------------

    def _points(self) -> Any:
        letters = self.setting.sampler.free
        if len(letters) == 1:
            for root in sorted(self._roots()[0]):
                point = {letters[0]: Value(root)}
                if _belongs(root, self.setting.sampler.domains[letters[0]]) and self.setting.allows(point):
                    yield point
        if letters:
            yield from self.setting.sampler.sweep()
        else:
            yield {}

    def _solved(self) -> bool:
        """Whether all solutions of all equations were tried."""
        return self._roots()[1]

    def _roots(self) -> tuple[set[Fraction], bool]:
        """Rational roots of the equations in one letter, and whether these are all roots."""
        import sympy

        from texlift.verify.proof.terms import NoTermError, Terms

        found: set[Fraction] = set()
        complete = len(self.setting.sampler.free) == 1
        for comparison in self.comparisons:
            if comparison.operator not in ("=", "===", "!="):
                continue
            terms = Terms({}, frozenset())
            try:
                term = terms.build(comparison.left) - terms.build(comparison.right)
                letters = sorted(term.free_symbols, key=str)
                poly = sympy.Poly(term, *letters, domain="QQ") if len(letters) == 1 else None
            except (NoTermError, sympy.PolynomialError, sympy.CoercionFailed, ValueError, TypeError):
                poly = None
            if poly is None or poly.degree() > 12 or poly.is_zero:
                complete = False
                continue
            roots = poly.ground_roots()
            found |= {Fraction(int(root.p), int(root.q)) for root in roots}
            real = self.setting.sampler.domains[self.setting.sampler.free[0]].kind not in ("complex", "upper")
            distinct = sympy.Poly(sympy.prod(f.as_expr() for f, _ in poly.factor_list()[1]), *letters)
            if not real or distinct.count_roots() != len(roots):
                complete = False
        return found, complete

    def _values(self, point: Point) -> list[bool | None]:
        found: list[bool | None] = []
        for number in range(len(self.comparisons)):
            try:
                with limited(self.judge.patience):
                    decision = self.judge.decide(number, point)
                found.append(None if decision.nonreal and not self.setting.is_complex else decision.holds)
            except (SlowError, *FAILURES):
                found.append(None)
        return found

    def _example(self, point: Point, values: list[bool | None]) -> dict[str, Any]:
        parts = [_value(part, values) for part in self.formula[1:]]
        return {"point": shown_point(point), "left": parts[0], "right": parts[-1], "python": python_code(point)}


def _belongs(root: Fraction, domain: Domain) -> bool:
    whole = domain.kind in ("integer", "prime")
    return not (whole and (root.denominator != 1 or (domain.least is not None and root < domain.least)))


def _value(formula: Any, values: list[bool | None]) -> bool | None:
    """Truth with an unknown: None where it depends on what could not be decided."""
    if isinstance(formula, _Atom):
        return _all([values[number] for number in formula.numbers])
    head, *parts = formula
    found = [_value(part, values) for part in parts]
    if head == "not":
        return None if found[0] is None else not found[0]
    if head == "and":
        return _all(found)
    if head == "or":
        return _not(_all([_not(value) for value in found]))
    if head == "implies":
        return _not(_all([found[0], _not(found[1])]))
    if None in found:
        return None
    return len(set(found)) == 1 if head == "iff" else sum(bool(value) for value in found) % 2 == 1


def _all(values: Sequence[bool | None]) -> bool | None:
    if False in values:
        return False
    return None if None in values else True


def _not(value: bool | None) -> bool | None:
    return None if value is None else not value
