"""Free-running generation."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from texlift.latex.binary import BinaryTree, parse_binary
from texlift_paper.batching.trees import SubtreeTable, TreeArrays, TreeBatch
from texlift_paper.network.generation import generate, grow
from texlift_paper.network.level_engine import LevelEngine
from texlift_paper.network.loss import masked_loss
from texlift_paper.network.model import ModelConfig, TreeToTree
from texlift_paper.network.vocabulary import Vocabulary

FORMULAE = [r"\frac{2a}{n}+1", "x", r"a+b", r"\sqrt{x}y"]
TABLE = SubtreeTable()
TREES = [parse_binary(formula) for formula in FORMULAE]
VOCABULARY = Vocabulary.of(TREES)
BATCH = TreeBatch.of([TreeArrays.of(VOCABULARY.numbers(tree), TABLE) for tree in TREES])
ENGINE = LevelEngine(TABLE)
CONFIGS = {
    "plain": ModelConfig(state=24, embedding=12, dropout=0),
    "two layers, label": ModelConfig(state=24, embedding=12, layers=2, dropout=0, sibling="label"),
    "gru": ModelConfig(cell="gru", state=24, embedding=12, layers=2, dropout=0, sibling="subtree"),
    "attention": ModelConfig(
        state=24, embedding=12, layers=2, dropout=0, attention=True, copying=True, sibling="subtree", outside=True
    ),
}


@pytest.mark.parametrize("config", CONFIGS.values(), ids=CONFIGS)
def test_what_was_learned_is_generated(config: ModelConfig) -> None:
    torch.manual_seed(0)
    model = TreeToTree(config, len(VOCABULARY))
    optimiser = torch.optim.Adam(model.parameters(), lr=2e-2)
    targets = torch.from_numpy(BATCH.values)
    for _ in range(150):
        model.train()
        loss = masked_loss(model(BATCH, BATCH, ENGINE), targets)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    assert loss.item() < 0.5
    generated = [VOCABULARY.tree(values) for values in generate(model, BATCH, ENGINE)]
    assert generated == TREES


@pytest.mark.parametrize("config", CONFIGS.values(), ids=CONFIGS)
def test_an_untrained_network_stops(config: ModelConfig) -> None:
    torch.manual_seed(0)
    model = TreeToTree(config, len(VOCABULARY))
    with torch.no_grad():
        model.prediction.second.bias[0] = 20.0  # it only wants to go on
    for values in generate(model, BATCH, ENGINE, max_nodes=41):
        assert len(values) <= 41
        BinaryTree(VOCABULARY.tree(values).labels)
    for values in generate(model, BATCH, ENGINE, max_depth=3):
        assert len(values) <= 15


@pytest.mark.parametrize("config", CONFIGS.values(), ids=CONFIGS)
def test_beam_search_finds_what_trying_everything_finds(config: ModelConfig) -> None:
    """With a beam as wide as the number of trees of a size, nothing is cut off: the answer is the likeliest tree."""
    torch.manual_seed(1)
    model = TreeToTree(config, len(VOCABULARY)).eval()
    with torch.no_grad():
        model.prediction.second.bias[0] = 1.5  # inner nodes are as likely as leaves
    source = TreeBatch.of([TreeArrays.of(VOCABULARY.numbers(TREES[2]), TABLE)])
    leaves = range(2, len(VOCABULARY))  # "unknown" is a value too
    shapes = [[value] for value in leaves]
    shapes += [[0, a, b] for a in leaves for b in leaves]
    batch = TreeBatch.of([TreeArrays.of(np.array(values, dtype=np.int32), TABLE) for values in shapes])
    with torch.no_grad():
        many = TreeBatch.of([source.trees[0]] * len(shapes))
        scores = model(many, batch, ENGINE).gather(1, torch.from_numpy(batch.values).unsqueeze(1)).squeeze(1)
    totals = [float(part.sum()) for part in scores.split(batch.sizes.tolist())]
    (wide,) = grow(model, source, ENGINE, max_nodes=4, beam=len(shapes))
    if config.feed == "zero":
        assert wide.values == shapes[totals.index(max(totals))]
        assert wide.score == pytest.approx(max(totals), abs=1e-4)
    (narrow,) = grow(model, source, ENGINE, max_nodes=4)
    assert narrow.score <= wide.score + 1e-5


@pytest.mark.parametrize("beam", [1, 4])
@pytest.mark.parametrize("config", CONFIGS.values(), ids=CONFIGS)
def test_a_tree_grows_the_same_alone_and_in_a_batch(config: ModelConfig, beam: int) -> None:
    torch.manual_seed(4)
    model = TreeToTree(config, len(VOCABULARY))
    together = grow(model, BATCH, ENGINE, max_nodes=30, beam=beam)
    for tree, expected in zip(BATCH.trees, together, strict=True):
        (alone,) = grow(model, TreeBatch.of([tree]), ENGINE, max_nodes=30, beam=beam)
        assert alone.values == expected.values
        assert alone.score == pytest.approx(expected.score, abs=1e-4)
        assert (alone.attention is None) == (model.attention is None)
        if alone.attention is not None:
            assert alone.attention.shape == (len(alone.values), len(tree))
