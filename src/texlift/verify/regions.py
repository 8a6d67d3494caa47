"""Where a statement holds that fails elsewhere, if that can be said in a few words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import groupby

from texlift.verify.judging import Judge, Outcome
from texlift.verify.setting import Setting
from texlift.verify.values import Value

__all__ = ["Regions"]

_BISECTIONS = 40
_MOST_RUNS = 5
_CLOSE = 1e-9


class Regions:
    """Describes the set of points at which a statement holds."""

    def __init__(
        self,
        setting: Setting,
        judge: Judge,
        agreed: Sequence[Outcome],
        differed: Sequence[Outcome],
        is_late: Callable[[], bool],
    ) -> None:
        self.setting = setting
        self.judge = judge
        self.agreed = [o for o in agreed if all(v.is_real for v in o.point.values())]
        self.differed = [o for o in differed if all(v.is_real for v in o.point.values())]
        self.complete = len(self.agreed) == len(agreed) and len(self.differed) == len(differed)
        self.is_late = is_late

    def described(self) -> str:
        """`x >= 0`, `n even`, `a, b >= 0`; empty where nothing simple fits."""
        names = self.setting.sampler.free
        if not self.complete or len(self.agreed) < 3 or not self.differed:
            return ""
        if len(names) == 1:
            name = names[0]
            if self.setting.sampler.domains[name].kind in ("integer", "prime"):
                return self._of_integer(name)
            return self._of_real(name)
        return self._of_several(names)

    def _fits(self, test: Callable[[dict[str, float]], bool]) -> bool:
        def values(outcome: Outcome) -> dict[str, float]:
            return {name: complex(value).real for name, value in outcome.point.items()}

        return all(test(values(o)) for o in self.agreed) and not any(test(values(o)) for o in self.differed)

    def _of_several(self, names: Sequence[str]) -> str:
        if len(self.differed) < 2:
            return ""
        tests: list[tuple[str, Callable[[dict[str, float]], bool]]] = []
        for name in names:
            tests += [
                (f"{name} >= 0", lambda p, n=name: p[n] >= 0),  # type: ignore[misc]
                (f"{name} > 0", lambda p, n=name: p[n] > 0),  # type: ignore[misc]
                (f"{name} <= 0", lambda p, n=name: p[n] <= 0),  # type: ignore[misc]
                (f"{name} > 1", lambda p, n=name: p[n] > 1),  # type: ignore[misc]
            ]
        listed = ", ".join(names)
        tests += [
            (f"{listed} >= 0", lambda p: min(p.values()) >= 0),
            (f"{listed} > 0", lambda p: min(p.values()) > 0),
        ]
        if len(names) == 2:
            a, b = names
            tests += [
                (f"{a} >= {b}", lambda p: p[a] >= p[b]),
                (f"{a} > {b}", lambda p: p[a] > p[b]),
                (f"{a} <= {b}", lambda p: p[a] <= p[b]),
                (f"{a} < {b}", lambda p: p[a] < p[b]),
                (f"{a} = {b}", lambda p: p[a] == p[b]),
                (f"{a} != {b}", lambda p: p[a] != p[b]),
                (f"{a}{b} >= 0", lambda p: p[a] * p[b] >= 0),
                (f"{a}{b} > 0", lambda p: p[a] * p[b] > 0),
                (f"{a}{b} < 1", lambda p: p[a] * p[b] < 1),
                (f"{a} = 0 or {b} = 0", lambda p: p[a] * p[b] == 0),
                (f"{a} + {b} >= 0", lambda p: p[a] + p[b] >= 0),
            ]
        return next((text for text, test in tests if self._fits(test)), "")

    def _of_integer(self, name: str) -> str:
        held = sorted({int(o.point[name].real) for o in self.agreed})
        failed = sorted({int(o.point[name].real) for o in self.differed})
        if all(n % 2 == 0 for n in held) and all(n % 2 for n in failed):
            return f"{name} is even"
        if all(n % 2 for n in held) and all(n % 2 == 0 for n in failed):
            return f"{name} is odd"
        if held[0] > failed[-1]:
            return f"{name} >= {held[0]}"
        if held[-1] < failed[0]:
            return f"{name} <= {held[-1]}"
        if len(failed) <= 4 and len(held) > 3 * len(failed):
            return f"{name} is not " + ", ".join(map(str, failed))
        return ""

    def _of_real(self, name: str) -> str:
        """Intervals between the points at which the statement begins or ceases to hold."""
        marks = [(complex(o.point[name]).real, True) for o in self.agreed]
        marks += [(complex(o.point[name]).real, False) for o in self.differed]
        marks.sort()
        runs = [(holds, [x for x, _ in group]) for holds, group in groupby(marks, key=lambda mark: mark[1])]
        if len(runs) > _MOST_RUNS or any(len(values) < 2 for _, values in runs):
            return ""  # a single point says nothing about its surroundings
        parts: list[str] = []
        for index, (holds, values) in enumerate(runs):
            if not holds:
                continue
            low = self._end(name, runs[index - 1][1][-1], values[0]) if index else None
            high = self._end(name, runs[index + 1][1][0], values[-1]) if index + 1 < len(runs) else None
            if (index and low is None) or (index + 1 < len(runs) and high is None):
                return ""
            parts.append(_interval(name, low, high))
        return " or ".join(parts)

    def _end(self, name: str, failing: float, holding: float) -> tuple[str, bool] | None:
        """The end of an interval between a failing and a holding value, and whether it belongs to it."""
        for _ in range(_BISECTIONS):
            if self.is_late() or abs(holding - failing) < _CLOSE * max(1.0, abs(holding)):
                break
            middle = (failing + holding) / 2
            verdict = self._holds(name, Value(Fraction(repr(middle))))
            if verdict is None:
                middle = failing + (holding - failing) * 0.4142
                verdict = self._holds(name, Value(Fraction(repr(middle))))
            if verdict is None:
                break
            failing, holding = (failing, middle) if verdict else (middle, holding)
        for value in _simple_between(failing, holding):
            belongs = self._holds(name, value)
            return str(value.shown()), bool(belongs)
        return (f"{holding:.6g}", False) if abs(holding - failing) < 1e-4 * max(1.0, abs(holding)) else None

    def _holds(self, name: str, value: Value) -> bool | None:
        point = {name: value}
        if not self.setting.allows(point):
            return None
        outcome = self.judge(point)
        return False if outcome.touching else outcome.holds


def _simple_between(one: float, other: float) -> list[Value]:
    """A simple number between two others, or at their edge."""
    low, high = sorted((one, other))
    margin = (high - low) * 0.01 + 1e-12
    for most in (1, 2, 3, 4, 6, 12):
        found = Fraction((low + high) / 2).limit_denominator(most)
        if low - margin <= found <= high + margin:
            return [Value(found)]
    for most in (1, 2, 3, 4, 6):
        found = Fraction((low + high) / 2 / 3.141592653589793).limit_denominator(most)
        if found and low - margin <= float(found) * 3.141592653589793 <= high + margin:
            return [Value(found, of_pi=True)]
    return []


def _interval(name: str, low: tuple[str, bool] | None, high: tuple[str, bool] | None) -> str:
    if low is None and high is None:
        return f"{name} is any number"
    if high is None:
        assert low is not None
        return f"{name} {'>=' if low[1] else '>'} {low[0]}"
    if low is None:
        return f"{name} {'<=' if high[1] else '<'} {high[0]}"
    return f"{low[0]} {'<=' if low[1] else '<'} {name} {'<=' if high[1] else '<'} {high[0]}"
