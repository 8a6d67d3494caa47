"""Free-running generation: the decoder grows its own trees and stops by itself.

All trees of a batch grow in lockstep, node by node in pre-order, so that a left sibling's whole subtree is
known when the right one begins. With a beam, several beginnings of each answer are kept and the likeliest complete tree
is the answer. Limits on nodes and depth close a tree that would not end: from there on only leaves may come.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import torch
from torch import Tensor

from texlift_paper.batching.trees import TreeBatch
from texlift_paper.network.attention import Memory
from texlift_paper.network.cells import DecoderCell, EncoderCell
from texlift_paper.network.engine import Engine
from texlift_paper.network.model import TreeToTree
from texlift_paper.network.recursive import State
from texlift_paper.network.vocabulary import END, ZERO

__all__ = ["MAX_DEPTH", "MAX_NODES", "Grown", "generate", "grow"]

MAX_NODES = 1000
MAX_DEPTH = 400


@dataclass(frozen=True, slots=True)
class Grown:
    """An answer: its values in pre-order, its log-probability, and for each node the attention over the nodes of the
    source, (nodes, source nodes), if the network has attention."""

    values: list[int]
    score: float
    attention: Tensor | None


def generate(
    model: TreeToTree,
    source: TreeBatch,
    engine: Engine,
    max_nodes: int = MAX_NODES,
    max_depth: int = MAX_DEPTH,
    beam: int = 1,
) -> list[list[int]]:
    """The values of the best answer to each source tree."""
    return [grown.values for grown in grow(model, source, engine, max_nodes, max_depth, beam)]


@torch.no_grad()
def grow(
    model: TreeToTree,
    source: TreeBatch,
    engine: Engine,
    max_nodes: int = MAX_NODES,
    max_depth: int = MAX_DEPTH,
    beam: int = 1,
) -> list[Grown]:
    """The best answer to each source tree."""
    model.eval()
    states, roots = engine.encode(model.encoder, source)
    start = model.bridge(roots)
    memory = model.memory(source, states, roots, engine) if model.attention is not None else None
    limits = [min(max_nodes, 40 + 3 * int(size)) for size in source.sizes]
    growth = _Growth(model, start, memory, limits, max_depth, beam)
    while growth.active:
        growth.step()
    return [best.trees[0].grown(int(size)) for best, size in zip(growth.beams, source.sizes, strict=True)]


@dataclass(slots=True)
class _Tree:
    """One tree while it grows; `open` lists places to fill: (parent, is it a right child)."""

    row: int
    limit: int
    score: float = 0.0
    values: list[int] = field(default_factory=list)
    lefts: list[int] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    sides: list[bool] = field(default_factory=list)
    depths: list[int] = field(default_factory=list)
    open: list[tuple[int, bool]] = field(default_factory=lambda: [(-1, False)])
    looks: list[Tensor] = field(default_factory=list)

    @property
    def depth(self) -> int:
        """Of the next node."""
        parent = self.open[-1][0]
        return self.depths[parent] + 1 if parent >= 0 else 0

    @property
    def must_close(self) -> bool:
        """Whether another inner node would make it larger than it may be."""
        return len(self.values) + len(self.open) + 2 > self.limit

    def add(self, value: int, score: float, look: Tensor | None) -> None:
        """Fill the next place."""
        node, depth = len(self.values), self.depth
        parent, right = self.open.pop()
        self.score = score
        self.values.append(value)
        self.parents.append(parent)
        self.sides.append(right)
        self.lefts.append(-1)
        self.depths.append(depth)
        if look is not None:
            self.looks.append(look)
        if parent >= 0 and not right:
            self.lefts[parent] = node
        if value == ZERO:
            self.open += [(node, True), (node, False)]

    def copy(self) -> _Tree:
        """A tree that grows on its own from here."""
        return replace(
            self,
            values=list(self.values),
            lefts=list(self.lefts),
            parents=list(self.parents),
            sides=list(self.sides),
            depths=list(self.depths),
            open=list(self.open),
            looks=list(self.looks),
        )

    def grown(self, width: int) -> Grown:
        """The answer to a source of `width` nodes."""
        return Grown(self.values, self.score, torch.stack(self.looks)[:, :width] if self.looks else None)


@dataclass(slots=True)
class _Beam:
    """The trees kept for one source, the likeliest first; their rows are `base` and the following."""

    base: int
    trees: list[_Tree]

    @property
    def done(self) -> bool:
        """Log-probabilities only fall, so nothing can overtake a complete tree in front."""
        return not self.trees[0].open


class _Growth:
    """Buffers are (rows, nodes, state) for each layer; every source has as many rows as its beam is wide.

    Rows of sources that are answered are given up now and then.
    """

    def __init__(
        self,
        model: TreeToTree,
        roots: list[State],
        memory: Memory | None,
        limits: list[int],
        max_depth: int,
        width: int,
    ) -> None:
        self.model = model
        self.max_depth = max_depth
        self.width = width
        rows = torch.arange(len(limits)).repeat_interleave(width)
        self.roots = [(h[rows], c[rows]) for h, c in roots]
        self.memory = None if memory is None else memory.rows(rows)
        self.keys = (
            model.attention.project(self.memory) if model.attention is not None and self.memory is not None else None
        )
        self.count, longest = len(rows), max(limits) + 1
        blank = self.roots[0][0]
        self.h = [h.new_zeros(self.count, longest, h.shape[1]) for h, _ in roots]
        self.c = [c.new_zeros(self.count, longest, c.shape[1]) for _, c in roots]
        self.summaries: list[tuple[Tensor, Tensor]] = []
        if model.config.sibling == "subtree":
            shape = (self.count, longest, model.config.state)
            self.summaries = [(blank.new_zeros(shape), blank.new_zeros(shape)) for _ in model.encoder.cells]
        # what the children of each node are fed with; "argmax" needs none: only nodes of value 0 have children here
        self.inputs = (
            blank.new_zeros(self.count, longest, model.config.embedding) if model.config.feed == "softmax" else None
        )
        self.beams = [_Beam(width * at, [_Tree(width * at, limit)]) for at, limit in enumerate(limits)]
        self.active = list(self.beams)

    def step(self) -> None:
        """One more node for every tree that is not complete."""
        trees = [tree for beam in self.active for tree in beam.trees if tree.open]
        states = self.states(trees)
        scores, looks = self.scores(trees, states)
        if self.inputs is not None:
            self.inputs[_rows(trees), _next(trees)] = self.model.fed(scores)
        for number, tree in enumerate(trees):
            if tree.must_close or tree.depth >= self.max_depth:
                scores[number, ZERO] = -torch.inf
        scores[:, END] = -torch.inf
        best, values = scores.topk(min(self.width, scores.shape[1]), dim=1)
        candidates = dict(zip(map(id, trees), zip(best.tolist(), values.tolist(), strict=True), strict=True))
        look_of = {} if looks is None else dict(zip(map(id, trees), looks, strict=True))
        leaves: list[tuple[_Tree, int]] = []
        moves: list[tuple[int, int]] = []
        for beam in self.active:
            grown = self.choose(beam, candidates, look_of, moves)
            leaves += [(tree, len(tree.values) - 1) for tree in grown if tree.values[-1] != ZERO]
        self.move(moves)
        if self.summaries:
            self.summarise(leaves)
        self.active = [beam for beam in self.active if not beam.done]
        if self.active and len(self.active) * self.width * 2 <= self.count:
            self.compact()

    def choose(
        self,
        beam: _Beam,
        candidates: dict[int, tuple[list[float], list[int]]],
        look_of: dict[int, Tensor],
        moves: list[tuple[int, int]],
    ) -> list[_Tree]:
        """Keep the likeliest of all ways to go on with one source; the trees that grew. Rows to copy go to `moves`."""
        ways: list[tuple[float, _Tree, int]] = [(tree.score, tree, -1) for tree in beam.trees if not tree.open]
        for tree in beam.trees:
            if tree.open:
                added, values = candidates[id(tree)]
                ways += [(tree.score + more, tree, value) for more, value in zip(added, values, strict=True)]
        ways = sorted((way for way in ways if math.isfinite(way[0])), key=lambda way: -way[0])[: self.width]
        left = Counter(id(tree) for _, tree, _ in ways)
        free = set(range(beam.base, beam.base + self.width)) - {tree.row for _, tree, _ in ways}
        kept: list[_Tree] = []
        grown: list[_Tree] = []
        for score, tree, value in ways:
            left[id(tree)] -= 1
            look = look_of.get(id(tree))
            if value >= 0 and left[id(tree)]:  # it is needed again: go on with a copy
                row = free.pop()
                moves.append((row, tree.row))
                tree = replace(tree.copy(), row=row)
            if value >= 0:
                tree.add(value, score, look)
                grown.append(tree)
            kept.append(tree)
        beam.trees = kept
        return grown

    def move(self, moves: list[tuple[int, int]]) -> None:
        """Copy rows, given as (to, from); none is both."""
        if not moves:
            return
        to, source = (torch.tensor(side) for side in zip(*moves, strict=True))
        for buffer in self.buffers():
            buffer[to] = buffer[source]

    def buffers(self) -> Iterable[Tensor]:
        yield from self.h
        yield from self.c
        for pair in self.summaries:
            yield from pair
        if self.inputs is not None:
            yield self.inputs

    # -- states --------------------------------------------------------------------------------------------

    def states(self, trees: list[_Tree]) -> Tensor:
        """Compute and store the states of the new nodes; those of the highest layer, (trees, state)."""
        decoder = self.model.decoder
        rows, nodes = _rows(trees), _next(trees)
        if not trees[0].values:  # all trees begin together
            for layer, (h, c) in enumerate(self.roots):
                self.h[layer][rows, nodes], self.c[layer][rows, nodes] = h[rows], c[rows]
            return self.roots[-1][0][rows]
        parents = torch.tensor([tree.open[-1][0] for tree in trees])
        chosen = torch.tensor([tree.open[-1][1] for tree in trees]).unsqueeze(1)
        inputs = decoder.embed(torch.zeros(1, dtype=torch.int64))
        if self.inputs is not None:
            inputs = self.inputs[rows, parents]
        h = inputs
        for layer, cell in enumerate(decoder.cells):
            assert isinstance(cell, DecoderCell)
            if layer:
                gates = cell.project_children(h, h)  # of both sides; one of them is used
            else:
                gates = cell.project(inputs, self.fed(trees) if self.model.config.sibling != "none" else None)
            left, right = cell(gates, self.h[layer][rows, parents], self.c[layer][rows, parents])
            h, c = torch.where(chosen, right[0], left[0]), torch.where(chosen, right[1], left[1])
            self.h[layer][rows, nodes], self.c[layer][rows, nodes] = h, c
        return h

    def fed(self, trees: list[_Tree]) -> Tensor:
        """What right children are fed with; rows of left children are not used."""
        lefts = [tree.lefts[parent] if right else 0 for tree in trees for parent, right in tree.open[-1:]]
        if not self.summaries:
            values = [tree.values[left] for tree, left in zip(trees, lefts, strict=True)]
            return self.model.decoder.embed(torch.tensor(values))
        return self.summaries[-1][0][_rows(trees), torch.tensor(lefts)]

    def scores(self, trees: list[_Tree], states: Tensor) -> tuple[Tensor, Tensor | None]:
        """(trees, state) to log-probabilities (trees, vocabulary) and attention (trees, source nodes)."""
        model = self.model
        if model.attention is None or self.memory is None or self.keys is None:
            return model.prediction(states).log_softmax(dim=1), None
        queries = states.new_zeros(self.count, 1, states.shape[1])
        rows = _rows(trees)
        queries[rows, 0] = states
        informed, weights = model.attention(queries, self.memory, self.keys)
        informed, weights = informed[rows, 0], weights[rows, 0]
        if model.gate is None:
            return model.prediction(informed).log_softmax(dim=1), weights
        return model.mixed(informed, weights, self.memory.values[rows]), weights

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
        """Give up the rows of sources that are answered."""
        kept = [row for beam in self.active for row in range(beam.base, beam.base + self.width)]
        rows = torch.tensor(kept)
        self.h = [h[rows] for h in self.h]
        self.c = [c[rows] for c in self.c]
        if self.inputs is not None:
            self.inputs = self.inputs[rows]
        self.summaries = [(h[rows], c[rows]) for h, c in self.summaries]
        if self.memory is not None and self.keys is not None:
            self.memory = self.memory.rows(rows)
            self.keys = [key[rows] for key in self.keys]
        for number, beam in enumerate(self.active):
            for tree in beam.trees:
                tree.row += number * self.width - beam.base
            beam.base = number * self.width
        self.count = len(kept)


def _rows(trees: list[_Tree]) -> Tensor:
    return torch.tensor([tree.row for tree in trees])


def _next(trees: list[_Tree]) -> Tensor:
    """The node that comes next in each tree."""
    return torch.tensor([len(tree.values) for tree in trees])
