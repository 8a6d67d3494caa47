"""What the sides of a claim are evaluated in: constraints, definitions of letters, points, environments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mpmath import mp

from texlift.errors import FormulaError
from texlift.targets.expression import Apply, Expression, Relation, free_symbols, substitute
from texlift.targets.pycode import Code
from texlift.verify.conditions import Conditions, conditions_of
from texlift.verify.decision import compare
from texlift.verify.evaluation import Trust, compile_expression, namespace
from texlift.verify.letters import standing_definitions
from texlift.verify.sampling import Sampler, domains_of
from texlift.verify.statement import Claim

__all__ = ["FAILURES", "Setting"]

FAILURES = (ArithmeticError, ValueError, TypeError, KeyError, NotImplementedError, AttributeError)
"""What numeric routines throw at points they cannot handle."""

_Test = Callable[[dict[str, Any]], bool]


class Setting:
    """Compiles expressions of one formula and draws points for them.

    `known` says what symbols are; `definitions` fixes letters beyond the constraints.
    """

    def __init__(
        self,
        source: str,
        claim: Claim,
        constraints: Sequence[str],
        known: Mapping[str, str],
        seed: int,
        definitions: Mapping[str, Expression] | None = None,
    ) -> None:
        self.source = source
        self.trust = Trust()
        self.names = namespace(self.trust)
        self.labels: dict[str, str] = {}
        self.conditions: Conditions = conditions_of(list(constraints))
        self.conditions.defined |= dict(definitions or {})
        self.conditions.defined |= {
            name: value for name, value in standing_definitions(claim).items() if name not in self.conditions.defined
        }
        self.fixed = dict(self.conditions.defined)
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
        claim = Claim(claim.comparisons, (*claim.variables, *needed), claim.macros)
        self.sampler = Sampler(domains_of(claim, self.conditions, known), self.conditions, self._holds, seed)

    def compiled(self, node: Expression) -> Code:
        """The expression as a function of an environment."""
        node = substitute(substitute(node, self.fixed), self.fixed)  # also inside derivatives and integrals
        code, labels = compile_expression(node, self.source, self.names)
        self.labels |= labels
        return code

    def environment(self, point: Mapping[str, complex]) -> dict[str, Any]:
        """The values of all names at a point, at the precision of mpmath."""
        env = {self.labels.get(n, n): mp.mpc(v) if isinstance(v, complex) else mp.mpf(str(v)) for n, v in point.items()}
        for _ in range(2):  # definitions may use each other
            for name, code in self.defined.items():
                try:
                    env[self.labels.get(name, name)] = code(env)
                except KeyError:
                    continue
        return env

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

    def _holds(self, point: dict[str, complex]) -> bool:
        try:
            env = self.environment(point)
            return all(test(env) for test in self.tests)
        except FAILURES:
            return False


def _free(conditions: Conditions) -> set[str]:
    found: set[str] = set()
    for node in (*conditions.tests, *conditions.defined.values()):
        found.update(free_symbols(node))
    return found
