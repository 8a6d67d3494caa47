"""Encoder, decoder and the bridge between them: parameters only; how a batch runs through them is an engine's.

Layers stand on top of each other: the states of one are the inputs of the next.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from texlift_paper.network.cells import DecoderCell, EncoderCell, xavier

__all__ = ["Bridge", "Decoder", "Encoder", "State"]

State = tuple[Tensor, Tensor]
"""(h, c) of one layer, each (n, state)."""


class Encoder(nn.Module):
    """Embedding and one two-ary LSTM a layer."""

    def __init__(
        self,
        vocabulary: int,
        embedding: int,
        state: int,
        layers: int = 1,
        dropout: float = 0.0,
        forget: float = 0.0,
    ) -> None:
        super().__init__()
        self.state = state
        self.embedding = xavier(vocabulary, 1, embedding)  # (vocabulary, embedding): a product with one-hot rows
        sizes = [embedding, *[state] * (layers - 1)]
        self.cells = nn.ModuleList(EncoderCell(size, state, forget) for size in sizes)
        self.dropout = nn.Dropout(dropout)

    def embed(self, values: Tensor) -> Tensor:
        """(n,) values to (n, embedding)."""
        embedded: Tensor = self.dropout(self.embedding[values])
        return embedded


class Decoder(nn.Module):
    """Embedding of the parent's prediction and one two-valued LSTM a layer."""

    def __init__(
        self,
        vocabulary: int,
        embedding: int,
        state: int,
        layers: int = 1,
        sibling: int = 0,
        dropout: float = 0.0,
        forget: float = 0.0,
    ) -> None:
        super().__init__()
        self.state = state
        self.embedding = xavier(vocabulary, 1, embedding)
        self.cells = nn.ModuleList(
            DecoderCell(embedding if layer == 0 else state, state, sibling if layer == 0 else 0, forget)
            for layer in range(layers)
        )
        self.dropout = nn.Dropout(dropout)

    def embed(self, values: Tensor) -> Tensor:
        """(n,) values to (n, embedding)."""
        embedded: Tensor = self.dropout(self.embedding[values])
        return embedded


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
