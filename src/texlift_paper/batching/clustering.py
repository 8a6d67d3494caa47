"""Clustering of trees by topology: the paper's Algorithms 1 and 2 (section 4.3), exactly, but fast.

The paper took 2:41 h. Three things make the difference: pairs of equal topology are handled as one; for every
topology the number of its positions outside the hull is kept up to date through an inverted index, so growing
a hull costs only the topologies that have the new positions; and a cluster is given up as soon as too few
topologies could still fit under the size limit, which never changes the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from texlift_paper.batching.topology import PositionIndex, exchange
from texlift_paper.batching.trees import IntArray

__all__ = [
    "Clustering",
    "Parameters",
    "Topologies",
    "equation_parameters",
    "finer_parameters",
    "no_clustering",
    "pick_clustering",
]

ValuePair = tuple[NDArray[np.int32], NDArray[np.int32]]


@dataclass(frozen=True, slots=True, eq=False)
class Topologies:
    """The distinct topologies of a set of tree pairs.

    `masks[k]` are the sorted numbers of the positions of topology k, source and target together; `counts[k]`
    pairs have it; `of_pair` is the topology of each pair, (pairs,).
    """

    masks: tuple[IntArray, ...]
    counts: IntArray
    of_pair: IntArray
    positions: int

    @classmethod
    def of(cls, pairs: Sequence[ValuePair], traversal: bool = True) -> Topologies:
        """Topologies of pairs of trees (values in pre-order), after the right-child-biggest traversal or as is."""
        source_index, target_index = PositionIndex(), PositionIndex()
        seen: dict[bytes, int] = {}
        raw: list[tuple[IntArray, IntArray]] = []
        of_pair = np.empty(len(pairs), dtype=np.int64)
        for number, (source, target) in enumerate(pairs):
            if traversal:
                source, target = exchange(source)[0], exchange(target)[0]
            key = (source == 0).tobytes() + b"|" + (target == 0).tobytes()
            if key not in seen:
                seen[key] = len(raw)
                raw.append((source_index.numbers(source), target_index.numbers(target)))
            of_pair[number] = seen[key]
        offset = len(source_index)
        masks = tuple(np.concatenate((source, target + offset)) for source, target in raw)
        counts = np.bincount(of_pair, minlength=len(masks))
        return cls(masks, counts, of_pair, offset + len(target_index))

    @property
    def sizes(self) -> IntArray:
        """Nodes of both trees, (topologies,)."""
        return np.array([len(mask) for mask in self.masks], dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Clustering:
    """Clusters of topologies: `labels[k]` is the cluster of topology k."""

    topologies: Topologies
    labels: IntArray

    @property
    def clusters(self) -> int:
        """The number of clusters."""
        return int(self.labels.max()) + 1

    def hull_sizes(self) -> IntArray:
        """Nodes of each cluster's hull, (clusters,)."""
        order = np.argsort(self.labels, kind="stable")
        bounds = np.searchsorted(self.labels[order], np.arange(self.clusters + 1))
        sizes = np.empty(self.clusters, dtype=np.int64)
        for cluster in range(self.clusters):
            members = order[bounds[cluster] : bounds[cluster + 1]]
            sizes[cluster] = len(np.unique(np.concatenate([self.topologies.masks[member] for member in members])))
        return sizes

    def members(self) -> IntArray:
        """Pairs in each cluster, (clusters,)."""
        return np.bincount(self.labels, weights=self.topologies.counts, minlength=self.clusters).astype(np.int64)

    def hull_sum(self) -> int:
        """The sum of the hull sizes over all pairs: what the paper calls the more important measure."""
        return int((self.hull_sizes() * self.members()).sum())

    def estimated_time(self, alpha: float = 1.0) -> float:
        """The paper's equation 3: clusters times (sum of hulls)^alpha."""
        return float(self.clusters * self.hull_sum() ** alpha)


@dataclass(frozen=True, slots=True)
class Parameters:
    """min-elems-list (falling) and max-size-list (rising) of Algorithm 1."""

    min_elements: tuple[int, ...]
    max_sizes: tuple[int, ...]


def equation_parameters(trees: int, steps: int = 20, share: float = 0.02, largest: float = 1e4) -> Parameters:
    """Equations 1 and 2, the paper's "parameters 1"."""
    most = max(1.0, share * trees)
    min_elements = tuple(max(1, int(most / most ** (step / (steps - 1)))) for step in range(steps))
    max_sizes = tuple(int(5 * largest ** (step / (steps - 1))) for step in range(steps))
    return Parameters(min_elements, max_sizes)


def finer_parameters(trees: int) -> Parameters:
    """ "Parameters 2": fewer elements needed and a slower rise, so more clusters with smaller hulls.

    The paper does not print its second setting; this one has about as many clusters as it reports.
    """
    return equation_parameters(trees, steps=40, share=0.004, largest=2e3)


def no_clustering(topologies: Topologies) -> tuple[int, int]:
    """(number of pairs, sum of their sizes): every tree is its own cluster."""
    return int(topologies.counts.sum()), int((topologies.counts * topologies.sizes).sum())


def pick_clustering(topologies: Topologies, parameters: Parameters) -> Clustering:
    """Algorithm 1: find clusters with rising size limits and falling demands on their number of elements."""
    finder = _Finder(topologies)
    for min_elements, max_size in zip(parameters.min_elements, parameters.max_sizes, strict=True):
        finder.find(min_elements, max_size)
        if not finder.left.any():
            break
    for index in np.flatnonzero(finder.left).tolist():  # larger than the last limit: a cluster each
        finder.accept(np.array([index]))
    return Clustering(topologies, finder.labels)


_BLOCKED = np.int32(1 << 30)


class _Finder:
    """Algorithm 2 over the topologies that are not in a cluster yet."""

    def __init__(self, topologies: Topologies) -> None:
        self.topologies = topologies
        self.counts = topologies.counts
        self.sizes = topologies.sizes
        count = len(topologies.masks)
        self.labels = np.full(count, -1, dtype=np.int64)
        self.left = np.ones(count, dtype=bool)
        self.clusters = 0
        self._index()

    def _index(self) -> None:
        """The inverted index of what is left: which topologies have a position."""
        members = np.flatnonzero(self.left)
        self.members = members
        self.live = np.ones(len(members), dtype=bool)
        self.weights = self.counts[members]
        masks = [self.topologies.masks[member] for member in members.tolist()]
        lengths = self.sizes[members]
        flat = np.concatenate(masks) if masks else np.empty(0, dtype=np.int64)
        owners = np.repeat(np.arange(len(members)), lengths)
        order = np.argsort(flat, kind="stable")
        bounds = np.searchsorted(flat[order], np.arange(self.topologies.positions + 1))
        self.bounds = bounds.tolist()
        self.owners = owners[order].astype(np.int32)
        self.masks = masks
        self.lengths = lengths.astype(np.int32)

    def find(self, min_elements: int, max_size: int) -> None:
        """Algorithm 2: try to grow a cluster from every topology that is left."""
        self._index()
        for seed in range(len(self.members)):
            if not self.live[seed] or self.lengths[seed] > max_size:
                continue
            outside = np.where(self.live, self.lengths, _BLOCKED)
            cluster = self._grow(seed, min_elements, max_size, outside)
            if cluster is not None:
                self.live[cluster] = False
                self.accept(self.members[cluster])

    def _grow(
        self, seed: int, min_elements: int, max_size: int, outside: NDArray[np.int32]
    ) -> NDArray[np.int64] | None:
        """The cluster grown from `seed`, or None if it stays too small.

        `outside` is the number of positions outside the hull, for every topology that is left.
        """
        hull = set(self.masks[seed].tolist())
        fresh = list(hull)
        candidates = np.arange(len(outside))
        size = 0
        while True:
            size += len(fresh)
            for position in fresh:
                outside[self.owners[self.bounds[position] : self.bounds[position + 1]]] -= 1
            # what needs more than the room left never fits later either: both shrink by what the hull grows
            needed = outside[candidates]
            fitting = needed <= max_size - size
            candidates, needed = candidates[fitting], needed[fitting]
            if int(self.weights[candidates].sum()) < min_elements:
                return None
            growing = np.where(needed > 0, needed, _BLOCKED)
            chosen = int(growing.argmin())
            if growing[chosen] == _BLOCKED:  # all candidates are within the hull
                return candidates
            fresh = [position for position in self.masks[candidates[chosen]].tolist() if position not in hull]
            hull.update(fresh)

    def accept(self, members: IntArray) -> None:
        """These topologies are a cluster."""
        self.labels[members] = self.clusters
        self.left[members] = False
        self.clusters += 1
