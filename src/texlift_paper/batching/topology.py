"""Topologies of binary trees: the right-child-biggest traversal, hulls, padding (paper, sections 3.1 and 4.2).

A position in a binary tree is numbered like in a heap: the root is 1, the children of p are 2p and 2p + 1.
A topology is the set of its positions; `a ⊃ b` is set inclusion, the hull of topologies their union.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from texlift_paper.batching.trees import IntArray

__all__ = [
    "Padded",
    "PositionIndex",
    "Topology",
    "contains",
    "exchange",
    "hull",
    "padded",
    "positions",
    "restore",
    "values_at",
]

Topology = frozenset[int]


def exchange(values: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
    """The right-child-biggest traversal: children are exchanged where the left subtree is the larger.

    Values in pre-order in, values in pre-order and the flag T of every node of the new tree out.
    """
    ends = _ends(values)
    order: list[int] = []
    flags: list[bool] = []
    stack = [0]
    while stack:
        node = stack.pop()
        order.append(node)
        if values[node]:
            flags.append(False)
            continue
        left, right = node + 1, ends[node + 1]
        exchanged = right - left > ends[right] - right
        flags.append(exchanged)
        stack += [left, right] if exchanged else [right, left]
    return values[order], np.array(flags)


def restore(values: NDArray[np.int32], exchanged: NDArray[np.bool_]) -> NDArray[np.int32]:
    """The inverse of `exchange`."""
    ends = _ends(values)
    order: list[int] = []
    stack = [0]
    while stack:
        node = stack.pop()
        order.append(node)
        if not values[node]:
            left, right = node + 1, ends[node + 1]
            stack += [left, right] if exchanged[node] else [right, left]
    return values[order]


def positions(values: NDArray[np.int32]) -> list[int]:
    """The position of every node, in pre-order; numbers have as many bits as the tree is deep."""
    listed: list[int] = []
    stack = [1]
    for value in values.tolist():
        position = stack.pop()
        listed.append(position)
        if not value:
            stack += [2 * position + 1, 2 * position]
    return listed


def hull(topologies: Iterable[Topology]) -> Topology:
    """The smallest topology that contains all of them."""
    return frozenset().union(*topologies)


def contains(outer: Topology, inner: Topology) -> bool:
    """`outer ⊃ inner`: for each node of `inner` there is one in `outer` at the same position."""
    return inner <= outer


@dataclass(frozen=True, slots=True)
class Padded:
    """x_a: the values of x at the positions of the hull a, `y_end` where x has no node.

    `positions` are those of the hull in pre-order, `values` (nodes of the hull,).
    """

    positions: tuple[int, ...]
    values: tuple[int, ...]


def padded(values: NDArray[np.int32], outer: Topology, end: int) -> Padded:
    """x_a for a hull `outer`. Raises ValueError if the hull does not contain the tree."""
    own = dict(zip(positions(values), values.tolist(), strict=True))
    if not own.keys() <= outer:
        raise ValueError("the hull does not contain the tree")
    order = pre_order(outer)
    return Padded(tuple(order), tuple(own.get(position, end) for position in order))


def values_at(tree: Padded, end: int) -> NDArray[np.int32]:
    """The inverse of `padded`: what is not `y_end`, in pre-order."""
    return np.array([value for value in tree.values if value != end], dtype=np.int32)


def pre_order(topology: Topology) -> list[int]:
    """The positions of a topology in pre-order."""
    order: list[int] = []
    stack = [1]
    while stack:
        position = stack.pop()
        if position in topology:
            order.append(position)
            stack += [2 * position + 1, 2 * position]
    return order


class PositionIndex:
    """Small consecutive numbers for the positions of a corpus, so that topologies become bit sets.

    Positions that stand in the same trees could share a number; numbers are given in order of appearance.
    """

    __slots__ = ("_numbers",)

    def __init__(self) -> None:
        self._numbers: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    def numbers(self, values: NDArray[np.int32]) -> IntArray:
        """Sorted numbers of the positions of a tree, (nodes,)."""
        numbers = self._numbers
        return np.sort(np.array([numbers.setdefault(p, len(numbers)) for p in positions(values)], dtype=np.int64))


def _ends(values: NDArray[np.int32]) -> list[int]:
    listed = values.tolist()
    ends = [0] * len(listed)
    for node in range(len(listed) - 1, -1, -1):
        ends[node] = node + 1 if listed[node] else ends[ends[node + 1]]
    return ends
