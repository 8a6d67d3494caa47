"""An LSTM over tokens in both directions, and an LSTM that writes tokens."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from texlift_paper.network.sequence import Cache, SequenceModel, SourceMemory

__all__ = ["LstmSequence"]


class LstmSequence(SequenceModel):
    """One layer each; the decoder starts with the last states of the encoder."""

    def build(self) -> None:
        state, embedding = self.config.state, self.config.embedding
        self.encoder = nn.LSTM(embedding, state // 2, batch_first=True, bidirectional=True)
        self.decoder = nn.LSTM(embedding, state, batch_first=True)

    def encode(self, sources: Tensor, lengths: Tensor) -> tuple[SourceMemory, Cache]:
        packed = nn.utils.rnn.pack_padded_sequence(
            self.dropout(self.embedding(sources)), lengths.cpu(), batch_first=True, enforce_sorted=False
        )
        states, (h, c) = self.encoder(packed)
        memory, _ = nn.utils.rnn.pad_packed_sequence(states, batch_first=True, total_length=sources.shape[1])
        return SourceMemory(memory, sources), [torch.cat((h[0], h[1]), 1), torch.cat((c[0], c[1]), 1)]

    def advance(self, tokens: Tensor, cache: Cache, memory: SourceMemory) -> tuple[Tensor, Cache]:
        before = (cache[0].unsqueeze(0), cache[1].unsqueeze(0))
        states, (h, c) = self.decoder(self.dropout(self.embedding(tokens)), before)
        return states, [h.squeeze(0), c.squeeze(0)]
