"""Free-running generation: the decoder grows its own tree and stops by itself.

All trees of a batch grow in lockstep, node by node in pre-order, so that a left sibling's whole subtree is
known when the right one begins. Limits on nodes and depth close a tree that would not end: from there on only
leaves may come.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from texlift_paper.batching.trees import TreeBatch
from texlift_paper.network.attention import Memory
from texlift_paper.network.cells import DecoderCell, EncoderCell
from texlift_paper.network.engine import Engine
from texlift_paper.network.model import TreeToTree
from texlift_paper.network.recursive import State
from texlift_paper.network.vocabulary import END, ZERO

__all__ = ["MAX_DEPTH", "MAX_NODES", "generate"]

MAX_NODES = 1000
MAX_DEPTH = 400


@torch.no_grad()
def generate(
    model: TreeToTree, source: TreeBatch, engine: Engine, max_nodes: int = MAX_NODES, max_depth: int = MAX_DEPTH
) -> list[list[int]]:
    """The most likely values, node by node, in pre-order; one list a source tree."""
    model.eval()
    states, roots = engine.encode(model.encoder, source)
    start = model.bridge(roots)
    memory = model.memory(source, states, roots, engine) if model.attention is not None else None
    limits = [min(max_nodes, 40 + 3 * int(size)) for size in source.sizes]
    growth = _Growth(model, start, memory, limits, max_depth)
    while growth.active:
        growth.step()
    return [tree.values for tree in growth.trees]


@dataclass(slots=True)
class _Tree:
    """One tree while it grows; `open` lists places to fill: (parent, is it a right child)."""

    row: int
    limit: int
    values: list[int]
    lefts: list[int]
    parents: list[int]
    sides: list[bool]
    depths: list[int]
    open: list[tuple[int, bool]]


class _Growth:
    """Buffers are (rows, nodes, state) for each layer; rows of finished trees are given up now and then."""

    def __init__(
        self, model: TreeToTree, roots: list[State], memory: Memory | None, limits: list[int], max_depth: int
    ) -> None:
        self.model = model
        self.max_depth = max_depth
        self.memory = memory
        self.keys = model.attention.project(memory) if model.attention is not None and memory is not None else None
        count, longest = len(limits), max(limits) + 1
        self.h = [h.new_zeros(count, longest, h.shape[1]) for h, _ in roots]
        self.c = [c.new_zeros(count, longest, c.shape[1]) for _, c in roots]
        self.roots = roots
        self.summaries: list[tuple[Tensor, Tensor]] = []
        if model.config.sibling == "subtree":
            size = model.config.state
            layers = range(len(model.encoder.cells))
            blank = roots[0][0]
            self.summaries = [
                (blank.new_zeros(count, longest, size), blank.new_zeros(count, longest, size)) for _ in layers
            ]
        # what the children of each node are fed with; "argmax" needs none: only nodes of value 0 have children here
        self.inputs = (
            roots[0][0].new_zeros(count, longest, model.config.embedding) if model.config.feed == "softmax" else None
        )
        self.trees = [_Tree(row, limit, [], [], [], [], [], [(-1, False)]) for row, limit in enumerate(limits)]
        self.active = list(self.trees)
        self.rows = count

    def step(self) -> None:
        """One more node for every tree that is not complete."""
        places = [tree.open.pop() for tree in self.active]
        states = self.states(places)
        scores = self.scores(states)
        if self.inputs is not None:
            rows = torch.tensor([tree.row for tree in self.active])
            nodes = torch.tensor([len(tree.values) for tree in self.active])
            self.inputs[rows, nodes] = self.model.fed(scores.log_softmax(dim=1))
        for number, (tree, (parent, _)) in enumerate(zip(self.active, places, strict=True)):
            depth = tree.depths[parent] + 1 if parent >= 0 else 0
            if len(tree.values) + len(tree.open) + 3 > tree.limit or depth >= self.max_depth:
                scores[number, ZERO] = -torch.inf
        scores[:, END] = -torch.inf
        chosen = scores.argmax(dim=1).tolist()
        finished = []
        for tree, (parent, right), value in zip(self.active, places, chosen, strict=True):
            node = len(tree.values)
            tree.values.append(value)
            tree.parents.append(parent)
            tree.sides.append(right)
            tree.lefts.append(-1)
            tree.depths.append(tree.depths[parent] + 1 if parent >= 0 else 0)
            if parent >= 0 and not right:
                tree.lefts[parent] = node
            if value == ZERO:
                tree.open += [(node, True), (node, False)]
            else:
                finished.append((tree, node))
        if self.summaries:
            self.summarise(finished)
        self.active = [tree for tree in self.active if tree.open]
        if self.active and len(self.active) * 2 <= self.rows:
            self.compact()

    # -- states --------------------------------------------------------------------------------------------

    def states(self, places: list[tuple[int, bool]]) -> Tensor:
        """Compute and store the states of the new nodes; those of the highest layer, (active, state)."""
        decoder = self.model.decoder
        rows = torch.tensor([tree.row for tree in self.active])
        nodes = torch.tensor([len(tree.values) for tree in self.active])
        if places[0][0] < 0:  # all trees begin together
            for layer, (h, c) in enumerate(self.roots):
                self.h[layer][rows, nodes], self.c[layer][rows, nodes] = h, c
            return self.roots[-1][0]
        parents = torch.tensor([parent for parent, _ in places])
        rights = torch.tensor([right for _, right in places])
        inputs = decoder.embed(torch.zeros(1, dtype=torch.int64))
        if self.inputs is not None:
            inputs = self.inputs[rows, parents]
        h = inputs
        chosen = rights.unsqueeze(1)
        for layer, cell in enumerate(decoder.cells):
            assert isinstance(cell, DecoderCell)
            if layer:
                gates = cell.project_children(h, h)  # of both sides; one of them is used
            else:
                gates = cell.project(inputs, self.fed(places) if self.model.config.sibling != "none" else None)
            left, right = cell(gates, self.h[layer][rows, parents], self.c[layer][rows, parents])
            h, c = torch.where(chosen, right[0], left[0]), torch.where(chosen, right[1], left[1])
            self.h[layer][rows, nodes], self.c[layer][rows, nodes] = h, c
        return h

    def fed(self, places: list[tuple[int, bool]]) -> Tensor:
        """What right children are fed with; rows of left children are not used."""
        lefts = [tree.lefts[parent] if right else 0 for tree, (parent, right) in zip(self.active, places, strict=True)]
        if not self.summaries:
            values = [tree.values[left] for tree, left in zip(self.active, lefts, strict=True)]
            return self.model.decoder.embed(torch.tensor(values))
        rows = torch.tensor([tree.row for tree in self.active])
        return self.summaries[-1][0][rows, torch.tensor(lefts)]

    def scores(self, states: Tensor) -> Tensor:
        """(active, state) to (active, vocabulary)."""
        model = self.model
        if model.attention is None or self.memory is None or self.keys is None:
            return model.prediction(states)  # type: ignore[no-any-return]
        queries = states.new_zeros(self.rows, 1, states.shape[1])
        rows = torch.tensor([tree.row for tree in self.active])
        queries[rows, 0] = states
        informed, weights = model.attention(queries, self.memory, self.keys)
        informed, weights = informed[rows, 0], weights[rows, 0]
        if model.gate is None:
            return model.prediction(informed)  # type: ignore[no-any-return]
        return model.mixed(informed, weights, self.memory.values[rows])

    # -- subtrees that are complete ------------------------------------------------------------------------

    def summarise(self, finished: list[tuple[_Tree, int]]) -> None:
        """Encode new leaves, then every subtree that they complete, upwards."""
        encoder = self.model.encoder
        if not finished:
            return
        values = torch.tensor([tree.values[node] for tree, node in finished])
        blank = self.summaries[0][0].new_zeros(len(finished), encoder.state)
        self.store(finished, encoder.embed(values), [((blank, blank), (blank, blank))] * len(self.summaries))
        while True:
            above = [(tree, tree.parents[node]) for tree, node in finished if tree.sides[node]]
            if not above:
                return
            rights = [node for tree, node in finished if tree.sides[node]]
            lefts = [tree.lefts[node] for tree, node in above]
            rows = torch.tensor([tree.row for tree, _ in above])
            left_index, right_index = torch.tensor(lefts), torch.tensor(rights)
            below = [
                ((h[rows, left_index], c[rows, left_index]), (h[rows, right_index], c[rows, right_index]))
                for h, c in self.summaries
            ]
            self.store(above, encoder.embed(torch.zeros(len(above), dtype=torch.int64)), below)
            finished = above

    def store(self, nodes: list[tuple[_Tree, int]], inputs: Tensor, below: list[tuple[State, State]]) -> None:
        rows = torch.tensor([tree.row for tree, _ in nodes])
        index = torch.tensor([node for _, node in nodes])
        for cell, (h_buffer, c_buffer), (left, right) in zip(
            self.model.encoder.cells, self.summaries, below, strict=True
        ):
            assert isinstance(cell, EncoderCell)
            h, c = cell(cell.project(inputs), left, right)
            h_buffer[rows, index], c_buffer[rows, index] = h, c
            inputs = h

    def compact(self) -> None:
        rows = torch.tensor([tree.row for tree in self.active])
        self.h = [h[rows] for h in self.h]
        self.c = [c[rows] for c in self.c]
        if self.inputs is not None:
            self.inputs = self.inputs[rows]
        self.summaries = [(h[rows], c[rows]) for h, c in self.summaries]
        if self.memory is not None and self.keys is not None:
            self.memory = Memory(self.memory.states[rows], self.memory.values[rows], self.memory.padding[rows])
            self.keys = [key[rows] for key in self.keys]
        for row, tree in enumerate(self.active):
            tree.row = row
        self.rows = len(self.active)
