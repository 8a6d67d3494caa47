"""Sequence-to-sequence networks over tokens, with attention and copying and without trees: what all of them share.

An architecture encodes the source and advances the decoder by some tokens; it is a file with one class and a line in
`sequence_kinds.py`. What it has to remember between tokens is a list of tensors with one row a formula, so that beam
search can reorder it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from texlift_paper.network.tokens import Numbers, tokens_of
from texlift_paper.network.vocabulary import END, ZERO, Vocabulary

__all__ = ["Cache", "SequenceConfig", "SequenceModel", "Source", "SourceMemory", "padded", "positions"]

Cache = list[Tensor]
"""What a decoder remembers, one row a formula."""


@dataclass(frozen=True, slots=True)
class SequenceConfig:
    """The shape of a network over tokens."""

    architecture: str = "lstm"
    state: int = 192
    embedding: int = 128
    layers: int = 1
    """Of the encoder and of the decoder; the LSTM has one of each."""
    heads: int = 4
    """Of the transformer."""
    kernel: int = 3
    """Tokens that a convolution sees; an odd number."""
    dropout: float = 0.1

    def __post_init__(self) -> None:
        if min(self.state, self.embedding, self.layers, self.heads) < 1 or not 0 <= self.dropout < 1:
            raise ValueError("state, embedding, layers and heads must be positive, dropout in [0, 1)")
        if self.kernel < 1 or self.kernel % 2 == 0:
            raise ValueError("kernel must be odd")
        if self.state % 2 or (self.architecture == "transformer" and self.state % (2 * self.heads)):
            raise ValueError("state must be even, and a multiple of twice the heads of a transformer")


@dataclass(frozen=True, slots=True)
class Source:
    """A formula as a network reads it: its tokens, and the numbers that are hidden in them."""

    tokens: tuple[str, ...]
    numbers: Numbers

    @classmethod
    def of(cls, text: str, placeholders: bool = False) -> Source:
        tokens = tokens_of(text)
        if not placeholders:
            return cls(tokens, Numbers())
        numbers = Numbers.of(tokens)
        return cls(tuple(numbers.hide(tokens)), numbers)


@dataclass(frozen=True, slots=True)
class SourceMemory:
    """The encoded sources: states (n, longest, state), numbers of their tokens (n, longest), and whatever the
    architecture keeps for its layers, one row a formula."""

    states: Tensor
    sources: Tensor
    layers: tuple[Tensor, ...] = ()

    @property
    def padding(self) -> Tensor:
        """(n, longest), true behind the end of a source."""
        return self.sources == ZERO

    def rows(self, index: Tensor) -> SourceMemory:
        """Some formulae, or some of them several times."""
        return SourceMemory(self.states[index], self.sources[index], tuple(layer[index] for layer in self.layers))


def padded(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
    """(n, longest) filled up with ZERO, and the lengths (n,)."""
    tensors = [torch.tensor(list(sequence) or [ZERO]) for sequence in sequences]
    lengths = torch.tensor([len(tensor) for tensor in tensors])
    return nn.utils.rnn.pad_sequence(tensors, batch_first=True), lengths


def positions(first: int, count: int, size: int) -> Tensor:
    """Sines and cosines of the positions from `first` on, (count, size)."""
    places = torch.arange(first, first + count, dtype=torch.float32).unsqueeze(1)
    rates = torch.exp(torch.arange(0, size, 2, dtype=torch.float32) * (-9.21034 / size))  # down to 1 / 10,000
    return torch.stack((torch.sin(places * rates), torch.cos(places * rates)), dim=2).flatten(1)[:, :size]


class SequenceModel(nn.Module):
    """Token sequences in, token sequences out; prediction mixed with copying the tokens attended to."""

    def __init__(self, config: SequenceConfig, vocabulary: Vocabulary, placeholders: bool = False) -> None:
        super().__init__()
        self.config = config
        self.vocabulary = vocabulary
        self.placeholders = placeholders
        self.embedding = nn.Embedding(len(vocabulary), config.embedding)
        self.build()
        state = config.state
        self.query = nn.Linear(state, state, bias=False)
        self.mixer = nn.Linear(2 * state, state)
        self.output = nn.Linear(state, len(vocabulary))
        self.gate = nn.Linear(state, 1)
        self.dropout = nn.Dropout(config.dropout)

    # -- an architecture has these -------------------------------------------------------------------------

    def build(self) -> None:
        """Make the layers of encoder and decoder."""
        raise NotImplementedError

    def encode(self, sources: Tensor, lengths: Tensor) -> tuple[SourceMemory, Cache]:
        """Sources (n, longest) to what the decoder looks at, and what it remembers before its first token."""
        raise NotImplementedError

    def advance(self, tokens: Tensor, cache: Cache, memory: SourceMemory) -> tuple[Tensor, Cache]:
        """The decoder's states behind each of the next tokens (n, t), as (n, t, state), and what it remembers then."""
        raise NotImplementedError

    # -- all architectures ---------------------------------------------------------------------------------

    def source(self, text: str) -> Source:
        """A formula as this network reads it."""
        return Source.of(text, self.placeholders)

    def numbers(self, tokens: Sequence[str]) -> list[int]:
        """Tokens as numbers."""
        return [self.vocabulary.number(token) for token in tokens]

    def targets(self, pairs: Sequence[tuple[str, str]]) -> list[list[int]]:
        """The right tokens of some pairs' answers, each with END behind them."""
        found = []
        for generic, semantic in pairs:
            tokens: Sequence[str] = tokens_of(semantic)
            if self.placeholders:
                tokens = self.source(generic).numbers.hide(tokens)
            found.append([*self.numbers(tokens), END])
        return found

    def read(self, sources: Sequence[Source]) -> tuple[SourceMemory, Cache]:
        """Encode some formulae."""
        return self.encode(*padded([self.numbers(source.tokens) for source in sources]))

    def forward(self, pairs: Sequence[tuple[str, str]]) -> Tensor:
        """Teacher forcing: log-probabilities of all tokens of the answers, (tokens, vocabulary)."""
        memory, cache = self.read([self.source(generic) for generic, _ in pairs])
        targets = self.targets(pairs)
        inputs, lengths = padded([[ZERO, *target[:-1]] for target in targets])
        states, _ = self.advance(inputs, cache, memory)
        own = torch.arange(inputs.shape[1]).unsqueeze(0) < lengths.unsqueeze(1)
        return self.scores(states, memory)[0][own]

    def scores(self, states: Tensor, memory: SourceMemory) -> tuple[Tensor, Tensor]:
        """States (n, q, state) to log-probabilities (n, q, vocabulary) and attention (n, q, longest)."""
        weights = torch.bmm(self.query(states), memory.states.transpose(1, 2))
        weights = weights.masked_fill(memory.padding.unsqueeze(1), -1e9).softmax(dim=2)
        mixed = torch.tanh(self.mixer(torch.cat((states, torch.bmm(weights, memory.states)), dim=2)))
        share = torch.sigmoid(self.gate(mixed))
        chances = self.output(self.dropout(mixed)).softmax(dim=2) * share
        index = memory.sources.unsqueeze(1).expand(-1, states.shape[1], -1)
        mixture: Tensor = chances.scatter_add(2, index, weights * (1 - share))
        return mixture.clamp_min(1e-9).log(), weights
