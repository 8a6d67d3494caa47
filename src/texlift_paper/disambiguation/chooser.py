"""A trained bag-of-words classifier in use: numpy only, so that asking needs no PyTorch."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open

from texlift.errors import TexliftError
from texlift_paper.disambiguation.choices import occurrences
from texlift_paper.disambiguation.words import Words, words_of

if TYPE_CHECKING:
    from texlift_paper.disambiguation.training import Trained

__all__ = ["Candidate", "Chooser", "Decision", "packaged_chooser", "save_chooser"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A macro and how likely it is meant."""

    macro: str
    probability: float


@dataclass(frozen=True, slots=True)
class Decision:
    """The candidates of one symbol of a formula, the most likely first."""

    symbol: str
    start: int
    candidates: tuple[Candidate, ...]


class Chooser:
    """Chooses among the macros that print as a symbol."""

    def __init__(
        self,
        layers: Sequence[tuple[NDArray[np.float32], NDArray[np.float32]]],
        words: Words,
        macros: Sequence[str],
        candidates: dict[str, tuple[str, ...]],
        near: bool,
    ) -> None:
        self.layers = layers
        self.words = words
        self.macros = {name: number for number, name in enumerate(macros)}
        self.candidates = candidates
        self.near = near

    def decide(self, formula: str) -> list[Decision]:
        """The candidates of every symbol that some macro prints as. Raises FormulaError with the place."""
        return [
            Decision(symbol, start, self.candidates_at(formula, symbol, start))
            for symbol, start in occurrences(formula, self.candidates)
        ]

    def candidates_at(self, formula: str, symbol: str, start: int) -> tuple[Candidate, ...]:
        """The candidates of a symbol at a character position, with probabilities that sum to one."""
        names = self.candidates[symbol]
        known = [name for name in names if name in self.macros]
        if len(names) == 1 or not known:
            return tuple(Candidate(name, 1 / len(names)) for name in names)
        numbers, weights = self.words.numbers(words_of(formula, symbol, start, self.near))
        first, bias = self.layers[0]
        x = first[numbers].T @ np.array(weights, dtype=np.float32) + bias
        for weight, bias in self.layers[1:]:
            x = weight @ np.maximum(x, 0) + bias
        scores = x[[self.macros[name] for name in known]]
        chances = np.exp(scores - scores.max())
        chances /= chances.sum()
        listed = [Candidate(name, float(chance)) for name, chance in zip(known, chances, strict=True)]
        listed += [Candidate(name, 0.0) for name in names if name not in self.macros]
        return tuple(sorted(listed, key=lambda candidate: -candidate.probability))

    @classmethod
    def load(cls, path: Path) -> Chooser:
        """What `save_chooser` wrote."""
        if not path.is_file():
            raise TexliftError(f"no trained disambiguation at {path}; make one with `texlift disambiguate --train`")
        try:
            with safe_open(str(path), "np") as stream:
                facts: dict[str, Any] = json.loads(stream.metadata()["texlift"])
                tensors = {name: stream.get_tensor(name) for name in stream.keys()}  # noqa: SIM118
            layers = [
                (tensors[f"weight{k}"].astype(np.float32), tensors[f"bias{k}"].astype(np.float32))
                for k in range(len(tensors) // 2)
            ]
            candidates = {symbol: tuple(names) for symbol, names in facts["candidates"].items()}
            return cls(layers, Words(facts["words"]), facts["macros"], candidates, facts["near"])
        except (SafetensorError, OSError, ValueError, KeyError, TypeError) as error:
            raise TexliftError(f"{path} is damaged or not a trained disambiguation: {error}") from error


def save_chooser(trained: Trained, path: Path) -> None:
    """Write a trained bag-of-words classifier, weights in half precision."""
    from texlift.train.checkpoint import save_tensors
    from texlift_paper.disambiguation.classifiers import BagClassifier

    model = trained.models[0]
    if not isinstance(model, BagClassifier) or len(trained.models) > 1:
        raise TexliftError("only one bag-of-words classifier can be packaged")
    tensors = {}
    for number, (weight, bias) in enumerate(model.weights()):
        tensors[f"weight{number}"] = weight.half()
        tensors[f"bias{number}"] = bias.half()
    facts = {
        "words": trained.words.listed,
        "macros": trained.macros,
        "candidates": trained.candidates,
        "near": trained.settings.near,
    }
    save_tensors(path, tensors, facts)


@cache
def packaged_chooser() -> Chooser:
    """The classifier that ships with texlift."""
    return Chooser.load(Path(str(files("texlift_paper.disambiguation").joinpath("chooser.safetensors"))))
