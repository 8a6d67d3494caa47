"""Cells with fewer gates than the paper's: gated recurrent units over trees, without a memory beside the state."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from texlift_paper.network.cells import CellState, DecoderCell, EncoderCell, xavier

__all__ = ["GruDecoderCell", "GruEncoderCell"]


class GruEncoderCell(EncoderCell):
    """Gates: reset left, reset right, keep left, keep right, update.

    A node keeps of its children what the gates say and takes the rest from the update.
    """

    def __init__(self, inputs: int, state: int, forget: float = 0.0) -> None:
        super().__init__(state)
        self.input = xavier(inputs, 5, state)  # (inputs, 5 * state)
        self.below = xavier(2 * state, 4, state)  # (2 * state, 4 * state)
        self.update = xavier(2 * state, 1, state)  # (2 * state, state)
        self.bias = nn.Parameter(torch.zeros(5 * state))
        nn.init.constant_(self.bias.data[2 * state : 4 * state], forget)

    def project(self, inputs: Tensor) -> Tensor:
        return torch.addmm(self.bias, inputs, self.input)

    def node(self, gates: Tensor, left: CellState, right: CellState) -> CellState:
        both = torch.cat((left[0], right[0]), dim=1)  # (n, 2 * state)
        reset, keep = (gates[:, : 4 * self.state] + both @ self.below).sigmoid().chunk(2, dim=1)
        update = torch.tanh(gates[:, 4 * self.state :] + (reset * both) @ self.update)
        keep_left, keep_right = keep.chunk(2, dim=1)
        h = (keep_left * (left[0] - update) + keep_right * (right[0] - update)) / 2 + update
        return h, h


class GruDecoderCell(DecoderCell):
    """Two units, one for each side. Gates, first those of the left child: reset, keep, update."""

    def __init__(self, inputs: int, state: int, sibling: int = 0, forget: float = 0.0) -> None:
        super().__init__(state)
        self.input = xavier(inputs, 6, state)  # (inputs, 6 * state)
        self.above = xavier(state, 4, state)  # (state, 4 * state)
        self.updates = nn.ParameterList(xavier(state, 1, state) for _ in range(2))
        self.sibling = xavier(sibling, 3, state) if sibling else None  # (sibling, 3 * state)
        self.bias = nn.Parameter(torch.zeros(6 * state))
        nn.init.constant_(self.bias.data.view(2, 3, state)[:, 1], forget)

    def project(self, inputs: Tensor, siblings: Tensor | None = None) -> Tensor:
        gates = torch.addmm(self.bias, inputs, self.input)
        if self.sibling is None or siblings is None:
            return gates
        left, right = gates.expand(len(siblings), -1).chunk(2, dim=1)
        return torch.cat((left, right + siblings @ self.sibling), dim=1)

    def project_children(self, left: Tensor, right: Tensor) -> Tensor:
        first, second = self.input.chunk(2, dim=1)
        return torch.cat((left @ first, right @ second), dim=1) + self.bias

    def forward(self, gates: Tensor, h: Tensor, c: Tensor) -> tuple[CellState, CellState]:
        above = (h @ self.above).chunk(2, dim=1)
        children: list[CellState] = []
        for own, inherited, weight in zip(gates.chunk(2, dim=1), above, self.updates, strict=True):
            reset, keep = (own[:, : 2 * self.state] + inherited).sigmoid().chunk(2, dim=1)
            update = torch.tanh(own[:, 2 * self.state :] + (reset * h) @ weight)
            child = keep * (h - update) + update
            children.append((child, child))
        return children[0], children[1]
