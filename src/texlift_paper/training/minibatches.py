"""Mini-batches: trees of similar size, the paper's clusters, or pairs at random; and answers padded to their hulls."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from texlift.train.checkpoint import write_bytes
from texlift_paper.batching.clustering import Topologies, equation_parameters, pick_clustering
from texlift_paper.batching.padding import hull_of, pad_to
from texlift_paper.batching.topology import Topology
from texlift_paper.network.vocabulary import END
from texlift_paper.training.dataset import TreePair

__all__ = ["Clusters", "Order", "batches", "cut", "random_batches"]

Order = Callable[[np.random.Generator], Iterator[list[TreePair]]]
"""The mini-batches of an epoch."""


def batches(
    pairs: Sequence[TreePair], budget: int, generator: np.random.Generator | None = None
) -> Iterator[list[TreePair]]:
    """Batches of similar sizes and at most `budget` nodes (one pair at least); shuffled with a generator.

    Sizes are blurred before sorting, so that the same formulae do not meet in every epoch.
    """
    sizes = np.array([pair.nodes for pair in pairs], dtype=float)
    if generator is not None:
        sizes *= generator.uniform(0.85, 1.15, len(sizes))
    groups = cut([pairs[index] for index in np.argsort(sizes, kind="stable").tolist()], budget)
    order = generator.permutation(len(groups)) if generator is not None else np.arange(len(groups))
    for index in order.tolist():
        yield groups[index]


def random_batches(pairs: Sequence[TreePair], budget: int, generator: np.random.Generator) -> Iterator[list[TreePair]]:
    """Batches of pairs at random and at most `budget` nodes."""
    yield from cut([pairs[index] for index in generator.permutation(len(pairs)).tolist()], budget)


def cut(pairs: Sequence[TreePair], budget: int) -> list[list[TreePair]]:
    """Pairs in their order, cut into runs of at most `budget` nodes (one pair at least)."""
    groups: list[list[TreePair]] = []
    total = 0
    for pair in pairs:
        if not groups or total + pair.nodes > budget:
            groups.append([])
            total = 0
        groups[-1].append(pair)
        total += pair.nodes
    return groups


@dataclass(frozen=True, slots=True, eq=False)
class Clusters:
    """Pairs clustered by the topology of both sides (Algorithm 1), with the hull of the answers of each cluster."""

    groups: tuple[tuple[TreePair, ...], ...]
    hulls: tuple[Topology, ...]
    numbers: dict[TreePair, int]

    @classmethod
    def of(cls, pairs: Sequence[TreePair], cache: Path | None = None) -> Clusters:
        """Clusters of some pairs; those of many thousand take minutes, so they are kept in a file if one is given."""
        labels = _cached(pairs, cache) if cache is not None else None
        if labels is None:
            topologies = Topologies.of([(pair.source.values, pair.target.values) for pair in pairs])
            clustering = pick_clustering(topologies, equation_parameters(len(pairs)))
            labels = clustering.labels[topologies.of_pair].tolist()
            if cache is not None:
                write_bytes(cache, json.dumps({"pairs": _digest(pairs), "labels": labels}).encode())
        groups: list[list[TreePair]] = [[] for _ in range(max(labels) + 1)]
        for pair, label in zip(pairs, labels, strict=True):
            groups[label].append(pair)
        hulls = tuple(hull_of(pair.target for pair in group) for group in groups)
        return cls(tuple(map(tuple, groups)), hulls, dict(zip(pairs, labels, strict=True)))

    def padded(self, pair: TreePair) -> TreePair:
        """A pair whose answer is padded with `y_end` to the hull of its cluster."""
        return replace(pair, target=pad_to(pair.target, self.hulls[self.numbers[pair]], END))

    def batches(self, generator: np.random.Generator) -> Iterator[list[TreePair]]:
        """The paper's mini-batches: every cluster is one; their order is new in each epoch."""
        for index in generator.permutation(len(self.groups)).tolist():
            yield list(self.groups[index])


def _digest(pairs: Sequence[TreePair]) -> list[int]:
    texts = "\n".join(f"{pair.generic}\t{pair.semantic}" for pair in pairs)
    return [len(pairs), zlib.crc32(texts.encode())]


def _cached(pairs: Sequence[TreePair], path: Path) -> list[int] | None:
    """The labels in a file, if it is there and for these pairs."""
    try:
        record = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return list(record["labels"]) if record.get("pairs") == _digest(pairs) else None
