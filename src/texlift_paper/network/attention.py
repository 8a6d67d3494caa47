"""Attention over the encoder's nodes, and copying their values (the paper's outlook).

Decoder states ask twice: the first answer makes the question of the second, whose weights also say which
node's value to copy. States are known for a whole batch before the first question is asked, so all of it is
a few large products.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from texlift_paper.batching.trees import IntArray, TreeBatch

__all__ = ["Memory", "TreeAttention", "memory_of", "queries_layout"]


@dataclass(frozen=True, slots=True)
class Memory:
    """The encoder's nodes, padded: states (trees, nodes, m), values (trees, nodes), mask (trees, nodes)."""

    states: Tensor
    values: Tensor
    padding: Tensor

    def rows(self, index: Tensor) -> Memory:
        """Some trees, or some of them several times."""
        return Memory(self.states[index], self.values[index], self.padding[index])


def memory_of(states: Tensor, batch: TreeBatch) -> Memory:
    """Flat states (nodes, m) as a padded memory."""
    index, padding = _padded_index(batch)
    padded = torch.cat((states, states.new_zeros(1, states.shape[1])))[index]
    values = torch.as_tensor(np.concatenate([batch.values, [0]]))[index]
    return Memory(padded, values, padding)


def queries_layout(owners: IntArray, trees: int) -> tuple[Tensor, Tensor]:
    """For rows that belong to trees `owners` (n,): (index that pads them to (trees, rows of a tree), n for padding;
    index that takes the padding off again, (n,))."""
    counts = np.bincount(owners, minlength=trees)
    order = np.argsort(owners, kind="stable")
    ranks = np.empty_like(order)
    ranks[order] = np.arange(len(order)) - np.repeat(np.cumsum(counts) - counts, counts)
    longest = int(counts.max())
    index = np.full((trees, longest), len(owners), dtype=np.int64)
    index[owners, ranks] = np.arange(len(owners))
    return torch.as_tensor(index), torch.as_tensor(owners * longest + ranks)


def _padded_index(batch: TreeBatch) -> tuple[Tensor, Tensor]:
    sizes = batch.sizes
    columns = np.arange(int(sizes.max()))
    index = batch.roots[:, None] + columns[None, :]
    padding = columns[None, :] >= sizes[:, None]
    index[padding] = len(batch)
    return torch.as_tensor(index), torch.as_tensor(padding)


class TreeAttention(nn.Module):
    """Two hops of scaled dot-product attention."""

    def __init__(self, state: int, memory: int, inner: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.scale = 1 / math.sqrt(inner)
        self.keys = nn.ModuleList(nn.Linear(memory, inner, bias=False) for _ in range(2))
        self.queries = nn.ModuleList(nn.Linear(state, inner, bias=False) for _ in range(2))
        self.mixers = nn.ModuleList(nn.Linear(state + memory, state) for _ in range(2))
        self.dropout = nn.Dropout(dropout)
        for linear in (*self.keys, *self.queries, *self.mixers):
            nn.init.xavier_uniform_(linear.weight)
            if linear.bias is not None:
                nn.init.zeros_(linear.bias)

    def project(self, memory: Memory) -> list[Tensor]:
        """The keys of both hops, (trees, inner, nodes); computed once when generating."""
        return [key(memory.states).transpose(1, 2) for key in self.keys]

    def forward(self, queries: Tensor, memory: Memory, keys: list[Tensor] | None = None) -> tuple[Tensor, Tensor]:
        """Queries (trees, q, state) to informed states (trees, q, state) and the last weights (trees, q, nodes)."""
        weights = queries
        mask = memory.padding.unsqueeze(1)
        for query, key, mixer in zip(self.queries, keys or self.project(memory), self.mixers, strict=True):
            scores = torch.bmm(query(queries), key) * self.scale
            weights = scores.masked_fill_(mask, -1e9).softmax(dim=2)
            context = torch.bmm(weights, memory.states)
            queries = torch.tanh(mixer(self.dropout(torch.cat((queries, context), dim=2)))) + queries
        return queries, weights
