"""A batch with less to compute: equal subtrees once, and from above only what is asked for.

What a node sees below and to the right of it is the same wherever the same subtree stands, so the upward pass computes
each subtree once: half of them. The states of the downward pass are only looked up at places and at ends of readings;
nodes with neither below or to the right of them are left out of it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from texlift.scorer.batch import Batch, Level, SubtreeLevel, Subtrees
from texlift.scorer.crossing import Indices

__all__ = ["merged"]

_LEFT_FACTOR = 0x1B873593CC9E2D5
_RIGHT_FACTOR = 0xC2B2AE3D27D4EB
_OWN_FACTOR = 0x9E3779B97F4A7C1


def merged(batch: Batch) -> Batch:
    """The batch with equal subtrees merged and without the nodes that the downward pass can do without."""
    count, roots = len(batch.labels), batch.formulae
    parent = batch.above >> 1
    subtrees, row = _subtrees(batch, parent)
    asked = np.zeros(count + 1, bool)
    asked[:roots] = True
    asked[batch.place_node] = True
    asked[batch.end_node] = True
    for level in batch.levels[:0:-1]:
        below = asked[level.start : level.end]
        asked[parent[level.start - roots : level.end - roots][below]] = True
    asked[count] = True  # the missing node
    number = np.cumsum(asked) - asked  # of those kept, or of the next one kept
    kept = np.flatnonzero(asked[:count])
    inner = kept[roots:] - roots
    parents = number[parent[inner]]
    above = 2 * parents + (batch.above[inner] & 1)
    levels: list[Level] = []
    before = 0
    for level in batch.levels:
        start, middle, end = number[[level.start, level.middle, level.end]].tolist()
        if start == end:
            break
        own = parents[start - roots : end - roots] - before if levels else level.parents
        levels.append(Level(start, middle, end, own[: middle - start], own[middle - start :], own))
        before = start
    sides = []
    for nodes, others in (batch.hanging, batch.following):
        some = asked[nodes + roots]
        sides.append((number[nodes[some] + roots] - roots, row[others[some]]))
    return replace(
        batch,
        labels=batch.labels[kept],
        styles=batch.styles[kept],
        levels=levels,
        above=above,
        hanging=sides[0],
        following=sides[1],
        place_node=number[batch.place_node],
        end_node=number[batch.end_node],
        place_subtree=row[batch.place_subtree],
        reading_subtrees=row[batch.reading_subtrees],
        subtrees=subtrees,
    )


def _subtrees(batch: Batch, parent: Indices) -> tuple[Subtrees, Indices]:
    """The different subtrees, and the number of each node's (N + 1, the last for a missing node).

    They stand in the order of their deepest nodes: so what is below a subtree comes in a later level.
    """
    count, roots = len(batch.labels), batch.formulae
    prints = _fingerprints(batch, parent)
    _, last, same = np.unique(prints[::-1], return_index=True, return_inverse=True)
    node = count - 1 - last  # the deepest node of each
    order = np.argsort(node)
    node = node[order]
    total = len(node)
    number = np.empty(total, np.int64)
    number[order] = np.arange(total)
    row = np.append(number[same][::-1], total)
    child = np.full(2 * count, count, np.int64)
    child[batch.above] = np.arange(roots, count)
    bounds = np.searchsorted(node, [*[level.start for level in batch.levels], count])
    sides = []
    for side in (0, 1):
        below = row[child[2 * node + side]]
        owner = np.flatnonzero(below < total)
        sides.append((owner, below[owner], np.searchsorted(owner, bounds).tolist()))
    (left, left_below, left_at), (right, right_below, right_at) = sides
    starts = bounds.tolist()
    levels = [
        SubtreeLevel(
            start,
            starts[k + 1],
            left[left_at[k] : left_at[k + 1]] - start,
            left_below[left_at[k] : left_at[k + 1]],
            right[right_at[k] : right_at[k + 1]] - start,
            right_below[right_at[k] : right_at[k + 1]],
        )
        for k, start in enumerate(starts[:-1])
        if start < starts[k + 1]
    ]
    return Subtrees(batch.labels[node], batch.styles[node], levels), row


def _fingerprints(batch: Batch, parent: Indices) -> Indices:
    """A number of 64 bits for the subtree of each node, the same for equal ones."""
    roots = batch.formulae
    prints = (batch.labels * 64 + batch.styles + 1) * _OWN_FACTOR
    for level in batch.levels[::-1]:
        start, middle, end = level.start, level.middle, level.end
        own = prints[start:end]
        own ^= own >> 29
        own *= _LEFT_FACTOR
        own ^= own >> 32
        if start:
            prints[parent[start - roots : middle - roots]] += own[: middle - start] * _LEFT_FACTOR
            prints[parent[middle - roots : end - roots]] += own[middle - start :] * _RIGHT_FACTOR
    return prints
