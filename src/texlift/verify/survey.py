"""The check of a statement by itself, over the whole domain of its letters.

verified   it holds at every point at which it could be decided
refuted    it fails at a point that belongs to the domain; where it does hold is said if that is simple
undecided  everything else, with the reason: too few points could be decided, or it fails only at points that may be
           outside the intended domain (a root of a negative number, n = 0)
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction

from texlift.meaning.tree import Integral, Limit, Series, walk
from texlift.verify.decision import DEEP, QUICK, USUAL, Effort
from texlift.verify.domains import ELEMENTARY
from texlift.verify.doubts import beyond_sampling, is_infinite
from texlift.verify.judging import Judge, Outcome
from texlift.verify.regions import Regions
from texlift.verify.search import Search
from texlift.verify.setting import Setting
from texlift.verify.statement import Claim, has_limit
from texlift.verify.values import Point, Value
from texlift.verify.verdict import Verdict

__all__ = ["Survey"]

POINTS = 200
"""Points at which a claim is decided, if they are cheap."""

GUARDS = 40
"""Points at which a proved claim is looked at."""

_ATTEMPTS = 600
_MORE = 60  # points looked at after the first failure, to see where the statement does hold
_FEW = 6  # decided points without which nothing is verified, unless they take too long
_VERY_FEW = 3
_OUTVOTED = 5  # times as many points at which a numeric limit agrees: those at which it does not are its own errors
_ASIDE = Fraction(1, 9973)  # step away from a point
_SMALL, _LARGE = 1e-2, 40.0  # numbers at which integrals and sums are reliable
_SIMPLE = 1000  # numerator and denominator of a simple number
_TOUCHING = 45  # digits to which sides must agree at other numbers to count as equal
_SLOW = 0.08  # seconds for a point, from which on fewer digits are computed
_PATIENCE_DEEP = 0.5  # share of the time for many digits of a constant
_PATIENCE = 0.12  # share of the time for one point
_PROBING = 0.75  # share of the time after which no part of the domain is tried that was left out
_QUARTERS = tuple(Value(Fraction(number, 3), Fraction(0), False) for number in (-7, -1, 1, 7))
_SAMPLING, _SEARCHING = 0.6, 0.85  # shares of the time after which sampling and searching end


@dataclass(slots=True)
class _Found:
    """What was found at the points tried."""

    agreed: list[Outcome] = field(default_factory=list)
    differed: list[Outcome] = field(default_factory=list)
    fringe_agreed: list[Outcome] = field(default_factory=list)
    fringe_differed: list[Outcome] = field(default_factory=list)
    touching: list[Outcome] = field(default_factory=list)
    failed: dict[str, int] = field(default_factory=dict)
    undecided: list[Point] = field(default_factory=list)
    tried: int = 0
    out_of_time: bool = False

    @property
    def decided(self) -> int:
        return len(self.agreed) + len(self.differed) + len(self.fringe_agreed) + len(self.fringe_differed)

    def add(self, outcome: Outcome) -> None:
        if outcome.holds is None:
            self.failed[outcome.reason] = self.failed.get(outcome.reason, 0) + 1
            if not outcome.slow:
                self.undecided.append(outcome.point)
            if outcome.touching:
                self.touching.append(outcome)
        elif outcome.holds:
            (self.fringe_agreed if outcome.fringe else self.agreed).append(outcome)
        else:
            (self.fringe_differed if outcome.fringe else self.differed).append(outcome)


class Survey:
    """One statement in its setting; one that is proved is only looked at, in case the proof is wrong."""

    def __init__(self, setting: Setting, claim: Claim, seconds: float, proved: bool = False) -> None:
        self.proved = proved
        self.started = time.process_time()
        self.seconds = seconds
        self.setting = setting
        self.claim = claim
        self.letters = setting.sampler.free
        self.judge = Judge(setting, claim, seconds * (_PATIENCE if self.letters else 1.0))
        self.has_limits = any(
            isinstance(node, Integral | Limit) or (isinstance(node, Series) and is_infinite(node))
            for comparison in claim.comparisons
            for side in (comparison.left, comparison.right)
            for node in walk(side)
        )
        self.found = _Found()

    def run(self) -> Verdict:
        """The verdict."""
        try:
            if not self.letters:
                self._constant()
            else:
                self._sweep(self.setting.sampler.sweep())
                if self.found.fringe_differed and not self.found.differed:
                    self._sweep(self.setting.sampler.simple())
                if self.proved:
                    return self._verdict()
                if not self.found.differed:
                    self._probe()
                if not self.found.differed:
                    self._settle_touching()
                if not self.found.differed:
                    self._search()
        except TimeoutError:  # the worker's alarm: decide on the points so far
            self.found.out_of_time = True
        return self._verdict()

    @property
    def used(self) -> float:
        """The share of the time that is used."""
        return (time.process_time() - self.started) / self.seconds

    def _constant(self) -> None:
        """A statement about numbers: to very many digits, or to fewer where that takes too long."""
        self.judge.patience = self.seconds * _PATIENCE_DEEP
        outcome = self.judge({}, DEEP)
        if outcome.holds is None and not outcome.touching:
            self.judge.patience = self.seconds * (1 - _PATIENCE_DEEP)
            outcome = self.judge({}, USUAL)
        self.found.add(outcome)

    # -- points ----------------------------------------------------------------------------------------

    def _sweep(self, points: Iterator[Point | None]) -> None:
        found = self.found
        first_failure = 0
        most, enough = found.tried + _ATTEMPTS, found.decided + (GUARDS if self.proved else POINTS)
        for point in points:
            found.tried += 1
            if found.tried > most or found.decided >= enough:
                break
            next_end = self.used + self.judge.longest / self.seconds
            if self.used > _SAMPLING or (found.decided >= _VERY_FEW and next_end > _SEARCHING):
                found.out_of_time = True
                break
            if point is not None:
                found.add(self._confirmed(self.judge(point, self._effort(), bool(found.differed))))
            if found.differed:
                first_failure = first_failure or found.tried
                if found.tried - first_failure > _MORE or (len(found.differed) > 20 and not found.agreed):
                    break

    def _probe(self) -> None:
        """Try what the sweep left out: each real letter negative and positive, small and large."""
        for name, value in self._left_out():
            if self.used > _PROBING:
                return
            base = self._first_agreed()
            self.found.add(self._confirmed(self.judge({**base, name: value}, self._effort())))
            if self.found.differed:
                return

    def _first_agreed(self) -> Point:
        return next((outcome.point for outcome in (*self.found.agreed, *self.found.fringe_agreed)), {})

    def _left_out(self) -> list[tuple[str, Value]]:
        """For each real letter an allowed value of each sign and size at which nothing was decided.

        An integral or a series without a value there has none; a limit may well be infinite, so it counts as left out.
        """
        if self.setting.fixed:
            return []  # letters that conditions were solved for change with the others
        base = self._first_agreed()
        points = [outcome.point for outcome in (*self.found.agreed, *self.found.fringe_agreed)]
        if not has_limit(self.claim):
            points += self.found.undecided
        missing: list[tuple[str, Value]] = []
        for name in base:
            if self.setting.sampler.domains[name].kind not in ("real", "complex"):
                continue
            seen = {_quarter(point[name]) for point in points if name in point}
            missing += [
                (name, value)
                for value in _QUARTERS
                if _quarter(value) not in seen and self.setting.allows({**base, name: value})
            ]
        return missing

    def _effort(self) -> Effort:
        return QUICK if self.judge.longest > _SLOW else USUAL

    def _confirmed(self, outcome: Outcome) -> Outcome:
        """The outcome, doubted where a statement about special functions fails at a single point.

        Numeric routines sometimes fail where parameters are integers or arguments lie on a branch cut. Integrals,
        series and limits miss what happens far out or within a hair's breadth.
        """
        if outcome.holds is not False:
            return outcome
        if self.has_limits and not all(_is_moderate(value) for value in outcome.point.values()):
            return replace(outcome, holds=None, reason="integrals and sums are not reliable at such numbers")
        if not self.claim.macros - ELEMENTARY or self.judge.evidence(outcome)[1]:
            return outcome
        domains = self.setting.sampler.domains
        moved = {
            name: Value(value.real + _ASIDE, value.imag + _ASIDE / 3 * bool(value.imag), value.of_pi)
            if domains[name].kind not in ("integer", "prime")
            else value
            for name, value in outcome.point.items()
        }
        if moved == outcome.point or not self.setting.allows(moved) or self.judge(moved).holds is not True:
            return outcome
        return replace(outcome, holds=None, reason="fails at a single point, where numeric routines may do so")

    def _settle_touching(self) -> None:
        """A strict inequality fails where its sides are equal and, beside that point, are not."""
        for outcome in self.found.touching[:12]:
            if self._touches(outcome):
                self.found.differed.append(self._equal_there(outcome.point))
                return

    def _touches(self, outcome: Outcome) -> bool:
        """Whether sides that look equal are so at this point only, and not because the point is close to another."""
        point = outcome.point
        simple = all(max(abs(v.real.numerator), v.real.denominator) <= _SIMPLE for v in point.values())
        if not simple and outcome.digits < _TOUCHING:
            return False
        for name, value in point.items():
            if self.setting.sampler.domains[name].kind not in ("real", "complex", "unit", "large"):
                continue
            step = Fraction(1, 1000)
            for move in (step, -step):
                beside = {**point, name: Value(value.real + move, value.imag, value.of_pi)}
                if self.setting.allows(beside):
                    outcome = self.judge(beside)
                    if outcome.holds is not None and abs(outcome.gap) > 1e-12:
                        return True
        return False

    def _equal_there(self, point: Point) -> Outcome:
        """The outcome as a failure: both sides of a strict inequality are equal as far as can be seen."""
        strict = [n for n, comparison in enumerate(self.claim.comparisons) if comparison.operator in ("<", ">")]
        number = min(strict, key=lambda n: abs(self.judge.decide(n, point).gap))
        decision = replace(self.judge.decide(number, point), holds=False, order=0)
        return Outcome(point, False, failure=(self.claim.comparisons[number], decision))

    def _search(self) -> None:
        """Look for points at which an inequality fails, from those where it nearly does."""
        search = Search(self.setting, self.judge, lambda: self.used > _SEARCHING)
        for outcome in search.candidates([*self.found.agreed, *self.found.touching]):
            self.found.add(outcome)
            if outcome.touching and self._touches(outcome):
                self.found.differed.append(self._equal_there(outcome.point))
            if self.found.differed:
                return

    # -- the verdict -----------------------------------------------------------------------------------

    def _verdict(self) -> Verdict:
        found = self.found
        domain = self._domain()
        if found.differed and len(found.agreed) > _OUTVOTED * len(found.differed) and has_limit(self.claim):
            reason = "a limit computed numerically differs at a few points and agrees at the others"
            return Verdict("undecided", len(found.agreed), reason=reason, domain=domain)
        if found.differed:
            return self._refuted(found, domain)
        total = len(found.agreed) + len(found.fringe_agreed)
        if found.fringe_differed:
            return self._fringe(found, domain)
        if not total and not found.failed and not found.out_of_time:
            return Verdict("undecided", reason="no point satisfies the constraints", domain=domain)
        needed = 1 if not self.letters else _VERY_FEW if found.out_of_time else _FEW
        if total < needed:
            reason = max(found.failed, key=lambda key: found.failed[key]) if found.failed else "too few points"
            reason = "no result in the time given" if found.out_of_time and not found.failed else reason
            return Verdict("undecided", total, reason=reason, domain=domain)
        digits = min((o.digits for o in (*found.agreed, *found.fringe_agreed) if not o.exact), default=0)
        if reason := beyond_sampling(self.claim):
            return Verdict(
                "undecided", total, reason=f"holds wherever tested, but {reason}", domain=domain, digits=digits
            )
        if (found.out_of_time or has_limit(self.claim)) and (left_out := self._left_out()):
            name, value = left_out[0]
            where = f"{name} is {'negative' if value.real < 0 else 'positive'}, {_size(value)}"
            why = "the time is over" if found.out_of_time else "no value could be computed"
            reason = f"holds wherever tested, but {why} where {where}"
            return Verdict("undecided", total, reason=reason, domain=domain, digits=digits)
        return Verdict("verified", total, domain=domain, digits=digits, reason=self._remark(found))

    def _remark(self, found: _Found) -> str:
        if not self.letters:
            return "compared exactly" if all(outcome.exact for outcome in found.agreed) else ""
        return f"{len(found.touching)} points too close to decide" if found.touching else ""

    def _refuted(self, found: _Found, domain: str) -> Verdict:
        outcome = min(found.differed, key=_simplicity)
        example, certain = self.judge.evidence(outcome)
        total = len(found.agreed) + len(found.differed)
        proof = ", proven by exact or ball arithmetic" if certain else ""
        holds = ""
        if not self.letters:
            equality = outcome.failure is not None and outcome.failure[0].operator in ("=", "===")
            reason = f"{'both sides differ' if equality else 'it fails'}{proof}"
        elif found.agreed:
            holds = self._where(found)
            reason = f"holds at {len(found.agreed)} points and fails at {len(found.differed)}{proof}"
            if holds:
                reason = f"holds where {holds}, as far as tested, and fails elsewhere{proof}"
        else:
            reason = f"fails at every point tested{proof}"
        if outcome.failure and outcome.failure[1].order == 0 and not outcome.failure[1].exact and not certain:
            reason = "both sides are equal there, as far as can be computed"
        return Verdict("refuted", total, example, reason, certain=certain, domain=domain, holds=holds)

    def _where(self, found: _Found) -> str:
        try:
            regions = Regions(self.setting, self.judge, found.agreed, found.differed, lambda: self.used > _SEARCHING)
            return regions.described()
        except TimeoutError:
            return ""

    def _fringe(self, found: _Found, domain: str) -> Verdict:
        """The statement fails, but only at points of which people may say that they do not count."""
        outcome = min(found.fringe_differed, key=_simplicity)
        example, _ = self.judge.evidence(outcome)
        total = len(found.agreed) + len(found.fringe_agreed) + len(found.fringe_differed)
        where = f"holds at {len(found.agreed)} points where that is not so" if found.agreed else "fails elsewhere, too"
        reason = f"fails at the point shown, but {outcome.fringe}; {where}. State what the letters are"
        if not found.agreed:
            reason = f"fails at every point that could be decided, but {outcome.fringe}"
        return Verdict("undecided", total, example, reason, domain=domain)

    def _domain(self) -> str:
        return self.setting.domain()


def _is_moderate(value: Value) -> bool:
    size = abs(complex(value))
    return not size or _SMALL <= size <= _LARGE


def _quarter(value: Value) -> tuple[bool, bool]:
    """The part of the real line that a value belongs to: its sign, and whether it is smaller than one."""
    return value.real < 0, abs(value.real) < 1


def _size(value: Value) -> str:
    return "smaller than 1 in size" if abs(value.real) < 1 else "larger than 1 in size"


def _simplicity(outcome: Outcome) -> tuple[bool, int, float]:
    """Counterexamples with short numbers of moderate size are easiest to follow."""
    values = outcome.point.values()
    length = sum(len(str(v.real)) + len(str(v.imag)) * bool(v.imag) + 2 * v.of_pi for v in values)
    return not outcome.exact, length, sum(abs(complex(v)) for v in values)
