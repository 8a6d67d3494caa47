"""Where an inequality nearly fails: from the tightest points found, downhill, and to the simple numbers near by."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from mpmath import mp

from texlift.verify.judging import Judge, Outcome
from texlift.verify.setting import FAILURES, Setting
from texlift.verify.values import Point, Value

__all__ = ["Search"]

_STARTS = 6
_STEPS = 60
_NEAR = 1e-7  # a gap from which on the sides may be equal
_DIGITS = 52  # of the place where a gap is smallest
_ORDERED = frozenset({"<", ">", "<=", ">="})


class Search:
    """Minimises the gap of the inequalities of a claim over its real letters."""

    def __init__(self, setting: Setting, judge: Judge, is_late: Callable[[], bool]) -> None:
        self.setting = setting
        self.judge = judge
        self.is_late = is_late
        domains = setting.sampler.domains
        self.movable = [n for n in setting.sampler.free if domains[n].kind in ("real", "unit", "large")]
        self.sides = [entry for entry in setting.sides if entry[0].operator in _ORDERED]

    def candidates(self, outcomes: Sequence[Outcome]) -> Iterator[Outcome]:
        """Outcomes at points where the gap is small, or where the inequality fails."""
        if not self.sides or not self.movable:
            return
        starts = sorted((o for o in outcomes if not o.fringe and _moderate(o.point)), key=lambda o: o.gap)
        for outcome in _spread(starts):
            if self.is_late():
                return
            point, gap = self._downhill(outcome.point)
            if gap < 0:
                yield self.judge(point)
            if abs(gap) < _NEAR:
                for near in self._simple(point):
                    if self.setting.allows(near):
                        yield self.judge(near)
                refined = self._refined(point)
                if refined is not None:
                    yield refined

    def _gap(self, point: Point) -> float | None:
        """The smallest gap of the inequalities, relative to one plus the sides; negative where one fails."""
        if not self.setting.allows(point):
            return None
        smallest = mp.inf
        try:
            with mp.workdps(20):
                for comparison, left, right, _ in self.sides:
                    sample = self.setting.sample(left, right, point)
                    a, b = mp.mpmathify(sample.left), mp.mpmathify(sample.right)
                    if sample.nonreal or mp.im(a) or mp.im(b) or not (mp.isfinite(a) and mp.isfinite(b)):
                        return None
                    gap = (b - a) if comparison.operator[0] == "<" else (a - b)
                    smallest = min(smallest, gap / (1 + abs(a) + abs(b)))
            return float(smallest)
        except FAILURES:
            return None

    def _downhill(self, start: Point) -> tuple[Point, float]:
        """Coordinate by coordinate, with steps that grow while they help and shrink where they do not."""
        point = dict(start)
        best = self._gap(point)
        if best is None:
            return point, 1.0
        steps = {name: (abs(complex(point[name]).real) + 1) / 4 for name in self.movable}
        for _ in range(_STEPS):
            if best < 0 or self.is_late() or all(step < 1e-9 for step in steps.values()):
                break
            for name in self.movable:
                for sign in (1, -1):
                    moved = complex(point[name]).real + sign * steps[name]
                    trial = {**point, name: Value(Fraction(repr(moved)))}
                    gap = self._gap(trial)
                    if gap is not None and gap < best:
                        point, best = trial, gap
                        steps[name] *= 1.6
                        break
                else:
                    steps[name] *= 0.4
        return point, best

    def _simple(self, point: Point) -> Iterator[Point]:
        """The point with its values replaced by simple numbers close to them."""
        for most in (1, 6, 60):
            yield {
                name: Value(value.real.limit_denominator(most)) if name in self.movable and not value.of_pi else value
                for name, value in point.items()
            }
        yield {
            name: Value(Fraction(complex(value).real / 3.141592653589793).limit_denominator(12), of_pi=True)
            if name in self.movable
            else value
            for name, value in point.items()
        }
        if len(self.movable) > 1:  # all equal
            first = point[self.movable[0]].real.limit_denominator(6)
            yield {name: Value(first) if name in self.movable else value for name, value in point.items()}

    def _refined(self, point: Point) -> Outcome | None:
        """The place where a gap of one letter is smallest, to fifty digits; the sides may be equal there."""
        if len(self.movable) != 1 or len(self.sides) != 1:
            return None
        name = self.movable[0]
        _, left, right, _ = self.sides[0]

        def difference(x: object) -> object:
            env = self.setting.environment(point)
            env[self.setting.labels.get(name, name)] = x
            return left(env) - right(env)

        try:
            with mp.workdps(60):
                found = mp.findroot(lambda x: mp.diff(difference, x), point[name].number())
                if mp.im(found) or abs(found - point[name].number()) > mp.mpf("0.01"):
                    return None
                text = mp.nstr(mp.re(found), _DIGITS)
        except (*FAILURES, ZeroDivisionError):
            return None
        place = Fraction(text)
        simple = _simple_value(place)
        if simple is not None:  # perhaps a point that does not belong to the domain
            exact = {**point, name: simple}
            return self.judge(exact) if self.setting.allows(exact) else None
        refined = {**point, name: Value(place)}
        outcome = self.judge(refined)
        strict = self.sides[0][0].operator in ("<", ">")
        tight = strict and outcome.holds is True and 0 <= outcome.gap < 1e-45
        if not tight:
            return outcome
        return Outcome(refined, None, "the sides are too close to decide", digits=_DIGITS, touching=True)


def _simple_value(place: Fraction) -> Value | None:
    """The fraction, or the multiple of pi, that a number of fifty digits is."""
    tiny = Fraction(1, 10**30)
    simple = place.limit_denominator(1000)
    if abs(place - simple) < tiny:
        return Value(simple)
    with mp.workdps(60):
        turns = Fraction(mp.nstr(mp.mpf(place.numerator) / place.denominator / mp.pi, 52))
    share = turns.limit_denominator(360)
    return Value(share, of_pi=True) if abs(turns - share) < tiny else None


def _moderate(point: Point) -> bool:
    return all(abs(complex(value)) <= 1000 for value in point.values())


def _spread(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """The tightest points, and some others from different places."""
    return [*outcomes[:_STARTS], *outcomes[_STARTS :: max(1, len(outcomes) // _STARTS)][:_STARTS]]
