"""Eigenvalues of tridiagonal matrices: a first value in double precision, then inverse iteration in mpmath's.

Functions that are defined by a recurrence of three terms (Mathieu, Lamé, spheroidal) have their coefficients from such
a matrix, cut off where the coefficients no longer count.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from mpmath import mp

__all__ = ["eigenpair"]

_ROUNDS = 12


def eigenpair(diagonal: Sequence[Any], below: Sequence[Any], above: Sequence[Any], place: int) -> tuple[Any, list[Any]]:
    """The eigenvalue at `place` in ascending order, and its eigenvector; `below[k]` stands in row k+1, column k.

    Raises ValueError where the eigenvalue is not real and simple, so that its place says nothing.
    """
    size = len(diagonal)
    matrix = np.zeros((size, size))
    for k in range(size):
        matrix[k, k] = float(diagonal[k])
        if k:
            matrix[k, k - 1], matrix[k - 1, k] = float(below[k - 1]), float(above[k - 1])
    found = sorted(np.linalg.eigvals(matrix), key=lambda value: value.real)
    first = found[place]
    scale = 1 + abs(first)
    if abs(first.imag) > 1e-9 * scale:
        raise ValueError("a complex eigenvalue has no place in an order")
    if any(abs(first - found[k]) < 1e-7 * scale for k in (place - 1, place + 1) if 0 <= k < size):
        raise ValueError("two eigenvalues that are too close to each other")
    return _refined(diagonal, below, above, mp.mpf(float(first.real)))


def _refined(diagonal: Sequence[Any], below: Sequence[Any], above: Sequence[Any], value: Any) -> tuple[Any, list[Any]]:
    size = len(diagonal)
    with mp.extraprec(20):
        vector = [mp.one] * size
        least = mp.mpf(2) ** (15 - mp.prec)
        shift = value * (1 + mp.mpf(10) ** -11) + mp.mpf(10) ** -11
        for number in range(_ROUNDS):
            solved = _solved([part - shift for part in diagonal], below, above, vector)
            norm = mp.sqrt(mp.fsum(part**2 for part in solved))
            solved = [part / norm for part in solved]
            better = mp.fsum(solved[k] * _row(diagonal, below, above, solved, k) for k in range(size))
            done = number > 1 and abs(better - value) <= least * (1 + abs(better))
            value, vector = better, solved
            if done:
                return value, vector
            if number:
                shift = value + least * (1 + abs(value))
    raise ValueError("the eigenvalue was not found")


def _row(diagonal: Sequence[Any], below: Sequence[Any], above: Sequence[Any], vector: Sequence[Any], k: int) -> Any:
    """One component of the matrix times a vector."""
    total = diagonal[k] * vector[k]
    if k:
        total += below[k - 1] * vector[k - 1]
    if k + 1 < len(diagonal):
        total += above[k] * vector[k + 1]
    return total


def _solved(diagonal: list[Any], below: Sequence[Any], above: Sequence[Any], right: Sequence[Any]) -> list[Any]:
    """A tridiagonal system by elimination; pivots of 0 are moved a little, as inverse iteration allows."""
    tiny = mp.mpf(2) ** -mp.prec
    pivots, values = [diagonal[0] or tiny], [right[0]]
    for k in range(1, len(diagonal)):
        factor = below[k - 1] / pivots[-1]
        pivots.append(diagonal[k] - factor * above[k - 1] or tiny)
        values.append(right[k] - factor * values[-1])
    found = [values[-1] / pivots[-1]]
    for k in range(len(diagonal) - 2, -1, -1):
        found.append((values[k] - above[k] * found[-1]) / pivots[k])
    return found[::-1]
