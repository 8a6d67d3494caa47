"""Scores of the sequence baseline, by the same names: positions are those of tokens."""

from __future__ import annotations

from collections.abc import Sequence

from texlift.network.sequence import SequenceToSequence
from texlift.training.dataset import TreePair, batches
from texlift.training.metrics import MODES, Score, TreeScore, score_tree, summarise

__all__ = ["evaluate_sequences"]


def evaluate_sequences(model: SequenceToSequence, pairs: Sequence[TreePair], budget: int = 12000) -> Score:
    """Free-running figures; a token is right if it stands at the right place of the sequence."""
    scores: list[TreeScore] = []
    for batch in batches(pairs, budget):
        predicted = model.generate([pair.generic for pair in batch])
        for pair, values in zip(batch, predicted, strict=True):
            gold = model.encode_text(pair.semantic)
            placed = (values + [-1] * len(gold))[: len(gold)]
            score = score_tree(placed, gold)
            exact = score.exact and len(values) == len(gold)
            scores.append(TreeScore(score.nodes, score.right, score.symbols, score.right_symbols, score.missing, exact))
    return summarise(scores, MODES[1])
