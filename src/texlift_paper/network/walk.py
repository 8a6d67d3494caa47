"""One position at a time over all trees: the loop that the engines "trees" and "clusters" share.

Trees are laid over each other; a position is a node of the common hull. The positions of a single tree are its nodes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from texlift_paper.batching.trees import IntArray, TreeBatch
from texlift_paper.network.cells import DecoderCell, EncoderCell
from texlift_paper.network.recursive import Decoder, Encoder, Fed, State, fed_inputs

__all__ = ["Beside", "Walk"]


@dataclass(frozen=True, slots=True, eq=False)
class Walk:
    """Positions in pre-order.

    `nodes` is the place of each position in the flat batch, (positions, trees), `absent` where a tree has no node;
    `values` are the values, (positions, trees); `lefts` and `rights` are positions of the children, -1 for none.
    `there` is 0 where the encoder must see nothing, `exchanged` is the paper's T: both (positions, trees), or None if
    they are 1 and 0 everywhere.
    """

    nodes: IntArray
    values: IntArray
    lefts: tuple[int, ...]
    rights: tuple[int, ...]
    absent: int
    there: IntArray | None = None
    exchanged: IntArray | None = None

    def encode(self, encoder: Encoder) -> tuple[list[Tensor], list[State]]:
        """States of the highest layer at each position (trees, state); of the roots for each layer."""
        there, exchanged = _flags(self.there), _flags(self.exchanged)
        inputs = list(encoder.embed(torch.as_tensor(self.values)))
        roots: list[State] = []
        for cell in encoder.cells:
            assert isinstance(cell, EncoderCell)
            blank = inputs[0].new_zeros(len(inputs[0]), cell.state)
            states: list[State] = [(blank, blank)] * len(inputs)
            for position in range(len(inputs) - 1, -1, -1):
                left, right = self.lefts[position], self.rights[position]
                below = (states[left], states[right]) if left >= 0 else ((blank, blank), (blank, blank))
                t = None if exchanged is None else exchanged[position]
                h, c = cell(cell.project(inputs[position]), *below, t)
                states[position] = (h, c) if there is None else (h * there[position], c * there[position])
            roots.append(states[0])
            inputs = [encoder.dropout(h) for h, _ in states]
        return [h for h, _ in states], roots

    def decode(self, decoder: Decoder, roots: list[State], beside: Beside | None, fed: Fed) -> list[Tensor]:
        """States of the highest layer at each position, (trees, state)."""
        exchanged = _flags(self.exchanged)
        layers = [[root] * len(self.lefts) for root in roots]
        for position, (left, right) in enumerate(zip(self.lefts, self.rights, strict=True)):
            if left < 0:
                continue
            t = None if exchanged is None else exchanged[position]
            nodes = self.nodes[position]
            inputs = self.inputs(decoder, fed, layers[-1][position][0], nodes)
            for depth, (cell, layer) in enumerate(zip(decoder.cells, layers, strict=True)):
                assert isinstance(cell, DecoderCell)
                if depth == 0:
                    gates = cell.project(inputs, None if beside is None else beside.at(nodes))
                else:
                    below = layers[depth - 1]
                    children = (decoder.dropout(below[left][0]), decoder.dropout(below[right][0]))
                    gates = cell.project_children(*_exchange(*children, t))
                (h_left, c_left), (h_right, c_right) = cell(gates, *layer[position])
                h_left, h_right = _exchange(h_left, h_right, t)
                c_left, c_right = _exchange(c_left, c_right, t)
                layer[left], layer[right] = (h_left, c_left), (h_right, c_right)
        return [h for h, _ in layers[-1]]

    def inputs(self, decoder: Decoder, fed: Fed, states: Tensor, nodes: IntArray) -> Tensor:
        """Inputs of the children of one position, (trees, embedding); only trees that have it are asked."""
        own = np.flatnonzero(nodes < self.absent)
        if len(own) == len(nodes):
            return fed_inputs(decoder, fed, states, nodes)
        rows = torch.as_tensor(own)
        inputs = fed_inputs(decoder, fed, states[rows], nodes[own])
        return inputs.new_zeros(len(nodes), inputs.shape[1]).index_copy(0, rows, inputs)

    def flat(self, states: list[Tensor]) -> Tensor:
        """States at each position (trees, state) as flat states (nodes of the batch, state)."""
        stacked = torch.stack(states)
        listed = self.nodes.reshape(-1)
        places = np.flatnonzero(listed < self.absent)
        order = np.empty(self.absent, dtype=np.int64)
        order[listed[places]] = places
        return stacked.reshape(-1, stacked.shape[2]).index_select(0, torch.as_tensor(order))


class Beside:
    """What right children are fed with beside their inputs: a row an inner node of the batch, zero for all others."""

    def __init__(self, batch: TreeBatch, siblings: Tensor) -> None:
        self.rows = np.full(len(batch) + 1, len(batch.inner), dtype=np.int64)
        self.rows[batch.inner] = np.arange(len(batch.inner))
        self.siblings = torch.cat((siblings, siblings.new_zeros(1, siblings.shape[1])))

    def at(self, nodes: IntArray) -> Tensor:
        """The rows of some nodes (n,) of the batch, (n, sibling)."""
        return self.siblings[torch.as_tensor(self.rows[nodes])]


def _flags(flags: IntArray | None) -> Tensor | None:
    return None if flags is None else torch.as_tensor(flags).to(torch.float32).unsqueeze(2)  # (positions, trees, 1)


def _exchange(left: Tensor, right: Tensor, t: Tensor | None) -> tuple[Tensor, Tensor]:
    """Both sides (trees, n), exchanged where t (trees, 1) is 1."""
    if t is None:
        return left, right
    return (1 - t) * left + t * right, (1 - t) * right + t * left
