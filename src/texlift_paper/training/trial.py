"""An experiment brought to life: data, network, engine; trained, resumed, evaluated."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel

from texlift.errors import TexliftError
from texlift.train.checkpoint import load_tensors, load_weights, save_tensors
from texlift_paper.network.engines import ENGINES
from texlift_paper.network.model import TreeToTree
from texlift_paper.network.sequence import SequenceToSequence, token_vocabulary
from texlift_paper.network.vocabulary import Vocabulary
from texlift_paper.training import evaluation
from texlift_paper.training.curves import draw_curves
from texlift_paper.training.dataset import Dataset, TreePair, load_dataset
from texlift_paper.training.experiment import Experiment
from texlift_paper.training.lessons import Lessons
from texlift_paper.training.loop import Share, reuse_memory, train
from texlift_paper.training.metrics import MODES, Score, summarise
from texlift_paper.training.parts import train_parts
from texlift_paper.training.run import Run
from texlift_paper.training.sequence_evaluation import evaluate_sequences

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
        self.engine = ENGINES[experiment.training.engine](dataset.table)

    @classmethod
    def for_run(cls, run: Run) -> Trial:
        """The network of a run that is to be trained, or trained further; the parts it is made of are trained first."""
        experiment = run.experiment()
        parts = train_parts(experiment, run, lambda part: cls.for_run(part).train(part))
        vocabulary = run.vocabulary() if run.checkpoint.is_file() else parts.vocabulary()
        trial = cls.of(experiment, vocabulary)
        parts.take_over(trial.model)
        return trial

    @classmethod
    def of(cls, experiment: Experiment, vocabulary: Vocabulary | None = None) -> Trial:
        """Load the data and make the network."""
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
        if self.experiment.training.freeze:
            for name, parameter in self.model.named_parameters():
                parameter.requires_grad_(not name.startswith(("encoder.", "decoder.", "prediction.")))
        stages = self.experiment.model.layers if self.experiment.training.layerwise else 1
        for layers in range(1, stages):
            self.train_layer(run, layers, on_batch)
        history = self.train_stage(run, on_batch)
        if Share.current().rank == 0:
            if self.experiment.training.keep == "best" and run.best.is_file():
                tensors, facts = load_tensors(run.best)
                load_weights(self.model, tensors, run.best)
                run.save_figures({"kept": facts})
            save_tensors(run.weights, self.model.state_dict(), {"experiment": self.experiment.as_dict()})
            draw_curves({run.folder.name: history}, run.folder / "curves.png")
        return history

    def train_stage(
        self, run: Run, on_batch: Callable[[int, int, float], None] | None, epochs: int | None = None
    ) -> list[dict[str, Any]]:
        """All layers that the model has now."""
        called: Callable[..., Any] = self.model
        if Share.current().size > 1:
            called = DistributedDataParallel(self.model, find_unused_parameters=True)
        work = Lessons(self.experiment, self.dataset, called, self.engine, run.clusters)
        after = partial(self.after_epoch, run)
        return train(self.experiment, run, self.model, work, work.order(), after, on_batch, epochs)

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

    def after_epoch(self, run: Run, epoch: int) -> dict[str, Any]:
        """Validation figures for the history; the best weights so far are kept."""
        if Share.current().rank:
            return {}
        record: dict[str, Any] = {}
        data = self.dataset
        count = self.experiment.training.generate
        for name, pairs in (("", data.validation), ("development ", data.development)):
            if pairs and self.experiment.task != "sequence":
                record[f"{name}given"] = self.score(pairs, free_running=False).as_dict()
            if pairs and count:
                step = max(1, len(pairs) // count)
                record[f"{name}free"] = self.score(pairs[::step], free_running=True).as_dict()
        if self.experiment.training.keep == "best":
            self.keep_best(run, epoch, record)
        logger.info("epoch %d: %s", epoch, record)
        return record

    def keep_best(self, run: Run, epoch: int, record: dict[str, Any]) -> None:
        """Write the weights if no epoch before was better."""
        name = "development " if self.dataset.development else ""
        score = record.get(f"{name}given") or record.get(f"{name}free")
        if score is None:
            raise TexliftError(
                'keep = "best" needs formulae to choose on: set validation_fold, or generate for sequences'
            )
        best = load_tensors(run.best)[1]["p_m"] if run.best.is_file() else -1.0
        if score["p_m"] > best:
            facts = {"epoch": epoch, "p_m": score["p_m"], "chosen on": name.strip() or "validation"}
            save_tensors(run.best, self.model.state_dict(), facts)

    # -- evaluation ----------------------------------------------------------------------------------------

    def score(self, pairs: list[TreePair], free_running: bool) -> Score:
        """Figures over some pairs."""
        posed = [pair.posed(self.experiment.task) for pair in pairs]
        if isinstance(self.model, SequenceToSequence):
            return summarise(evaluate_sequences(self.model, posed).values(), MODES[1])
        assert isinstance(self.model, TreeToTree)
        if free_running:
            return summarise(evaluation.free_running(self.model, posed, self.engine).values(), MODES[1])
        return summarise(evaluation.topology_given(self.model, posed, self.engine).values(), MODES[0])
