"""The trees of a batch, level by level: the recursive passes are loops over slices, exact and without padding.

For translating, equal subtrees are computed once (half of them), and nodes that nothing is asked of are left out of the
downward pass. What a node sees below and to the right of it is the same wherever the same subtree stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from texlift.scorer.encoding import Tree

__all__ = ["Indices", "Level", "SubtreeLevel", "Subtrees", "Trees", "starts"]

Indices = NDArray[np.int64]

_LEFT_FACTOR: Final = 0x1B873593CC9E2D5
_RIGHT_FACTOR: Final = 0xC2B2AE3D27D4EB
_OWN_FACTOR: Final = 0x9E3779B97F4A7C1


def starts(sizes: Indices) -> Indices:
    """Where each part starts if parts of these sizes stand one after the other."""
    return sizes.cumsum() - sizes


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """Nodes `start:end`, children of the level before: `start:middle` its left ones, `middle:end` its right ones."""

    start: int
    middle: int
    end: int
    left_parents: Indices  # (middle - start,) the parents' places in the level before
    right_parents: Indices  # (end - middle,)
    parents: Indices  # (end - start,) both


@dataclass(frozen=True, slots=True, eq=False)
class SubtreeLevel:
    """Subtrees `start:end`; what is below them stands in later levels."""

    start: int
    end: int
    left_parents: Indices  # places in this level of those with a left child
    left: Indices  # the subtrees that are their left children
    right_parents: Indices
    right: Indices


@dataclass(frozen=True, slots=True, eq=False)
class Subtrees:
    """The S different subtrees of a batch, by their topmost nodes."""

    labels: Indices  # (S,)
    styles: Indices  # (S,)
    levels: list[SubtreeLevel]


@dataclass(frozen=True, slots=True, eq=False)
class Trees:
    """The N nodes of F trees.

    Nodes are numbered level by level: the children of a level are exactly the next level, first the left ones, then
    the right ones, so a pass over the trees is a pass over slices. Node N stands for a missing one: a row of zeros.
    The first level are the roots, in the order of the formulae.
    """

    count: int  # F
    labels: Indices  # (N,)
    styles: Indices  # (N,)
    levels: list[Level]
    above: Indices  # (N - F,) for each node but the roots its parent times two, plus one if it is the right child
    hanging: tuple[Indices, Indices]  # left children whose parent has a right one (counted without roots), and that one
    following: tuple[Indices, Indices]  # right children whose parent has a left one, and that one
    subtrees: Subtrees | None = None  # None: equal ones are not merged, each node has its own, with its number

    @staticmethod
    def of(trees: Sequence[Tree], styles: Indices) -> tuple[Trees, Indices]:
        """Some trees side by side, and the new numbers of their nodes (N + 1, the last for a missing node)."""
        sizes = np.array([tree.nodes.shape[1] for tree in trees], np.int64)
        total = int(sizes.sum())
        shift = starts(sizes).repeat(sizes)
        labels, _, left, right, depth = np.concatenate([tree.nodes for tree in trees], axis=1).astype(np.int64)
        has_left, has_right = (left >= 0).nonzero()[0], (right >= 0).nonzero()[0]
        left_child, right_child = left[has_left] + shift[has_left], right[has_right] + shift[has_right]
        parent = np.zeros(total, np.int64)
        parent[left_child] = has_left
        parent[right_child] = has_right
        block = 2 * depth
        block[right_child] += 1
        order = block.argsort(kind="stable")
        number = np.empty(total + 1, np.int64)
        number[order] = np.arange(total)
        number[total] = total
        parents = number[parent[order]]
        above = (2 * parents + (block[order] & 1))[len(trees) :]
        child = np.full((2, total), total, np.int64)
        child[0, number[has_left]] = number[left_child]
        child[1, number[has_right]] = number[right_child]
        other = child.T.ravel()[above ^ 1]  # the parent's other child
        having = (other < total).nonzero()[0]
        first = above[having] & 1 == 0
        hanging, following = having[first], having[~first]
        found = Trees(
            count=len(trees),
            labels=labels[order],
            styles=styles[order],
            levels=_levels(np.bincount(block), parents),
            above=above,
            hanging=(hanging, other[hanging]),
            following=(following, other[following]),
        )
        return found, number

    def merged(self, asked_of: Sequence[Indices]) -> tuple[Trees, Indices, Indices]:
        """The trees with equal subtrees merged and without the nodes that the downward pass can do without.

        `asked_of` are the nodes whose states from above are needed. Also the new number of each node, and of each the
        subtree that it is the top of.
        """
        count, roots = len(self.labels), self.count
        parent = self.above >> 1
        subtrees, row = self._subtrees(parent)
        asked = np.zeros(count + 1, bool)
        asked[:roots] = True
        for nodes in asked_of:
            asked[nodes] = True
        for level in self.levels[:0:-1]:
            below = asked[level.start : level.end]
            asked[parent[level.start - roots : level.end - roots][below]] = True
        asked[count] = True  # the missing node
        number = asked.cumsum() - asked  # of those kept, or of the next one kept
        kept = asked[:count].nonzero()[0]
        inner = kept[roots:] - roots
        parents = number[parent[inner]]
        levels: list[Level] = []
        before = 0
        for level in self.levels:
            start, middle, end = number[[level.start, level.middle, level.end]].tolist()
            if start == end:
                break
            own = parents[start - roots : end - roots] - before if levels else level.parents
            levels.append(Level(start, middle, end, own[: middle - start], own[middle - start :], own))
            before = start
        sides = []
        for nodes, others in (self.hanging, self.following):
            some = asked[nodes + roots]
            sides.append((number[nodes[some] + roots] - roots, row[others[some]]))
        found = replace(
            self,
            labels=self.labels[kept],
            styles=self.styles[kept],
            levels=levels,
            above=2 * parents + (self.above[inner] & 1),
            hanging=sides[0],
            following=sides[1],
            subtrees=subtrees,
        )
        return found, number, row

    def _subtrees(self, parent: Indices) -> tuple[Subtrees, Indices]:
        """The different subtrees, and the number of each node's (N + 1, the last for a missing node).

        They stand in the order of their deepest nodes: so what is below a subtree comes in a later level.
        """
        count, roots = len(self.labels), self.count
        prints = self._fingerprints(parent)
        _, last, same = np.unique(prints[::-1], return_index=True, return_inverse=True)
        node = count - 1 - last  # the deepest node of each
        order = node.argsort()
        node = node[order]
        total = len(node)
        number = np.empty(total, np.int64)
        number[order] = np.arange(total)
        row = np.append(number[same][::-1], total)
        child = np.full(2 * count, count, np.int64)
        child[self.above] = np.arange(roots, count)
        bounds = node.searchsorted([*[level.start for level in self.levels], count])
        sides = []
        for side in (0, 1):
            below = row[child[2 * node + side]]
            owner = (below < total).nonzero()[0]
            sides.append((owner, below[owner], owner.searchsorted(bounds).tolist()))
        (left, left_below, left_at), (right, right_below, right_at) = sides
        first = bounds.tolist()
        levels = [
            SubtreeLevel(
                start,
                first[k + 1],
                left[left_at[k] : left_at[k + 1]] - start,
                left_below[left_at[k] : left_at[k + 1]],
                right[right_at[k] : right_at[k + 1]] - start,
                right_below[right_at[k] : right_at[k + 1]],
            )
            for k, start in enumerate(first[:-1])
            if start < first[k + 1]
        ]
        return Subtrees(self.labels[node], self.styles[node], levels), row

    def _fingerprints(self, parent: Indices) -> Indices:
        """A number of 64 bits for the subtree of each node, the same for equal ones."""
        roots = self.count
        prints = (self.labels * 64 + self.styles + 1) * _OWN_FACTOR
        for level in self.levels[::-1]:
            start, middle, end = level.start, level.middle, level.end
            own = prints[start:end]
            own ^= own >> 29
            own *= _LEFT_FACTOR
            own ^= own >> 32
            if start:
                prints[parent[start - roots : middle - roots]] += own[: middle - start] * _LEFT_FACTOR
                prints[parent[middle - roots : end - roots]] += own[middle - start :] * _RIGHT_FACTOR
        return prints


def _levels(counts: Indices, parents: Indices) -> list[Level]:
    """The levels, given how many left and right children each has, by turns, and the parent of each node."""
    bounds = [0, *counts.cumsum().tolist()]
    if len(bounds) % 2 == 0:
        bounds.append(bounds[-1])  # no right children in the last level
    levels: list[Level] = []
    before = 0
    for start, middle, end in zip(bounds[:-1:2], bounds[1::2], bounds[2::2], strict=True):
        own = parents[start:end] - before
        levels.append(Level(start, middle, end, own[: middle - start], own[middle - start :], own))
        before = start
    return levels
