"""Measures over the texts of answers, as the 2023 paper reports them: BLEU and Levenshtein distance, of tokens."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from texlift.errors import FormulaError
from texlift_paper.network.tokens import tokens_of

__all__ = ["bleu", "levenshtein", "split_tokens"]

logger = logging.getLogger(__name__)


def split_tokens(text: str) -> tuple[str, ...]:
    """The tokens of an answer; one that cannot be split (a network may write anything) is a single token."""
    try:
        return tokens_of(text)
    except FormulaError:
        return (text,)


def bleu(texts: Sequence[tuple[str, str]]) -> float | None:
    """BLEU of (right answer, given answer), 0 to 100; None where sacrebleu is missing or there are no texts."""
    if not texts:
        return None
    try:
        import sacrebleu
    except ImportError:
        logger.warning("BLEU is left out: it needs sacrebleu (pip install 'texlift[train]')")
        return None
    right = [" ".join(split_tokens(gold)) for gold, _ in texts]
    given = [" ".join(split_tokens(answer)) for _, answer in texts]
    # the tokens are split already
    return float(sacrebleu.corpus_bleu(given, [right], tokenize="none", force=True).score)


def levenshtein(first: Sequence[str], second: Sequence[str]) -> int:
    """Tokens to insert, remove or replace."""
    if first == second:
        return 0
    row = list(range(len(second) + 1))
    for i, ours in enumerate(first, 1):
        diagonal, row[0] = row[0], i
        for j, theirs in enumerate(second, 1):
            change = diagonal + (ours != theirs)
            diagonal = row[j]
            row[j] = min(change, row[j] + 1, row[j - 1] + 1)
    return row[-1]
