"""An experiment brought to life: data, network, engine; trained, resumed, evaluated."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.distributed
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel

from texlift.batching.padding import grow
from texlift.batching.trees import SubtreeTable, TreeBatch
from texlift.errors import TexliftError
from texlift.network.cluster_engine import ClusterEngine
from texlift.network.engine import Engine, LevelEngine, TreeEngine
from texlift.network.model import TreeToTree
from texlift.network.sequence import SequenceToSequence, token_vocabulary
from texlift.network.vocabulary import END, Vocabulary
from texlift.training.checkpoint import load_tensors, load_weights, save_tensors
from texlift.training.curves import draw_curves
from texlift.training.dataset import Dataset, TreePair, batches, cluster_batches, load_dataset
from texlift.training.evaluation import (
    evaluate_free_running,
    evaluate_hull_given,
    evaluate_topology_given,
    identity_baseline,
    sides,
)
from texlift.training.experiment import Experiment
from texlift.training.loop import Share, reuse_memory, train
from texlift.training.metrics import Score
from texlift.training.run import Run
from texlift.training.sequence_evaluation import evaluate_sequences

__all__ = ["Trial"]

logger = logging.getLogger(__name__)


class Trial:
    """One network for one experiment, with the data it learns from."""

    def __init__(self, experiment: Experiment, dataset: Dataset) -> None:
        self.experiment = experiment
        self.dataset = dataset
        torch.manual_seed(experiment.training.seed)
        torch.set_num_threads(experiment.training.threads)
        self.model: nn.Module = self.build(experiment.model.layers)
        self.engine = make_engine(experiment.training.engine, dataset.table)

    @classmethod
    def of(cls, experiment: Experiment, vocabulary: Vocabulary | None = None) -> Trial:
        """Load the data and make the network."""
        if vocabulary is None:
            vocabulary = _shared_vocabulary(experiment)
        dataset = load_dataset(experiment.data, experiment.training.seed, vocabulary)
        if experiment.task == "sequence" and vocabulary is None:
            texts = [text for pair in dataset.training for text in (pair.generic, pair.semantic)]
            dataset = replace(dataset, vocabulary=token_vocabulary(texts, experiment.data.min_count))
        return cls(experiment, dataset)

    @classmethod
    def load(cls, run: Run) -> Trial:
        """A trained network from its folder."""
        trial = cls.of(run.experiment(), run.vocabulary())
        tensors, _ = load_tensors(run.weights)
        load_weights(trial.model, tensors, run.weights)
        return trial

    def build(self, layers: int) -> nn.Module:
        if self.experiment.task == "sequence":
            shape = self.experiment.sequence
            return SequenceToSequence(shape.state, shape.embedding, shape.dropout, self.dataset.vocabulary)
        return TreeToTree(replace(self.experiment.model, layers=layers), len(self.dataset.vocabulary))

    # -- training ------------------------------------------------------------------------------------------

    def train(self, run: Run, on_batch: Callable[[int, int, float], None] | None = None) -> list[dict[str, Any]]:
        """Train, or go on; weights, curves and figures end up in the folder."""
        reuse_memory()
        run.save_vocabulary(self.dataset.vocabulary)
        self.take_over()
        stages = self.experiment.model.layers if self.experiment.training.layerwise else 1
        for layers in range(1, stages):
            self.train_layer(run, layers, on_batch)
        history = self.train_stage(run, on_batch)
        if Share.current().rank == 0:
            save_tensors(run.weights, self.model.state_dict(), {"experiment": self.experiment.as_dict()})
            draw_curves({run.folder.name: history}, run.folder / "curves.png")
        return history

    def train_stage(
        self, run: Run, on_batch: Callable[[int, int, float], None] | None, epochs: int | None = None
    ) -> list[dict[str, Any]]:
        """All layers that the model has now."""
        model = self.model
        called: Callable[..., Any] = model
        if Share.current().size > 1:
            called = DistributedDataParallel(model, find_unused_parameters=True)

        def forward(batch: list[TreePair]) -> tuple[Tensor, Tensor]:
            if self.experiment.task == "sequence":
                scores, targets = called([(pair.generic, pair.semantic) for pair in batch])
                return scores, targets
            source, target = sides(batch, self.experiment.task)
            if self.experiment.training.padding:
                target = self.padded(target)
            return called(source, target, self.engine), torch.from_numpy(target.values)

        training = self.dataset.training
        if self.experiment.training.engine == "clusters":
            order = cluster_batches(training, self.experiment.training.batch_nodes)
        else:
            order = partial(batches, training, self.experiment.training.batch_nodes)
        return train(self.experiment, run, model, forward, order, self.after_epoch, on_batch, epochs)

    def padded(self, target: TreeBatch) -> TreeBatch:
        """Answers with `y_end`s below their leaves, other ones in every epoch."""
        # from the random numbers of PyTorch, which a checkpoint holds
        generator = np.random.default_rng(int(torch.randint(2**31, ())))
        return TreeBatch.of([grow(tree, self.experiment.training.padding, generator, END) for tree in target.trees])

    def train_layer(self, run: Run, layers: int, on_batch: Callable[[int, int, float], None] | None) -> None:
        """Layer-wise training: the lower layers are trained first and are the start of the next stage."""
        folder = Run(run.folder / f"layer{layers}")
        folder.folder.mkdir(parents=True, exist_ok=True)
        whole = self.model
        self.model = self.build(layers)
        if not folder.weights.is_file():
            self.train_stage(folder, on_batch, self.experiment.training.layerwise)
            save_tensors(folder.weights, self.model.state_dict(), {})
        tensors, _ = load_tensors(folder.weights)
        own = whole.state_dict()
        own.update(
            {name: tensor for name, tensor in tensors.items() if name in own and own[name].shape == tensor.shape}
        )
        whole.load_state_dict(own)
        self.model = whole

    def take_over(self) -> None:
        """Encoder and decoder from trained auto-encoders."""
        config = self.experiment.training
        for folder, prefixes in (
            (config.encoder_from, ("encoder.",)),
            (config.decoder_from, ("decoder.", "prediction.")),
        ):
            if not folder:
                continue
            path = Run(Path(folder)).weights
            tensors, _ = load_tensors(path)
            own = self.model.state_dict()
            for name in own:
                if not name.startswith(prefixes):
                    continue
                if name not in tensors or tensors[name].shape != own[name].shape:
                    raise TexliftError(f"{path}: {name} does not fit this experiment's model")
                own[name] = tensors[name]
            self.model.load_state_dict(own)
        if config.freeze:
            for name, parameter in self.model.named_parameters():
                parameter.requires_grad_(not name.startswith(("encoder.", "decoder.", "prediction.")))

    def after_epoch(self, epoch: int) -> dict[str, Any]:
        """Validation figures for the history."""
        if Share.current().rank or not self.dataset.validation:
            return {}
        record: dict[str, Any] = {}
        if self.experiment.task != "sequence":
            record["given"] = self.score(self.dataset.validation, free_running=False).as_dict()
        count = self.experiment.training.generate
        if count:
            step = max(1, len(self.dataset.validation) // count)
            record["free"] = self.score(self.dataset.validation[::step], free_running=True).as_dict()
        logger.info("epoch %d: %s", epoch, record)
        return record

    # -- evaluation ----------------------------------------------------------------------------------------

    def score(self, pairs: list[TreePair], free_running: bool) -> Score:
        """Figures over some pairs."""
        task = self.experiment.task
        if isinstance(self.model, SequenceToSequence):
            return evaluate_sequences(self.model, pairs)
        assert isinstance(self.model, TreeToTree)
        if free_running:
            return evaluate_free_running(self.model, pairs, self.engine, task)
        return evaluate_topology_given(self.model, pairs, self.engine, task)

    def score_on_hulls(self, pairs: list[TreePair]) -> Score:
        """The paper's protocol: answers padded to the hull of their cluster."""
        assert isinstance(self.model, TreeToTree)
        return evaluate_hull_given(self.model, pairs, self.engine, self.experiment.task)

    def identity(self, pairs: list[TreePair]) -> Score:
        """The identity baseline."""
        return identity_baseline(pairs)


def make_engine(name: str, table: SubtreeTable) -> Engine:
    """The engine of a name in experiment files."""
    if name == "trees":
        return TreeEngine()
    if name == "clusters":
        return ClusterEngine()
    return LevelEngine(table)


def _shared_vocabulary(experiment: Experiment) -> Vocabulary | None:
    """Networks made of trained parts keep the vocabulary of those parts."""
    folders = {folder for folder in (experiment.training.encoder_from, experiment.training.decoder_from) if folder}
    if not folders:
        return None
    vocabularies = [Run(Path(folder)).vocabulary() for folder in sorted(folders)]
    if len({vocabulary.labels for vocabulary in vocabularies}) > 1:
        raise TexliftError(f"{' and '.join(sorted(folders))} have different vocabularies; train them on the same data")
    return vocabularies[0]
