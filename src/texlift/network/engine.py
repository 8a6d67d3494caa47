"""How a batch of trees runs through encoder and decoder: one interface, three engines.

All engines give the same states; they differ in how many nodes share one matrix product.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from texlift.batching.levels import down_plan, up_plan
from texlift.batching.trees import SubtreeTable, TreeBatch
from texlift.network.cells import DecoderCell, EncoderCell
from texlift.network.recursion import down, up
from texlift.network.recursive import Decoder, Encoder, State

__all__ = ["Engine", "LevelEngine", "TreeEngine"]


class Engine(Protocol):
    """States come back flat: one row a node of the batch, in its order."""

    def encode(self, encoder: Encoder, batch: TreeBatch) -> tuple[Tensor, list[State]]:
        """States of the highest layer (nodes, state), and of the roots for each layer (trees, state)."""
        ...

    def decode(self, decoder: Decoder, batch: TreeBatch, roots: list[State], siblings: Tensor | None = None) -> Tensor:
        """States of the highest layer (nodes, state); `siblings` feeds each inner node's left child (inner, s)."""
        ...


class LevelEngine:
    """Level by level over the whole batch: no padding, equal subtrees encoded once."""

    def __init__(self, table: SubtreeTable) -> None:
        self.table = table

    def encode(self, encoder: Encoder, batch: TreeBatch) -> tuple[Tensor, list[State]]:
        plan = up_plan(batch, self.table)
        values, inverse = np.unique(plan.values, return_inverse=True)
        roots = torch.from_numpy(plan.rows[batch.roots])
        inputs = encoder.embed(torch.from_numpy(values))
        states: list[State] = []
        h: Tensor | None = None
        for cell in encoder.cells:
            assert isinstance(cell, EncoderCell)
            # inputs of the first layer depend on the value alone: project each value once
            if h is None:
                gates = cell.project(inputs).index_select(0, torch.from_numpy(inverse))
            else:
                gates = cell.project(encoder.dropout(h))
            h, c = up(gates, cell.below, plan)
            states.append((h[roots], c[roots]))
        assert h is not None
        return h.index_select(0, torch.from_numpy(plan.rows)), states

    def decode(self, decoder: Decoder, batch: TreeBatch, roots: list[State], siblings: Tensor | None = None) -> Tensor:
        plan = down_plan(batch)
        pairs = len(plan.inner)
        order = torch.from_numpy(plan.inner)
        h: Tensor | None = None
        for cell, (root_h, root_c) in zip(decoder.cells, roots, strict=True):
            assert isinstance(cell, DecoderCell)
            if h is None:
                inputs = decoder.embed(torch.zeros(1, dtype=torch.int64))  # parents are inner nodes: value 0
                fed = None if siblings is None else siblings.index_select(0, order)
                gates = cell.project(inputs, fed).expand(pairs, -1)
            else:
                lower = decoder.dropout(h[plan.roots :])
                gates = _project_children(cell, lower)
            h, _ = down(gates, cell.above, root_h, root_c, plan)
        assert h is not None
        return h.index_select(0, torch.from_numpy(plan.rows))


def _project_children(cell: DecoderCell, states: Tensor) -> Tensor:
    """Inputs of a higher layer: each child is fed with its own state one layer below.

    (2 * pairs, state), left and right children in turn, to (pairs, 8 * state).
    """
    left, right = cell.input.chunk(2, dim=1)
    return torch.cat((states[0::2] @ left, states[1::2] @ right), dim=1) + cell.bias


class TreeEngine:
    """One tree and one node at a time: the definition, and what the others are measured against."""

    def encode(self, encoder: Encoder, batch: TreeBatch) -> tuple[Tensor, list[State]]:
        states: list[Tensor] = []
        roots: list[list[State]] = []
        for tree in batch.trees:
            count = len(tree)
            layers: list[list[State]] = []
            inputs = [encoder.embed(torch.tensor([int(value)])) for value in tree.values]
            for cell in encoder.cells:
                assert isinstance(cell, EncoderCell)
                zero = cell.bias.new_zeros(1, cell.state)
                done: list[State] = [(zero, zero)] * count
                for node in range(count - 1, -1, -1):
                    right = int(tree.rights[node])
                    below = (done[node + 1], done[right]) if right > 0 else ((zero, zero), (zero, zero))
                    done[node] = cell(cell.project(inputs[node]), *below)
                layers.append(done)
                inputs = [encoder.dropout(h) for h, _ in done]
            roots.append([layer[0] for layer in layers])
            states.extend(h for h, _ in layers[-1])
        return torch.cat(states), _stacked(roots)

    def decode(self, decoder: Decoder, batch: TreeBatch, roots: list[State], siblings: Tensor | None = None) -> Tensor:
        states: list[Tensor] = []
        place = 0  # in the batch's list of inner nodes
        for number, tree in enumerate(batch.trees):
            inner = [node for node in range(len(tree)) if tree.rights[node] > 0]
            lower: list[Tensor] | None = None
            for cell, (root_h, root_c) in zip(decoder.cells, roots, strict=True):
                assert isinstance(cell, DecoderCell)
                done: list[State] = [(root_h[number : number + 1], root_c[number : number + 1])] * len(tree)
                for position, node in enumerate(inner):
                    left, right = node + 1, int(tree.rights[node])
                    if lower is None:
                        fed = None if siblings is None else siblings[place + position : place + position + 1]
                        gates = cell.project(decoder.embed(torch.zeros(1, dtype=torch.int64)), fed)
                    else:
                        pair = torch.cat((lower[left], lower[right]))
                        gates = _project_children(cell, decoder.dropout(pair))
                    done[left], done[right] = cell(gates, *done[node])
                lower = [h for h, _ in done]
            assert lower is not None
            states.extend(lower)
            place += len(inner)
        return torch.cat(states)


def _stacked(roots: list[list[State]]) -> list[State]:
    """Per tree and layer to per layer."""
    layers = len(roots[0])
    return [
        (torch.cat([tree[layer][0] for tree in roots]), torch.cat([tree[layer][1] for tree in roots]))
        for layer in range(layers)
    ]
