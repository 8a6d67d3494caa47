"""Convolutions over tokens (Gehring et al. 2017), the architecture of the 2023 paper's best network.

Each layer is a convolution with a gate and a residual connection; each layer of the decoder also attends to the source.
The decoder's convolutions see only what was written before; between tokens they remember their last inputs.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from texlift_paper.network.sequence import Cache, SequenceModel, SourceMemory, positions

__all__ = ["ConvSequence"]

_HALF = math.sqrt(0.5)  # keeps the variance of a sum of two


class ConvSequence(SequenceModel):
    """As many layers in the encoder as in the decoder."""

    def build(self) -> None:
        config = self.config
        state, kernel = config.state, config.kernel
        self.enter = nn.ModuleList(nn.Linear(config.embedding, state) for _ in range(2))
        self.encoder = nn.ModuleList(
            nn.Conv1d(state, 2 * state, kernel, padding=kernel // 2) for _ in range(config.layers)
        )
        self.decoder = nn.ModuleList(nn.Conv1d(state, 2 * state, kernel) for _ in range(config.layers))
        self.asking = nn.ModuleList(nn.Linear(state, state) for _ in range(config.layers))

    def embed(self, tokens: Tensor, first: int, side: int) -> Tensor:
        """(n, t) to (n, t, state)."""
        embedded = self.embedding(tokens) + positions(first, tokens.shape[1], self.config.embedding)
        entered: Tensor = self.enter[side](self.dropout(embedded))
        return entered

    def encode(self, sources: Tensor, lengths: Tensor) -> tuple[SourceMemory, Cache]:
        there = (sources != 0).unsqueeze(2)  # what stands behind the end must not be seen by its neighbours
        embedded = self.embed(sources, 0, 0) * there
        x = embedded
        for convolution in self.encoder:
            gated = nn.functional.glu(convolution(self.dropout(x).transpose(1, 2)), dim=1).transpose(1, 2)
            x = (gated + x) * _HALF * there
        count = len(sources)
        before = self.config.kernel - 1
        written = x.new_zeros(count, 1)  # tokens so far
        cache = [written, *(x.new_zeros(count, before, self.config.state) for _ in self.decoder)]
        return SourceMemory(x, sources, ((x + embedded) * _HALF,)), cache

    def advance(self, tokens: Tensor, cache: Cache, memory: SourceMemory) -> tuple[Tensor, Cache]:
        written, *before = cache
        embedded = self.embed(tokens, int(written[0, 0]), 1)
        x = embedded
        after: Cache = [written + tokens.shape[1]]
        mask = memory.padding.unsqueeze(1)
        for convolution, asking, last in zip(self.decoder, self.asking, before, strict=True):
            seen = torch.cat((last, self.dropout(x)), dim=1)
            after.append(seen[:, seen.shape[1] - last.shape[1] :])
            gated = nn.functional.glu(convolution(seen.transpose(1, 2)), dim=1).transpose(1, 2)
            question = (asking(gated) + embedded) * _HALF
            weights = torch.bmm(question, memory.states.transpose(1, 2)).masked_fill(mask, -1e9).softmax(dim=2)
            gated = (gated + torch.bmm(weights, memory.layers[0])) * _HALF
            x = (gated + x) * _HALF
        return x, after
