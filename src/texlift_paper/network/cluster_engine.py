"""The paper's batching: the trees of a batch are padded to their common hull, node by node over all trees.

Every tree goes through the right-child-biggest traversal first, so that hulls are small; the flag T of each
node tells the cells where children were exchanged. Padding is `y_end`; its states are held at zero, so the
result is that of the other engines.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from texlift_paper.batching.padding import placed
from texlift_paper.batching.topology import pre_order
from texlift_paper.batching.trees import IntArray, TreeBatch
from texlift_paper.network.cells import DecoderCell, EncoderCell
from texlift_paper.network.engine import Fed, fed_inputs
from texlift_paper.network.recursive import Decoder, Encoder, State
from texlift_paper.network.vocabulary import END

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
        own = np.concatenate([batch.subtrees >= 0, [False]])[plan.nodes]
        there = torch.from_numpy(own).to(torch.float32).unsqueeze(2)  # (hull, trees, 1)
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

    def decode(
        self,
        decoder: Decoder,
        batch: TreeBatch,
        roots: list[State],
        siblings: Tensor | None = None,
        fed: Fed = None,
    ) -> Tensor:
        plan = hull_plan(batch)
        exchanged = torch.from_numpy(plan.exchanged).to(torch.float32).unsqueeze(2)
        beside = _beside(batch, plan, siblings)
        layers = [[root] * len(plan.lefts) for root in roots]
        for node, (left, right) in enumerate(zip(plan.lefts, plan.rights, strict=True)):
            if left < 0:
                continue
            t = exchanged[node]
            inputs = _inputs(decoder, fed, layers[-1][node][0], plan.nodes[node], len(batch))
            for depth, (cell, layer) in enumerate(zip(decoder.cells, layers, strict=True)):
                assert isinstance(cell, DecoderCell)
                if depth == 0:
                    gates = cell.project(inputs, None if beside is None else beside(node))
                else:
                    below = layers[depth - 1]
                    gates = _from_below(cell, decoder.dropout(below[left][0]), decoder.dropout(below[right][0]), t)
                (h_left, c_left), (h_right, c_right) = cell(gates, *layer[node])
                layer[left] = ((1 - t) * h_left + t * h_right, (1 - t) * c_left + t * c_right)
                layer[right] = ((1 - t) * h_right + t * h_left, (1 - t) * c_right + t * c_left)
        return plan.flat(torch.stack([h for h, _ in layers[-1]]), len(batch))


def _beside(batch: TreeBatch, plan: HullPlan, siblings: Tensor | None) -> Callable[[int], Tensor] | None:
    """What the right children of a hull node are fed with beside, (trees, s); zero where a tree has none."""
    if siblings is None:
        return None
    inner = np.full(len(batch) + 1, len(batch.inner), dtype=np.int64)
    inner[batch.inner] = np.arange(len(batch.inner))
    rows = torch.from_numpy(inner[plan.nodes])
    padded = torch.cat((siblings, siblings.new_zeros(1, siblings.shape[1])))
    return lambda node: padded[rows[node]]


def _inputs(decoder: Decoder, fed: Fed, states: Tensor, nodes: IntArray, absent: int) -> Tensor:
    """Inputs of the children of one hull node for all trees; only trees that have it are asked."""
    own = np.flatnonzero(nodes < absent)
    if len(own) == len(nodes):
        return fed_inputs(decoder, fed, states, nodes)
    rows = torch.from_numpy(own)
    inputs = fed_inputs(decoder, fed, states[rows], nodes[own])
    return inputs.new_zeros(len(nodes), inputs.shape[1]).index_copy(0, rows, inputs)


def _from_below(cell: DecoderCell, left: Tensor, right: Tensor, exchanged: Tensor) -> Tensor:
    """Inputs of a higher layer, with the children put back into their order, (trees, 8 * state)."""
    first, second = cell.input.chunk(2, dim=1)
    true_left = (1 - exchanged) * left + exchanged * right
    true_right = (1 - exchanged) * right + exchanged * left
    return torch.cat((true_left @ first, true_right @ second), dim=1) + cell.bias
