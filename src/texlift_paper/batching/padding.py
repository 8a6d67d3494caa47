"""Trees padded with `y_end` (paper, section 3.1): to the hull of a cluster, or at random for training.

A padded tree is in its own order, not exchanged: the children of a leaf and of a `y_end` are `y_end`s. So a value
other than 0 no longer means that a node has no children; `rights` says that. Nodes of the tree itself keep the numbers
of their subtrees; a `y_end` has -1, and an encoder gives it a state of zero.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from texlift_paper.batching.topology import Topology, hull
from texlift_paper.batching.trees import TreeArrays

__all__ = ["grow", "hull_of", "pad_to", "pad_to_hull", "placed"]


def placed(tree: TreeArrays) -> dict[int, tuple[int, bool]]:
    """Position after the right-child-biggest traversal: (node, T).

    Only nodes of the tree itself count in the traversal: a padded tree lies where it lay before it was padded.
    """
    found: dict[int, tuple[int, bool]] = {}
    rights = tree.rights.tolist()
    sizes = (tree.subtrees >= 0).astype(int).tolist()
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


def hull_of(trees: Iterable[TreeArrays]) -> Topology:
    """The common hull of some trees after the traversal."""
    return hull(frozenset(placed(tree)) for tree in trees)


def pad_to_hull(trees: Sequence[TreeArrays], end: int) -> list[TreeArrays]:
    """All trees of a cluster padded to their common hull, which is that after the traversal."""
    outer = hull_of(trees)
    return [pad_to(tree, outer, end) for tree in trees]


def pad_to(tree: TreeArrays, outer: Topology, end: int) -> TreeArrays:
    """One tree padded to a hull. Raises ValueError if the hull does not contain the tree."""
    place = placed(tree)
    if not place.keys() <= outer:
        raise ValueError("the hull does not contain the tree")
    builder = _Builder(tree, end)
    stack = [(1, -1, False)]
    while stack:
        position, parent, right = stack.pop()
        node, exchanged = place.get(position, (-1, False))
        number = builder.add(node, parent, right)
        if 2 * position in outer:
            children = (2 * position + 1, 2 * position) if exchanged else (2 * position, 2 * position + 1)
            stack += [(children[1], number, True), (children[0], number, False)]
    return builder.tree()


def grow(tree: TreeArrays, chance: float, generator: np.random.Generator, end: int) -> TreeArrays:
    """Two `y_end`s below some leaves, two below some of those, and so on, each time with this chance (below 1/2)."""
    builder = _Builder(tree, end)
    rights = tree.rights.tolist()
    draws: list[float] = []
    stack = [(0, -1, False)]
    while stack:
        node, parent, right = stack.pop()
        number = builder.add(node, parent, right)
        if node >= 0 and rights[node] > 0:
            stack += [(rights[node], number, True), (node + 1, number, False)]
            continue
        if not draws:
            draws = generator.random(2 * len(rights)).tolist()
        if draws.pop() < chance:
            stack += [(-1, number, True), (-1, number, False)]
    return builder.tree()


class _Builder:
    """A padded tree made node by node, in pre-order."""

    def __init__(self, tree: TreeArrays, end: int) -> None:
        self.own_values = [*tree.values.tolist(), end]  # the last is that of node -1, which is padding
        self.own_subtrees = [*tree.subtrees.tolist(), -1]
        self.values: list[int] = []
        self.subtrees: list[int] = []
        self.rights: list[int] = []
        self.parents: list[int] = []
        self.depths: list[int] = []

    def add(self, node: int, parent: int, right: bool) -> int:
        """A copy of a node of the tree, or a `y_end` for -1, below `parent`; its number."""
        number = len(self.values)
        self.values.append(self.own_values[node])
        self.subtrees.append(self.own_subtrees[node])
        self.rights.append(-1)
        self.parents.append(parent)
        self.depths.append(0 if parent < 0 else self.depths[parent] + 1)
        if right:
            self.rights[parent] = number
        return number

    def tree(self) -> TreeArrays:
        return TreeArrays(
            np.array(self.values, dtype=np.int32),
            np.array(self.rights),
            np.array(self.parents),
            np.array(self.depths),
            np.array(self.subtrees),
        )
