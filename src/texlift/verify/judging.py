"""A claim at one point: does it hold there?"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from mpmath import mp

from texlift.meaning.tree import Expression, free_symbols
from texlift.verify.balls import certain_order
from texlift.verify.decision import USUAL, Decision, Effort, decide, decide_exactly, shown
from texlift.verify.setting import FAILURES, Setting
from texlift.verify.statement import Claim, Comparison
from texlift.verify.timing import SlowError, limited
from texlift.verify.values import Point, python_code, shown_point

__all__ = ["Judge", "Outcome"]

_GIVE_UP = 12  # points without an exact value after which none is looked for
_WHOLE_DIGITS = 80  # for integers that are computed with mpmath
_EXACT_ONLY = frozenset({"mod", "notmod", "divides", "notdivides"})


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was found at a point; `holds` is None where it cannot be decided, and `reason` says why.

    `fringe` is why people may disagree whether the point belongs to the domain, `touching` says that the sides of a
    strict inequality may be equal there.
    """

    point: Point
    holds: bool | None
    reason: str = ""
    fringe: str = ""
    digits: int = 0
    exact: bool = False
    substantial: bool = True
    touching: bool = False
    slow: bool = False  # the time for the point was over
    gap: float = 1.0  # of the tightest inequality
    failure: tuple[Comparison, Decision] | None = None


class Judge:
    """Decides a claim at points."""

    def __init__(self, setting: Setting, claim: Claim, patience: float = 5.0) -> None:
        self.patience = patience  # seconds for a point
        self.setting = setting
        self.claim = claim
        self.inexact = [0] * len(claim.comparisons)
        self.longest = 0.0  # processor time of a point

    def __call__(self, point: Point, effort: Effort = USUAL, warned: bool = False) -> Outcome:
        started = time.process_time()
        try:
            with limited(self.patience):
                return self._judge(point, effort, warned)
        except SlowError as error:
            return Outcome(point, None, str(error), slow=True)
        except FAILURES as error:
            return Outcome(point, None, _said(error))
        except (TimeoutError, MemoryError):
            raise
        except Exception as error:  # noqa: BLE001  whatever a numeric routine throws
            return Outcome(point, None, _said(error))
        finally:
            self.longest = max(self.longest, time.process_time() - started)

    def decide(self, number: int, point: Point, effort: Effort = USUAL) -> Decision:
        """One comparison of the claim at a point."""
        return self._decide(number, point, effort, False)

    def _judge(self, point: Point, effort: Effort, warned: bool) -> Outcome:
        outcome = Outcome(
            point, True, substantial=False, exact=True, fringe=self.setting.sampler.beyond_custom(point), digits=10**6
        )
        open_reason = ""
        for number in range(len(self.claim.comparisons)):
            decision = self._decide(number, point, effort, warned)
            comparison = self.claim.comparisons[number]
            if decision.holds is False and self.setting.trust.wild:
                decision = replace(decision, holds=None)
            fringe = outcome.fringe or self._beside(decision)
            outcome = replace(
                outcome,
                fringe=fringe,
                digits=min(outcome.digits, decision.digits) if not decision.exact else outcome.digits,
                exact=outcome.exact and decision.exact,
                substantial=outcome.substantial or decision.substantial,
                touching=outcome.touching or (decision.holds is None and decision.order == 0),
                gap=min(outcome.gap, _gap(comparison, decision)),
            )
            if decision.holds is False:
                return replace(outcome, holds=False, failure=(comparison, decision))
            if decision.holds is None:
                open_reason = "the sides are too close to decide" if outcome.touching else (
                    "the numerical error is too large to decide")  # fmt: skip
        if open_reason:
            return replace(outcome, holds=None, reason=open_reason)
        return outcome if not outcome.exact else replace(outcome, digits=0)

    def _beside(self, decision: Decision) -> str:
        if decision.convention:
            return f"the value of {decision.convention} is a convention"
        if decision.nonreal and not self.setting.is_complex and self.setting.sampler.free:
            return "a part of the formula is not real there"
        return ""

    def _decide(self, number: int, point: Point, effort: Effort, warned: bool) -> Decision:
        comparison, left, right, other = self.setting.sides[number]
        found = self._exactly(number, comparison, point)
        if found is None and comparison.operator in _EXACT_ONLY:
            values = [self._whole(node, point) for node in _sides(comparison)]
            return replace(_about_integers(comparison.operator, values), exact=False)
        if found is None:
            found = decide(
                comparison.operator,
                lambda: self.setting.sample(left, right, point),
                effort,
                comparison.tolerance,
                warned,
            )
        if not found.holds and other:
            found = decide(
                comparison.operator,
                lambda: self.setting.sample(other[0], other[1], point),
                effort,
                comparison.tolerance,
                warned,
            )
        return found

    def _exactly(self, number: int, comparison: Comparison, point: Point) -> Decision | None:
        needed = comparison.operator in _EXACT_ONLY
        if (self.inexact[number] >= _GIVE_UP and not needed) or comparison.tolerance or comparison.other:
            return None
        values = self.setting.exactly(_sides(comparison), point)
        if values is None and comparison.modulus is not None:
            values = self.setting.residues([comparison.left, comparison.right], comparison.modulus, point)
        if values is None:
            self.inexact[number] += 1
            return None
        self.inexact[number] = min(self.inexact[number], 0)
        if comparison.operator in _EXACT_ONLY:
            return _about_integers(comparison.operator, values)
        return decide_exactly(comparison.operator, *values)

    def _whole(self, node: Expression, point: Point) -> Fraction:
        """The integer that an expression without an exact value is, if it is of moderate size."""
        with mp.workdps(_WHOLE_DIGITS):
            value = mp.mpmathify(self.setting.compiled(node)(self.setting.environment(point)))
            moderate = bool(abs(value) < mp.mpf(10) ** (_WHOLE_DIGITS - 12))
            nearest = int(mp.nint(mp.re(value))) if moderate else 0
            if not moderate or abs(value - nearest) > mp.mpf(10) ** -10:
                raise ValueError("a statement about integers whose values are no integers of moderate size")
        return Fraction(nearest)

    def evidence(self, outcome: Outcome) -> tuple[dict[str, Any], bool]:
        """The counterexample of an outcome, and whether it is proven by exact or ball arithmetic."""
        assert outcome.failure is not None
        comparison, decision = outcome.failure
        left, right = shown(decision.left), shown(decision.right)
        if left == right and decision.order != 0:
            left, right = _apart(decision)
        found = {"point": self._shown(outcome.point), "left": left, "right": right}
        helpers = self.setting.conditions.helpers
        if code := python_code({name: value for name, value in outcome.point.items() if name not in helpers}):
            found["python"] = code
        if decision.exact:
            return found, True
        settled = [self.setting.settled(side) for side in (comparison.left, comparison.right)]
        order = certain_order(settled[0], settled[1], outcome.point)
        return found, _proven(comparison.operator, order) and not comparison.other

    def _shown(self, point: Point) -> dict[str, Any]:
        """The values of the letters of the formula; not of those that constraints were solved with."""
        helpers = self.setting.conditions.helpers
        found = shown_point({name: value for name, value in point.items() if name not in helpers})
        solved = [name for name, value in self.setting.fixed.items() if helpers & set(free_symbols(value))]
        env = self.setting.environment(point) if solved else {}
        return found | {name: shown(env[self.setting.labels.get(name, name)]) for name in solved}


def _proven(operator: str, order: int | None) -> bool:
    """Whether a proven order contradicts a comparison."""
    if order is None:
        return False
    wrong = {"=": (1, -1, 2), "===": (1, -1, 2), "!=": (0,), "<": (1, 0), "<=": (1,), ">": (-1, 0), ">=": (-1,)}
    return order in wrong.get(operator, ())


def _apart(decision: Decision) -> tuple[str, str]:
    """Both sides with so many digits that they look different."""
    texts = ("", "")
    for digits in (20, 30, 50, 80, 120):
        with mp.workdps(digits + 10):
            a, b = (
                mp.mpf(v.numerator) / v.denominator if isinstance(v, Fraction) else v
                for v in (decision.left, decision.right)
            )
            texts = (mp.nstr(a, digits), mp.nstr(b, digits))
        if texts[0] != texts[1]:
            return texts
    return texts[0], f"{texts[0]} {'-' if decision.order == 1 else '+'} {shown(abs(decision.left - decision.right))}"


def _sides(comparison: Comparison) -> list[Expression]:
    """What a comparison compares, and the modulus of a congruence."""
    modulus = [comparison.modulus] if comparison.modulus is not None else []
    return [comparison.left, comparison.right, *modulus]


def _about_integers(operator: str, values: list[Fraction]) -> Decision:
    """Whether a congruence or a divisibility holds."""
    if any(value.denominator != 1 for value in values):
        raise ValueError("a statement about integers with numbers that are none")
    if operator not in ("mod", "notmod"):
        return decide_exactly(operator, *values)
    left, right, modulus = values
    if modulus == 0:
        raise ValueError("a congruence modulo 0")
    congruent = (left - right) % modulus == 0
    return Decision(congruent is (operator == "mod"), None, left, right, exact=True)


def _gap(comparison: Comparison, decision: Decision) -> float:
    """How far an inequality is from failing, relative to its sides."""
    if comparison.operator in ("<", "<="):
        return decision.gap
    return -decision.gap if comparison.operator in (">", ">=") else 1.0


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {str(error)[:80]}" if str(error) else type(error).__name__
