"""Scores of the networks over tokens, by the same names: positions are those of tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import torch

from texlift_paper.network.sequence import SequenceModel
from texlift_paper.network.sequence_search import write
from texlift_paper.network.tokens import latex_of, tokens_of
from texlift_paper.training.dataset import TreePair
from texlift_paper.training.evaluation import Scores
from texlift_paper.training.metrics import TreeScore, score_tree
from texlift_paper.training.minibatches import batches

__all__ = ["prefix_given", "written"]

_NODES = 12000  # that are computed at once
_FIRST = 3  # numbers of tokens here; the smaller ones have meanings in metrics


@torch.no_grad()
def prefix_given(model: SequenceModel, pairs: Sequence[TreePair]) -> Scores:
    """Each token is predicted behind the right ones, the end of the formula too."""
    model.eval()
    scores: Scores = {}
    for batch in batches(pairs, _NODES):
        texts = [(pair.generic, pair.semantic) for pair in batch]
        targets = model.targets(texts)
        found = model(texts)
        gold = torch.tensor([token for target in targets for token in target])
        surprise = -found.gather(1, gold.unsqueeze(1)).squeeze(1)
        chosen = found.argmax(dim=1).tolist()
        at = 0
        for pair, target in zip(batch, targets, strict=True):
            score = score_tree(chosen[at : at + len(target)], target)
            scores[pair] = replace(score, surprise=float(surprise[at : at + len(target)].sum()))
            at += len(target)
    return scores


def written(model: SequenceModel, pairs: Sequence[TreePair], beam: int = 1) -> Scores:
    """Free-running: a token is right if it stands at the right place of the sequence."""
    scores: Scores = {}
    for batch in batches(pairs, _NODES // beam):
        for pair, answer in zip(batch, write(model, [pair.generic for pair in batch], beam), strict=True):
            scores[pair] = _score(answer.tokens, tokens_of(pair.semantic), pair.semantic)
    return scores


def _score(answer: Sequence[str], right: Sequence[str], semantic: str) -> TreeScore:
    numbers: dict[str, int] = {}
    gold = [numbers.setdefault(token, _FIRST + len(numbers)) for token in right]
    given = [numbers.get(token, -1) for token in answer]
    placed = (given + [-1] * len(gold))[: len(gold)]
    score = score_tree(placed, gold)
    exact = tuple(answer) == tuple(right)
    return replace(score, exact=exact, texts=(semantic, semantic if exact else latex_of(answer)))
