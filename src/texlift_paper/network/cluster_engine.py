"""The paper's batching: the trees of a batch are padded to their common hull, node by node over all trees.

Every tree goes through the right-child-biggest traversal first, so that hulls are small; the flag T of each
node tells the cells where children were exchanged. Padding is `y_end`; its states are held at zero, so the
result is that of the other engines.
"""

from __future__ import annotations

import numpy as np
from torch import Tensor

from texlift_paper.batching.padding import placed
from texlift_paper.batching.topology import pre_order
from texlift_paper.batching.trees import SubtreeTable, TreeBatch
from texlift_paper.network.engine import Engine
from texlift_paper.network.recursive import Decoder, Encoder, Fed, State
from texlift_paper.network.vocabulary import END
from texlift_paper.network.walk import Beside, Walk

__all__ = ["ClusterEngine", "hull_walk"]


def hull_walk(batch: TreeBatch) -> Walk:
    """Traverse every tree of a batch and lay them over each other."""
    places = [placed(tree) for tree in batch.trees]
    order = pre_order(frozenset().union(*places))
    number = {position: index for index, position in enumerate(order)}
    nodes = np.full((len(order), len(places)), len(batch), dtype=np.int64)
    exchanged = np.zeros((len(order), len(places)), dtype=np.int64)
    for column, (tree, start) in enumerate(zip(places, batch.starts.tolist(), strict=False)):
        for position, (node, flag) in tree.items():
            nodes[number[position], column] = start + node
            exchanged[number[position], column] = flag
    values = np.concatenate([batch.values, [END]])[nodes]
    there = np.concatenate([batch.subtrees >= 0, [False]])[nodes]
    lefts = tuple(number.get(2 * position, -1) for position in order)
    rights = tuple(number.get(2 * position + 1, -1) for position in order)
    return Walk(nodes, values, lefts, rights, len(batch), there, exchanged)


class ClusterEngine(Engine):
    """Padded to the hull; a batch should be a cluster, or the hull is large."""

    def __init__(self, table: SubtreeTable | None = None) -> None:
        pass

    def encode(self, encoder: Encoder, batch: TreeBatch) -> tuple[Tensor, list[State]]:
        walk = hull_walk(batch)
        states, roots = walk.encode(encoder)
        return walk.flat(states), roots

    def decode(
        self, decoder: Decoder, batch: TreeBatch, roots: list[State], siblings: Tensor | None = None, fed: Fed = None
    ) -> Tensor:
        walk = hull_walk(batch)
        beside = None if siblings is None else Beside(batch, siblings)
        return walk.flat(walk.decode(decoder, roots, beside, fed))
