"""Run a trained network over pairs and score it: topology given, on hulls, free-running; and copying beside it.

Pairs are posed for their task (`TreePair.posed`). Scores come back per pair, so that those of a part can be summed up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

import torch

from texlift_paper.batching.trees import TreeArrays, TreeBatch
from texlift_paper.network.engine import Engine
from texlift_paper.network.generation import generate
from texlift_paper.network.model import TreeToTree
from texlift_paper.network.vocabulary import END
from texlift_paper.training.dataset import TreePair
from texlift_paper.training.metrics import TreeScore, aligned, score_tree
from texlift_paper.training.minibatches import Clusters, batches

__all__ = ["Scores", "copied", "copied_on_hulls", "free_running", "hull_given", "sides", "topology_given"]

Scores = dict[TreePair, TreeScore]
_NODES = 8000  # that are computed at once
_TREES = 96  # that grow at once


def sides(pairs: Sequence[TreePair]) -> tuple[TreeBatch, TreeBatch]:
    """(questions, answers) of a batch."""
    return TreeBatch.of([pair.source for pair in pairs]), TreeBatch.of([pair.target for pair in pairs])


@torch.no_grad()
def topology_given(model: TreeToTree, pairs: Iterable[TreePair], engine: Engine) -> Scores:
    """The decoder runs over the positions of the right answer and predicts each value."""
    return _given(model, {pair: pair for pair in pairs}, engine)


@torch.no_grad()
def hull_given(model: TreeToTree, clusters: Clusters, engine: Engine) -> Scores:
    """The paper's protocol to the letter: the pairs are clustered, answers padded with `y_end` to their hull.

    The network has to say `y_end` where the answer has no node. What is predicted at the nodes of the answer is what it
    was without padding: a state depends on the way from the root alone.
    """
    return _given(model, {clusters.padded(pair): pair for pair in clusters.numbers}, engine)


def _given(model: TreeToTree, pairs: dict[TreePair, TreePair], engine: Engine) -> Scores:
    """Scores of pairs, given as {pair as it is run: pair it stands for}."""
    model.eval()
    scores: Scores = {}
    for batch in batches(list(pairs), _NODES):
        source, target = sides(batch)
        found = model(source, target, engine)
        chosen = found.argmax(dim=1).tolist()
        surprise = -found.gather(1, torch.as_tensor(target.values).unsqueeze(1)).squeeze(1)
        gold = target.values.tolist()
        for pair, (start, end) in zip(batch, pairwise(target.starts.tolist()), strict=True):
            score = score_tree(chosen[start:end], gold[start:end])
            scores[pairs[pair]] = replace(score, surprise=float(surprise[start:end].sum()))
    return scores


def free_running(
    model: TreeToTree, pairs: Sequence[TreePair], engine: Engine, text: Callable[[list[int]], str], beam: int = 1
) -> Scores:
    """The decoder grows its own tree; a node is right if it has the right value at the right position.

    `text` writes the values of a tree as LaTeX.
    """
    scores: Scores = {}
    at_once = max(1, _TREES // beam)
    for batch in batches(pairs, _NODES):
        for group in (batch[i : i + at_once] for i in range(0, len(batch), at_once)):
            source, _ = sides(group)
            for pair, values in zip(group, generate(model, source, engine, beam=beam), strict=True):
                gold = pair.target.values.tolist()
                score = score_tree(aligned(values, gold), gold, values)
                scores[pair] = replace(score, texts=(pair.semantic, pair.semantic if score.exact else text(values)))
    return scores


def copied(pairs: Iterable[TreePair]) -> Scores:
    """What copying the question gives, by the same measures."""
    scores: Scores = {}
    for pair in pairs:
        values, gold = pair.source.values.tolist(), pair.target.values.tolist()
        score = score_tree(aligned(values, gold), gold, values, copied=True)
        scores[pair] = replace(score, texts=(pair.semantic, pair.generic))
    return scores


def copied_on_hulls(clusters: Clusters) -> Scores:
    """The same on hulls: the question's values at the positions of the hull, `y_end` where it has no node."""
    scores: Scores = {}
    for pair in clusters.numbers:
        hull = clusters.padded(pair).target
        scores[pair] = score_tree(_laid_over(pair.source, hull), hull.values.tolist(), copied=True)
    return scores


def _laid_over(tree: TreeArrays, hull: TreeArrays) -> list[int]:
    """The values of a tree at the positions of a padded one, `y_end` where it has no node."""
    values, rights, hull_rights = tree.values.tolist(), tree.rights.tolist(), hull.rights.tolist()
    found = [END] * len(hull_rights)
    stack = [(0, 0)]
    while stack:
        ours, theirs = stack.pop()
        found[theirs] = values[ours]
        if rights[ours] > 0 and hull_rights[theirs] > 0:
            stack += [(rights[ours], hull_rights[theirs]), (ours + 1, theirs + 1)]
    return found
