"""The tree-to-tree network: encoder, bridge, decoder, prediction, with or without attention."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor, nn

from texlift_paper.batching.trees import IntArray, TreeBatch
from texlift_paper.network.attention import Memory, TreeAttention, memory_of, queries_layout
from texlift_paper.network.cell_kinds import CELLS
from texlift_paper.network.engine import Engine
from texlift_paper.network.recursive import Bridge, Decoder, Encoder, Fed, Shape, State

__all__ = ["FEEDS", "SIBLINGS", "ModelConfig", "Prediction", "TreeToTree"]

SIBLINGS = ("none", "label", "subtree")
FEEDS = ("zero", "argmax", "softmax")


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """The shape of a network; the defaults are the paper's best."""

    cell: str = "lstm"
    state: int = 256
    embedding: int = 256
    layers: int = 1
    dropout: float = 0.05
    forget: float = 0.0
    """Bias of the forget gates at the start of training."""
    bridge: bool = True
    decoder_state: int = 0
    """0 for the encoder's."""
    feed: str = "zero"
    """What the decoder gets of its parent's prediction: nothing (always the value 0), the embedding of the most likely
    value, or the embeddings of all values, each as likely as it was predicted."""
    attention: bool = False
    copying: bool = False
    """Mix the prediction with the values of the nodes attended to."""
    sibling: str = "none"
    """What a right child is fed with: nothing, the label of its left sibling, or that sibling's whole subtree."""
    outside: bool = False
    """Read the source from the root down as well, so that a leaf knows where it stands."""

    def __post_init__(self) -> None:
        if self.cell not in CELLS:
            raise ValueError(f"cell must be one of {', '.join(CELLS)}, not {self.cell!r}")
        if self.sibling not in SIBLINGS:
            raise ValueError(f"sibling must be one of {', '.join(SIBLINGS)}, not {self.sibling!r}")
        if self.feed not in FEEDS:
            raise ValueError(f"feed must be one of {', '.join(FEEDS)}, not {self.feed!r}")
        if self.copying and not self.attention:
            raise ValueError("copying needs attention")
        if min(self.state, self.embedding, self.layers) < 1 or not 0 <= self.dropout < 1:
            raise ValueError("state, embedding and layers must be positive, dropout in [0, 1)")


class Prediction(nn.Module):
    """States to values by two embeddings, one after the other (paper, section 3.2)."""

    def __init__(self, state: int, embedding: int, vocabulary: int, dropout: float) -> None:
        super().__init__()
        self.first = nn.Linear(state, embedding)
        self.second = nn.Linear(embedding, vocabulary)
        self.dropout = nn.Dropout(dropout)
        for linear in (self.first, self.second):
            nn.init.xavier_uniform_(linear.weight)
            nn.init.zeros_(linear.bias)

    def forward(self, states: Tensor) -> Tensor:
        """(..., state) to scores (..., vocabulary)."""
        states = self.dropout(states)
        state = states.shape[-1]
        rows = states.numel() // state
        vocabulary, embedding = self.second.weight.shape
        # a product of three matrices: with many rows it is cheaper to multiply the two embeddings first
        if (rows + embedding) * state * vocabulary < rows * embedding * (state + vocabulary):
            bias = torch.addmv(self.second.bias, self.second.weight, self.first.bias)
            return nn.functional.linear(states, self.second.weight @ self.first.weight, bias)
        scores: Tensor = self.second(self.first(states))
        return scores


class TreeToTree(nn.Module):
    """Binary tree in, binary tree out; both over one vocabulary."""

    def __init__(self, config: ModelConfig, vocabulary: int) -> None:
        super().__init__()
        self.config = config
        self.vocabulary = vocabulary
        state, inner = config.state, config.decoder_state or config.state
        shape = Shape(vocabulary, config.embedding, state, config.layers, config.dropout, config.forget, config.cell)
        self.encoder = Encoder(shape)
        self.bridge = Bridge(state, inner, config.layers, config.bridge or inner != state)
        fed = {"none": 0, "label": config.embedding, "subtree": state}[config.sibling]
        self.decoder = Decoder(replace(shape, state=inner), fed)
        self.reader = Decoder(replace(shape, layers=1, dropout=0.0), state) if config.outside else None
        self.attention = (
            TreeAttention(inner, state * (2 if config.outside else 1), min(inner, 128), config.dropout)
            if config.attention
            else None
        )
        self.gate = nn.Linear(inner, 1) if config.copying else None
        self.prediction = Prediction(inner, config.embedding, vocabulary, config.dropout)

    def forward(self, source: TreeBatch, target: TreeBatch, engine: Engine, forced: bool = False) -> Tensor:
        """Log-probabilities of every node of the targets, (target nodes, vocabulary).

        The topology of the targets is given, and with feeding of siblings their values too (teacher forcing). With
        `forced` the decoder is fed with its parent's right value instead of the one it predicted.
        """
        states, roots = engine.encode(self.encoder, source)
        start = self.bridge(roots)
        memory = None if self.attention is None else self.memory(source, states, roots, engine)
        predict = Predictor(self, target, memory)
        fed: Fed = None
        if self.config.feed != "zero":
            fed = target.values if forced else predict.feed
        return predict.all(engine.decode(self.decoder, target, start, self.siblings(target, engine), fed))

    def fed(self, log_probabilities: Tensor) -> Tensor:
        """What the children of nodes are fed with, (n, vocabulary) to (n, embedding)."""
        if self.config.feed == "softmax":
            mixed: Tensor = self.decoder.dropout(log_probabilities.exp() @ self.decoder.embedding)
            return mixed
        return self.decoder.embed(log_probabilities.argmax(dim=1))

    def siblings(self, target: TreeBatch, engine: Engine) -> Tensor | None:
        """What the right children are fed with, (inner nodes, ...)."""
        if self.config.sibling == "none":
            return None
        lefts = torch.as_tensor(target.lefts)
        if self.config.sibling == "label":
            return self.decoder.embed(torch.as_tensor(target.values)[lefts])
        return engine.encode(self.encoder, target)[0][lefts]

    def memory(self, source: TreeBatch, states: Tensor, roots: list[State], engine: Engine) -> Memory:
        """What attention looks at: the encoder's states, with those of the reader beside them."""
        if self.reader is not None:
            read = engine.decode(self.reader, source, roots[-1:], states[torch.as_tensor(source.lefts)])
            states = torch.cat((states, read), dim=1)
        return memory_of(states, source)

    def mixed(self, informed: Tensor, weights: Tensor, values: Tensor) -> Tensor:
        """Prediction and copying mixed: states (n, state), weights and values (n, nodes) to (n, vocabulary)."""
        assert self.gate is not None
        share = torch.sigmoid(self.gate(informed))  # (n, 1)
        chances = self.prediction(informed).softmax(dim=1) * share
        mixture: Tensor = chances.scatter_add(1, values, weights * (1 - share))
        return mixture.clamp_min(1e-9).log()


class Predictor:
    """Predictions at the nodes of a batch of answers, made once for each node.

    Where the decoder is fed with predictions, those of inner nodes are made on the way down, the others at the end.
    """

    def __init__(self, model: TreeToTree, target: TreeBatch, memory: Memory | None) -> None:
        self.model = model
        self.memory = memory
        self.keys = model.attention.project(memory) if model.attention is not None and memory is not None else None
        self.owners = target.owners
        self.made: list[Tensor] = []
        self.nodes: list[IntArray] = []

    def feed(self, states: Tensor, nodes: IntArray) -> Tensor:
        """What the children of these nodes are fed with, (n, embedding), from the states of the nodes (n, state)."""
        made = self.at(states, nodes)
        self.made.append(made)
        self.nodes.append(nodes)
        return self.model.fed(made)

    def all(self, states: Tensor) -> Tensor:
        """Log-probabilities at every node, from all states (nodes, state)."""
        if not self.made:
            return self.at(states, np.arange(len(states)))
        rest = np.setdiff1d(np.arange(len(states)), np.concatenate(self.nodes))
        made = torch.cat((*self.made, self.at(states[torch.as_tensor(rest)], rest)))
        order = np.argsort(np.concatenate((*self.nodes, rest)))
        return made.index_select(0, torch.as_tensor(order))

    def at(self, states: Tensor, nodes: IntArray) -> Tensor:
        """Log-probabilities (n, vocabulary) at some nodes (n,), from their states (n, state)."""
        model, memory = self.model, self.memory
        if model.attention is None or memory is None:
            return model.prediction(states).log_softmax(dim=1)  # type: ignore[no-any-return]
        index, flat = queries_layout(self.owners[nodes], len(memory.states))
        queries = torch.cat((states, states.new_zeros(1, states.shape[1])))[index]  # (trees, q, state)
        informed, weights = model.attention(queries, memory, self.keys)
        informed = informed.view(-1, informed.shape[2])[flat]  # (n, state)
        if model.gate is None:
            return model.prediction(informed).log_softmax(dim=1)  # type: ignore[no-any-return]
        trees, longest, size = weights.shape
        values = memory.values.unsqueeze(1).expand(trees, longest, size).reshape(-1, size)[flat]
        return model.mixed(informed, weights.view(-1, size)[flat], values)
