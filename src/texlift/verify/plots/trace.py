"""Values along a window: dense where a curve bends, broken where it jumps.

A segment whose ends are far apart is halved until they are close. If they stay apart however short the segment is,
there is a pole or a jump between them, and the curve is broken there.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from texlift.errors import TexliftError
from texlift.verify.plots.frame import frame_of, is_logarithmic
from texlift.verify.plots.subject import EQUAL, Row, Subject
from texlift.verify.plots.window import Window, sequence_places, window_of

__all__ = ["Trace", "trace_of"]

_STEPS = 400
_COSTLY_STEPS = 100
_DEPTH = 14  # halvings of a step
_MOST = 2400  # evaluations beyond the first ones
_CLOSE = 1 / 40  # of the height of the picture
_BOUNDARIES = 60  # ends of gaps, of where a relation holds, that are made exact


@dataclass(frozen=True, slots=True)
class Trace:
    """Values of the sides at rising places; None where a side has none, or is broken.

    `differ` says where sides of an equation have different values, `hold` where an inequality holds.
    """

    subject: Subject
    ends: tuple[float, float]
    of_pi: bool
    places: tuple[float, ...]
    rows: tuple[Row, ...]
    frame: tuple[float, float]
    differ: tuple[bool, ...]
    hold: tuple[bool, ...]
    logarithmic: bool = False

    def side(self, number: int) -> list[complex | None]:
        return [row[number] for row in self.rows]


def trace_of(subject: Subject) -> Trace:
    """The values to draw. Raises TexliftError where no side has a value."""
    if subject.is_sequence:
        places = sequence_places(subject)
        judged = [subject.judged(place) for place in places]
        numbers = [complex(place).real for place in places]
        if not places:
            raise TexliftError("nothing to draw: no integer satisfies the constraints")
        rows, holds = [row for row, _ in judged], [held for _, held in judged]
        return _made(subject, (numbers[0], numbers[-1]), False, numbers, rows, holds, None)
    return _Tracer(subject, window_of(subject)).trace()


class _Tracer:
    def __init__(self, subject: Subject, window: Window) -> None:
        self.subject = subject
        self.window = window
        self.left = _MOST // 6 if subject.is_costly else _MOST
        self.rows: dict[Fraction, Row] = {}
        self.holds: dict[Fraction, bool | None] = {}
        self.broken: list[tuple[Fraction, int]] = []  # share of the way, side
        self.frame = (0.0, 1.0)

    def trace(self) -> Trace:
        steps = _COSTLY_STEPS if self.subject.is_costly else _STEPS
        for step in range(steps + 1):
            share = Fraction(step, steps)
            self._judge(share)
        numbers = _numbers(list(self.rows.values()))
        self.frame = frame_of(numbers, any(None in row for row in self.rows.values()) or _leaps(self.rows))
        self._boundaries()
        self._refine()
        return self._broken()

    def _look(self, share: Fraction) -> Row | None:
        if self.left <= 0:
            return None
        self.left -= 1
        return self._judge(share)

    def _judge(self, share: Fraction) -> Row:
        self.rows[share], self.holds[share] = self.subject.judged(self.window.place(share))
        return self.rows[share]

    def _state(self, share: Fraction) -> tuple[object, ...]:
        return (*(value is None for value in self.rows[share]), self.holds[share])

    def _boundaries(self) -> None:
        """Find by halving where a side begins or ends and where a relation begins to hold."""
        changes = [(a, b) for a, b in pairwise(sorted(self.rows)) if self._state(a) != self._state(b)]
        for low, high in changes[:_BOUNDARIES]:
            start = self._state(low)
            for _ in range(_DEPTH):
                middle = (low + high) / 2
                if self._look(middle) is None:
                    return
                if self._state(middle) == start:
                    low = middle
                else:
                    high = middle

    def _refine(self) -> None:
        """Halve segments whose ends are far apart, all of one length before shorter ones; break what stays apart."""
        segments = list(pairwise(sorted(self.rows)))
        for depth in range(_DEPTH + 1):
            shorter: list[tuple[Fraction, Fraction]] = []
            for first, second in segments:
                apart = [side for side in range(len(self.subject.sides)) if self._apart(first, second, side)]
                if not apart:
                    continue
                middle = (first + second) / 2
                if depth == _DEPTH or self._look(middle) is None:
                    self.broken += [(middle, side) for side in apart]
                else:
                    shorter += [(first, middle), (middle, second)]
            segments = shorter

    def _apart(self, first: Fraction, second: Fraction, side: int) -> bool:
        a, b = self.rows[first][side], self.rows[second][side]
        if a is None or b is None:
            return False
        close = _CLOSE * (self.frame[1] - self.frame[0])
        return any(abs(self._clamped(x) - self._clamped(y)) > close for x, y in ((a.real, b.real), (a.imag, b.imag)))

    def _clamped(self, value: float) -> float:
        low, high = self.frame
        return min(max(value, low - (high - low) / 20), high + (high - low) / 20)

    def _broken(self) -> Trace:
        """The trace with gaps at breaks, and where a side is out of the picture."""
        known = sorted(self.rows)
        for share, side in self.broken:
            row = list(self.rows.get(share) or self._between(known, share))
            row[side] = None
            self.rows[share] = tuple(row)
        shares = sorted(self.rows)
        rows = [list(self.rows[share]) for share in shares]
        for side in range(len(self.subject.sides)):
            beyond = [self._beyond(row[side]) for row in rows]
            for index in range(1, len(rows) - 1):
                if beyond[index] and beyond[index - 1] == beyond[index] == beyond[index + 1]:
                    rows[index][side] = None
        unit = [complex(self.window.place(share)).real for share in shares]
        made = [tuple(row) for row in rows]
        holds = [self.holds.get(share) for share in shares]
        return _made(self.subject, self.window.ends, self.window.of_pi, unit, made, holds, self.frame)

    def _between(self, known: list[Fraction], share: Fraction) -> Row:
        """A row at a break, for the sides that are not broken there: interpolated between neighbours."""
        index = bisect_left(known, share)
        below, above = known[index - 1], known[index]
        pairs = zip(self.rows[below], self.rows[above], strict=True)
        return tuple(None if a is None or b is None else (a + b) / 2 for a, b in pairs)

    def _beyond(self, value: complex | None) -> int:
        if value is None or value.imag:
            return 0
        return 1 if value.real > self.frame[1] else -1 if value.real < self.frame[0] else 0


def _made(
    subject: Subject,
    ends: tuple[float, float],
    of_pi: bool,
    places: list[float],
    rows: list[Row],
    holds: list[bool | None],
    frame: tuple[float, float] | None,
) -> Trace:
    numbers = _numbers(rows)
    equation = set(subject.operators) <= EQUAL
    differ = tuple(value is False and equation and not subject.rough for value in holds)
    hold = tuple(value is True and not equation for value in holds)
    logarithmic = subject.is_sequence and is_logarithmic(numbers)
    frame = frame or frame_of(numbers, False)
    return Trace(subject, ends, of_pi, tuple(places), tuple(rows), frame, differ, hold, logarithmic)


def _numbers(rows: list[Row]) -> list[float]:
    found = [value for row in rows for value in row if value is not None]
    if not found:
        raise TexliftError("nothing to draw: no real value in the window")
    parts = [value.real for value in found]
    return [*parts, *(value.imag for value in found)] if any(value.imag for value in found) else parts


def _leaps(rows: dict[Fraction, Row]) -> bool:
    """Whether neighbours have large values of opposite signs, as beside a pole."""
    table = [rows[share] for share in sorted(rows)]
    for one, two in pairwise(table):
        for a, b in zip(one, two, strict=True):
            if a is not None and b is not None and a.real * b.real < 0 and min(abs(a), abs(b)) > 5:
                return True
    return False
