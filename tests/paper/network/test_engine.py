"""All engines give the same loss and gradients."""

from __future__ import annotations

import gc

import numpy as np
import pytest
import torch

from texlift.latex.binary import parse_binary
from texlift_paper.batching.trees import SubtreeTable, TreeArrays, TreeBatch
from texlift_paper.network.cluster_engine import ClusterEngine
from texlift_paper.network.engine import Engine
from texlift_paper.network.engines import ENGINES
from texlift_paper.network.level_engine import LevelEngine
from texlift_paper.network.loss import masked_loss
from texlift_paper.network.model import ModelConfig, TreeToTree
from texlift_paper.network.tree_engine import TreeEngine
from texlift_paper.network.vocabulary import Vocabulary

FORMULAE = [
    r"\frac{2a}{n+\sqrt{2}}+\sqrt{3}",
    r"x",
    r"\Gamma\left(z+1\right)=z\Gamma\left(z\right)",
    r"\sum_{k=0}^{n}{n\choose k}x^{k}",
    r"a+b",
    r"\frac{\frac{a}{b}}{c}+1",
]
TABLE = SubtreeTable()
TREES = [parse_binary(formula) for formula in FORMULAE]
VOCABULARY = Vocabulary.of(TREES)
ARRAYS = [TreeArrays.of(VOCABULARY.numbers(tree), TABLE) for tree in TREES]
CONFIGS = {
    "plain": ModelConfig(state=12, embedding=8, dropout=0),
    "three layers": ModelConfig(state=12, embedding=8, layers=3, dropout=0),
    "smaller decoder": ModelConfig(state=12, decoder_state=7, embedding=8, dropout=0),
    "gru": ModelConfig(cell="gru", state=12, embedding=8, layers=2, dropout=0, sibling="subtree"),
    "sibling label": ModelConfig(state=12, embedding=8, dropout=0, sibling="label"),
    "attention": ModelConfig(
        state=12, embedding=8, layers=2, dropout=0, attention=True, copying=True, sibling="subtree", outside=True
    ),
}


def loss_and_gradients(model: TreeToTree, engine: Engine) -> tuple[float, list[torch.Tensor]]:
    source, target = TreeBatch.of(ARRAYS), TreeBatch.of(ARRAYS[::-1])
    model.zero_grad()
    loss = masked_loss(model(source, target, engine), torch.from_numpy(target.values), 0.4, 0.8)
    loss.backward()
    return loss.item(), [torch.zeros_like(p) if p.grad is None else p.grad.clone() for p in model.parameters()]


@pytest.mark.parametrize("config", CONFIGS.values(), ids=CONFIGS)
@pytest.mark.parametrize("engine", [LevelEngine(TABLE), ClusterEngine()], ids=["levels", "clusters"])
def test_engines_agree_with_one_tree_at_a_time(config: ModelConfig, engine: Engine) -> None:
    torch.manual_seed(3)
    model = TreeToTree(config, len(VOCABULARY))
    expected, expected_gradients = loss_and_gradients(model, TreeEngine())
    loss, gradients = loss_and_gradients(model, engine)
    assert loss == pytest.approx(expected, rel=1e-5)
    for ours, theirs in zip(gradients, expected_gradients, strict=True):
        assert torch.allclose(ours, theirs, atol=1e-4, rtol=1e-4)


def test_equal_subtrees_are_encoded_once() -> None:
    from texlift_paper.batching.levels import up_plan

    batch = TreeBatch.of([ARRAYS[0]] * 50)
    assert len(up_plan(batch, TABLE).values) == len(np.unique(ARRAYS[0].subtrees))


def test_a_long_row_does_not_exhaust_the_stack() -> None:
    tree = TreeArrays.of(np.array([0, 3] * 5000 + [3], dtype=np.int32), TABLE)
    model = TreeToTree(ModelConfig(state=4, embedding=4, dropout=0), len(VOCABULARY))
    batch = TreeBatch.of([tree])
    loss = masked_loss(model(batch, batch, LevelEngine(TABLE)), torch.from_numpy(batch.values))
    loss.backward()
    assert torch.isfinite(loss)


@pytest.mark.parametrize("feed", ["zero", "softmax"])
def test_a_batch_is_freed_without_the_garbage_collector(feed: str) -> None:
    model = TreeToTree(ModelConfig(state=8, embedding=4, dropout=0, feed=feed), len(VOCABULARY))
    batch = TreeBatch.of(ARRAYS)
    gc.collect()
    gc.disable()
    try:
        before = sum(type(thing) is torch.Tensor for thing in gc.get_objects())
        for _ in range(3):
            model(batch, batch, LevelEngine(TABLE)).sum().backward()
        model.zero_grad(set_to_none=True)
        assert sum(type(thing) is torch.Tensor for thing in gc.get_objects()) <= before
    finally:
        gc.enable()


@pytest.mark.parametrize("config", CONFIGS.values(), ids=CONFIGS)
@pytest.mark.parametrize("engine", ENGINES)
def test_everything_is_made_on_the_device_of_the_model(config: ModelConfig, engine: str) -> None:
    """The device "meta" computes shapes only, and refuses to mix with others as a graphics card would."""
    with torch.device("meta"):
        model = TreeToTree(config, len(VOCABULARY))
        source, target = TreeBatch.of(ARRAYS[1:5:3]), TreeBatch.of(ARRAYS[4:0:-3])  # it is slow: small trees only
        scores = model(source, target, ENGINES[engine](TABLE))
        masked_loss(scores, torch.as_tensor(target.values)).backward()
    assert scores.shape == (len(target), len(VOCABULARY))
    assert all(p.grad is None or p.grad.device.type == "meta" for p in model.parameters())
