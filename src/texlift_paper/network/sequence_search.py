"""Free-running generation of token sequences: the most likely token each time, or beam search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from texlift_paper.network.sequence import SequenceModel, Source
from texlift_paper.network.vocabulary import END, UNKNOWN, ZERO

__all__ = ["MAX_TOKENS", "Written", "write"]

MAX_TOKENS = 400


@dataclass(frozen=True, slots=True)
class Written:
    """An answer: its tokens, with numbers put back and unknown tokens taken from where the network looked; its
    log-probability; and for each token the attention over the tokens of the source, (tokens, source tokens)."""

    tokens: tuple[str, ...]
    score: float
    source: Source
    raw: tuple[str, ...]
    attention: Tensor


@torch.no_grad()
def write(model: SequenceModel, texts: Sequence[str], beam: int = 1, longest: int = MAX_TOKENS) -> list[Written]:
    """The best answer to each formula.

    With a beam, so many beginnings of answers are kept for each formula and the likeliest complete one is the answer.
    """
    model.eval()
    sources = [model.source(text) for text in texts]
    memory, cache = model.read(sources)
    count, width = len(texts), memory.sources.shape[1]
    rows = torch.arange(count).repeat_interleave(beam)
    memory, cache = memory.rows(rows), [part[rows] for part in cache]
    totals = memory.states.new_full((count, beam), -torch.inf)
    totals[:, 0] = 0.0  # all beginnings of a formula are the same before the first token
    token = torch.full((count * beam, 1), ZERO)
    done = torch.zeros(count * beam, dtype=torch.bool)
    tokens = torch.empty(count * beam, 0, dtype=torch.int64)
    looks = memory.states.new_empty(count * beam, 0, width)
    for _ in range(min(longest, 2 * width + 20)):
        states, cache = model.advance(token, cache, memory)
        scores, weights = model.scores(states, memory)
        scores = scores[:, 0]
        scores[:, ZERO] = -torch.inf
        scores[done] = -torch.inf
        scores[done, END] = 0.0  # what is complete stays as it is
        size = scores.shape[1]
        totals, chosen = (totals.view(-1, 1) + scores).view(count, beam * size).topk(beam, dim=1)
        parents = (torch.arange(count).unsqueeze(1) * beam + chosen // size).view(-1)
        token = (chosen % size).view(-1, 1)
        if beam > 1:
            cache, done = [part[parents] for part in cache], done[parents]
            tokens, looks, weights = tokens[parents], looks[parents], weights[parents]
        tokens = torch.cat((tokens, token), dim=1)
        looks = torch.cat((looks, weights), dim=1)
        done = done | (token[:, 0] == END)
        if done.view(count, beam)[:, 0].all():  # log-probabilities only fall: nothing can overtake the first
            break
    best = slice(0, count * beam, beam)
    return [
        _written(model, source, listed, float(total), attention)
        for source, listed, total, attention in zip(
            sources, tokens[best].tolist(), totals[:, 0], looks[best], strict=True
        )
    ]


def _written(model: SequenceModel, source: Source, numbers: list[int], score: float, attention: Tensor) -> Written:
    if END in numbers:
        numbers = numbers[: numbers.index(END)]
    attention = attention[: len(numbers), : len(source.tokens)]
    labels = model.vocabulary.labels
    raw = tuple(
        source.tokens[int(attention[place].argmax())] if number == UNKNOWN and len(source.tokens) else labels[number]
        for place, number in enumerate(numbers)
    )
    return Written(tuple(source.numbers.show(raw)), score, source, raw, attention)
