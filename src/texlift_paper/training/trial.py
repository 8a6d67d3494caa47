"""An experiment brought to life: data, network, engine; trained, resumed, evaluated."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel

from texlift.errors import TexliftError
from texlift.latex.binary import BinaryTree, binary_latex
from texlift.latex.signatures import generic_signatures
from texlift.train.checkpoint import load_tensors, load_weights, save_tensors
from texlift_paper.network.engines import ENGINES
from texlift_paper.network.model import TreeToTree
from texlift_paper.network.sequence import SequenceModel, Source
from texlift_paper.network.sequence_kinds import ARCHITECTURES
from texlift_paper.network.tokens import token_vocabulary, tokens_of
from texlift_paper.network.vocabulary import Vocabulary
from texlift_paper.training.curves import draw_curves
from texlift_paper.training.dataset import Dataset, TreePair, load_dataset, semantic_signatures
from texlift_paper.training.device import device_of, on_device
from texlift_paper.training.evaluation import Scores, free_running, topology_given
from texlift_paper.training.experiment import Experiment, with_settings
from texlift_paper.training.lessons import Lessons
from texlift_paper.training.loop import Share, reuse_memory, train
from texlift_paper.training.metrics import MODES, Score, summarise
from texlift_paper.training.parts import train_parts
from texlift_paper.training.run import Run
from texlift_paper.training.sequence_evaluation import prefix_given, written
from texlift_paper.training.tensorboard import need_tensorboard

__all__ = ["Trial"]

logger = logging.getLogger(__name__)


class Trial:
    """One network for one experiment, with the data it learns from."""

    def __init__(self, experiment: Experiment, dataset: Dataset) -> None:
        self.experiment = experiment
        self.dataset = dataset
        torch.manual_seed(experiment.training.seed)
        torch.set_num_threads(experiment.training.threads)
        self.device = device_of(experiment.training.device)
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
            dataset = replace(dataset, vocabulary=_token_vocabulary(experiment, dataset.training))
        return cls(experiment, dataset)

    @classmethod
    def load(cls, run: Run, settings: Iterable[str] = (), dataset: Dataset | None = None) -> Trial:
        """A trained network from its folder; `settings` change keys of its experiment, how it decodes for instance.

        With a dataset, which may be empty, the corpus of the run is not read.
        """
        experiment = with_settings(run.experiment(), settings)
        trial = cls(experiment, dataset) if dataset is not None else cls.of(experiment, run.vocabulary())
        tensors, _ = load_tensors(run.weights)
        load_weights(trial.model, tensors, run.weights)
        return trial

    def build(self, layers: int) -> nn.Module:
        """The network, with so many layers if it is one over trees."""
        model: nn.Module
        if self.experiment.task == "sequence":
            shape = self.experiment.sequence
            kind = ARCHITECTURES[shape.architecture]
            model = kind(shape, self.dataset.vocabulary, self.experiment.data.placeholders)
        else:
            model = TreeToTree(replace(self.experiment.model, layers=layers), len(self.dataset.vocabulary))
        return model.to(self.device)

    # -- training ------------------------------------------------------------------------------------------

    def train(self, run: Run, on_batch: Callable[[int, int, float], None] | None = None) -> list[dict[str, Any]]:
        """Train, or go on; weights, curves and figures end up in the folder."""
        reuse_memory()
        if self.experiment.training.tensorboard:
            need_tensorboard()
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
        targets = self.model.targets if isinstance(self.model, SequenceModel) else None
        work = Lessons(self.experiment, self.dataset, called, self.engine, run.clusters, targets)
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
            if pairs:
                record[f"{name}given"] = self.score(pairs, free_running=False).as_dict()
            if pairs and count:
                step = max(1, len(pairs) // count)
                record[f"{name}free"] = self.score(pairs[::step], free_running=True).as_dict()
        record["watched"] = self.watched(record)
        if self.experiment.training.keep == "best":
            self.keep_best(run, epoch, record["watched"])
        logger.info("epoch %d: %s", epoch, record)
        return record

    def watched(self, record: dict[str, Any]) -> float | None:
        """What says which epoch is best: p_m, on the development formulae if there are any."""
        score = record.get("development given" if self.dataset.development else "given")
        if score is None and (self.experiment.training.keep == "best" or self.experiment.training.patience):
            raise TexliftError('keep = "best" and patience need formulae to choose on: set validation_fold')
        return None if score is None else float(score["p_m"])

    def keep_best(self, run: Run, epoch: int, watched: float) -> None:
        """Write the weights if no epoch before was better."""
        best = load_tensors(run.best)[1]["p_m"] if run.best.is_file() else -1.0
        if watched > best:
            chosen_on = "development" if self.dataset.development else "validation"
            facts = {"epoch": epoch, "p_m": watched, "chosen on": chosen_on}
            save_tensors(run.best, self.model.state_dict(), facts)

    # -- evaluation ----------------------------------------------------------------------------------------

    def score(self, pairs: list[TreePair], free_running: bool) -> Score:
        """Figures over some pairs."""
        posed = [pair.posed(self.experiment.task) for pair in pairs]
        scores = self.answered(posed) if free_running else self.given(posed)
        mode = MODES[1] if free_running else self.given_mode
        return summarise(scores.values(), mode)

    @property
    def given_mode(self) -> str:
        """What is given while the network predicts: for trees their topology, for sequences the tokens before."""
        return MODES[3] if isinstance(self.model, SequenceModel) else MODES[0]

    def given(self, posed: list[TreePair]) -> Scores:
        """Scores with the answer's topology, or the tokens before each one, given."""
        with on_device(self.device):
            if isinstance(self.model, SequenceModel):
                return prefix_given(self.model, posed)
            assert isinstance(self.model, TreeToTree)
            return topology_given(self.model, posed, self.engine)

    def answered(self, posed: list[TreePair]) -> Scores:
        """Scores of the network's own answers, with their texts."""
        beam = self.experiment.decoding.beam
        with on_device(self.device):
            if isinstance(self.model, SequenceModel):
                return written(self.model, posed, beam)
            assert isinstance(self.model, TreeToTree)
            return free_running(self.model, posed, self.engine, self.text, beam)

    def text(self, values: list[int]) -> str:
        """The LaTeX of values that the network grew; empty if no text has that tree."""
        return self.tree_text(self.dataset.vocabulary.tree(values))

    def tree_text(self, tree: BinaryTree) -> str:
        """The LaTeX of a tree; empty if no text has it."""
        signatures = generic_signatures() if self.experiment.task == "autoencode-generic" else semantic_signatures()
        try:
            return binary_latex(tree, self.experiment.data.heuristics, signatures)
        except TexliftError:
            return ""


def _token_vocabulary(experiment: Experiment, pairs: list[TreePair]) -> Vocabulary:
    """The tokens of the training pairs as the network will see them."""
    sequences: list[Sequence[str]] = []
    for pair in pairs:
        source = Source.of(pair.generic, experiment.data.placeholders)
        sequences += [source.tokens, source.numbers.hide(tokens_of(pair.semantic))]
    return token_vocabulary(sequences, experiment.data.min_count)
