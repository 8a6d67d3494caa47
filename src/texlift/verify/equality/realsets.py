"""Sets of real numbers: intervals, unions, solutions of inequalities in one letter, compared exactly.

A set is given by its cuts, the real numbers at which membership may change, and by what is inside: between the cuts
and at each of them. Cuts are rational, roots of polynomials, or values of constants.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key
from typing import Any

import flint

from texlift.verify.equality.evaluation import shown_ball
from texlift.verify.equality.result import Equality, different, equal_because

__all__ = ["Cut", "NoRealSetError", "RealSet", "between", "compare", "merged", "order", "rational_cut", "reals"]

_PRECISIONS = (64, 256, 1024, 3072)
_MOST_CUTS = 60


class NoRealSetError(Exception):
    """What was given is no set of real numbers that is understood."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A real number that can be computed to any precision."""

    at: Callable[[], Any]  # the ball at the precision of flint.ctx
    exact: Fraction | None = None

    def __str__(self) -> str:
        if self.exact is not None:
            return str(self.exact)
        flint.ctx.prec = 64
        return str(shown_ball(flint.acb(self.at())))


def rational_cut(value: Fraction) -> Cut:
    """A rational number."""
    return Cut(lambda: flint.arb(flint.fmpq(value.numerator, value.denominator)), value)


@dataclass(frozen=True, slots=True)
class RealSet:
    """`inside` says for the parts in turn whether they belong to it: before the first cut, at it, behind it, ..."""

    cuts: tuple[Cut, ...]
    inside: tuple[bool, ...]

    def tidy(self) -> RealSet:
        """The set without cuts at which nothing changes."""
        cuts: list[Cut] = []
        inside = [self.inside[0]]
        for index, cut in enumerate(self.cuts):
            at, behind = self.inside[2 * index + 1], self.inside[2 * index + 2]
            if at == behind == inside[-1]:
                continue
            cuts.append(cut)
            inside += [at, behind]
        return RealSet(tuple(cuts), tuple(inside))

    def inverse(self) -> RealSet:
        return RealSet(self.cuts, tuple(not part for part in self.inside))

    def joined(self, other: RealSet, join: Callable[[bool, bool], bool]) -> RealSet:
        """Both sets put together part by part."""
        cuts = merged((*self.cuts, *other.cuts))
        if len(cuts) > _MOST_CUTS:
            raise NoRealSetError("too many ends")
        parts = [join(a, b) for a, b in zip(self._over(cuts), other._over(cuts), strict=True)]
        return RealSet(cuts, tuple(parts)).tidy()

    def _over(self, cuts: Sequence[Cut]) -> list[bool]:
        """What is inside, for the parts that more cuts make."""
        found, index = [self.inside[0]], 0
        for cut in cuts:
            if index < len(self.cuts) and order(self.cuts[index], cut) == 0:
                found += [self.inside[2 * index + 1], self.inside[2 * index + 2]]
                index += 1
            else:
                found += [self.inside[2 * index], self.inside[2 * index]]
        return found


def reals(everything: bool = True) -> RealSet:
    """All real numbers, or none."""
    return RealSet((), (everything,))


def order(left: Cut, right: Cut) -> int:
    """The sign of left - right. Numbers that agree to a thousand digits are the same."""
    if left.exact is not None and right.exact is not None:
        return (left.exact > right.exact) - (left.exact < right.exact)
    old = flint.ctx.prec
    try:
        for precision in _PRECISIONS:
            flint.ctx.prec = precision
            a, b = left.at(), right.at()
            if a > b:
                return 1
            if a < b:
                return -1
        return 0
    finally:
        flint.ctx.prec = old


def merged(cuts: Sequence[Cut]) -> tuple[Cut, ...]:
    found: list[Cut] = []
    for cut in sorted(cuts, key=cmp_to_key(order)):
        if not found or order(found[-1], cut) != 0:
            found.append(cut)
    return tuple(found)


def compare(a: RealSet, b: RealSet) -> Equality:
    """Two sets; a number that only one of them has shows a difference."""
    gap = a.joined(b, lambda x, y: x != y)
    if not any(gap.inside):
        return equal_because("the same set of real numbers")
    both = merged((*a.cuts, *b.cuts))
    number, place = _member(gap, both)
    mine = a._over(both)[place]
    return different(
        f"{number} belongs to {'the first' if mine else 'the second'} only",
        {"point": {"x": number}, "a": "inside" if mine else "outside", "b": "outside" if mine else "inside"},
    )


def _member(gap: RealSet, cuts: Sequence[Cut]) -> tuple[str, int]:
    """A number of a set, shown, and the part of the line it is in."""
    inside = gap._over(cuts)
    for place in sorted(range(len(inside)), key=lambda index: index % 2):  # a whole interval rather than a point
        if not inside[place]:
            continue
        if place % 2:
            return str(cuts[place // 2]), place
        return str(between(cuts, place // 2)), place
    raise NoRealSetError("an empty difference")


def between(cuts: Sequence[Cut], place: int) -> Fraction:
    """A simple rational number before cut number `place` and behind the one before it."""
    low = cuts[place - 1] if place else None
    high = cuts[place] if place < len(cuts) else None
    if low is None and high is None:
        return Fraction(0)
    old = flint.ctx.prec
    try:
        flint.ctx.prec = 256
        if low is None or high is None:
            end = low or high
            assert end is not None
            middle = _near(end)
            return Fraction(middle.__floor__() + 1 if low is not None else middle.__ceil__() - 1) + (
                Fraction(1) if low is not None else Fraction(-1)
            )
        below, above = _near(low), _near(high)
        for digits in (0, 1, 2, 4, 8, 16, 40):
            middle = Fraction(round((below + above) / 2 * 10**digits), 10**digits)
            point = rational_cut(middle)
            if order(low, point) < 0 < order(high, point):
                return middle
        raise NoRealSetError("ends that are very close")
    finally:
        flint.ctx.prec = old


def _near(cut: Cut) -> Fraction:
    if cut.exact is not None:
        return cut.exact
    mid = cut.at().mid()
    man, exp = mid.man_exp()
    return Fraction(int(man)) * Fraction(2) ** int(exp)
