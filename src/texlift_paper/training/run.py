"""The folder of one run: configuration, vocabulary, curves, figures, checkpoint, weights."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from texlift.errors import TexliftError
from texlift.train.checkpoint import write_bytes
from texlift_paper.network.vocabulary import Vocabulary
from texlift_paper.training.experiment import Experiment

__all__ = ["Run"]


@dataclass(frozen=True, slots=True)
class Run:
    """Paths and the small files; the tensors are `texlift.train.checkpoint`'s."""

    folder: Path

    @property
    def checkpoint(self) -> Path:
        return self.folder / "checkpoint.safetensors"

    @property
    def weights(self) -> Path:
        return self.folder / "weights.safetensors"

    @property
    def best(self) -> Path:
        """Weights of the best epoch so far, for `keep = "best"`."""
        return self.folder / "best.safetensors"

    @property
    def clusters(self) -> Path:
        """Which training pair is in which cluster."""
        return self.folder / "clusters.json"

    def predictions(self, fold: str) -> Path:
        """The answers on the validation or the test fold."""
        return self.folder / ("predictions.jsonl" if fold == "validation" else f"predictions-{fold}.jsonl")

    @property
    def tensorboard(self) -> Path:
        """Folder of the log for TensorBoard."""
        return self.folder / "tensorboard"

    @property
    def history_file(self) -> Path:
        return self.folder / "history.jsonl"

    @classmethod
    def create(cls, folder: Path, experiment: Experiment) -> Run:
        """A new folder, or the same one again: for the same experiment, or for the same one trained longer."""
        run = cls(folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise TexliftError(f"cannot make {folder}: {error.strerror}") from error
        path = folder / "experiment.json"
        if path.is_file():
            before = run.experiment()
            if before == experiment:
                return run
            if not experiment.continues(before):
                raise TexliftError(f"{folder} belongs to another experiment; choose another folder or remove it")
            if experiment.trained_for != before.trained_for:
                run.reopen()
        write_bytes(path, json.dumps(experiment.as_dict(), indent=2).encode())
        return run

    def reopen(self) -> None:
        """A finished run is to be trained further: its checkpoint stays, its final weights and figures go."""
        self.weights.unlink(missing_ok=True)
        (self.folder / "figures.json").unlink(missing_ok=True)

    def experiment(self) -> Experiment:
        """What was run."""
        path = self.folder / "experiment.json"
        return Experiment.from_dict(self._json(path), path)

    def vocabulary(self) -> Vocabulary:
        """The labels the network knows."""
        return Vocabulary(self._json(self.folder / "vocabulary.json"))

    def save_vocabulary(self, vocabulary: Vocabulary) -> None:
        """Written once; a resumed run reads it."""
        write_bytes(self.folder / "vocabulary.json", json.dumps(vocabulary.labels, ensure_ascii=False).encode())

    def history(self) -> list[dict[str, Any]]:
        """One record an epoch."""
        if not self.history_file.is_file():
            return []
        return [json.loads(line) for line in self.history_file.read_text("utf-8").splitlines() if line.strip()]

    def save_history(self, records: list[dict[str, Any]]) -> None:
        """All records anew: small, and never half written."""
        write_bytes(self.history_file, "".join(json.dumps(record) + "\n" for record in records).encode())

    def figures(self) -> dict[str, Any]:
        """The final figures, empty before the run has ended."""
        path = self.folder / "figures.json"
        return self._json(path) if path.is_file() else {}

    def save_figures(self, figures: dict[str, Any]) -> None:
        """Merged with those that are there."""
        write_bytes(self.folder / "figures.json", json.dumps({**self.figures(), **figures}, indent=2).encode())

    def _json(self, path: Path) -> Any:
        try:
            return json.loads(path.read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise TexliftError(f"{path} cannot be read: {error}") from error
