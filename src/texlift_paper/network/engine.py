"""How a batch of trees runs through encoder and decoder: one interface, three engines.

All engines give the same states; they differ in how many nodes share one matrix product.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np
import torch
from torch import Tensor, nn

from texlift_paper.batching.levels import DownPlan, down_plan, up_plan
from texlift_paper.batching.trees import IntArray, SubtreeTable, TreeBatch
from texlift_paper.network.cells import DecoderCell, EncoderCell
from texlift_paper.network.recursion import Shared, down, up
from texlift_paper.network.recursive import Decoder, Encoder, State

__all__ = ["Engine", "Fed", "LevelEngine", "TreeEngine", "fed_inputs"]

Fed = IntArray | Callable[[Tensor, IntArray], Tensor] | None
"""What the children of a node are fed with: known values (nodes of the batch,), or a function that gets the states of
some nodes (n, state) and their places in the batch (n,) and gives inputs (n, embedding), or the value 0 everywhere."""


class Engine(Protocol):
    """States come back flat: one row a node of the batch, in its order."""

    def encode(self, encoder: Encoder, batch: TreeBatch) -> tuple[Tensor, list[State]]:
        """States of the highest layer (nodes, state), zero for padding; of the roots for each layer (trees, state)."""
        ...

    def decode(
        self,
        decoder: Decoder,
        batch: TreeBatch,
        roots: list[State],
        siblings: Tensor | None = None,
        fed: Fed = None,
    ) -> Tensor:
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
        padding = plan.rows < 0
        if padding.any():
            h = torch.cat((h, h.new_zeros(1, h.shape[1])))
        return h.index_select(0, torch.from_numpy(np.where(padding, len(h) - 1, plan.rows))), states

    def decode(
        self,
        decoder: Decoder,
        batch: TreeBatch,
        roots: list[State],
        siblings: Tensor | None = None,
        fed: Fed = None,
    ) -> Tensor:
        plan = down_plan(batch)
        if callable(fed):
            return _decode_by_levels(decoder, batch, plan, roots, siblings, fed)
        pairs = len(plan.inner)
        order = torch.from_numpy(plan.inner)
        h: Tensor | None = None
        for cell, (root_h, root_c) in zip(decoder.cells, roots, strict=True):
            assert isinstance(cell, DecoderCell)
            if h is None:
                beside = None if siblings is None else siblings.index_select(0, order)
                if fed is None:
                    gates = cell.project(decoder.embed(torch.zeros(1, dtype=torch.int64)), beside).expand(pairs, -1)
                else:
                    values = torch.from_numpy(fed[batch.inner[plan.inner]])
                    gates = cell.project(decoder.embed(values), beside)
            else:
                lower = decoder.dropout(h[plan.roots :])
                gates = _project_children(cell, lower)
            h, _ = down(gates, cell.above, root_h, root_c, plan)
        assert h is not None
        return h.index_select(0, torch.from_numpy(plan.rows))


def _decode_by_levels(
    decoder: Decoder,
    batch: TreeBatch,
    plan: DownPlan,
    roots: list[State],
    siblings: Tensor | None,
    fed: Callable[[Tensor, IntArray], Tensor],
) -> Tensor:
    """All layers of one depth before the next depth, whose inputs are made of their states."""
    first, *higher = decoder.cells
    assert isinstance(first, DecoderCell)
    weight = Shared(torch.cat((first.input, first.above)))
    beside = None
    if siblings is not None and first.sibling is not None:
        beside = nn.functional.pad(siblings @ first.sibling, (4 * decoder.state, 0))  # right children only
    level = [(weight.begin(h), c) for h, c in roots[:1]] + roots[1:]  # one row a node of the depth
    levels = [level[-1][0]]
    offset = 0  # row of the first node of the depth
    for start, end in plan.levels:
        index = torch.from_numpy(plan.parents[start:end] - offset)
        above = [(h.index_select(0, index), c.index_select(0, index)) for h, c in level]
        inputs = fed(above[-1][0], batch.inner[plan.inner[start:end]])
        gates = weight.product(torch.cat((inputs, above[0][0]), dim=1), first.bias)
        if beside is not None:
            gates = gates + beside[torch.from_numpy(plan.inner[start:end])]
        left, right = gates.chunk(2, dim=1)
        level = [_interleaved(first.child(left, above[0][1]), first.child(right, above[0][1]))]
        for cell, (h, c) in zip(higher, above[1:], strict=True):
            assert isinstance(cell, DecoderCell)
            level.append(_interleaved(*cell(_project_children(cell, decoder.dropout(level[-1][0])), h, c)))
        levels.append(level[-1][0])
        offset = plan.roots + 2 * start
    return torch.cat(levels).index_select(0, torch.from_numpy(plan.rows))


def _interleaved(left: State, right: State) -> State:
    """Left and right children in turn, twice (n, state) to (2 * n, state)."""
    h, c = (torch.stack(sides, dim=1).flatten(0, 1) for sides in zip(left, right, strict=True))
    return h, c


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
                    if tree.subtrees[node] < 0:
                        continue
                    right = int(tree.rights[node])
                    below = (done[node + 1], done[right]) if right > 0 else ((zero, zero), (zero, zero))
                    done[node] = cell(cell.project(inputs[node]), *below)
                layers.append(done)
                inputs = [encoder.dropout(h) for h, _ in done]
            roots.append([layer[0] for layer in layers])
            states.extend(h for h, _ in layers[-1])
        return torch.cat(states), _stacked(roots)

    def decode(
        self,
        decoder: Decoder,
        batch: TreeBatch,
        roots: list[State],
        siblings: Tensor | None = None,
        fed: Fed = None,
    ) -> Tensor:
        layers: list[list[State]] = [[] for _ in roots]
        for number, tree in enumerate(batch.trees):
            for layer, (h, c) in zip(layers, roots, strict=True):
                layer += [(h[number : number + 1], c[number : number + 1])] * len(tree)
        for place, (node, left, right) in enumerate(zip(batch.inner, batch.lefts, batch.rights, strict=True)):
            inputs = fed_inputs(decoder, fed, layers[-1][node][0], np.array([node]))
            for depth, (cell, layer) in enumerate(zip(decoder.cells, layers, strict=True)):
                assert isinstance(cell, DecoderCell)
                if depth == 0:
                    gates = cell.project(inputs, None if siblings is None else siblings[place : place + 1])
                else:
                    below = layers[depth - 1]
                    gates = _project_children(cell, decoder.dropout(torch.cat((below[left][0], below[right][0]))))
                layer[left], layer[right] = cell(gates, *layer[node])
        return torch.cat([h for h, _ in layers[-1]])


def fed_inputs(decoder: Decoder, fed: Fed, states: Tensor, nodes: IntArray) -> Tensor:
    """Inputs (n, embedding) for the children of some nodes (n,) whose states (n, state) are known."""
    if callable(fed):
        return fed(states, nodes)
    return decoder.embed(torch.zeros(len(nodes), dtype=torch.int64) if fed is None else torch.from_numpy(fed[nodes]))


def _stacked(roots: list[list[State]]) -> list[State]:
    """Per tree and layer to per layer."""
    layers = len(roots[0])
    return [
        (torch.cat([tree[layer][0] for tree in roots]), torch.cat([tree[layer][1] for tree in roots]))
        for layer in range(layers)
    ]
