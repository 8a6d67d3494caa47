"""What the decoder is fed with: its parent's prediction, against the paper's equations written out node by node."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from texlift.latex.binary import parse_binary
from texlift_paper.batching.padding import pad_to_hull
from texlift_paper.batching.trees import SubtreeTable, TreeArrays, TreeBatch
from texlift_paper.network.cluster_engine import ClusterEngine
from texlift_paper.network.engine import Engine
from texlift_paper.network.generation import generate
from texlift_paper.network.level_engine import LevelEngine
from texlift_paper.network.loss import masked_loss
from texlift_paper.network.model import ModelConfig, TreeToTree
from texlift_paper.network.tree_engine import TreeEngine
from texlift_paper.network.vocabulary import END, ZERO, Vocabulary

FORMULAE = [r"\frac{2a}{n+\sqrt{2}}+\sqrt{3}", "x", "a+b", r"\sqrt{\sqrt{x}}y"]
TABLE = SubtreeTable()
TREES = [parse_binary(formula) for formula in FORMULAE]
VOCABULARY = Vocabulary.of(TREES)
ARRAYS = [TreeArrays.of(VOCABULARY.numbers(tree), TABLE) for tree in TREES]
PADDED = pad_to_hull(ARRAYS, END)
ENGINES = {"levels": LevelEngine(TABLE), "clusters": ClusterEngine(), "trees": TreeEngine()}


def sigmoid(x: np.ndarray) -> np.ndarray:
    return np.asarray(1 / (1 + np.exp(-x)))


class Reference:
    """A single-layer network without attention in NumPy, one node at a time, straight from the paper's text."""

    def __init__(self, model: TreeToTree) -> None:
        self.w = {name: tensor.numpy().astype(float) for name, tensor in model.state_dict().items()}
        self.feed = model.config.feed
        self.state = model.config.state

    def encode(self, tree: TreeArrays, node: int = 0) -> tuple[np.ndarray, np.ndarray]:
        right = int(tree.rights[node])
        zero = np.zeros(self.state)
        (h_l, c_l), (h_r, c_r) = (
            (self.encode(tree, node + 1), self.encode(tree, right)) if right > 0 else ((zero, zero), (zero, zero))
        )
        x = self.w["encoder.embedding"][tree.values[node]]
        gates = x @ self.w["encoder.cells.0.input"] + np.concatenate((h_l, h_r)) @ self.w["encoder.cells.0.below"]
        i, o, f_l, f_r, u = np.split(gates + self.w["encoder.cells.0.bias"], 5)
        c = sigmoid(i) * np.tanh(u) + sigmoid(f_l) * c_l + sigmoid(f_r) * c_r
        return sigmoid(o) * np.tanh(c), c

    def start(self, tree: TreeArrays) -> tuple[np.ndarray, np.ndarray]:
        h, c = self.encode(tree)
        h = np.tanh(self.w["bridge.h.0.weight"] @ h + self.w["bridge.h.0.bias"])
        return h, self.w["bridge.c.0.weight"] @ c + self.w["bridge.c.0.bias"]

    def chances(self, h: np.ndarray) -> np.ndarray:
        x = self.w["prediction.first.weight"] @ h + self.w["prediction.first.bias"]
        scores = self.w["prediction.second.weight"] @ x + self.w["prediction.second.bias"]
        exponentials = np.exp(scores - scores.max())
        return np.asarray(exponentials / exponentials.sum())

    def fed(self, chances: np.ndarray, gold: int | None = None) -> np.ndarray:
        """The parent's prediction, embedded; its right value if that is given."""
        table = self.w["decoder.embedding"]
        if self.feed == "zero":
            return np.asarray(table[ZERO])
        if gold is not None:
            return np.asarray(table[gold])
        return np.asarray(table[chances.argmax()] if self.feed == "argmax" else chances @ table)

    def children(self, h: np.ndarray, c: np.ndarray, x: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
        gates = (
            x @ self.w["decoder.cells.0.input"] + h @ self.w["decoder.cells.0.above"] + self.w["decoder.cells.0.bias"]
        )
        states = []
        for side in np.split(gates, 2):
            i, f, o, u = np.split(side, 4)
            below = sigmoid(i) * np.tanh(u) + sigmoid(f) * c
            states.append((sigmoid(o) * np.tanh(below), below))
        return states

    def decode(self, target: TreeArrays, state: tuple[np.ndarray, np.ndarray], forced: bool) -> np.ndarray:
        """Probabilities at every node of a tree, (nodes, vocabulary), from the state of its root."""
        chances = np.zeros((len(target), len(self.w["decoder.embedding"])))
        open_nodes = [(0, state)]
        while open_nodes:
            node, (h, c) = open_nodes.pop()
            chances[node] = self.chances(h)
            if target.rights[node] > 0:
                x = self.fed(chances[node], int(target.values[node]) if forced else None)
                left, right = self.children(h, c, x)
                open_nodes += [(node + 1, left), (int(target.rights[node]), right)]
        return chances

    def grow(self, state: tuple[np.ndarray, np.ndarray], deepest: int) -> list[int]:
        """The free-running tree; below the deepest level only leaves may come."""
        chances = self.chances(state[0])
        allowed = [int(value) for value in chances.argsort()[::-1] if value != END and (value != ZERO or deepest)]
        if allowed[0] != ZERO:
            return [allowed[0]]
        x = self.fed(chances, ZERO if self.feed == "argmax" else None)
        left, right = self.children(*state, x)
        return [ZERO, *self.grow(left, deepest - 1), *self.grow(right, deepest - 1)]


def network(feed: str, **options: object) -> TreeToTree:
    torch.manual_seed(5)
    model = TreeToTree(ModelConfig(state=10, embedding=6, dropout=0, feed=feed, **options), len(VOCABULARY)).eval()  # type: ignore[arg-type]
    with torch.no_grad():  # larger embeddings: what is fed must make a difference
        model.decoder.embedding *= 8
        model.prediction.second.weight *= 4
    return model


@pytest.mark.parametrize("engine", ENGINES.values(), ids=ENGINES)
@pytest.mark.parametrize("forced", [False, True], ids=["predicted", "forced"])
@pytest.mark.parametrize("feed", ["zero", "argmax", "softmax"])
def test_every_engine_feeds_what_the_paper_feeds(feed: str, forced: bool, engine: Engine) -> None:
    model = network(feed)
    reference = Reference(model)
    with torch.no_grad():
        found = model(TreeBatch.of(ARRAYS), TreeBatch.of(PADDED), engine, forced=forced).exp().numpy()
    pairs = zip(ARRAYS, PADDED, strict=True)
    expected = np.concatenate([reference.decode(target, reference.start(tree), forced) for tree, target in pairs])
    assert np.allclose(found, expected, atol=1e-5)


def test_the_feed_makes_a_difference() -> None:
    source, target = TreeBatch.of(ARRAYS), TreeBatch.of(PADDED)
    with torch.no_grad():
        outputs = [
            network(feed)(source, target, ENGINES["levels"], forced=forced)
            for feed, forced in (("zero", False), ("argmax", False), ("softmax", False), ("argmax", True))
        ]
    for number, ours in enumerate(outputs):
        for theirs in outputs[:number]:
            assert not torch.allclose(ours, theirs, atol=1e-2)


@pytest.mark.parametrize("feed", ["zero", "argmax", "softmax"])
def test_free_running_feeds_the_prediction_too(feed: str) -> None:
    model = network(feed)
    with torch.no_grad():
        model.prediction.second.bias[ZERO] += 4.0  # so that trees have some nodes
    reference = Reference(model)
    found = generate(model, TreeBatch.of(ARRAYS), ENGINES["levels"], max_depth=4)
    assert found == [reference.grow(reference.start(tree), 4) for tree in ARRAYS]
    assert max(map(len, found)) > 20


FULL = {"layers": 2, "attention": True, "copying": True, "sibling": "subtree", "outside": True}


@pytest.mark.parametrize("options", [{"layers": 3}, {"sibling": "label"}, FULL], ids=["layers", "sibling", "attention"])
@pytest.mark.parametrize("feed", ["argmax", "softmax"])
def test_engines_agree_on_gradients(feed: str, options: dict[str, object]) -> None:
    source, target = TreeBatch.of(ARRAYS), TreeBatch.of(PADDED)
    results = []
    for engine in ENGINES.values():
        model = network(feed, **options)
        loss = masked_loss(model(source, target, engine), torch.from_numpy(target.values), 0.4, 0.8)
        loss.backward()  # type: ignore[no-untyped-call]
        results.append((loss.item(), {name: p.grad for name, p in model.named_parameters() if p.grad is not None}))
    for loss, gradients in results[1:]:
        assert loss == pytest.approx(results[0][0], rel=1e-4)
        for name, gradient in results[0][1].items():
            assert torch.allclose(gradients[name], gradient, atol=1e-3, rtol=1e-3), name


def test_gradients_flow_through_the_softmax_but_not_through_the_argmax() -> None:
    tree = TreeArrays.of(np.array([0, 3, 4], dtype=np.int32), TABLE)
    for feed, flows in (("softmax", True), ("argmax", False)):
        model = network(feed)
        scores = model(TreeBatch.of([tree]), TreeBatch.of([tree]), ENGINES["levels"])
        fed = model.fed(scores[:1])
        assert (torch.autograd.grad(fed.sum(), model.prediction.second.bias, allow_unused=True)[0] is not None) == flows


@pytest.mark.parametrize("engine", ENGINES.values(), ids=ENGINES)
def test_a_batch_of_leaves_can_be_learnt_from(engine: Engine) -> None:
    model = network("argmax")
    batch = TreeBatch.of([ARRAYS[1], ARRAYS[1]])
    masked_loss(model(batch, batch, engine), torch.from_numpy(batch.values)).backward()  # type: ignore[no-untyped-call]
    gradient = model.encoder.embedding.grad
    assert gradient is not None and gradient.abs().sum() > 0
