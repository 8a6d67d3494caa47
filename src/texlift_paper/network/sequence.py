"""The sequence-to-sequence baseline: LSTMs over tokens with attention and copying, no trees."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from texlift.latex.lexer import tokenize
from texlift_paper.network.vocabulary import END, ZERO, Vocabulary

__all__ = ["SequenceToSequence", "token_numbers", "token_targets", "token_vocabulary", "tokens_of"]


def tokens_of(text: str) -> list[str]:
    """The tokens of a formula, without spaces."""
    return tokenize(text).texts


def token_vocabulary(texts: Sequence[str], at_least: int = 2) -> Vocabulary:
    """A vocabulary of tokens; ZERO begins a sequence and fills it up, END ends it."""
    counts: dict[str, int] = {}
    for text in texts:
        for token in tokens_of(text):
            counts[token] = counts.get(token, 0) + 1
    kept = sorted((token for token, count in counts.items() if count >= at_least), key=lambda token: -counts[token])
    return Vocabulary(["", "<END>", "<UNKNOWN>", *kept])


def token_numbers(text: str, vocabulary: Vocabulary) -> list[int]:
    """Numbers of the tokens of a formula."""
    return [vocabulary.number(token) for token in tokens_of(text)]


def token_targets(texts: Sequence[str], vocabulary: Vocabulary) -> list[list[int]]:
    """The right tokens of some answers, each with END behind them."""
    return [[*token_numbers(text, vocabulary), END] for text in texts]


class SequenceToSequence(nn.Module):
    """Token sequences in, token sequences out."""

    def __init__(self, state: int, embedding: int, dropout: float, vocabulary: Vocabulary) -> None:
        super().__init__()
        self.vocabulary = vocabulary
        size = len(vocabulary)
        self.embedding = nn.Embedding(size, embedding)
        self.encoder = nn.LSTM(embedding, state // 2, batch_first=True, bidirectional=True)
        self.decoder = nn.LSTM(embedding, state, batch_first=True)
        self.query = nn.Linear(state, state, bias=False)
        self.mixer = nn.Linear(2 * state, state)
        self.output = nn.Linear(state, size)
        self.gate = nn.Linear(state, 1)
        self.dropout = nn.Dropout(dropout)

    def encode_text(self, text: str) -> list[int]:
        """Numbers of the tokens of a formula."""
        return token_numbers(text, self.vocabulary)

    def forward(self, pairs: Sequence[tuple[str, str]]) -> Tensor:
        """Teacher forcing: log-probabilities of all tokens of the answers, (tokens, vocabulary)."""
        sources, lengths = self.padded([self.encode_text(generic) for generic, _ in pairs])
        targets = token_targets([semantic for _, semantic in pairs], self.vocabulary)
        inputs, _ = self.padded([[ZERO, *target[:-1]] for target in targets])
        memory, state = self.encode(sources, lengths)
        states, _ = self.decoder(self.dropout(self.embedding(inputs)), state)
        flat = torch.nonzero(
            torch.arange(inputs.shape[1]).unsqueeze(0) < torch.tensor([len(t) for t in targets]).unsqueeze(1)
        )
        return self.scores(states, memory, sources)[flat[:, 0], flat[:, 1]]

    @staticmethod
    def padded(sequences: list[list[int]]) -> tuple[Tensor, Tensor]:
        """(n, longest) filled up with ZERO, and the lengths (n,)."""
        tensors = [torch.tensor(sequence or [ZERO]) for sequence in sequences]
        lengths = torch.tensor([len(tensor) for tensor in tensors])
        return nn.utils.rnn.pad_sequence(tensors, batch_first=True), lengths

    def encode(self, sources: Tensor, lengths: Tensor) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        """Memory (n, longest, state) and the decoder's first state."""
        packed = nn.utils.rnn.pack_padded_sequence(
            self.dropout(self.embedding(sources)), lengths, batch_first=True, enforce_sorted=False
        )
        states, (h, c) = self.encoder(packed)
        memory, _ = nn.utils.rnn.pad_packed_sequence(states, batch_first=True, total_length=sources.shape[1])
        return memory, (torch.cat((h[0], h[1]), 1).unsqueeze(0), torch.cat((c[0], c[1]), 1).unsqueeze(0))

    def scores(self, states: Tensor, memory: Tensor, sources: Tensor) -> Tensor:
        """States (n, q, state) to log-probabilities (n, q, vocabulary), prediction and copying mixed."""
        weights = torch.bmm(self.query(states), memory.transpose(1, 2))
        weights = weights.masked_fill((sources == ZERO).unsqueeze(1), -1e9).softmax(dim=2)
        mixed = torch.tanh(self.mixer(torch.cat((states, torch.bmm(weights, memory)), dim=2)))
        share = torch.sigmoid(self.gate(mixed))
        chances = self.output(self.dropout(mixed)).softmax(dim=2) * share
        index = sources.unsqueeze(1).expand(-1, states.shape[1], -1)
        mixture: Tensor = chances.scatter_add(2, index, weights * (1 - share))
        return mixture.clamp_min(1e-9).log()

    @torch.no_grad()
    def generate(self, texts: Sequence[str], longest: int = 400) -> list[list[int]]:
        """The most likely tokens one by one, until END."""
        self.eval()
        sources, lengths = self.padded([self.encode_text(text) for text in texts])
        memory, state = self.encode(sources, lengths)
        token = torch.zeros(len(texts), 1, dtype=torch.int64)
        limit = min(longest, 2 * int(lengths.max()) + 20)
        out: list[list[int]] = [[] for _ in texts]
        going = torch.ones(len(texts), dtype=torch.bool)
        for _ in range(limit):
            states, state = self.decoder(self.embedding(token), state)
            token = self.scores(states, memory, sources).argmax(dim=2)
            for row in torch.nonzero(going).squeeze(1).tolist():
                value = int(token[row, 0])
                if value == END:
                    going[row] = False
                else:
                    out[row].append(value)
            if not going.any():
                break
        return out
