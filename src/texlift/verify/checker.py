"""The numeric check of one formula: sample, evaluate both sides at rising precision, decide.

verified   both sides agree at every point that could be evaluated (at least two, unless there are no variables)
refuted    they differ at every such point, by more than the estimated errors, at two precisions
undecided  everything else, with the reason
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from texlift.errors import FormulaError
from texlift.targets.expression import Apply, Expression, Relation, free_symbols, substitute
from texlift.verify.balls import certainly_different
from texlift.verify.conditions import Conditions, conditions_of
from texlift.verify.decision import Decision, compare, congruent, equal, ordered, shown
from texlift.verify.letters import customary_definitions, standing_definitions
from texlift.verify.statement import Claim, Comparison, UncheckableError, claim_of, doubt_about, is_condition
from texlift.verify.verdict import Tally, Verdict

__all__ = ["POINTS", "check_here"]

POINTS = 4
"""Points a claim is tested at."""


def check_here(
    semantic: str,
    constraints: Sequence[str] = (),
    seconds: float = 10.0,
    symbols: Mapping[str, str] | None = None,
    seed: int = 1,
) -> Verdict:
    """Check in this process; `seconds` is only looked at between evaluations (see `texlift.verify.worker`)."""
    known = symbols or {}
    try:
        claim = claim_of(semantic, known)
    except UncheckableError as why:
        return Verdict("undecided", reason=str(why), checkable=False)
    except FormulaError as error:
        return Verdict("undecided", reason=error.message, checkable=error.code != "syntax")
    started = time.process_time()
    try:
        verdict = _Check(semantic, claim, list(constraints), known, seconds, seed).run()
        if verdict.counterexample is None:
            return verdict
        for definitions in customary_definitions(claim):
            left = seconds - (time.process_time() - started)
            if left <= 0:
                break
            other = _Check(semantic, claim, list(constraints), known, left, seed, definitions).run()
            if other.verdict == "refuted" and verdict.verdict == "undecided" and "defined elsewhere" in verdict.reason:
                # The letters mean what they always do, and the sides differ all the same.
                reason = f"both sides differ, also with the customary meaning of {', '.join(definitions)}"
                verdict = Verdict("refuted", other.points, other.counterexample, reason)
            if other.verdict == "verified":
                return Verdict(
                    "verified", other.points, reason=f"with the customary meaning of {', '.join(definitions)}"
                )
    except FormulaError as error:
        reason = f"{error.message}: {error.hint}" if "runnable" in error.hint else error.message
        return Verdict("undecided", reason=reason)
    if verdict.verdict == "refuted" and (doubt := doubt_about(claim)):
        return Verdict("undecided", verdict.points, verdict.counterexample, f"differs, but {doubt}")
    if verdict.verdict == "refuted" and is_condition(claim):
        return Verdict("undecided", verdict.points, verdict.counterexample, "a condition on its variables, no identity")
    return verdict


class _Check:
    def __init__(
        self,
        source: str,
        claim: Claim,
        constraints: list[str],
        known: Mapping[str, str],
        seconds: float,
        seed: int,
        definitions: Mapping[str, Expression] | None = None,
    ) -> None:
        from texlift.verify.evaluation import Trust, compile_expression, namespace
        from texlift.verify.sampling import Sampler, domains_of

        self.deadline = time.process_time() + seconds
        self.claim = claim
        self.stated = claim.variables  # without those of the constraints
        self.known = known
        self.trust = Trust()
        self.names = namespace(self.trust)
        self.labels: dict[str, str] = {}
        self.conditions: Conditions = conditions_of(constraints)
        self.conditions.defined |= dict(definitions or {})
        self.conditions.defined |= {
            name: value for name, value in standing_definitions(claim).items() if name not in self.conditions.defined
        }

        self.fixed = fixed = dict(self.conditions.defined)

        def compiled(node: Expression) -> Any:
            node = substitute(substitute(node, fixed), fixed)  # also inside derivatives and integrals
            code, labels = compile_expression(node, source, self.names)
            self.labels |= labels
            return code

        self.compiled: Callable[[Expression], Any] = compiled
        self.sides = [
            (c, compiled(c.left), compiled(c.right), c.other and (compiled(c.other[0]), compiled(c.other[1])))
            for c in claim.comparisons
        ]
        self.tests: list[Any] = []
        for test in self.conditions.tests:
            try:
                self.tests.append(self._test(test, compiled))
            except FormulaError:
                self.conditions.ignored.append("a condition without a numeric form")
        self.defined = {}
        for name, value in self.conditions.defined.items():
            try:
                self.defined[name] = compiled(value)
            except FormulaError:
                self.conditions.ignored.append(name)
        extra = [n for n in self.labels if n not in claim.variables and n not in self.defined]
        needed = [
            n for n in extra if n in _free(self.conditions) or n.startswith(r"\mathsf")
        ]  # constants of definitions
        claim = Claim(claim.comparisons, (*claim.variables, *needed), claim.macros)
        self.claim = claim
        self.sampler = Sampler(domains_of(claim, self.conditions, known), self.conditions, self._holds, seed)

    # -- constraints -----------------------------------------------------------------------------------

    def _test(self, node: Expression, compiled: Any) -> Any:
        """A constraint as a function of an environment."""
        if isinstance(node, Apply) and node.head == "not":
            inner = self._test(node.arguments[0], compiled)
            return lambda env: not inner(env)
        if isinstance(node, Apply) and node.head == "noninteger":
            value = compiled(node.arguments[0])
            return lambda env: abs(value(env) - round(complex(value(env)).real)) > 1e-6
        if isinstance(node, Apply) and node.head == "integral":
            value = compiled(node.arguments[0])
            return lambda env: abs(value(env) - round(complex(value(env)).real)) < 1e-9
        assert isinstance(node, Relation)
        parts = [compiled(operand) for operand in node.operands]

        def holds(env: dict[str, Any]) -> bool:
            values = [part(env) for part in parts]
            return all(compare(op, a, b) for op, a, b in zip(node.operators, values, values[1:], strict=False))

        return holds

    def environment(self, point: Mapping[str, complex]) -> dict[str, Any]:
        from mpmath import mp

        env = {self.labels.get(n, n): mp.mpc(v) if isinstance(v, complex) else mp.mpf(str(v)) for n, v in point.items()}
        for _ in range(2):  # definitions may use each other
            for name, code in self.defined.items():
                try:
                    env[self.labels.get(name, name)] = code(env)
                except KeyError:
                    continue
        return env

    def _holds(self, point: dict[str, complex]) -> bool:
        try:
            env = self.environment(point)
            return all(test(env) for test in self.tests)
        except (ArithmeticError, ValueError, TypeError, KeyError, NotImplementedError):
            return False

    # -- points ----------------------------------------------------------------------------------------

    def run(self) -> Verdict:
        from mpmath import mp

        tally = Tally()
        wanted = POINTS if self.sampler.domains else 1
        found_any = False
        for number in range(wanted * 3):
            if tally.decided >= wanted + (tally.agreed == 0) * 2:
                break
            if time.process_time() > self.deadline:
                tally.fail("time is up")
                break
            stage = (0, 0, 1, 2)[number % 4]
            point = self.sampler.draw(stage)
            if point is None:
                continue
            found_any = True
            try:
                with mp.workdps(15):
                    self._evaluate(point, tally)
            except TimeoutError:  # the worker's alarm: decide on the points so far
                tally.fail("no result in the time given")
                break
            if len(tally.differed) >= 3 and not tally.agreed:
                break
        if not found_any:
            return Verdict("undecided", reason="no point satisfies the constraints")
        return self._verdict(tally)

    def _verdict(self, tally: Tally) -> Verdict:
        verdict = tally.verdict(bool(self.sampler.domains))
        if verdict.verdict != "refuted":
            return verdict
        reason = ""
        elsewhere = [name for name in self.stated if self._may_be_defined(name)] or self._lone_letters()
        if elsewhere:
            reason = f"differs, but {elsewhere[0]} may be defined elsewhere"
        elif self.conditions.ignored:
            reason = f"differs, but a constraint was not understood: {self.conditions.ignored[0]}"
        return replace(verdict, verdict="undecided", reason=reason, certain=False) if reason else verdict

    def _may_be_defined(self, name: str) -> bool:
        """Capitals and decorated letters often are abbreviations; so is what a list of symbols leaves out."""
        if name in self.defined or name in self.conditions.kinds or name in self.conditions.least:
            return False
        if name in self.known or name.startswith(r"\mathsf"):  # \mathsf: an arbitrary constant of a definition
            return False
        return not (
            (len(name) == 1 and name.islower()) or (name[0] == "\\" and name[1:].islower() and name[1:].isalpha())
        )

    def _lone_letters(self) -> list[str]:
        """Letters on one side only, which that side depends on.

        An identity has its letters on both sides, or does not depend on them; a letter that only one side
        depends on mostly abbreviates something.
        """
        from mpmath import mp

        for comparison, left, right, _ in self.sides:
            if comparison.operator != "=" or comparison.balanced or not self.claim.macros:
                continue
            used = [set(free_symbols(substitute(side, self.fixed))) for side in (comparison.left, comparison.right)]
            for name in sorted(used[0] ^ used[1]):
                point = self.sampler.draw(0)
                if point is None or name not in point:
                    continue
                side = left if name in used[0] else right
                try:
                    with mp.workdps(15):
                        first = side(self.environment(point))
                        domain = self.sampler.domains[name].kind
                        moved = point[name] + 1 if domain == "integer" else point[name] * 0.9
                        second = side(self.environment({**point, name: moved}))
                except (ArithmeticError, ValueError, TypeError, KeyError, NotImplementedError):
                    continue
                if abs(first - second) > 1e-8 * abs(first):
                    return [name]
        return []

    def _evaluate(self, point: dict[str, complex], tally: Tally) -> None:
        outcome = True
        strong = False
        for comparison, left, right, other in self.sides:
            try:
                decision = self._decide(comparison, left, right, point)
                if not decision.holds and other:
                    decision = self._decide(comparison, *other, point)
            except (ArithmeticError, ValueError, TypeError, KeyError, NotImplementedError, AttributeError) as error:
                tally.fail(f"{type(error).__name__}: {str(error)[:80]}" if str(error) else type(error).__name__)
                return
            except Exception as error:
                if isinstance(error, TimeoutError | MemoryError):
                    raise
                tally.fail(f"{type(error).__name__}: {str(error)[:80]}")
                return
            if decision.holds is None:
                tally.fail("the numerical error is too large to decide")
                return
            strong = strong or decision.substantial
            if not decision.holds:
                outcome = False
                place = {name: shown(value) for name, value in point.items()}
                found = {"point": place, "left": shown(decision.left), "right": shown(decision.right)}
                if comparison.operator == "=" and not tally.differed:
                    found["certain"] = certainly_different(
                        substitute(comparison.left, self.fixed), substitute(comparison.right, self.fixed), point
                    )
                tally.differed.append(found)
                break
        if outcome:
            tally.agreed += strong
            tally.trivial += not strong

    def _decide(self, comparison: Comparison, left: Any, right: Any, point: dict[str, complex]) -> Decision:
        """Whether the comparison holds at a point."""

        def sides() -> tuple[Any, Any, float]:
            self.trust.reset()
            env = self.environment(point)
            return left(env), right(env), self.trust.error

        if comparison.modulus is not None:
            modulus = self.compiled(comparison.modulus)
            return congruent(sides, lambda: modulus(self.environment(point)))
        if comparison.operator in ("=", "==="):
            return equal(sides, comparison.tolerance)
        return ordered(comparison.operator, sides)


def _free(conditions: Conditions) -> set[str]:
    found: set[str] = set()
    for node in (*conditions.tests, *conditions.defined.values()):
        found.update(free_symbols(node))
    return found
