"""Scores of the sequence baseline, by the same names: positions are those of tokens."""

from __future__ import annotations

from collections.abc import Sequence

from texlift_paper.network.sequence import SequenceToSequence
from texlift_paper.training.dataset import TreePair
from texlift_paper.training.evaluation import Scores
from texlift_paper.training.metrics import TreeScore, score_tree
from texlift_paper.training.minibatches import batches

__all__ = ["evaluate_sequences"]


def evaluate_sequences(model: SequenceToSequence, pairs: Sequence[TreePair], budget: int = 12000) -> Scores:
    """Free-running figures; a token is right if it stands at the right place of the sequence."""
    scores: Scores = {}
    for batch in batches(pairs, budget):
        predicted = model.generate([pair.generic for pair in batch])
        for pair, values in zip(batch, predicted, strict=True):
            gold = model.encode_text(pair.semantic)
            placed = (values + [-1] * len(gold))[: len(gold)]
            score = score_tree(placed, gold)
            exact = score.exact and len(values) == len(gold)
            counts = (score.nodes, score.right, score.symbols, score.right_symbols, score.missing)
            scores[pair] = TreeScore(*counts, exact)
    return scores
