"""Run a trained network over pairs and score it, with the topology given or free-running."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import torch

from texlift.batching.trees import TreeBatch
from texlift.network.engine import Engine
from texlift.network.generation import generate
from texlift.network.model import TreeToTree
from texlift.training.dataset import TreePair, batches
from texlift.training.metrics import MODES, Score, TreeScore, aligned, score_tree, summarise

__all__ = ["evaluate_free_running", "evaluate_topology_given", "identity_baseline"]


def sides(pairs: Sequence[TreePair], task: str) -> tuple[TreeBatch, TreeBatch]:
    """(inputs, outputs) of a batch for a task; an auto-encoder has one side twice."""
    sources = [pair.target if task == "autoencode-semantic" else pair.source for pair in pairs]
    targets = [pair.source if task == "autoencode-generic" else pair.target for pair in pairs]
    return TreeBatch.of(sources), TreeBatch.of(targets)


@torch.no_grad()
def evaluate_topology_given(
    model: TreeToTree, pairs: Sequence[TreePair], engine: Engine, task: str = "translate", budget: int = 8000
) -> Score:
    """The paper's protocol: the decoder runs over the positions of the right answer and predicts each value."""
    model.eval()
    scores: list[TreeScore] = []
    for batch in batches(pairs, budget):
        source, target = sides(batch, task)
        chosen = model(source, target, engine).argmax(dim=1).tolist()
        gold = target.values.tolist()
        starts = target.starts.tolist()
        scores += [score_tree(chosen[a:b], gold[a:b]) for a, b in pairwise(starts)]
    return summarise(scores, MODES[0])


def evaluate_free_running(
    model: TreeToTree, pairs: Sequence[TreePair], engine: Engine, task: str = "translate", budget: int = 8000
) -> Score:
    """The decoder grows its own tree; a node is right if it has the right value at the right position."""
    model.eval()
    scores: list[TreeScore] = []
    for batch in batches(pairs, budget):
        for group in (batch[i : i + 96] for i in range(0, len(batch), 96)):
            source, target = sides(group, task)
            for values, tree in zip(generate(model, source, engine), target.trees, strict=True):
                gold = tree.values.tolist()
                scores.append(score_tree(aligned(values, gold), gold, values))
    return summarise(scores, MODES[1])


def identity_baseline(pairs: Sequence[TreePair]) -> Score:
    """What copying the input gives, by the same measures."""
    scores = []
    for pair in pairs:
        values, gold = pair.source.values.tolist(), pair.target.values.tolist()
        scores.append(score_tree(aligned(values, gold), gold, values, copied=True))
    return summarise(scores, MODES[1])
