"""The numeric check of one formula: sample, evaluate both sides at rising precision, decide.

verified   both sides agree at every point that could be evaluated (at least two, unless there are no variables)
refuted    they differ at every such point, by more than the estimated errors, at two precisions
undecided  everything else, with the reason
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from mpmath import mp

from texlift.errors import FormulaError
from texlift.targets.expression import Apply, Symbol, free_symbols, substitute, walk
from texlift.verify.balls import certainly_different
from texlift.verify.conditions import unsettled
from texlift.verify.decision import Decision, congruent, equal, ordered, shown
from texlift.verify.letters import customary_definitions
from texlift.verify.setting import FAILURES, Setting
from texlift.verify.statement import Claim, Comparison, UncheckableError, claim_of, doubt_about, is_condition
from texlift.verify.verdict import Tally, Verdict

__all__ = ["POINTS", "check_here"]

POINTS = 4
"""Points a claim is tested at."""

_SCHEDULE = ((0, False), (0, True), (1, False), (2, True))  # stage, whether integers are generic
_EXTRA = 6  # more generic points where integers leave a doubt


def check_here(
    semantic: str,
    constraints: Sequence[str] = (),
    seconds: float = 10.0,
    symbols: Mapping[str, str] | None = None,
    seed: int = 1,
) -> Verdict:
    """Check in this process; `seconds` is only looked at between evaluations (see `texlift.verify.worker`)."""
    known = unsettled(symbols or {}, constraints)
    try:
        claim = claim_of(semantic, known)
    except UncheckableError as why:
        return Verdict("undecided", reason=str(why), checkable=False)
    except FormulaError as error:
        return Verdict("undecided", reason=error.message, checkable=error.code != "syntax")
    started = time.process_time()
    try:
        setting = Setting(semantic, claim, constraints, known, seed)
        verdict = _Check(setting, claim, known, seconds).run()
        if verdict.counterexample is None:
            return verdict
        for definitions in customary_definitions(claim):
            left = seconds - (time.process_time() - started)
            if left <= 0:
                break
            setting = Setting(semantic, claim, constraints, known, seed, definitions)
            other = _Check(setting, claim, known, left).run()
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
    def __init__(self, setting: Setting, claim: Claim, known: Mapping[str, str], seconds: float) -> None:
        self.deadline = time.process_time() + seconds
        self.longest = 0.0  # processor time of a point
        self.setting = setting
        self.claim = claim
        self.known = known
        self.sampler = setting.sampler
        self.conditions = setting.conditions

    def run(self) -> Verdict:
        tally = Tally()
        if not self.sampler.domains:
            self._visit(tally, 0, False)
            return self._verdict(tally)
        for number in range(POINTS * 3):
            if tally.decided >= POINTS + (tally.agreed == 0) * 2 or (len(tally.differed) >= 3 and not tally.agreed):
                break
            if not self._visit(tally, *_SCHEDULE[number % len(_SCHEDULE)]):
                break
        if self.sampler.whole and tally.agreed:
            for _ in range(_EXTRA):
                settled = tally.degenerate if tally.differed else tally.generic_agreed
                if settled or (tally.differed and tally.generic_agreed) or not self._visit(tally, 0, True):
                    break
        if tally.differed and not tally.agreed:
            self._visit_mirrored(tally)
        if not tally.decided and not tally.failed:
            return Verdict("undecided", reason="no point satisfies the constraints")
        return self._verdict(tally)

    def _visit(self, tally: Tally, stage: int, generic: bool) -> bool:
        """Evaluate at one more point; False where time is up."""
        started = time.process_time()
        if started > self.deadline or (tally.decided and started + self.longest > self.deadline):
            tally.fail("time is up")
            return False
        point = self.sampler.draw(stage, generic)
        if point is None and generic:
            point = self.sampler.draw(stage)
        return point is None or self._visit_point(tally, point, started)

    def _visit_mirrored(self, tally: Tally) -> None:
        """One more point with the other sign for a real variable between bars: who writes |x| may mean x<0."""
        started = time.process_time()
        point = self.sampler.draw(0)
        if point is None or started + self.longest > self.deadline:
            return
        mirrored = dict(point)
        for comparison in self.claim.comparisons:
            for side in (comparison.left, comparison.right):
                for node in walk(substitute(side, self.setting.fixed)):
                    inner = node.arguments[0] if isinstance(node, Apply) and node.head == "abs" else None
                    name = inner.name if isinstance(inner, Symbol) else ""
                    if name in point and self.sampler.domains[name].kind in ("real", "complex"):
                        mirrored[name] = -point[name]
        if mirrored != point and self.sampler.holds(mirrored):
            self._visit_point(tally, mirrored, started)

    def _visit_point(self, tally: Tally, point: dict[str, complex], started: float) -> bool:
        agreed, differed = tally.agreed, len(tally.differed)
        try:
            with mp.workdps(15):
                self._evaluate(point, tally)
        except TimeoutError:  # the worker's alarm: decide on the points so far
            tally.fail("no result in the time given")
            return False
        if self.sampler.is_generic(point):
            tally.generic_agreed += tally.agreed - agreed
            tally.generic_differed += len(tally.differed) - differed
        self.longest = max(self.longest, time.process_time() - started)
        return True

    def _verdict(self, tally: Tally) -> Verdict:
        verdict = tally.verdict(bool(self.sampler.domains))
        if verdict.verdict != "refuted":
            return verdict
        reason = ""
        elsewhere = [name for name in self.claim.variables if self._may_be_defined(name)] or self._lone_letters()
        if elsewhere:
            reason = f"differs, but {elsewhere[0]} may be defined elsewhere"
        elif unseen := sorted(set(self.setting.fixed) - set(self.claim.variables) - self.setting.needed):
            reason = f"differs, but a constraint speaks of {unseen[0]}, which the formula does not show"
        elif self.conditions.ignored:
            reason = f"differs, but a constraint was not understood: {self.conditions.ignored[0]}"
        return replace(verdict, verdict="undecided", reason=reason, certain=False) if reason else verdict

    def _may_be_defined(self, name: str) -> bool:
        """Capitals and decorated letters often are abbreviations; so is what a list of symbols leaves out."""
        if name in self.setting.defined or name in self.conditions.kinds or name in self.conditions.least:
            return False
        if name in self.known or name.startswith(r"\mathsf"):  # \mathsf: an arbitrary constant of a definition
            return False
        base, _, index = name.partition("_")
        if index and (base in self.known or any(n.startswith(f"{base}_") and n != name for n in self.claim.variables)):
            return False  # x_1 beside x_2, or where x is known
        return not (
            (len(name) == 1 and name.islower()) or (name[0] == "\\" and name[1:].islower() and name[1:].isalpha())
        )

    def _lone_letters(self) -> list[str]:
        """Letters on one side only, which that side depends on.

        An identity has its letters on both sides, or does not depend on them; a letter that only one side
        depends on mostly abbreviates something.
        """
        for comparison, left, right, _ in self.setting.sides:
            if comparison.operator != "=" or comparison.balanced or not self.claim.macros:
                continue
            used = [
                set(free_symbols(substitute(side, self.setting.fixed))) for side in (comparison.left, comparison.right)
            ]
            for name in sorted(used[0] ^ used[1]):
                if "integer" in self.known.get(name, ""):
                    continue
                point = self.sampler.draw(0)
                if point is None or name not in point:
                    continue
                side = left if name in used[0] else right
                try:
                    with mp.workdps(15):
                        first = side(self.setting.environment(point))
                        domain = self.sampler.domains[name].kind
                        moved = point[name] + 1 if domain == "integer" else point[name] * 0.9
                        second = side(self.setting.environment({**point, name: moved}))
                except TimeoutError:
                    return [name]
                except FAILURES:
                    continue
                if abs(first - second) > 1e-8 * abs(first):
                    return [name]
        return []

    def _evaluate(self, point: dict[str, complex], tally: Tally) -> None:
        outcome = True
        strong = False
        for comparison, left, right, other in self.setting.sides:
            try:
                warned = bool(tally.differed)
                decision = self._decide(comparison, left, right, point, warned)
                if not decision.holds and other:
                    decision = self._decide(comparison, other[0], other[1], point, warned)
            except FAILURES as error:
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
                        substitute(comparison.left, self.setting.fixed),
                        substitute(comparison.right, self.setting.fixed),
                        point,
                    )
                tally.differed.append(found)
                break
        if outcome:
            tally.agreed += strong
            tally.trivial += not strong

    def _decide(
        self, comparison: Comparison, left: Any, right: Any, point: dict[str, complex], warned: bool
    ) -> Decision:
        """Whether the comparison holds at a point."""

        def sides() -> tuple[Any, Any, float]:
            self.setting.trust.reset()
            env = self.setting.environment(point)
            return left(env), right(env), self.setting.trust.error

        if comparison.modulus is not None:
            modulus = self.setting.compiled(comparison.modulus)
            return congruent(sides, lambda: modulus(self.setting.environment(point)))
        if comparison.operator in ("=", "==="):
            decision = equal(sides, comparison.tolerance, warned)
        else:
            decision = ordered(comparison.operator, sides)
        if decision.holds is False and self.setting.trust.wild:
            return replace(decision, holds=None)
        return decision
