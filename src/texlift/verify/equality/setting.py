"""What two expressions are compared in: conditions on their letters, declarations, what counts, how long."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import islice

from texlift.meaning.declarations import NOTHING_DECLARED, Declarations
from texlift.meaning.tree import Apply, Constant, Expression, Number, Symbol, free_symbols, walk
from texlift.verify.balls import NoBallError
from texlift.verify.conditions import Conditions, conditions_of
from texlift.verify.domains import Domain, domains_of
from texlift.verify.equality.evaluation import Evaluator, UndefinedError
from texlift.verify.equality.numerals import point_values
from texlift.verify.equality.result import Options
from texlift.verify.sampling import Sampler, critical_numbers
from texlift.verify.statement import Claim, Comparison
from texlift.verify.values import Point, Value

__all__ = ["Setting", "SpentError"]

_SEED = 20
_COUNTING = frozenset({"gcd", "lcm", r"\pgcd", "modulo", r"\Legendresym", r"\Jacobisym", "factorial2"})
_SMALL = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29)
_SIMPLE: tuple[Callable[[int], int], ...] = (
    lambda index: _SMALL[index % len(_SMALL)],
    lambda index: 1,
    lambda index: -_SMALL[(index + 1) % len(_SMALL)],
    lambda index: 0,
    lambda index: -1 if index % 2 else 2,
)
_TRAITS = ("integer", "positive", "negative", "nonnegative", "nonpositive", "nonzero", "real", "complex", "even", "odd",
           "prime")  # fmt: skip
_SIGNS = {"positive": ">", "negative": "<", "nonnegative": ">=", "nonpositive": "<=", "nonzero": "!="}


class SpentError(Exception):
    """The time for a pair is used up."""


@dataclass(frozen=True, slots=True)
class Setting:
    """`where` are conditions in semantic LaTeX; a `patient` comparison runs in a worker process."""

    options: Options = field(default_factory=Options)
    where: tuple[str, ...] = ()
    declared: Declarations = NOTHING_DECLARED
    patient: bool = False
    deadline: float = field(default=float("inf"))

    def checked(self) -> None:
        """Raise SpentError where no time is left."""
        if time.thread_time() > self.deadline:
            raise SpentError

    def conditions(self) -> Conditions:
        """The conditions on letters; declared traits count among them."""
        found = conditions_of(list(self.where))
        for name, one in self.declared.items():
            for kind in ("prime", "integer", "real", "complex"):
                if kind in one.traits and name not in found.kinds:
                    found.kinds[name] = kind
            for trait, operator in _SIGNS.items():
                if trait in one.traits:
                    found.tests.append(_relation(operator, name))
            for trait in ("odd", "even"):
                if trait in one.traits:
                    half = Apply(
                        "divide", (Apply("plus", (Symbol(name), Number(str(int(trait == "odd"))))), Number("2"))
                    )
                    found.tests.append(Apply("integral", (half,)))
        return found

    def points(self, nodes: Sequence[Expression], most: int, custom: bool = False) -> Iterator[Point]:
        """Points of the domain of the letters of some expressions, simple ones first, deterministic.

        With `custom` letters that are customarily integers or complex are taken as such.
        """
        names = tuple(dict.fromkeys(name for node in nodes for name in free_symbols(node)))
        claim = Claim((Comparison("=", nodes[0], nodes[-1]),), names, frozenset())
        conditions = self.conditions()
        domains = dict(domains_of(claim, conditions, {}))
        if not custom:
            domains |= {name: Domain("real") for name in self.by_custom(nodes)}
        domains = {name: replace(domain, said=True) for name, domain in domains.items()}

        def allowed(point: Point) -> bool:
            self.checked()
            return all(_holds(test, point) for test in conditions.tests)

        sampler = Sampler(domains, conditions, allowed, _SEED, critical_numbers(claim))
        free = sampler.free
        for simple in _SIMPLE:
            point = {name: Value(Fraction(simple(index))) for index, name in enumerate(free)}
            if all(_inside(domains[name], value) for name, value in point.items()) and allowed(point):
                yield self._defined(point, conditions)
        if len(free) == 1 and domains[free[0]].kind == "real":
            for number in sampler.critical:
                point = {free[0]: Value(number)}
                if allowed(point):
                    yield point
        for drawn in islice(sampler.sweep(), most):
            if drawn is not None:
                yield self._defined(drawn, conditions)

    def by_custom(self, nodes: Sequence[Expression]) -> frozenset[str]:
        """Letters that are integers or complex numbers by custom alone."""
        names = tuple(dict.fromkeys(name for node in nodes for name in free_symbols(node)))
        claim = Claim((Comparison("=", nodes[0], nodes[-1]),), names, frozenset())
        if any(isinstance(part, Apply) and part.head in _COUNTING for node in nodes for part in walk(node)):
            return frozenset()
        alternating = {name for node in nodes for name in _under_negative(node)}
        found = domains_of(claim, self.conditions(), {})
        parts = {
            name
            for node in nodes
            for part in walk(node)
            if isinstance(part, Apply) and part.head in (r"\conj", r"\realpart", r"\imagpart", r"\phase")
            for name in free_symbols(part)
        }
        return frozenset(
            name
            for name, domain in found.items()
            if not domain.said
            and domain.least is None
            and domain.kind in ("integer", "complex")
            and name not in alternating
            and name not in parts
        )

    @staticmethod
    def _defined(point: Point, conditions: Conditions) -> Point:
        """The point with letters that an equation among the conditions fixes, where they are rational."""
        from texlift.verify.exact import NotExactError, exact_value

        values = {name: value.exact for name, value in point.items() if value.exact is not None}
        made = dict(point)
        for name, node in conditions.defined.items():
            try:
                made[name] = Value(exact_value(node, values))
            except (NotExactError, ZeroDivisionError):
                continue
        return made


def is_complex(nodes: Sequence[Expression]) -> bool:
    """Whether expressions speak of complex numbers."""
    return any(isinstance(part, Constant) and part.name == "i" for node in nodes for part in walk(node))


def _relation(operator: str, name: str) -> Expression:
    from texlift.meaning.tree import Relation

    return Relation((operator,), (Symbol(name), Number("0")))


def _under_negative(node: Expression) -> set[str]:
    """Letters in the exponent of a negative number: `(-1)^n`."""
    return {
        name
        for part in walk(node)
        if isinstance(part, Apply) and part.head == "power"
        if isinstance(part.arguments[0], Apply) and part.arguments[0].head == "negate"
        for name in free_symbols(part.arguments[1])
    }


def _inside(domain: Domain, value: Value) -> bool:
    number = value.real
    if domain.kind == "integer" and domain.least is not None and number < domain.least:
        return False
    if domain.kind == "prime":
        return number in _SMALL
    return domain.kind not in ("unit", "large", "upper")


def _holds(test: Expression, point: Mapping[str, Value]) -> bool:
    from texlift.meaning.tree import Relation

    evaluator = Evaluator(point_values(point))
    try:
        if isinstance(test, Apply) and test.head in ("integral", "noninteger"):
            number = evaluator.number(test.arguments[0]).real
            whole = number.unique_fmpz() is not None
            return whole is (test.head == "integral")
        if isinstance(test, Apply | Relation):
            return evaluator.holds(test)
    except (NoBallError, UndefinedError):
        return False
    return False
