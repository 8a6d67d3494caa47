"""Level by level over a whole batch: no padding, equal subtrees encoded once.

The paper's cells have recursions with backward passes of their own (`recursion.py`); any other cell is called once a
level.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

from texlift_paper.batching.levels import DownPlan, UpPlan, down_plan, up_plan
from texlift_paper.batching.trees import SubtreeTable, TreeBatch
from texlift_paper.network.cells import DecoderCell, EncoderCell
from texlift_paper.network.engine import Engine
from texlift_paper.network.lstm import LstmDecoderCell, LstmEncoderCell
from texlift_paper.network.recursion import Shared, down, up
from texlift_paper.network.recursive import Decoder, Encoder, Fed, State, fed_inputs

__all__ = ["LevelEngine"]


class LevelEngine(Engine):
    """All nodes of one height upwards, of one depth downwards."""

    def __init__(self, table: SubtreeTable) -> None:
        self.table = table

    def encode(self, encoder: Encoder, batch: TreeBatch) -> tuple[Tensor, list[State]]:
        plan = up_plan(batch, self.table)
        values, inverse = np.unique(plan.values, return_inverse=True)
        roots = torch.as_tensor(plan.rows[batch.roots])
        inputs = encoder.embed(torch.as_tensor(values))
        states: list[State] = []
        h: Tensor | None = None
        for cell in encoder.cells:
            assert isinstance(cell, EncoderCell)
            # inputs of the first layer depend on the value alone: project each value once
            if h is None:
                gates = cell.project(inputs).index_select(0, torch.as_tensor(inverse))
            else:
                gates = cell.project(encoder.dropout(h))
            h, c = up(gates, cell.below, plan) if isinstance(cell, LstmEncoderCell) else _up(cell, gates, plan)
            states.append((h[roots], c[roots]))
        assert h is not None
        padding = plan.rows < 0
        if padding.any():
            h = torch.cat((h, h.new_zeros(1, h.shape[1])))
        return h.index_select(0, torch.as_tensor(np.where(padding, len(h) - 1, plan.rows))), states

    def decode(
        self, decoder: Decoder, batch: TreeBatch, roots: list[State], siblings: Tensor | None = None, fed: Fed = None
    ) -> Tensor:
        plan = down_plan(batch)
        if callable(fed) or not all(isinstance(cell, LstmDecoderCell) for cell in decoder.cells):
            return _decode_by_levels(decoder, batch, plan, roots, siblings, fed)
        pairs = len(plan.inner)
        order = torch.as_tensor(plan.inner)
        h: Tensor | None = None
        for cell, (root_h, root_c) in zip(decoder.cells, roots, strict=True):
            assert isinstance(cell, LstmDecoderCell)
            if h is None:
                beside = None if siblings is None else siblings.index_select(0, order)
                if fed is None:
                    gates = cell.project(decoder.embed(torch.zeros(1, dtype=torch.int64)), beside).expand(pairs, -1)
                else:
                    values = torch.as_tensor(fed[batch.inner[plan.inner]])
                    gates = cell.project(decoder.embed(values), beside)
            else:
                lower = decoder.dropout(h[plan.roots :])
                gates = cell.project_children(lower[0::2], lower[1::2])
            h, _ = down(gates, cell.above, root_h, root_c, plan)
        assert h is not None
        return h.index_select(0, torch.as_tensor(plan.rows))


def _up(cell: EncoderCell, gates: Tensor, plan: UpPlan) -> State:
    """States of all rows of the plan by calling a cell once a level."""
    blank = gates.new_zeros(plan.leaves, cell.state)
    h, c = cell(gates[: plan.leaves], (blank, blank), (blank, blank))
    children = torch.as_tensor(plan.children)
    for start, end in plan.levels:
        below = children[2 * (start - plan.leaves) : 2 * (end - plan.leaves)]
        left, right = below[0::2], below[1::2]
        level_h, level_c = cell(gates[start:end], (h[left], c[left]), (h[right], c[right]))
        h, c = torch.cat((h, level_h)), torch.cat((c, level_c))
    return h, c


def _decode_by_levels(
    decoder: Decoder, batch: TreeBatch, plan: DownPlan, roots: list[State], siblings: Tensor | None, fed: Fed
) -> Tensor:
    """All layers of one depth before the next depth, whose inputs are made of their states."""
    first, *higher = decoder.cells
    assert isinstance(first, DecoderCell)
    kind = _SharedLayer if isinstance(first, LstmDecoderCell) else _FirstLayer
    lowest = kind(first, siblings)
    level = [(lowest.begin(h), c) for h, c in roots[:1]] + roots[1:]  # one row a node of the depth
    levels = [level[-1][0]]
    offset = 0  # row of the first node of the depth
    for start, end in plan.levels:
        index = torch.as_tensor(plan.parents[start:end] - offset)
        above = [(h.index_select(0, index), c.index_select(0, index)) for h, c in level]
        inner = plan.inner[start:end]
        inputs = fed_inputs(decoder, fed, above[-1][0], batch.inner[inner])
        level = [_interleaved(*lowest.children(inputs, above[0], torch.as_tensor(inner)))]
        for cell, (h, c) in zip(higher, above[1:], strict=True):
            assert isinstance(cell, DecoderCell)
            lower = decoder.dropout(level[-1][0])
            level.append(_interleaved(*cell(cell.project_children(lower[0::2], lower[1::2]), h, c)))
        levels.append(level[-1][0])
        offset = plan.roots + 2 * start
    return torch.cat(levels).index_select(0, torch.as_tensor(plan.rows))


class _FirstLayer:
    """The layer that gets the inputs, depth by depth, by calling its cell."""

    def __init__(self, cell: DecoderCell, siblings: Tensor | None) -> None:
        self.cell = cell
        self.siblings = siblings

    def begin(self, h: Tensor) -> Tensor:
        """The states of the roots, unchanged."""
        return h

    def children(self, inputs: Tensor, above: State, inner: Tensor) -> tuple[State, State]:
        """Both children's states from the inputs (n, embedding), the parents' states and places among inner nodes."""
        siblings = None if self.siblings is None else self.siblings[inner]
        left, right = self.cell(self.cell.project(inputs, siblings), *above)
        return left, right


class _SharedLayer(_FirstLayer):
    """The same for the paper's cell: the gradient of its weights is one product over all depths."""

    def __init__(self, cell: DecoderCell, siblings: Tensor | None) -> None:
        super().__init__(cell, siblings)
        assert isinstance(cell, LstmDecoderCell)
        self.lstm = cell
        self.weight = Shared(torch.cat((cell.input, cell.above)))
        if siblings is not None and cell.sibling is not None:  # projected at once; right children only
            self.siblings = nn.functional.pad(siblings @ cell.sibling, (4 * cell.state, 0))

    def begin(self, h: Tensor) -> Tensor:
        return self.weight.begin(h)

    def children(self, inputs: Tensor, above: State, inner: Tensor) -> tuple[State, State]:
        gates = self.weight.product(torch.cat((inputs, above[0]), dim=1), self.lstm.bias)
        if self.siblings is not None:
            gates = gates + self.siblings[inner]
        left, right = gates.chunk(2, dim=1)
        return self.lstm.child(left, above[1]), self.lstm.child(right, above[1])


def _interleaved(left: State, right: State) -> State:
    """Left and right children in turn, twice (n, state) to (2 * n, state)."""
    h, c = (torch.stack(sides, dim=1).flatten(0, 1) for sides in zip(left, right, strict=True))
    return h, c
