"""The order of work for level-by-level batching: which nodes of a batch are computed together.

Upwards, a level is all distinct subtrees of one height; downwards, all nodes of one depth. No padding, and
the result is exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from texlift_paper.batching.trees import IntArray, SubtreeTable, TreeBatch

__all__ = ["DownPlan", "UpPlan", "down_plan", "up_plan"]


@dataclass(frozen=True, slots=True, eq=False)
class UpPlan:
    """Rows are distinct subtrees, sorted by height; the leaves come first.

    `children` interleaves the rows of left and right children of the inner rows, (2 * inner rows,);
    `levels` are the half-open ranges of rows of one height, without the leaves; `rows` is the row of each
    node of the batch, (nodes,), -1 for padding.
    """

    values: IntArray
    leaves: int
    children: IntArray
    levels: tuple[tuple[int, int], ...]
    rows: IntArray


@dataclass(frozen=True, slots=True, eq=False)
class DownPlan:
    """Rows are nodes sorted by depth, the two children of a node side by side; the roots come first.

    `parents` is the row of the parent of each pair of children, (pairs,); `levels` are half-open ranges of
    pairs of one depth; `inner` is the place of each pair's parent in the batch's list of inner nodes,
    (pairs,); `rows` is the row of each node of the batch, (nodes,).
    """

    roots: int
    parents: IntArray
    levels: tuple[tuple[int, int], ...]
    inner: IntArray
    rows: IntArray


def up_plan(batch: TreeBatch, table: SubtreeTable) -> UpPlan:
    """The plan for states from the leaves to the roots."""
    own = batch.subtrees >= 0
    distinct, inverse = np.unique(batch.subtrees[own], return_inverse=True)
    listed = distinct.tolist()
    heights = np.array([table.heights[number] for number in listed])
    order = np.argsort(heights, kind="stable")
    row_of = np.empty_like(order)
    row_of[order] = np.arange(len(order))
    heights = heights[order]
    values = np.array([table.values[number] for number in listed])[order]
    leaves = int(np.searchsorted(heights, 1))
    inner = distinct[order[leaves:]].tolist()
    children = np.empty(2 * len(inner), dtype=np.int64)
    children[0::2] = row_of[np.searchsorted(distinct, [table.lefts[number] for number in inner])]
    children[1::2] = row_of[np.searchsorted(distinct, [table.rights[number] for number in inner])]
    rows = np.full(len(batch), -1, dtype=np.int64)
    rows[own] = row_of[inverse]
    return UpPlan(values, leaves, children, _runs(heights[leaves:], leaves), rows)


def down_plan(batch: TreeBatch) -> DownPlan:
    """The plan for states from the roots to the leaves."""
    depths = np.concatenate([tree.depths for tree in batch.trees])
    order = np.argsort(depths[batch.inner], kind="stable")
    roots = len(batch.trees)
    rows = np.empty(len(batch), dtype=np.int64)
    rows[batch.roots] = np.arange(roots)
    rows[batch.lefts[order]] = roots + 2 * np.arange(len(order))
    rows[batch.rights[order]] = roots + 2 * np.arange(len(order)) + 1
    return DownPlan(roots, rows[batch.inner[order]], _runs(depths[batch.inner][order], 0), order, rows)


def _runs(keys: IntArray, offset: int) -> tuple[tuple[int, int], ...]:
    """Half-open ranges of equal keys in a sorted array."""
    if not len(keys):
        return ()
    cuts = [0, *(np.flatnonzero(np.diff(keys)) + 1).tolist(), len(keys)]
    return tuple((start + offset, end + offset) for start, end in pairwise(cuts))
