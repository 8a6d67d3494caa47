"""Encoder, decoder and the bridge between them: parameters only; how a batch runs through them is an engine's.

Layers stand on top of each other: the states of one are the inputs of the next.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from texlift_paper.batching.trees import IntArray
from texlift_paper.network.cell_kinds import CELLS
from texlift_paper.network.cells import xavier

__all__ = ["Bridge", "Decoder", "Encoder", "Fed", "Shape", "State", "fed_inputs"]

State = tuple[Tensor, Tensor]
"""(h, c) of one layer, each (n, state)."""

Fed = IntArray | Callable[[Tensor, IntArray], Tensor] | None
"""What the children of a node are fed with: known values (nodes of the batch,), or a function that gets the states of
some nodes (n, state) and their places in the batch (n,) and gives inputs (n, embedding), or the value 0 everywhere."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What an encoder and a decoder are made of; `cell` is a name in CELLS, `forget` the bias of what cells keep."""

    vocabulary: int
    embedding: int
    state: int
    layers: int = 1
    dropout: float = 0.0
    forget: float = 0.0
    cell: str = "lstm"


class _Embedding(nn.Module):
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.state = shape.state
        self.embedding = xavier(shape.vocabulary, 1, shape.embedding)  # a product with one-hot rows
        self.dropout = nn.Dropout(shape.dropout)

    def embed(self, values: Tensor) -> Tensor:
        """(n,) values to (n, embedding)."""
        embedded: Tensor = self.dropout(self.embedding[values])
        return embedded


class Encoder(_Embedding):
    """Embedding and one cell a layer, from the leaves to the root."""

    def __init__(self, shape: Shape) -> None:
        super().__init__(shape)
        sizes = [shape.embedding, *[shape.state] * (shape.layers - 1)]
        kind = CELLS[shape.cell].encoder
        self.cells = nn.ModuleList(kind(size, shape.state, shape.forget) for size in sizes)


class Decoder(_Embedding):
    """Embedding of the parent's prediction and one cell a layer; `sibling` is the size of what right children get."""

    def __init__(self, shape: Shape, sibling: int = 0) -> None:
        super().__init__(shape)
        kind = CELLS[shape.cell].decoder
        self.cells = nn.ModuleList(
            kind(shape.state if layer else shape.embedding, shape.state, 0 if layer else sibling, shape.forget)
            for layer in range(shape.layers)
        )


def fed_inputs(decoder: Decoder, fed: Fed, states: Tensor, nodes: IntArray) -> Tensor:
    """Inputs (n, embedding) for the children of some nodes (n,) whose states (n, state) are known."""
    if callable(fed):
        return fed(states, nodes)
    return decoder.embed(torch.zeros(len(nodes), dtype=torch.int64) if fed is None else torch.as_tensor(fed[nodes]))


class Bridge(nn.Module):
    """The quasi-linear map from the encoder's root to the decoder's: linear, h squashed like any state.

    Without weights it passes the states on, which needs equal sizes.
    """

    def __init__(self, inputs: int, outputs: int, layers: int = 1, mapped: bool = True) -> None:
        super().__init__()
        if not mapped and inputs != outputs:
            raise ValueError(f"states of {inputs} and {outputs} need the bridge's map")
        count = layers if mapped else 0
        self.h = nn.ModuleList(nn.Linear(inputs, outputs) for _ in range(count))
        self.c = nn.ModuleList(nn.Linear(inputs, outputs) for _ in range(count))
        for linear in (*self.h, *self.c):
            nn.init.xavier_uniform_(linear.weight)
            nn.init.zeros_(linear.bias)

    def forward(self, states: list[State]) -> list[State]:
        """One state a layer in, one a layer out."""
        if not len(self.h):
            return states
        return [(torch.tanh(to_h(h)), to_c(c)) for to_h, to_c, (h, c) in zip(self.h, self.c, states, strict=True)]
