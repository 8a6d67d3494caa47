"""The two cells of the paper (section 3.2): a two-ary LSTM upwards, a two-valued LSTM downwards.

Gates stand side by side in one matrix. Weights are Xavier-initialised gate by gate, biases are zero, but that of
the forget gates may be chosen: at zero a state loses half of what it holds on every step down a long row.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from texlift_paper.network.cells import CellState, DecoderCell, EncoderCell, xavier

__all__ = ["LstmDecoderCell", "LstmEncoderCell"]


class LstmEncoderCell(EncoderCell):
    """Gates: input, output, forget left, forget right, update."""

    def __init__(self, inputs: int, state: int, forget: float = 0.0) -> None:
        super().__init__(state)
        self.input = xavier(inputs, 5, state)  # (inputs, 5 * state)
        self.below = xavier(2 * state, 5, state)  # (2 * state, 5 * state): U_L above U_R
        self.bias = nn.Parameter(torch.zeros(5 * state))
        nn.init.constant_(self.bias.data[2 * state : 4 * state], forget)

    def project(self, inputs: Tensor) -> Tensor:
        return torch.addmm(self.bias, inputs, self.input)

    def node(self, gates: Tensor, left: CellState, right: CellState) -> CellState:
        gates = gates + torch.cat((left[0], right[0]), dim=1) @ self.below
        i, o, f_left, f_right, u = gates.chunk(5, dim=1)
        c = i.sigmoid() * u.tanh() + f_left.sigmoid() * left[1] + f_right.sigmoid() * right[1]
        return o.sigmoid() * c.tanh(), c


class LstmDecoderCell(DecoderCell):
    """Two LSTMs, one for each side. Gates, first those of the left child: input, forget, output, update."""

    def __init__(self, inputs: int, state: int, sibling: int = 0, forget: float = 0.0) -> None:
        super().__init__(state)
        self.input = xavier(inputs, 8, state)  # (inputs, 8 * state)
        self.above = xavier(state, 8, state)  # (state, 8 * state)
        self.sibling = xavier(sibling, 4, state) if sibling else None  # (sibling, 4 * state)
        self.bias = nn.Parameter(torch.zeros(8 * state))
        nn.init.constant_(self.bias.data.view(2, 4, state)[:, 1], forget)

    def project(self, inputs: Tensor, siblings: Tensor | None = None) -> Tensor:
        gates = torch.addmm(self.bias, inputs, self.input)
        if self.sibling is None or siblings is None:
            return gates
        left, right = gates.chunk(2, dim=1)
        if len(left) != len(siblings):  # one row of inputs for all
            left = left.expand(len(siblings), -1)
        return torch.cat((left, right + siblings @ self.sibling), dim=1)

    def project_children(self, left: Tensor, right: Tensor) -> Tensor:
        first, second = self.input.chunk(2, dim=1)
        return torch.cat((left @ first, right @ second), dim=1) + self.bias

    def forward(self, gates: Tensor, h: Tensor, c: Tensor) -> tuple[CellState, CellState]:
        gates = gates + h @ self.above
        left, right = gates.chunk(2, dim=1)
        return self.child(left, c), self.child(right, c)

    @staticmethod
    def child(gates: Tensor, c: Tensor) -> CellState:
        """One child's (h, c) from its gates (n, 4 * state) and the parent's c."""
        i, f, o, u = gates.chunk(4, dim=1)
        c = i.sigmoid() * u.tanh() + f.sigmoid() * c
        return o.sigmoid() * c.tanh(), c
