"""The interval over which a formula is drawn: where it is defined and where something happens.

Poles, zeros, extrema, crossings of the sides and ends of the domain are looked for on a grid that is fine near zero and
coarse far away. Trigonometric functions are drawn over two periods, with multiples of pi as ticks.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from mpmath import mp

from texlift.errors import FormulaError
from texlift.meaning.tree import Apply, Constant, Expression, free_symbols, walk
from texlift.verify.plots.features import clamped, features, grid, is_flat, is_steep, joined_places
from texlift.verify.plots.subject import Subject
from texlift.verify.values import Value

__all__ = ["Window", "sequence_places", "window_of"]

_PERIODIC = frozenset({r"\sin", r"\cos", r"\tan", r"\cot", r"\sec", r"\csc"})
_POINTS = 13  # of a sequence
_PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
_HALF = (5, 3, 2, 1)  # half widths where nothing else says one
_PADS = (Fraction(1), Fraction(1, 2), Fraction(1, 4), Fraction(1, 8))
_MANY = 5  # features that need little space around them
_CENTRAL = 2  # how far from zero a single feature is drawn around zero
_GROWTH = 6  # how much larger values outside the features may be than between them
_UNEQUAL = 20  # times larger on one side than on the other
_MOST_DENOMINATOR = 6


@dataclass(frozen=True, slots=True)
class Window:
    """From `low` to `high`, times pi if `of_pi`."""

    low: Fraction
    high: Fraction
    of_pi: bool = False

    def place(self, share: Fraction) -> Value:
        """The place at a share of the way from the left to the right end."""
        return Value(self.low + (self.high - self.low) * share, of_pi=self.of_pi)

    @property
    def ends(self) -> tuple[float, float]:
        unit = math.pi if self.of_pi else 1.0
        return float(self.low) * unit, float(self.high) * unit


def window_of(subject: Subject) -> Window:
    """Where to draw a subject."""
    domain = subject.domain
    low, high = domain.low, domain.high
    if domain.kind == "unit":
        low, high = low or Fraction(0), high or Fraction(1)
    elif domain.kind == "large":
        low = low or Fraction(1)
    elif domain.kind == "real" and not domain.negative:
        low = low or Fraction(0)
    if low is not None and high is not None and low < high:
        return Window(low, high)
    if (periodic := _periods(subject, low, high)) is not None:
        return periodic
    return _Search(subject, low, high).window()


def sequence_places(subject: Subject) -> list[Value]:
    """The places at which a sequence is drawn."""
    domain = subject.domain
    if domain.kind == "prime":
        return [Value(Fraction(prime)) for prime in _PRIMES]
    first = domain.least if domain.least is not None else 0
    if domain.low is not None:
        first = math.ceil(domain.low) if domain.least is None else max(first, math.ceil(domain.low))
    last = first + _POINTS - 1
    if domain.high is not None:
        last = math.floor(domain.high)
        first = max(first, last - 4 * _POINTS) if domain.least is not None or domain.low is not None else last - _POINTS
    return [Value(Fraction(number)) for number in range(first, last + 1)]


# -- trigonometric functions -------------------------------------------------------------------------------


def _periods(subject: Subject, low: Fraction | None, high: Fraction | None) -> Window | None:
    """Two periods of the slowest trigonometric function; None where there is none."""
    rates = [rate for side in subject.sides for node in walk(side.node) if (rate := _rate(subject, node))]
    if not rates:
        return None
    slowest = min(rates)
    of_pi = _simple(slowest) is not None
    unit = _simple(slowest) if of_pi else _simple(slowest / math.pi)
    if unit is None:
        unit = Fraction(slowest / math.pi).limit_denominator(50) or Fraction(1)
    half = 2 / unit
    scale = math.pi if of_pi else 1.0
    if low is not None:
        start = low / Fraction(scale).limit_denominator(10**6) if low else Fraction(0)
        return Window(start, start + half, of_pi)
    if high is not None:
        end = high / Fraction(scale).limit_denominator(10**6) if high else Fraction(0)
        return Window(end - half, end, of_pi)
    return _lopsided(subject, Window(-half, half, of_pi))


def _lopsided(subject: Subject, window: Window) -> Window:
    """The window with less of the side on which the values are far larger, as those of a damped oscillation."""
    sizes = []
    for shares in (range(1, 16), range(17, 32)):
        rows = [subject.values(window.place(Fraction(share, 32))) for share in shares]
        found = sorted(abs(value) for row in rows for value in row if value is not None)
        sizes.append(found[len(found) * 3 // 4] if found else 0.0)
    left, right = sizes
    if left > _UNEQUAL * right > 0:
        return Window(window.low / 4, window.high, window.of_pi)
    if right > _UNEQUAL * left > 0:
        return Window(window.low, window.high / 4, window.of_pi)
    return window


def _rate(subject: Subject, node: Expression) -> float | None:
    """How fast the argument of a trigonometric function grows with the variable."""
    if not isinstance(node, Apply) or not node.arguments:
        return None
    if node.head in _PERIODIC:
        argument, turned = node.arguments[0], False
    elif node.head == "power" and isinstance(node.arguments[0], Constant) and node.arguments[0].name == "e":
        argument, turned = node.arguments[1], True
    elif node.head == r"\exp":
        argument, turned = node.arguments[0], True
    else:
        return None
    if subject.variable not in free_symbols(argument):
        return None
    try:
        code = subject.setting.compiled(argument)
        points = [{**subject.fixed, subject.variable: Value(Fraction(k))} for k in (1, 2, 3)]
        with mp.workdps(20):
            a, b, c = (complex(code(subject.setting.environment(point))) for point in points)
    except (FormulaError, ArithmeticError, ValueError, TypeError, KeyError):
        return None
    first, second = b - a, c - b
    if abs(first - second) > 1e-9 * (1 + abs(first)):
        return None
    rate = first.imag if turned else first.real
    other = first.real if turned else first.imag
    return abs(rate) if abs(rate) > 1e-6 and abs(other) < 1e-12 else None


def _simple(number: float) -> Fraction | None:
    near = Fraction(number).limit_denominator(_MOST_DENOMINATOR)
    return near if near and abs(float(near) - number) < 1e-9 * number else None


# -- other functions ---------------------------------------------------------------------------------------


class _Search:
    """Looks where something happens along the real line."""

    def __init__(self, subject: Subject, low: Fraction | None, high: Fraction | None) -> None:
        self.subject = subject
        self.low, self.high = low, high
        self.seen: dict[Fraction, tuple[float | None, ...]] = {}

    def window(self) -> Window:
        places = [p for p in grid(self.subject.is_costly) if self._inside(p)]
        if not places:  # bounds far from zero
            base = self.low if self.low is not None else self.high
            assert base is not None
            sign = 1 if self.low is not None else -1
            places = sorted(base + sign * Fraction(step, 10) for step in range(1, 60))
        rows = [(place, self._at(place)) for place in places]
        joined = joined_places(rows)
        found = features(rows, joined)
        start, end = self._extent(places, joined)
        found = sorted({clamped(place, start, end) for place in found})
        if len(found) > 1:
            low, high = self._padded(found, start, end)
        else:
            centre = found[0] if found else self._middle(start, end)
            if abs(centre) <= _CENTRAL and start is None and end is None:
                centre = Fraction(0)
            half = self._half(centre)
            low, high = centre - half, centre + half
        return self._rounded(low, high, start, end)

    def _padded(self, found: list[Fraction], start: Fraction | None, end: Fraction | None) -> tuple[Fraction, Fraction]:
        """Some space around the features, less where the values grow fast."""
        least, most = min(found), max(found)
        width = most - least
        inner = [self._at(least + width * step / 20) for step in range(21)]
        sizes = sorted(abs(value) for row in inner for value in row if value is not None)
        usual = sizes[len(sizes) * 9 // 10] if sizes else 1.0
        low = high = Fraction(0)
        for share in _PADS[2:] if len(found) >= _MANY else _PADS:
            left, right = width * share, width * share
            if start is not None and least <= start + width / 100:
                right *= 4  # all the space is on one side
            if end is not None and most >= end - width / 100:
                left *= 4
            low, high = least - left, most + right
            values = [value for place in (low, high) for value in self._at(place) if value is not None]
            if all(abs(value) <= _GROWTH * usual for value in values):
                break
        if start is None and end is None and abs(low + high) < (high - low) / 6:
            high = max(-low, high)  # nearly symmetric
            low = -high
        return low, high

    def _inside(self, place: Fraction) -> bool:
        return (self.low is None or place >= self.low) and (self.high is None or place <= self.high)

    def _at(self, place: Fraction) -> tuple[float | None, ...]:
        if place not in self.seen:
            values = self.subject.values(Value(place))
            self.seen[place] = tuple(None if value is None else value.real for value in values)
        return self.seen[place]

    def _extent(self, places: list[Fraction], defined: list[Fraction]) -> tuple[Fraction | None, Fraction | None]:
        """The ends of where the sides have values, if there are ends."""
        if not defined:
            return self.low, self.high
        start: Fraction | None = self.low
        end: Fraction | None = self.high
        first, last = places.index(defined[0]), places.index(defined[-1])
        if first > 0:
            start = self._edge(places[first - 1], places[first])
        if last < len(places) - 1 and float(places[last]) < 50:  # farther away it overflows
            end = self._edge(places[last + 1], places[last])
        return start, end

    def _edge(self, outside: Fraction, inside: Fraction) -> Fraction:
        for _ in range(16):
            middle = (outside + inside) / 2
            if all(value is None for value in self._at(middle)):
                outside = middle
            else:
                inside = middle
        near = outside.limit_denominator(20)
        return near if abs(near - outside) <= 2 * abs(inside - outside) else outside

    def _middle(self, start: Fraction | None, end: Fraction | None) -> Fraction:
        if start is not None and end is not None:
            return (start + end) / 2
        return start if start is not None else end if end is not None else Fraction(0)

    def _half(self, centre: Fraction) -> Fraction:
        """A width over which the values neither explode nor are flat but for a small part."""
        for half in _HALF:
            steps = [centre + Fraction(half * step, 10) for step in range(-10, 11)]
            rows = [self._at(place) for place in steps if self._inside(place)]
            columns = [[value for value in column if value is not None] for column in zip(*rows, strict=True)]
            if not any(is_steep(column) or is_flat(column) for column in columns if len(column) > 6):
                return Fraction(half)
        return Fraction(_HALF[-2])

    def _rounded(self, low: Fraction, high: Fraction, start: Fraction | None, end: Fraction | None) -> Window:
        if start is not None and low < start:
            low = start
        if end is not None and high > end:
            high = end
        if not low < high:
            low, high = low - 1, low + 1
        step = Fraction(10) ** math.floor(math.log10(float(high - low) / 4)) / 2
        low = low if low == start else math.floor(low / step) * step
        high = high if high == end else math.ceil(high / step) * step
        return Window(low, high)
