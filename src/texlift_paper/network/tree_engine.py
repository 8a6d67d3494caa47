"""One tree and one node at a time: the definition, and what the other engines are measured against."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from texlift_paper.batching.trees import SubtreeTable, TreeBatch
from texlift_paper.network.engine import Engine
from texlift_paper.network.recursive import Decoder, Encoder, Fed, State
from texlift_paper.network.walk import Beside, Walk

__all__ = ["TreeEngine", "tree_walk"]


def tree_walk(batch: TreeBatch, number: int) -> Walk:
    """A walk over one tree of a batch."""
    tree, start = batch.trees[number], int(batch.starts[number])
    rights = tree.rights.tolist()
    lefts = tuple(node + 1 if right > 0 else -1 for node, right in enumerate(rights))
    own = tree.subtrees >= 0
    return Walk(
        nodes=np.arange(start, start + len(tree))[:, None],
        values=tree.values.astype(np.int64)[:, None],
        lefts=lefts,
        rights=tuple(rights),
        absent=len(batch),
        there=None if own.all() else own.astype(np.int64)[:, None],
    )


class TreeEngine(Engine):
    """Nothing is shared between nodes."""

    def __init__(self, table: SubtreeTable | None = None) -> None:
        pass

    def encode(self, encoder: Encoder, batch: TreeBatch) -> tuple[Tensor, list[State]]:
        states: list[Tensor] = []
        roots: list[list[State]] = []
        for number in range(len(batch.trees)):
            own, root = tree_walk(batch, number).encode(encoder)
            states += own
            roots.append(root)
        return torch.cat(states), [_stacked(layer) for layer in zip(*roots, strict=True)]

    def decode(
        self, decoder: Decoder, batch: TreeBatch, roots: list[State], siblings: Tensor | None = None, fed: Fed = None
    ) -> Tensor:
        beside = None if siblings is None else Beside(batch, siblings)
        states: list[Tensor] = []
        for number in range(len(batch.trees)):
            root = [(h[number : number + 1], c[number : number + 1]) for h, c in roots]
            states += tree_walk(batch, number).decode(decoder, root, beside, fed)
        return torch.cat(states)


def _stacked(layer: tuple[State, ...]) -> State:
    """The roots of all trees in one layer."""
    return torch.cat([h for h, _ in layer]), torch.cat([c for _, c in layer])
