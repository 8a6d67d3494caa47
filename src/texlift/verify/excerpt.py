"""The check of a formula that stands in a text: a few gentle points, and doubts about what the text may say.

An equation of a handbook may have conditions that its data does not hold. So letters are sampled where formulae of
books mostly hold, and what holds at some points only is not refuted.

verified   both sides agree at every point that could be evaluated (at least two, unless there are no variables)
refuted    they differ at every such point, by more than the estimated errors, at two precisions
undecided  everything else, with the reason
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from mpmath import mp

from texlift.meaning.tree import Apply, Number, Symbol, free_symbols, substitute, walk
from texlift.verify.decision import QUICK
from texlift.verify.judging import Judge, Outcome
from texlift.verify.setting import FAILURES, Setting
from texlift.verify.statement import Claim
from texlift.verify.values import Point, Value
from texlift.verify.verdict import Verdict

__all__ = ["ExcerptCheck"]

POINTS = 4
"""Points a claim is tested at."""

_SCHEDULE = ((0, False), (0, True), (1, False), (2, True))  # stage, whether integers are generic
_EXTRA = 6  # more generic points where integers leave a doubt
_ENOUGH = 3  # generic points at which the sides must differ where they agree at others
_OUT_OF_TIME = ("time is up", "no result in the time given")


@dataclass(slots=True)
class _Tally:
    """What was found at the points tested."""

    agreed: int = 0
    trivial: int = 0  # points where both sides vanish
    digits: int = 100
    generic_agreed: int = 0  # points without small or equal integers
    generic_differed: int = 0
    differed: list[Outcome] = field(default_factory=list)
    failed: dict[str, int] = field(default_factory=dict)

    def fail(self, reason: str) -> None:
        self.failed[reason] = self.failed.get(reason, 0) + 1

    @property
    def decided(self) -> int:
        return self.agreed + self.trivial + len(self.differed)

    @property
    def hurried(self) -> bool:
        """Whether time ran out; then one good counterexample must do."""
        return any(reason in _OUT_OF_TIME for reason in self.failed)

    @property
    def degenerate(self) -> bool:
        """Whether the sides agree only where integers are small or equal, which says little, and differ elsewhere."""
        return self.generic_differed >= _ENOUGH and not self.generic_agreed


class ExcerptCheck:
    """One formula with the known meanings of its symbols."""

    def __init__(self, setting: Setting, claim: Claim, known: Mapping[str, str], seconds: float) -> None:
        self.deadline = time.process_time() + seconds
        self.setting = setting
        self.claim = claim
        self.known = known
        self.sampler = setting.sampler
        self.conditions = setting.conditions
        self.judge = Judge(setting, claim, seconds)

    def run(self) -> Verdict:
        """The verdict."""
        tally = _Tally()
        if not self.sampler.domains:
            self._visit_point(tally, {})
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
        if tally.trivial and tally.agreed + len(tally.differed) < 2:
            self._visit_diagonal(tally)
        if not tally.decided and not tally.failed:
            return Verdict("undecided", reason="no point satisfies the constraints")
        return self._verdict(tally)

    def _visit(self, tally: _Tally, stage: int, generic: bool) -> bool:
        """Evaluate at one more point; False where time is up."""
        started = time.process_time()
        if started > self.deadline or (tally.decided and started + self.judge.longest > self.deadline):
            tally.fail("time is up")
            return False
        point = self.sampler.gentle(stage, generic)
        if point is None and generic:
            point = self.sampler.gentle(stage)
        return point is None or self._visit_point(tally, point)

    def _visit_mirrored(self, tally: _Tally) -> None:
        """One more point with the other sign for a real variable between bars: who writes |x| may mean x<0."""
        point = self.sampler.gentle(0)
        if point is None or time.process_time() + self.judge.longest > self.deadline:
            return
        mirrored = dict(point)
        for comparison in self.claim.comparisons:
            for side in (comparison.left, comparison.right):
                for node in walk(substitute(side, self.setting.fixed)):
                    inner = node.arguments[0] if isinstance(node, Apply) and node.head == "abs" else None
                    name = inner.name if isinstance(inner, Symbol) else ""
                    if name in point and self.sampler.domains[name].kind in ("real", "complex"):
                        mirrored[name] = Value(-point[name].real, -point[name].imag)
        if mirrored != point and self.setting.allows(mirrored):
            self._visit_point(tally, mirrored)

    def _visit_diagonal(self, tally: _Tally) -> None:
        """Points at which the indices of Kronecker's delta are equal: elsewhere both sides may vanish."""
        pairs = {
            (first.name, second.name)
            for comparison in self.claim.comparisons
            for side in (comparison.left, comparison.right)
            for node in walk(side)
            if isinstance(node, Apply) and node.head == r"\Kroneckerdelta" and len(node.arguments) == 2
            for first, second in [node.arguments]
            if isinstance(first, Symbol) and isinstance(second, Symbol)
        }
        for stage in (0, 0, 1):
            point = self.sampler.gentle(stage)
            if not pairs or point is None or time.process_time() + self.judge.longest > self.deadline:
                return
            point = dict(point)
            for first, second in pairs:
                if first in point and second in point:
                    point[first] = point[second]
            if self.setting.allows(point) and not self._visit_point(tally, point):
                return

    def _visit_point(self, tally: _Tally, point: Point) -> bool:
        try:
            outcome = self.judge(point, QUICK, warned=bool(tally.differed))
        except TimeoutError:  # the worker's alarm: decide on the points so far
            tally.fail("no result in the time given")
            return False
        generic = self.sampler.is_generic(point)
        if outcome.holds is None:
            tally.fail(outcome.reason)
        elif outcome.holds:
            tally.agreed += outcome.substantial
            tally.trivial += not outcome.substantial
            tally.generic_agreed += generic and outcome.substantial
            tally.digits = min(tally.digits, outcome.digits or 100)
        else:
            tally.differed.append(outcome)
            tally.generic_differed += generic
        return True

    # -- the verdict -----------------------------------------------------------------------------------

    def _verdict(self, tally: _Tally) -> Verdict:
        verdict = self._raw(tally, bool(self.sampler.domains))
        if verdict.verdict != "refuted":
            return verdict
        reason = ""
        unseen: list[str] = []
        elsewhere = [name for name in self.claim.variables if self._may_be_defined(name)] or self._lone_letters()
        if elsewhere:
            reason = f"differs, but {elsewhere[0]} may be defined elsewhere"
        elif unseen := sorted(set(self.setting.fixed) - set(self.claim.variables) - self.setting.needed):
            reason = f"differs, but a constraint speaks of {unseen[0]}, which the formula does not show"
        elif self.conditions.ignored:
            reason = f"differs, but a constraint was not understood: {self.conditions.ignored[0]}"
        elif not self.setting.is_complex and (branch := _other_branch(tally.differed, self.claim)):
            reason = f"differs, but only by {branch}: another branch may be meant"
        if not reason:
            return verdict
        # What says of a letter what it is, or uses one that is defined elsewhere, is no claim that can be tested.
        told = bool(elsewhere or unseen)
        return replace(verdict, verdict="undecided", reason=reason, certain=False, checkable=not told)

    def _raw(self, tally: _Tally, variables: bool) -> Verdict:
        """The verdict before any doubt about a refutation."""
        total = tally.agreed + len(tally.differed)
        needed = 2 if variables and not (tally.hurried and tally.differed) else 1
        if tally.agreed and tally.degenerate:
            example, _ = self.judge.evidence(tally.differed[-1])
            reason = "both sides differ wherever no integer is small or equal to another"
            return Verdict("refuted", total, example, reason)
        if tally.differed:
            example, certain = self.judge.evidence(tally.differed[0])
            if not tally.agreed and len(tally.differed) >= needed:
                reason = "both sides differ" + (", proven by exact or ball arithmetic" if certain else "")
                return Verdict("refuted", total, example, reason, certain=certain)
            reason = "holds at some points and fails at others; a condition may be missing"
            if tally.agreed == 0:
                reason = "differs at the only point that could be evaluated"
            return Verdict("undecided", total, example, reason)
        if tally.agreed and tally.agreed + tally.trivial >= needed:
            return Verdict("verified", tally.agreed + tally.trivial, digits=tally.digits % 100)
        if tally.trivial >= _ENOUGH and not tally.failed and self._says_zero():
            return Verdict("verified", tally.trivial, reason="vanishes wherever tested")
        if tally.trivial:
            return Verdict("undecided", tally.trivial, reason="both sides vanish wherever tested")
        reason = max(tally.failed, key=lambda key: tally.failed[key]) if tally.failed else "too few points"
        return Verdict("undecided", tally.agreed, reason=reason)

    def _says_zero(self) -> bool:
        """Whether the claim says that something is 0 which has no factor that is 0 by itself."""
        return all(
            comparison.operator in ("=", "===")
            and any(isinstance(side, Number) and not float(side.value) for side in (comparison.left, comparison.right))
            and not any(
                isinstance(part, Number) and not float(part.value)
                for node in walk(other)
                if isinstance(node, Apply) and node.head == "times"
                for part in node.arguments
            )
            for comparison in self.claim.comparisons
            for other in (comparison.left if isinstance(comparison.right, Number) else comparison.right,)
        )

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
                point = self.sampler.gentle(0)
                if point is None or name not in point:
                    continue
                try:
                    if self._depends(left if name in used[0] else right, point, name):
                        return [name]
                except TimeoutError:
                    return [name]
                except FAILURES:
                    continue
        return []

    def _depends(self, side: Any, point: Point, name: str) -> bool:
        value = point[name]
        moved = Value(value.real + 1) if self.sampler.domains[name].kind == "integer" else Value(
            value.real * 9 / 10, value.imag * 9 / 10)  # fmt: skip
        with mp.workdps(15):
            first = side(self.setting.environment(point))
            second = side(self.setting.environment({**point, name: moved}))
        return bool(abs(first - second) > 1e-8 * abs(first))


def _other_branch(differed: list[Outcome], claim: Claim) -> str:
    """By what the sides differ where that is what branches of a function differ by; empty where it is not."""
    pairs = [(mp.mpmathify(o.failure[1].left), mp.mpmathify(o.failure[1].right)) for o in differed if o.failure
             and not o.exact]  # fmt: skip
    if not pairs or len(pairs) < len(differed):
        return ""
    if all(abs(mp.re(a) - mp.re(b)) <= 1e-9 * abs(mp.re(a)) and mp.im(a) * mp.im(b) == 0 for a, b in pairs):
        return "an imaginary part"
    turns = [(a - b) / (2 * mp.pi) for a, b in pairs]
    phases = any("phase" in macro for macro in claim.macros)
    if phases and all(abs(turn - mp.nint(mp.re(turn))) < 1e-9 and abs(turn) > 0.5 for turn in turns):
        return "whole turns"
    return ""
