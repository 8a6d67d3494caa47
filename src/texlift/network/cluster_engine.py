"""The paper's batching: the trees of a batch are padded to their common hull, node by node over all trees.

Every tree goes through the right-child-biggest traversal first, so that hulls are small; the flag T of each
node tells the cells where children were exchanged. Padding is `y_end`; its states are held at zero, so the
result is that of the other engines.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from texlift.batching.padding import placed
from texlift.batching.topology import pre_order
from texlift.batching.trees import IntArray, TreeBatch
from texlift.network.cells import DecoderCell, EncoderCell
from texlift.network.recursive import Decoder, Encoder, State
from texlift.network.vocabulary import END

__all__ = ["ClusterEngine", "HullPlan", "hull_plan"]


@dataclass(frozen=True, slots=True, eq=False)
class HullPlan:
    """A batch laid over its hull; hull nodes are in pre-order.

    `nodes` is the place of each hull node in the flat batch, (hull, trees), the batch's size where a tree has
    none; `exchanged` is T, (hull, trees); `lefts` and `rights` are hull nodes, -1 for none; `values` are the
    padded values, (hull, trees).
    """

    nodes: IntArray
    exchanged: IntArray
    lefts: tuple[int, ...]
    rights: tuple[int, ...]
    values: IntArray

    def flat(self, states: Tensor, nodes: int) -> Tensor:
        """States on the hull (hull, trees, state) as flat states (nodes, state)."""
        places = np.flatnonzero(self.nodes.reshape(-1) < nodes)
        order = np.empty(nodes, dtype=np.int64)
        order[self.nodes.reshape(-1)[places]] = places
        return states.reshape(-1, states.shape[2]).index_select(0, torch.from_numpy(order))


def hull_plan(batch: TreeBatch) -> HullPlan:
    """Traverse every tree of a batch and lay them over each other."""
    places = [placed(tree) for tree in batch.trees]
    order = pre_order(frozenset().union(*places))
    number = {position: index for index, position in enumerate(order)}
    nodes = np.full((len(order), len(places)), len(batch), dtype=np.int64)
    exchanged = np.zeros((len(order), len(places)), dtype=np.int64)
    for column, (tree, start) in enumerate(zip(places, batch.starts.tolist(), strict=False)):
        for position, (node, flag) in tree.items():
            nodes[number[position], column] = start + node
            exchanged[number[position], column] = flag
    values = np.concatenate([batch.values, [END]])[nodes]
    lefts = tuple(number.get(2 * position, -1) for position in order)
    rights = tuple(number.get(2 * position + 1, -1) for position in order)
    return HullPlan(nodes, exchanged, lefts, rights, values)


class ClusterEngine:
    """Padded to the hull; a batch should be a cluster, or the hull is large."""

    def encode(self, encoder: Encoder, batch: TreeBatch) -> tuple[Tensor, list[State]]:
        plan = hull_plan(batch)
        there = torch.from_numpy(plan.nodes < len(batch)).to(torch.float32).unsqueeze(2)  # (hull, trees, 1)
        exchanged = torch.from_numpy(plan.exchanged).to(torch.float32).unsqueeze(2)
        count, trees = plan.nodes.shape
        inputs = list(encoder.embed(torch.from_numpy(plan.values)))
        roots: list[State] = []
        for cell in encoder.cells:
            assert isinstance(cell, EncoderCell)
            zero = (cell.bias.new_zeros(trees, cell.state), cell.bias.new_zeros(trees, cell.state))
            states = [zero] * count
            for node in range(count - 1, -1, -1):
                left = states[plan.lefts[node]] if plan.lefts[node] >= 0 else zero
                right = states[plan.rights[node]] if plan.rights[node] >= 0 else zero
                h, c = cell(cell.project(inputs[node]), left, right, exchanged[node])
                states[node] = (h * there[node], c * there[node])
            roots.append(states[0])
            inputs = [encoder.dropout(h) for h, _ in states]
        return plan.flat(torch.stack([h for h, _ in states]), len(batch)), roots

    def decode(self, decoder: Decoder, batch: TreeBatch, roots: list[State], siblings: Tensor | None = None) -> Tensor:
        plan = hull_plan(batch)
        return plan.flat(self.decode_hull(decoder, batch, plan, roots, siblings), len(batch))

    def decode_hull(
        self,
        decoder: Decoder,
        batch: TreeBatch,
        plan: HullPlan,
        roots: list[State],
        siblings: Tensor | None = None,
    ) -> Tensor:
        """States at every node of the hull, padding included, (hull, trees, state)."""
        exchanged = torch.from_numpy(plan.exchanged).to(torch.float32).unsqueeze(2)
        values = torch.from_numpy(plan.values)
        count, trees = plan.nodes.shape
        if siblings is not None:
            inner = np.full(len(batch) + 1, len(batch.inner), dtype=np.int64)
            inner[batch.inner] = np.arange(len(batch.inner))
            siblings = torch.cat((siblings, siblings.new_zeros(1, siblings.shape[1])))
            fed = torch.from_numpy(inner[plan.nodes])
        lower: list[Tensor] | None = None
        for cell, root in zip(decoder.cells, roots, strict=True):
            assert isinstance(cell, DecoderCell)
            states: list[State] = [root] * count
            for node in range(count):
                left, right = plan.lefts[node], plan.rights[node]
                if left < 0:
                    continue
                t = exchanged[node]
                if lower is None:
                    beside = None if siblings is None else siblings[fed[node]]
                    gates = cell.project(decoder.embed(values[node]), beside)
                else:
                    gates = _from_below(cell, decoder.dropout(lower[left]), decoder.dropout(lower[right]), t)
                (h_left, c_left), (h_right, c_right) = cell(gates, *states[node])
                states[left] = ((1 - t) * h_left + t * h_right, (1 - t) * c_left + t * c_right)
                states[right] = ((1 - t) * h_right + t * h_left, (1 - t) * c_right + t * c_left)
            lower = [h for h, _ in states]
        assert lower is not None
        return torch.stack(lower).view(count, trees, -1)


def _from_below(cell: DecoderCell, left: Tensor, right: Tensor, exchanged: Tensor) -> Tensor:
    """Inputs of a higher layer, with the children put back into their order, (trees, 8 * state)."""
    first, second = cell.input.chunk(2, dim=1)
    true_left = (1 - exchanged) * left + exchanged * right
    true_right = (1 - exchanged) * right + exchanged * left
    return torch.cat((true_left @ first, true_right @ second), dim=1) + cell.bias
