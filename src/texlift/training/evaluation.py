"""Run a trained network over pairs and score it, with the topology given or free-running."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import torch

from texlift.batching.padding import pad_to_hull
from texlift.batching.trees import TreeBatch
from texlift.network.engine import Engine
from texlift.network.generation import generate
from texlift.network.model import TreeToTree
from texlift.network.vocabulary import END
from texlift.training.dataset import TreePair, batches, clusters_of
from texlift.training.metrics import MODES, Score, TreeScore, aligned, score_tree, summarise

__all__ = ["evaluate_free_running", "evaluate_hull_given", "evaluate_topology_given", "identity_baseline", "sides"]


def sides(pairs: Sequence[TreePair], task: str) -> tuple[TreeBatch, TreeBatch]:
    """(inputs, outputs) of a batch for a task; an auto-encoder has one side twice."""
    sources = [pair.target if task == "autoencode-semantic" else pair.source for pair in pairs]
    targets = [pair.source if task == "autoencode-generic" else pair.target for pair in pairs]
    return TreeBatch.of(sources), TreeBatch.of(targets)


@torch.no_grad()
def evaluate_topology_given(
    model: TreeToTree, pairs: Sequence[TreePair], engine: Engine, task: str = "translate", budget: int = 8000
) -> Score:
    """The decoder runs over the positions of the right answer and predicts each value."""
    return summarise(_given(model, pairs, engine, task, budget), MODES[0])


@torch.no_grad()
def evaluate_hull_given(
    model: TreeToTree, pairs: Sequence[TreePair], engine: Engine, task: str = "translate", budget: int = 8000
) -> Score:
    """The paper's protocol to the letter: the pairs are clustered, answers padded with `y_end` to their hull.

    The network has to say `y_end` where the answer has no node, so it must have been trained with padding. A state
    depends on the way from the root alone: what is predicted at the nodes of the answer is what it was without.
    """
    scores: list[TreeScore] = []
    for members, _ in clusters_of(pairs):
        answers = [pair.source if task == "autoencode-generic" else pair.target for pair in members]
        targets = pad_to_hull(answers, END)
        if task != "translate":
            members = [replace(pair, source=answer) for pair, answer in zip(members, answers, strict=True)]
        padded = [replace(pair, target=target) for pair, target in zip(members, targets, strict=True)]
        scores += _given(model, padded, engine, "translate", budget)
    return summarise(scores, MODES[2])


def _given(model: TreeToTree, pairs: Sequence[TreePair], engine: Engine, task: str, budget: int) -> list[TreeScore]:
    model.eval()
    scores: list[TreeScore] = []
    for batch in batches(pairs, budget):
        source, target = sides(batch, task)
        chosen = model(source, target, engine).argmax(dim=1).tolist()
        gold = target.values.tolist()
        scores += [score_tree(chosen[a:b], gold[a:b]) for a, b in pairwise(target.starts.tolist())]
    return scores


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
