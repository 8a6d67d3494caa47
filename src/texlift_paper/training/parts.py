"""Networks made of trained parts: the encoder of one auto-encoder, the decoder of another.

A part is the folder of a run, or an experiment file, which is then trained first, in a folder of the run that needs it
and on the data of its experiment. So cross-validation trains the parts of each fold without that fold.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from torch import nn

from texlift.errors import TexliftError
from texlift.train.checkpoint import load_tensors
from texlift_paper.network.vocabulary import Vocabulary
from texlift_paper.training.experiment import DataConfig, Experiment, read_experiment
from texlift_paper.training.run import Run

__all__ = ["Parts", "train_parts"]


@dataclass(frozen=True, slots=True)
class Parts:
    """Runs whose encoder and decoder are taken over."""

    encoder: Run | None = None
    decoder: Run | None = None

    def vocabulary(self) -> Vocabulary | None:
        """The vocabulary of the parts, which the whole keeps."""
        runs = [run for run in (self.encoder, self.decoder) if run is not None]
        vocabularies = [run.vocabulary() for run in runs]
        if len({vocabulary.labels for vocabulary in vocabularies}) > 1:
            folders = " and ".join(str(run.folder) for run in runs)
            raise TexliftError(f"{folders} have different vocabularies; train them on the same data")
        return vocabularies[0] if vocabularies else None

    def take_over(self, model: nn.Module) -> None:
        """Copy the weights of the parts into a network."""
        for run, prefixes in ((self.encoder, ("encoder.",)), (self.decoder, ("decoder.", "prediction."))):
            if run is None:
                continue
            tensors, _ = load_tensors(run.weights)
            own = model.state_dict()
            for name in own:
                if not name.startswith(prefixes):
                    continue
                if name not in tensors or tensors[name].shape != own[name].shape:
                    raise TexliftError(f"{run.weights}: {name} does not fit this experiment's model")
                own[name] = tensors[name]
            model.load_state_dict(own)


def train_parts(experiment: Experiment, run: Run, train: Callable[[Run], object]) -> Parts:
    """The parts of an experiment; `train` is called for those that are experiment files and not trained yet."""
    config = experiment.training
    found: list[Run | None] = []
    for name in (config.encoder_from, config.decoder_from):
        if not name:
            found.append(None)
        elif name.endswith(".toml"):
            part = replace(read_experiment(name), data=experiment.data)
            part_run = Run.create(run.folder / "parts" / part.name, part)
            if not part_run.weights.is_file():
                train(part_run)
            found.append(part_run)
        else:
            found.append(Run(Path(name)))
            _refuse_leaks(Run(Path(name)), experiment.data)
    return Parts(*found)


def _refuse_leaks(part: Run, data: DataConfig) -> None:
    """A part must not have seen what the whole is evaluated on."""
    theirs = part.experiment().data
    seen = {data.validation_fold, data.test_fold} - {theirs.validation_fold, theirs.test_fold, -1}
    if seen or theirs.development < data.development:
        what = f"fold {', '.join(map(str, sorted(seen)))}" if seen else "the development formulae"
        raise TexliftError(
            f"{part.folder} was trained on {what}, which this experiment holds out; "
            "name its experiment file (.toml) instead, and it is trained without"
        )
