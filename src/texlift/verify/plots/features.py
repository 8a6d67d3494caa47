"""What happens along the real line, seen on a grid: zeros, extrema, crossings, poles and ends of the domain."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

__all__ = ["clamped", "features", "grid", "is_flat", "is_steep", "joined_places"]

_MOST_FEATURES = 10
_NEAR = 12  # where the grid is fine
_HUGE = 1e12  # values beyond which extrema are not looked for
_OVERFLOW = 1e30
_STEEP = 60  # how much larger values at the ends may be than in the middle
_FAR = 1000.0

_Rows = list[tuple[Fraction, tuple[float | None, ...]]]


def grid(costly: bool) -> list[Fraction]:
    near = [Fraction(k, 2) for k in range(-12, 13)] if costly else [Fraction(k, 10) for k in range(-120, 121)]
    far: list[Fraction] = []
    place, ratio = float(near[-1]), 2.0 if costly else 1.2
    while place < (50.0 if costly else _FAR):
        place *= ratio
        far.append(Fraction(round(place)) + Fraction(1, 3))  # no integer: powers exist there
    return sorted({*near, *far, *(-number for number in far)})


def _found(rows: _Rows, gaps: bool) -> list[Fraction]:
    """Places of zeros, extrema and crossings; of poles and ends of the domain if `gaps` count."""
    found: set[Fraction] = set()
    if not rows:
        return []
    sides = len(rows[0][1])
    curves = [_without_lonely([row[side] for _, row in rows]) for side in range(sides)]
    curves += [
        [None if a is None or b is None else _difference(a, b) for a, b in zip(one, two, strict=True)]
        for one, two in pairwise(curves)
    ]
    for number, curve in enumerate(curves):
        for index in range(1, len(rows) - 1):
            before, here, after = curve[index - 1 : index + 2]
            place = rows[index][0]
            if before is None or here is None or after is None:
                beside = [abs(value) for value in (before, after) if value is not None]
                if gaps and here is None and beside and min(beside) < _OVERFLOW and number < sides:
                    found.add(place)  # a pole, or the end of the domain
                continue
            if here * after < 0 or (here == 0 and before and after):
                found.add((place + rows[index + 1][0]) / 2 if here else place)
            elif (
                number < sides
                and (here - before) * (after - here) < 0
                and 1e-9 * abs(here) < max(abs(here - before), abs(after - here))
                and abs(here) < _HUGE
            ):
                found.add(place)
    return sorted(found)


def clamped(place: Fraction, start: Fraction | None, end: Fraction | None) -> Fraction:
    if start is not None and place < start:
        return start
    return end if end is not None and place > end else place


def features(rows: _Rows, joined: list[Fraction]) -> list[Fraction]:
    """The features nearest to zero; far ones only where there are few near.

    Far from zero values often fail for numeric reasons, so gaps count there only if there is nothing near.
    """
    near = [row for row in rows if abs(row[0]) <= _NEAR]
    found = set(_found(near, True))
    if len(found) <= 2:
        found |= set(_found(rows, all(abs(place) > _NEAR for place in joined)))
    return sorted(found, key=abs)[:_MOST_FEATURES]


def _without_lonely(curve: list[float | None]) -> list[float | None]:
    """The values without those between two gaps, such as those of x^x at negative integers."""
    before, after = [None, *curve[:-1]], [*curve[1:], None]
    return [None if a is None and b is None else v for a, v, b in zip(before, curve, after, strict=True)]


def joined_places(rows: _Rows) -> list[Fraction]:
    """Places where a side has a value, and at a neighbouring place too."""
    here = [any(value is not None for value in row) for _, row in rows]
    beside = [a or b for a, b in zip([False, *here], [*here[1:], False], strict=False)]
    joined = [place for (place, _), is_here, is_beside in zip(rows, here, beside, strict=True) if is_here and is_beside]
    return joined or [place for (place, _), is_here in zip(rows, here, strict=True) if is_here]


def _difference(a: float, b: float) -> float:
    return a - b if abs(a - b) > 1e-9 * max(abs(a), abs(b), 1.0) else 0.0


def is_steep(values: list[float]) -> bool:
    sizes = sorted(map(abs, values))
    return sizes[-1] > _STEEP * max(sizes[len(sizes) // 2], 1e-9) and sizes[-1] > 10


def is_flat(values: list[float]) -> bool:
    """Whether the outer fifths on both sides are level although the middle is not."""
    reach = max(values) - min(values)
    part = max(2, len(values) // 4)
    ends = [max(piece) - min(piece) for piece in (values[:part], values[-part:])]
    return reach > 0 and all(end < reach / 500 for end in ends)
