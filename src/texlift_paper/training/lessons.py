"""What a network is trained on: the pairs of its task, in mini-batches, padded as the experiment says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from texlift_paper.batching.padding import grow
from texlift_paper.network.engine import Engine
from texlift_paper.network.vocabulary import END
from texlift_paper.training.dataset import Dataset, TreePair
from texlift_paper.training.device import autocast, device_of, on_device
from texlift_paper.training.evaluation import sides
from texlift_paper.training.experiment import Experiment
from texlift_paper.training.minibatches import Clusters, Order, batches, random_batches

__all__ = ["Lessons"]

Texts = list[tuple[str, str]]


class Lessons:
    """Mini-batches, padding and mini-batches' kind are settings of their own; any engine can run them.

    `called` is the network, wrapped or not; `cache` is the file for clusters, which are made only if they are needed.
    Networks over tokens bring `targets`: the numbers of the tokens of some pairs' answers.
    """

    def __init__(
        self,
        experiment: Experiment,
        dataset: Dataset,
        called: Callable[..., Tensor],
        engine: Engine | None,
        cache: Path,
        targets: Callable[[Texts], list[list[int]]] | None = None,
    ) -> None:
        self.experiment = experiment
        self.config = experiment.training
        self.dataset = dataset
        self.called = called
        self.engine = engine
        self.targets = targets
        self.device = device_of(self.config.device)
        autocast(self.device, self.config.precision)  # refused now rather than after the data was prepared
        self.pairs = [pair.posed(experiment.task) for pair in dataset.training]
        needed = experiment.task != "sequence" and (self.config.hulls or self.config.mini_batches == "clusters")
        self.clusters = Clusters.of(self.pairs, cache) if needed else None

    def order(self) -> Order:
        """The mini-batches of an epoch, as pairs that are not padded yet."""
        if self.clusters is not None and self.config.mini_batches == "clusters":
            return self.clusters.batches
        make = random_batches if self.config.mini_batches == "random" else batches
        return partial(make, self.pairs, self.config.batch_nodes)

    def prepare(self, batch: list[TreePair]) -> list[TreePair]:
        """The pairs with their answers padded: to their hulls, or at random and anew in every epoch."""
        if self.clusters is not None and self.config.hulls:
            return [self.clusters.padded(pair) for pair in batch]
        if self.config.padding and self.experiment.task != "sequence":
            # from the random numbers of PyTorch, which a checkpoint holds
            generator = np.random.default_rng(int(torch.randint(2**31, (), device="cpu")))
            return [replace(pair, target=grow(pair.target, self.config.padding, generator, END)) for pair in batch]
        return batch

    def values(self, pairs: list[TreePair]) -> Tensor:
        """The right values, (nodes,) or (tokens,)."""
        with on_device(self.device):
            if self.targets is not None:
                return torch.tensor([token for target in self.targets(_texts(pairs)) for token in target])
            return torch.as_tensor(np.concatenate([pair.target.values for pair in pairs]).astype(np.int64))

    def forward(self, pairs: list[TreePair]) -> Tensor:
        """Log-probabilities, (nodes, vocabulary)."""
        with on_device(self.device), autocast(self.device, self.config.precision):
            if self.targets is not None:
                return self.called(_texts(pairs))
            source, target = sides(pairs)
            return self.called(source, target, self.engine, forced=self.config.teacher_forcing)


def _texts(pairs: list[TreePair]) -> Texts:
    return [(pair.generic, pair.semantic) for pair in pairs]
