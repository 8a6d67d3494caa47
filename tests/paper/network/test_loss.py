"""The mask of the loss, by hand, and what it is for."""

from __future__ import annotations

import pytest
import torch

from texlift.latex.binary import parse_binary
from texlift_paper.batching.padding import pad_to_hull
from texlift_paper.batching.trees import SubtreeTable, TreeArrays, TreeBatch
from texlift_paper.network.level_engine import LevelEngine
from texlift_paper.network.loss import loss_mask, masked_loss
from texlift_paper.network.model import ModelConfig, TreeToTree
from texlift_paper.network.vocabulary import END, ZERO, Vocabulary


def test_mask_is_the_papers() -> None:
    targets = torch.tensor([0, 0, 0, 0, 3])
    counts = torch.bincount(targets, minlength=4)
    right = torch.tensor([True, False, True, True, False])
    mask = loss_mask(targets, right, alpha=0.5, beta=0.5, counts=counts)
    assert mask.tolist() == pytest.approx([0.25, 0.5, 0.25, 0.25, 1.0])
    assert loss_mask(targets, None, 0.0, 1.0, counts).tolist() == [1.0] * 5
    assert loss_mask(targets, None, 1.0, 1.0, counts)[0].item() == pytest.approx(0.25)


def test_loss_is_a_sum() -> None:
    scores = torch.log_softmax(torch.randn(6, 4), dim=1)
    targets = torch.tensor([0, 1, 2, 3, 0, 0])
    single = [masked_loss(scores[i : i + 1], targets[i : i + 1]).item() for i in range(6)]
    assert masked_loss(scores, targets).item() == pytest.approx(sum(single), rel=1e-5)
    weights = torch.tensor([1.0, 0, 0, 0, 0, 1])
    assert masked_loss(scores, targets, weights=weights).item() == pytest.approx(single[0] + single[5], rel=1e-5)


def symbols_predicted(alpha: float) -> float:
    """Train a small network on a cluster padded to its hull; the share of symbols (not 0, not y_end) it predicts."""
    torch.manual_seed(1)
    formulae = [r"\frac{2a}{n+\sqrt{2}}+\sqrt{3}", "x", r"a+b=c", r"\sum_{k=0}^{n}k", r"((a))", r"\sqrt{\sqrt{x}}y"]
    trees = [parse_binary(formula) for formula in formulae]
    vocabulary, table = Vocabulary.of(trees), SubtreeTable()
    batch = TreeBatch.of([TreeArrays.of(vocabulary.numbers(tree), table) for tree in trees])
    padded = TreeBatch.of(pad_to_hull(batch.trees, END))
    targets = torch.from_numpy(padded.values)
    symbols = (targets != ZERO) & (targets != END)
    assert symbols.float().mean() < 0.3  # most of a padded cluster is zeros and y_end
    model = TreeToTree(ModelConfig(state=16, embedding=8, dropout=0), len(vocabulary))
    optimiser = torch.optim.RMSprop(model.parameters(), lr=3e-3)
    for _ in range(12):
        scores = model(batch, padded, LevelEngine(table))
        loss = masked_loss(scores, targets, alpha, 1.0)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    predicted = scores.argmax(dim=1)[symbols]
    return float(((predicted != ZERO) & (predicted != END)).float().mean())


def test_the_mask_prevents_the_collapse_to_zeros_and_padding() -> None:
    assert symbols_predicted(alpha=0.0) < 0.05
    assert symbols_predicted(alpha=0.8) > 0.5
