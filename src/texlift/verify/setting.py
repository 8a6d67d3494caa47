"""What the sides of a claim are evaluated in: constraints, definitions of letters, points, environments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from mpmath import mp

from texlift.errors import FormulaError
from texlift.meaning.tree import Apply, Expression, Relation, free_symbols, substitute
from texlift.targets.writers.pycode import Code
from texlift.verify.conditions import Conditions, conditions_of
from texlift.verify.decision import Sample, compare
from texlift.verify.domains import domains_of, is_complex_claim
from texlift.verify.evaluation import Trust, compile_expression, namespace
from texlift.verify.exact import NotExactError, exact_value, is_exact, residue
from texlift.verify.letters import standing_definitions
from texlift.verify.sampling import Sampler, critical_numbers
from texlift.verify.statement import Claim, Comparison
from texlift.verify.values import Point

__all__ = ["FAILURES", "Setting"]

FAILURES = (ArithmeticError, ValueError, TypeError, KeyError, NotImplementedError, AttributeError)
"""What numeric routines throw at points they cannot handle."""

_TEST_DIGITS = 25

_Test = Callable[[dict[str, Any]], bool]


class Setting:
    """Compiles expressions of one formula and draws points for them.

    `known` says what symbols are; `definitions` fixes letters beyond the constraints; an `excerpt` stands in a text
    that may say more about its letters.
    """

    def __init__(
        self,
        source: str,
        claim: Claim,
        constraints: Sequence[str],
        known: Mapping[str, str],
        seed: int,
        definitions: Mapping[str, Expression] | None = None,
        excerpt: bool = False,
    ) -> None:
        self.source = source
        self.trust = Trust(careful=not excerpt)
        self.conditions: Conditions = conditions_of(list(constraints), claim.premises)
        self.conditions.defined |= dict(definitions or {})
        self.conditions.defined |= {
            name: value for name, value in standing_definitions(claim).items() if name not in self.conditions.defined
        }
        self.fixed = dict(self.conditions.defined)
        self.said = [*constraints, *(source[slice(*premise.span)] for premise in claim.premises)]
        domains = domains_of(claim, self.conditions, known, excerpt)
        self.is_complex = is_complex_claim(claim, domains) or any(
            is_complex_claim(Claim((Comparison("=", value, value),), (), frozenset()), {})
            for value in self.fixed.values()
        )
        self.names = namespace(self.trust, self.is_complex)
        self.labels: dict[str, str] = {}
        self.sides = [
            (c, self.compiled(c.left), self.compiled(c.right), c.other and tuple(self.compiled(o) for o in c.other))
            for c in claim.comparisons
        ]
        self.tests: list[_Test] = []
        for test in self.conditions.tests:
            try:
                self.tests.append(self._test(test))
            except FormulaError:
                self.conditions.ignored.append("a condition without a numeric form")
        self.defined: dict[str, Code] = {}
        for name, value in self.conditions.defined.items():
            try:
                self.defined[name] = self.compiled(value)
            except FormulaError:
                self.conditions.ignored.append(name)
        constrained = _free(self.conditions)
        self.needed = constrained  # names that constraints and definitions use
        extra = [n for n in self.labels if n not in claim.variables and n not in self.defined]
        needed = [n for n in extra if n in constrained or n.startswith(r"\mathsf")]  # constants of definitions
        claim = replace(claim, variables=(*claim.variables, *needed))
        domains = domains_of(claim, self.conditions, known, excerpt)
        self.sampler = Sampler(domains, self.conditions, self.allows, seed, critical_numbers(claim))

    def compiled(self, node: Expression) -> Code:
        """The expression as a function of an environment."""
        settled = self.settled(node)
        try:
            code, labels = compile_expression(settled, self.source, self.names)
        except FormulaError:
            if not is_exact(settled):
                raise
            return _only_exact
        self.labels |= labels
        return code

    def settled(self, node: Expression) -> Expression:
        """The expression with the definitions put in, also inside derivatives and integrals."""
        return substitute(substitute(node, self.fixed), self.fixed)

    def environment(self, point: Point) -> dict[str, Any]:
        """The values of all names at a point, at the precision of mpmath."""
        env = {self.labels.get(name, name): value.number() for name, value in point.items()}
        for _ in range(2):  # definitions may use each other
            for name, code in self.defined.items():
                try:
                    env[self.labels.get(name, name)] = code(env)
                except KeyError:
                    continue
        return env

    def sample(self, left: Code, right: Code, point: Point) -> Sample:
        """Both sides at a point, at the precision of mpmath."""
        trust = self.trust
        trust.reset()
        env = self.environment(point)
        a, b = left(env), right(env)
        return Sample(
            a, b, trust.error, trust.absolute, trust.spread, trust.top, trust.wild, trust.nonreal, trust.convention
        )

    def exactly(self, nodes: Sequence[Expression], point: Point) -> list[Fraction] | None:
        """The rational values of expressions at a point; None where they have none."""
        values = _rational(point)
        try:
            return None if values is None else [exact_value(self.settled(node), values) for node in nodes]
        except NotExactError:
            return None

    def residues(self, nodes: Sequence[Expression], modulus: Expression, point: Point) -> list[Fraction] | None:
        """The remainders of integers, and the modulus; None where they have none."""
        values = _rational(point)
        try:
            if values is None:
                return None
            divisor = exact_value(self.settled(modulus), values)
            if divisor.denominator != 1 or divisor == 0:
                return None
            number = abs(int(divisor))
            return [*(Fraction(residue(self.settled(node), values, number)) for node in nodes), Fraction(number)]
        except NotExactError:
            return None

    def domain(self) -> str:
        """The domain of the letters in words: `x real, n integer, where x>0`."""
        domains = self.sampler.domains
        names = [name for name in domains if name not in self.conditions.helpers]
        text = ", ".join(domains[name].described(name) for name in names)
        return f"{text}, where {', '.join(self.said)}" if self.said and text else text

    # -- constraints -----------------------------------------------------------------------------------

    def _test(self, node: Expression) -> _Test:
        """A constraint as a function of an environment."""
        if isinstance(node, Apply) and node.head == "not":
            inner = self._test(node.arguments[0])
            return lambda env: not inner(env)
        if isinstance(node, Apply) and node.head in ("noninteger", "integral"):
            value = self.compiled(node.arguments[0])
            wanted = node.head == "integral"
            return lambda env: (abs(value(env) - round(complex(value(env)).real)) < 1e-7) is wanted
        assert isinstance(node, Relation)
        parts = [self.compiled(operand) for operand in node.operands]

        def holds(env: dict[str, Any]) -> bool:
            values = [part(env) for part in parts]
            return all(compare(op, a, b) for op, a, b in zip(node.operators, values, values[1:], strict=False))

        return holds

    def allows(self, point: Point) -> bool:
        """Whether a point satisfies the constraints."""
        if not self.tests:
            return True
        try:
            with mp.workdps(_TEST_DIGITS):
                env = self.environment(point)
                return all(test(env) for test in self.tests)
        except FAILURES:
            return False


def _only_exact(env: dict[str, Any]) -> Any:
    """For functions of integers that mpmath does not have."""
    raise NotImplementedError("no value but an exact one")


def _rational(point: Point) -> dict[str, Fraction] | None:
    values: dict[str, Fraction] = {}
    for name, value in point.items():
        number = value.exact
        if number is None:
            return None
        values[name] = number
    return values


def _free(conditions: Conditions) -> set[str]:
    found: set[str] = set()
    for node in (*conditions.tests, *conditions.defined.values()):
        found.update(free_symbols(node))
    return found
