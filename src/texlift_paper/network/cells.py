"""The two cells of the paper (section 3.2): a two-ary LSTM upwards, a two-valued LSTM downwards.

Gates stand side by side in one matrix. Weights are Xavier-initialised gate by gate, biases are zero, but that of
the forget gates may be chosen: at zero a state loses half of what it holds on every step down a long row.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

__all__ = ["DecoderCell", "EncoderCell", "xavier"]


def xavier(rows: int, gates: int, columns: int) -> nn.Parameter:
    """A (rows, gates * columns) matrix whose blocks are Xavier-initialised one by one."""
    weight = torch.empty(rows, gates * columns)
    for block in weight.chunk(gates, dim=1):
        nn.init.xavier_uniform_(block)
    return nn.Parameter(weight)


class EncoderCell(nn.Module):
    """States of both children and the node's input to the node's state.

    Gates: input, output, forget left, forget right, update.
    """

    def __init__(self, inputs: int, state: int, forget: float = 0.0) -> None:
        super().__init__()
        self.state = state
        self.input = xavier(inputs, 5, state)  # (inputs, 5 * state)
        self.below = xavier(2 * state, 5, state)  # (2 * state, 5 * state): U_L above U_R
        self.bias = nn.Parameter(torch.zeros(5 * state))
        nn.init.constant_(self.bias.data[2 * state : 4 * state], forget)

    def project(self, inputs: Tensor) -> Tensor:
        """What the inputs add to the gates, (nodes, inputs) to (nodes, 5 * state)."""
        return torch.addmm(self.bias, inputs, self.input)

    def forward(
        self, gates: Tensor, left: tuple[Tensor, Tensor], right: tuple[Tensor, Tensor], exchanged: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """`gates` is the projected input (n, 5 * state), each child an (h, c) of (n, state).

        `exchanged` is the paper's T, (n, 1) of 0 and 1: where it is 1 the children were exchanged by the
        traversal and U_L is for what stands right.
        """
        h_left, h_right = left[0], right[0]
        c_left, c_right = left[1], right[1]
        if exchanged is not None:
            h_left, h_right = (
                (1 - exchanged) * h_left + exchanged * h_right,
                (1 - exchanged) * h_right + exchanged * h_left,
            )
            c_left, c_right = (
                (1 - exchanged) * c_left + exchanged * c_right,
                (1 - exchanged) * c_right + exchanged * c_left,
            )
        gates = gates + torch.cat((h_left, h_right), dim=1) @ self.below
        i, o, f_left, f_right, u = gates.chunk(5, dim=1)
        c = i.sigmoid() * u.tanh() + f_left.sigmoid() * c_left + f_right.sigmoid() * c_right
        return o.sigmoid() * c.tanh(), c


class DecoderCell(nn.Module):
    """A node's state to the states of both its children: two LSTMs, one for each side.

    Gates, first those of the left child: input, forget, output, update. The input of a child is the
    prediction of its parent's value; the right child may be fed with its left sibling as well.
    """

    def __init__(self, inputs: int, state: int, sibling: int = 0, forget: float = 0.0) -> None:
        super().__init__()
        self.state = state
        self.input = xavier(inputs, 8, state)  # (inputs, 8 * state)
        self.above = xavier(state, 8, state)  # (state, 8 * state)
        self.sibling = xavier(sibling, 4, state) if sibling else None  # (sibling, 4 * state)
        self.bias = nn.Parameter(torch.zeros(8 * state))
        nn.init.constant_(self.bias.data.view(2, 4, state)[:, 1], forget)

    def project(self, inputs: Tensor, siblings: Tensor | None = None) -> Tensor:
        """What the inputs add to the gates of both children, (n, inputs), (n, sibling) to (n, 8 * state)."""
        gates = torch.addmm(self.bias, inputs, self.input)
        if self.sibling is None or siblings is None:
            return gates
        left, right = gates.chunk(2, dim=1)
        if len(left) != len(siblings):  # one row of inputs for all
            left = left.expand(len(siblings), -1)
        return torch.cat((left, right + siblings @ self.sibling), dim=1)

    def forward(self, gates: Tensor, h: Tensor, c: Tensor) -> tuple[tuple[Tensor, Tensor], tuple[Tensor, Tensor]]:
        """Both children's (h, c), each (n, state), from the projected inputs (n, 8 * state)."""
        gates = gates + h @ self.above
        left, right = gates.chunk(2, dim=1)
        return self.child(left, c), self.child(right, c)

    @staticmethod
    def child(gates: Tensor, c: Tensor) -> tuple[Tensor, Tensor]:
        """One child's (h, c) from its gates (n, 4 * state) and the parent's c."""
        i, f, o, u = gates.chunk(4, dim=1)
        c = i.sigmoid() * u.tanh() + f.sigmoid() * c
        return o.sigmoid() * c.tanh(), c
