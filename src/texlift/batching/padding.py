"""Trees padded with `y_end` (paper, section 3.1): to the hull of a cluster, or at random for training.

A padded tree is in its own order, not exchanged: the children of a leaf and of a `y_end` are `y_end`s. So a value
other than 0 no longer means that a node has no children; `rights` says that.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from texlift.batching.topology import Topology, hull
from texlift.batching.trees import TreeArrays

__all__ = ["grow", "pad_to_hull", "placed"]


def placed(tree: TreeArrays) -> dict[int, tuple[int, bool]]:
    """Position after the right-child-biggest traversal: (node, T)."""
    found: dict[int, tuple[int, bool]] = {}
    rights = tree.rights.tolist()
    sizes = [1] * len(rights)
    for node in range(len(rights) - 1, -1, -1):
        if rights[node] > 0:
            sizes[node] += sizes[node + 1] + sizes[rights[node]]
    stack = [(1, 0)]
    while stack:
        position, node = stack.pop()
        right = rights[node]
        if right < 0:
            found[position] = (node, False)
            continue
        flag = sizes[node + 1] > sizes[right]
        found[position] = (node, flag)
        first, second = (right, node + 1) if flag else (node + 1, right)
        stack += [(2 * position, first), (2 * position + 1, second)]
    return found


def pad_to_hull(trees: Sequence[TreeArrays], end: int) -> list[TreeArrays]:
    """All trees of a cluster padded to their common hull, which is that after the traversal."""
    places = [placed(tree) for tree in trees]
    outer = hull(frozenset(place) for place in places)
    return [_padded(tree, place, outer, end) for tree, place in zip(trees, places, strict=True)]


def _padded(tree: TreeArrays, place: dict[int, tuple[int, bool]], outer: Topology, end: int) -> TreeArrays:
    builder = _Builder()
    values = tree.values.tolist()
    stack = [(1, -1, False)]
    while stack:
        position, parent, right = stack.pop()
        node, exchanged = place.get(position, (-1, False))
        number = builder.add(values[node] if node >= 0 else end, parent, right)
        if 2 * position in outer:
            children = (2 * position + 1, 2 * position) if exchanged else (2 * position, 2 * position + 1)
            stack += [(children[1], number, True), (children[0], number, False)]
    return builder.tree()


def grow(tree: TreeArrays, chance: float, generator: np.random.Generator, end: int) -> TreeArrays:
    """Two `y_end`s below some leaves, two below some of those, and so on, each time with this chance (below 1/2)."""
    builder = _Builder()
    values, rights = tree.values.tolist(), tree.rights.tolist()
    draws: list[float] = []
    stack = [(0, -1, False)]
    while stack:
        node, parent, right = stack.pop()
        number = builder.add(values[node] if node >= 0 else end, parent, right)
        if node >= 0 and rights[node] > 0:
            stack += [(rights[node], number, True), (node + 1, number, False)]
            continue
        if not draws:
            draws = generator.random(2 * len(values)).tolist()
        if draws.pop() < chance:
            stack += [(-1, number, True), (-1, number, False)]
    return builder.tree()


class _Builder:
    """A tree made node by node, in pre-order."""

    def __init__(self) -> None:
        self.values: list[int] = []
        self.rights: list[int] = []
        self.parents: list[int] = []
        self.depths: list[int] = []

    def add(self, value: int, parent: int, right: bool) -> int:
        number = len(self.values)
        self.values.append(value)
        self.rights.append(-1)
        self.parents.append(parent)
        self.depths.append(0 if parent < 0 else self.depths[parent] + 1)
        if right:
            self.rights[parent] = number
        return number

    def tree(self) -> TreeArrays:
        # never encoded, so subtrees need no numbers
        nothing = np.full(len(self.values), -1, dtype=np.int64)
        return TreeArrays(
            np.array(self.values, dtype=np.int32),
            np.array(self.rights),
            np.array(self.parents),
            np.array(self.depths),
            nothing,
        )
