"""The interface of cells: one goes from the leaves to the root, one from the root to the leaves.

A new kind of cell is a file with two classes like `lstm.py` and a line in `cell_kinds.py`. Engines and generation use
what is declared here and nothing else.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

__all__ = ["CellState", "DecoderCell", "EncoderCell", "xavier"]

CellState = tuple[Tensor, Tensor]
"""(h, c), each (n, state); a cell without a memory of its own gives h twice."""


def xavier(rows: int, gates: int, columns: int) -> nn.Parameter:
    """A (rows, gates * columns) matrix whose blocks are Xavier-initialised one by one."""
    weight = torch.empty(rows, gates * columns)
    for block in weight.chunk(gates, dim=1):
        nn.init.xavier_uniform_(block)
    return nn.Parameter(weight)


class EncoderCell(nn.Module):
    """States of both children and the node's input to the node's state."""

    def __init__(self, state: int) -> None:
        super().__init__()
        self.state = state

    def project(self, inputs: Tensor) -> Tensor:
        """What the inputs add to the gates, (nodes, inputs) to (nodes, gates)."""
        raise NotImplementedError

    def forward(self, gates: Tensor, left: CellState, right: CellState, exchanged: Tensor | None = None) -> CellState:
        """(h, c) of n nodes from their projected inputs (n, gates) and the states of their children.

        `exchanged` is the paper's T, (n, 1) of 0 and 1: where it is 1 the children were exchanged by the traversal.
        """
        if exchanged is not None:
            left, right = _exchange(left, right, exchanged)
        return self.node(gates, left, right)

    def node(self, gates: Tensor, left: CellState, right: CellState) -> CellState:
        """The same for children that stand where they belong."""
        raise NotImplementedError


class DecoderCell(nn.Module):
    """A node's state to the states of both its children.

    The input of a child is the prediction of its parent's value; the right child may be fed with its left sibling as
    well.
    """

    def __init__(self, state: int) -> None:
        super().__init__()
        self.state = state

    def project(self, inputs: Tensor, siblings: Tensor | None = None) -> Tensor:
        """What the inputs add to the gates of both children, (n, inputs), (n, sibling) to (n, gates).

        One row of inputs serves for all rows of siblings.
        """
        raise NotImplementedError

    def project_children(self, left: Tensor, right: Tensor) -> Tensor:
        """The same in a higher layer, where each child is fed with its own state one layer below: twice (n, inputs)."""
        raise NotImplementedError

    def forward(self, gates: Tensor, h: Tensor, c: Tensor) -> tuple[CellState, CellState]:
        """Both children's (h, c), each (n, state), from the projected inputs and the parent's state."""
        raise NotImplementedError


def _exchange(left: CellState, right: CellState, t: Tensor) -> tuple[CellState, CellState]:
    (h_left, c_left), (h_right, c_right) = left, right
    return (
        ((1 - t) * h_left + t * h_right, (1 - t) * c_left + t * c_right),
        ((1 - t) * h_right + t * h_left, (1 - t) * c_right + t * c_left),
    )
