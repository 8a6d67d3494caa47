"""Free-running generation."""

from __future__ import annotations

import pytest
import torch

from texlift.latex.binary import BinaryTree, parse_binary
from texlift_paper.batching.trees import SubtreeTable, TreeArrays, TreeBatch
from texlift_paper.network.generation import generate
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
