"""Networks that choose a macro: a perceptron over bags of words, an LSTM over the symbols in order, and the
recursive network over the formula's tree (the paper's outlook).

All score every macro they know; whatever is no candidate for the symbol is then ruled out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor, nn

from texlift_paper.batching.trees import SubtreeTable, TreeArrays, TreeBatch
from texlift_paper.network.level_engine import LevelEngine
from texlift_paper.network.recursive import Decoder, Encoder, Shape

__all__ = ["KINDS", "BagClassifier", "Batch", "Classifier", "RecurrentClassifier", "RecursiveClassifier"]

KINDS = {
    "bag": "a perceptron over the symbol and the bag of words of the formula, as in the paper",
    "places": "the same with the words near the symbol, each with its place",
    "recurrent": "an LSTM over the symbols in order, with the words of `places` beside it",
    "recursive": "the recursive network over the formula's tree, with the words of `places` beside it",
}


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Choices of one batch. Words of all choices one after the other, `offsets` (choices,) where each begins.

    `trees` are the formulae, `formulae` (choices,) which tree a choice is in, `nodes` (choices,) the position of
    its symbol within that tree. `allowed` (choices, macros) marks the candidates of the symbol, `fitting` those of
    them that fit at its place.
    """

    words: Tensor
    weights: Tensor
    offsets: Tensor
    trees: tuple[TreeArrays, ...]
    formulae: Tensor
    nodes: Tensor
    allowed: Tensor
    fitting: Tensor
    targets: Tensor


class Classifier(nn.Module):
    """Scores (choices, macros), minus infinity for what is no candidate.

    In training, whole words are left out at random: no single word of a formula may decide alone.
    """

    def __init__(self, word_dropout: float = 0.0) -> None:
        super().__init__()
        self.word_dropout = nn.Dropout(word_dropout)

    def forward(self, batch: Batch) -> Tensor:
        """Scores of a batch."""
        batch = replace(batch, weights=self.word_dropout(batch.weights))
        return self.scores(batch).masked_fill(~batch.fitting, -torch.inf)

    def loss(self, batch: Batch) -> Tensor:
        """Cross-entropy: half of it among what fits, half among all candidates, which teach more about rare macros."""
        batch = replace(batch, weights=self.word_dropout(batch.weights))
        scores = self.scores(batch)
        right = nn.functional.one_hot(batch.targets, scores.shape[1]).bool()
        masks = (batch.allowed | right, batch.fitting | right)
        among = [nn.functional.cross_entropy(scores.masked_fill(~mask, -torch.inf), batch.targets) for mask in masks]
        return (among[0] + among[1]) / 2

    def scores(self, batch: Batch) -> Tensor:
        raise NotImplementedError


class BagClassifier(Classifier):
    """A perceptron with one to five hidden layers over the bag of words."""

    def __init__(
        self,
        words: int,
        macros: int,
        layers: int = 1,
        hidden: int = 256,
        dropout: float = 0.2,
        word_dropout: float = 0.0,
    ) -> None:
        super().__init__(word_dropout)
        if not 1 <= layers <= 5:
            raise ValueError("one to five hidden layers")
        self.first = nn.EmbeddingBag(words, hidden, mode="sum")
        nn.init.normal_(self.first.weight, std=0.05)
        self.bias = nn.Parameter(torch.zeros(hidden))
        self.hidden = nn.ModuleList(nn.Linear(hidden, hidden) for _ in range(layers - 1))
        self.last = nn.Linear(hidden, macros)
        self.dropout = nn.Dropout(dropout)

    def weights(self) -> list[tuple[Tensor, Tensor]]:
        """(weight, bias) of every layer; that of the first is (words, hidden)."""
        layers: list[tuple[Tensor, Tensor]] = [(self.first.weight, self.bias)]
        for layer in (*self.hidden, self.last):
            assert isinstance(layer, nn.Linear)
            layers.append((layer.weight, layer.bias))
        return layers

    def scores(self, batch: Batch) -> Tensor:
        x = self.first(batch.words, batch.offsets, per_sample_weights=batch.weights) + self.bias
        for layer in self.hidden:
            x = layer(self.dropout(torch.relu(x)))
        scores: Tensor = self.last(self.dropout(torch.relu(x)))
        return scores


class RecurrentClassifier(Classifier):
    """An LSTM in both directions over the leaves; the state at the symbol decides, with the bag beside it."""

    def __init__(
        self,
        words: int,
        macros: int,
        vocabulary: int,
        state: int = 96,
        hidden: int = 256,
        dropout: float = 0.2,
        word_dropout: float = 0.0,
    ) -> None:
        super().__init__(word_dropout)
        self.embedding = nn.Embedding(vocabulary, state)
        self.lstm = nn.LSTM(state, state, batch_first=True, bidirectional=True)
        self.mixer = nn.Linear(2 * state, hidden)
        self.last = nn.Linear(hidden, macros)
        self.bag = nn.EmbeddingBag(words, hidden, mode="sum")
        nn.init.normal_(self.bag.weight, std=0.05)
        self.dropout = nn.Dropout(dropout)

    def scores(self, batch: Batch) -> Tensor:
        sequences = [torch.from_numpy(tree.values[tree.values > 0].astype(np.int64)) for tree in batch.trees]
        lengths = torch.tensor([len(sequence) for sequence in sequences])
        padded = nn.utils.rnn.pad_sequence(sequences, batch_first=True)
        packed = nn.utils.rnn.pack_padded_sequence(
            self.dropout(self.embedding(padded)), lengths, batch_first=True, enforce_sorted=False
        )
        states, _ = nn.utils.rnn.pad_packed_sequence(self.lstm(packed)[0], batch_first=True)
        places = [
            int((batch.trees[formula].values[:node] > 0).sum())
            for formula, node in zip(batch.formulae.tolist(), batch.nodes.tolist(), strict=True)
        ]
        at_symbol = states[batch.formulae, torch.tensor(places)]
        bag = self.bag(batch.words, batch.offsets, per_sample_weights=batch.weights)
        x = torch.relu(self.mixer(self.dropout(at_symbol)) + bag)
        scores: Tensor = self.last(self.dropout(x))
        return scores


class RecursiveClassifier(Classifier):
    """The tree read upwards and downwards; what stands at the symbol, behind it and at the root decides.

    A perceptron over the bag of words votes beside it: rare macros have too few trees to learn from.
    """

    def __init__(
        self,
        words: int,
        macros: int,
        vocabulary: int,
        table: SubtreeTable,
        state: int = 96,
        hidden: int = 256,
        dropout: float = 0.2,
        word_dropout: float = 0.0,
    ) -> None:
        super().__init__(word_dropout)
        self.engine = LevelEngine(table)
        self.encoder = Encoder(Shape(vocabulary, state, state))
        self.reader = Decoder(Shape(vocabulary, state, state), state)
        self.mixer = nn.Linear(4 * state, hidden)
        self.last = nn.Linear(hidden, macros)
        self.bag = BagClassifier(words, macros, 2, hidden, dropout)
        self.dropout = nn.Dropout(dropout)

    def scores(self, batch: Batch) -> Tensor:
        trees = TreeBatch.of(batch.trees)
        up, roots = self.engine.encode(self.encoder, trees)
        down = self.engine.decode(self.reader, trees, roots, up[torch.from_numpy(trees.lefts)])
        starts = trees.starts[batch.formulae.numpy()]
        places = starts + batch.nodes.numpy()
        behind = np.array(
            [_behind(batch.trees[f], n) for f, n in zip(batch.formulae.tolist(), batch.nodes.tolist(), strict=True)]
        )
        there = torch.from_numpy(behind >= 0).unsqueeze(1)
        after = up[torch.from_numpy(np.where(behind >= 0, starts + behind, 0))] * there
        index = torch.from_numpy(places)
        x = torch.cat((up[index], down[index], after, up[torch.from_numpy(starts)]), dim=1)
        x = torch.relu(self.mixer(self.dropout(x)))
        scores: Tensor = self.last(self.dropout(x)) + self.bag.scores(batch)
        return scores


def _behind(tree: TreeArrays, node: int) -> int:
    """The root of all that follows a node in its row: its right sibling, or -1."""
    parent = int(tree.parents[node])
    if parent < 0 or int(tree.rights[parent]) == node:
        return -1
    return int(tree.rights[parent])
