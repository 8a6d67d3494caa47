"""How a batch of trees runs through encoder and decoder: one interface, several engines.

All engines give the same states; they differ in how many nodes share one matrix product. A new engine is a file with a
class like `tree_engine.py` and a line in `engines.py`.
"""

from __future__ import annotations

from typing import Protocol

from torch import Tensor

from texlift_paper.batching.trees import TreeBatch
from texlift_paper.network.recursive import Decoder, Encoder, Fed, State

__all__ = ["Engine"]


class Engine(Protocol):
    """States come back flat: one row a node of the batch, in its order."""

    def encode(self, encoder: Encoder, batch: TreeBatch) -> tuple[Tensor, list[State]]:
        """States of the highest layer (nodes, state), zero for padding; of the roots for each layer (trees, state)."""
        ...

    def decode(
        self, decoder: Decoder, batch: TreeBatch, roots: list[State], siblings: Tensor | None = None, fed: Fed = None
    ) -> Tensor:
        """States of the highest layer (nodes, state); `siblings` feeds each inner node's left child (inner, s)."""
        ...
