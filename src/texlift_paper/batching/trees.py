"""Trees as arrays, and batches of them.

A tree is its values in pre-order (0 for inner nodes), so the left child of node i is i + 1. Every subtree of
a corpus has one number (hash-consing): two equal subtrees, wherever they stand, share it, and an encoder needs
to compute their state only once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["IntArray", "SubtreeTable", "TreeArrays", "TreeBatch"]

IntArray = NDArray[np.int64]


class SubtreeTable:
    """Numbers for subtrees: equal subtrees get equal numbers, children smaller ones than their parents."""

    __slots__ = ("_numbers", "heights", "lefts", "rights", "values")

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, int, int], int] = {}
        self.values: list[int] = []
        self.lefts: list[int] = []
        self.rights: list[int] = []
        self.heights: list[int] = []

    def __len__(self) -> int:
        return len(self.values)

    def number(self, value: int, left: int = -1, right: int = -1) -> int:
        """The number of the subtree with this value at its root and these subtrees below; -1 for none."""
        key = (value, left, right)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.values)
            self.values.append(value)
            self.lefts.append(left)
            self.rights.append(right)
            self.heights.append(0 if left < 0 else 1 + max(self.heights[left], self.heights[right]))
        return number


@dataclass(frozen=True, slots=True, eq=False)
class TreeArrays:
    """One binary tree; all arrays have one entry per node, in pre-order.

    `rights` and `parents` are positions within the tree; -1 for the right child of a leaf and the parent of
    the root. `subtrees` are numbers in the table the tree was made with, -1 for padding (`y_end`), which is no part of
    the tree.
    """

    values: NDArray[np.int32]
    rights: IntArray
    parents: IntArray
    depths: IntArray
    subtrees: IntArray

    def __len__(self) -> int:
        return len(self.values)

    @classmethod
    def of(cls, values: NDArray[np.int32], table: SubtreeTable) -> TreeArrays:
        """The tree with these values in pre-order, 0 for inner nodes."""
        count = len(values)
        rights = [-1] * count
        parents = [-1] * count
        depths = [0] * count
        subtrees = [0] * count
        ends = [0] * count
        listed = values.tolist()
        for node in range(count - 1, -1, -1):
            if listed[node]:
                ends[node] = node + 1
                subtrees[node] = table.number(listed[node])
                continue
            right = ends[node + 1]
            rights[node] = right
            ends[node] = ends[right]
            parents[node + 1] = parents[right] = node
            subtrees[node] = table.number(0, subtrees[node + 1], subtrees[right])
        for node in range(1, count):
            depths[node] = depths[parents[node]] + 1
        return cls(values, np.array(rights), np.array(parents), np.array(depths), np.array(subtrees))


@dataclass(frozen=True, slots=True, eq=False)
class TreeBatch:
    """Several trees one after the other; positions count over the whole batch.

    `starts` has one entry per tree and one more for the end; `inner` lists the nodes with children, `lefts` and
    `rights` their children, all (inner nodes,); `subtrees` (nodes,) are numbers of subtrees, -1 for padding.
    """

    trees: tuple[TreeArrays, ...]
    values: IntArray
    starts: IntArray
    inner: IntArray
    lefts: IntArray
    rights: IntArray
    subtrees: IntArray

    def __len__(self) -> int:
        """The number of nodes."""
        return len(self.values)

    @classmethod
    def of(cls, trees: Sequence[TreeArrays]) -> TreeBatch:
        """A batch of at least one tree."""
        starts = np.concatenate([[0], np.cumsum([len(tree) for tree in trees])])
        values = np.concatenate([tree.values for tree in trees]).astype(np.int64)
        rights = np.concatenate([tree.rights + start for tree, start in zip(trees, starts[:-1], strict=True)])
        inner = np.flatnonzero(np.concatenate([tree.rights for tree in trees]) > 0)
        subtrees = np.concatenate([tree.subtrees for tree in trees])
        return cls(tuple(trees), values, starts, inner, inner + 1, rights[inner], subtrees)

    @property
    def roots(self) -> IntArray:
        """Positions of the roots, (trees,)."""
        return self.starts[:-1]

    @property
    def sizes(self) -> IntArray:
        """Numbers of nodes, (trees,)."""
        return np.diff(self.starts)

    @property
    def owners(self) -> IntArray:
        """The tree of each node, (nodes,)."""
        return np.repeat(np.arange(len(self.trees)), self.sizes)
