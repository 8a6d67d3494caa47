"""A transformer over tokens (Vaswani et al. 2017), with normalisation before each part of a layer.

Between tokens the decoder remembers the keys and values of what it has written.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from texlift_paper.network.sequence import Cache, SequenceModel, SourceMemory, positions

__all__ = ["TransformerSequence"]


class _Attention(nn.Module):
    """Several heads, which together have the size of the state."""

    def __init__(self, state: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(state, state)
        self.both = nn.Linear(state, 2 * state)
        self.out = nn.Linear(state, state)

    def split(self, x: Tensor) -> Tensor:
        """(n, t, state) to (n, heads, t, state of a head)."""
        return x.view(x.shape[0], x.shape[1], self.heads, -1).transpose(1, 2)

    def project(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Keys and values of what is looked at, each (n, heads, s, state of a head)."""
        keys, values = self.both(x).chunk(2, dim=2)
        return self.split(keys), self.split(values)

    def forward(self, x: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None) -> Tensor:
        """(n, t, state) to (n, t, state); `mask` is true where a query may look, (n or 1, 1, t or 1, s)."""
        found = nn.functional.scaled_dot_product_attention(self.split(self.query(x)), keys, values, attn_mask=mask)
        merged: Tensor = self.out(found.transpose(1, 2).flatten(2))
        return merged


class _Layer(nn.Module):
    def __init__(self, state: int, heads: int, dropout: float, looks: bool) -> None:
        super().__init__()
        self.own = _Attention(state, heads)
        self.source = _Attention(state, heads) if looks else None
        self.wide = nn.Sequential(nn.Linear(state, 4 * state), nn.ReLU(), nn.Linear(4 * state, state))
        self.norms = nn.ModuleList(nn.LayerNorm(state) for _ in range(3 if looks else 2))
        self.dropout = nn.Dropout(dropout)

    def rest(self, x: Tensor) -> Tensor:
        """The part after attention."""
        added: Tensor = x + self.dropout(self.wide(self.norms[-1](x)))
        return added


class TransformerSequence(SequenceModel):
    """As many layers in the encoder as in the decoder."""

    def build(self) -> None:
        config = self.config
        shape = (config.state, config.heads, config.dropout)
        self.enter = nn.ModuleList(nn.Linear(config.embedding, config.state) for _ in range(2))
        self.encoder = nn.ModuleList(_Layer(*shape, looks=False) for _ in range(config.layers))
        self.decoder = nn.ModuleList(_Layer(*shape, looks=True) for _ in range(config.layers))
        self.ends = nn.ModuleList(nn.LayerNorm(config.state) for _ in range(2))

    def embed(self, tokens: Tensor, first: int, side: int) -> Tensor:
        """(n, t) to (n, t, state)."""
        entered = self.enter[side](self.embedding(tokens))
        embedded: Tensor = self.dropout(entered + positions(first, tokens.shape[1], self.config.state))
        return embedded

    def encode(self, sources: Tensor, lengths: Tensor) -> tuple[SourceMemory, Cache]:
        mask = (sources != 0)[:, None, None, :]
        x = self.embed(sources, 0, 0)
        for layer in self.encoder:
            assert isinstance(layer, _Layer)
            normal = layer.norms[0](x)
            x = layer.rest(x + layer.dropout(layer.own(normal, *layer.own.project(normal), mask)))
        x = self.ends[0](x)
        looked_at: list[Tensor] = []
        cache: Cache = []
        for layer in self.decoder:
            assert isinstance(layer, _Layer)
            assert layer.source is not None
            looked_at += layer.source.project(x)
            cache += [looked_at[-1][:, :, :0]] * 2
        return SourceMemory(x, sources, tuple(looked_at)), cache

    def advance(self, tokens: Tensor, cache: Cache, memory: SourceMemory) -> tuple[Tensor, Cache]:
        before, count = cache[0].shape[2], tokens.shape[1]
        x = self.embed(tokens, before, 1)
        mask = (~memory.padding)[:, None, None, :]
        places = torch.arange(before + count)
        earlier = None if count == 1 else (places[None, :] <= places[before:, None])[None, None]
        after: Cache = []
        for number, layer in enumerate(self.decoder):
            assert isinstance(layer, _Layer)
            assert layer.source is not None
            normal = layer.norms[0](x)
            new = layer.own.project(normal)
            keys, values = (torch.cat((old, add), dim=2) for old, add in zip(cache[2 * number :], new, strict=False))
            after += [keys, values]
            x = x + layer.dropout(layer.own(normal, keys, values, earlier))
            source = memory.layers[2 * number], memory.layers[2 * number + 1]
            x = x + layer.dropout(layer.source(layer.norms[1](x), *source, mask))
            x = layer.rest(x)
        normal_x: Tensor = self.ends[1](x)
        return normal_x, after
