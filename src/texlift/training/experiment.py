"""Experiment files: commented TOML in, frozen dataclasses out; a key nobody knows is an error with its line."""

from __future__ import annotations

import dataclasses
import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_type_hints

from texlift.errors import TexliftError
from texlift.latex.tree import Heuristics
from texlift.network.model import ModelConfig

__all__ = [
    "DataConfig",
    "Experiment",
    "ExperimentError",
    "LossConfig",
    "OptimiserConfig",
    "SequenceConfig",
    "TrainingConfig",
    "read_experiment",
]

TASKS = ("translate", "autoencode-generic", "autoencode-semantic", "sequence")
OPTIMISERS = ("adam", "rmsprop")
SCHEDULES = ("constant", "cosine", "linear")
ENGINES = ("levels", "clusters", "trees")


class ExperimentError(TexliftError):
    """Something is wrong in an experiment file."""

    def __init__(self, path: Path, line: int, message: str) -> None:
        super().__init__(f"{path}:{line}: {message}" if line else f"{path}: {message}")


def _choose(name: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(choices)}, not {value!r}")


@dataclass(frozen=True, slots=True)
class DataConfig:
    """Which pairs, and which trees are made of them."""

    file: str = "dlmf.jsonl"
    """A path, or a name in the data folder (TEXLIFT_DATA)."""
    validation_fold: int = 1
    test_fold: int = 0
    """Never trained on, never looked at but by `evaluate --test`."""
    augment: bool = False
    """Add the terms between comparators to the training pairs (paper, section 4.1)."""
    terms: int = 0
    """At most so many training pairs, chosen at random; 0 for all."""
    max_nodes: int = 400
    """Training pairs with a larger tree are left out; validation keeps them."""
    min_count: int = 2
    """Labels that occur less often in training are unknown."""
    command_end: bool = True
    concat_end: bool = True
    prefix: bool = False
    postfix: bool = False

    @property
    def heuristics(self) -> Heuristics:
        """The tree heuristics."""
        return Heuristics(self.command_end, self.concat_end, self.prefix, self.postfix)


@dataclass(frozen=True, slots=True)
class LossConfig:
    """Strength of the mask (alpha) and influence of what is predicted right (beta)."""

    alpha: float = 0.0
    beta: float = 1.0

    def __post_init__(self) -> None:
        if not 0 <= self.alpha <= 1 or not 0 <= self.beta <= 1:
            raise ValueError("alpha and beta must be between 0 and 1")


@dataclass(frozen=True, slots=True)
class OptimiserConfig:
    """The paper uses rates between 1e-6 and 1e-4 over much longer trainings."""

    name: str = "adam"
    rate: float = 1e-4
    schedule: str = "constant"
    warmup: int = 0
    """Steps over which the rate rises to its full height."""
    clip: float = 0.0
    """Largest norm of a gradient (per node); 0 for no limit."""
    decay: float = 0.0
    """Weight decay."""

    def __post_init__(self) -> None:
        _choose("name", self.name, OPTIMISERS)
        _choose("schedule", self.schedule, SCHEDULES)
        if self.rate <= 0:
            raise ValueError("rate must be positive")


@dataclass(frozen=True, slots=True)
class SequenceConfig:
    """The sequence-to-sequence baseline."""

    state: int = 192
    embedding: int = 128
    dropout: float = 0.1


@dataclass(frozen=True, slots=True)
class TrainingConfig:
    """How long, how much at once, and where weights come from."""

    epochs: int = 10
    minutes: float = 0.0
    """Stop after so many minutes of processor time, at the end of a batch; 0 for no limit."""
    batch_nodes: int = 6000
    """Nodes of both sides in a batch."""
    engine: str = "levels"
    seed: int = 1
    threads: int = 1
    save_minutes: float = 5.0
    """How often a checkpoint is written within an epoch."""
    layerwise: int = 0
    """Epochs for each layer alone before all are trained together; 0 to train all at once."""
    encoder_from: str = ""
    decoder_from: str = ""
    """Runs (auto-encoders) whose encoder and decoder to start from."""
    freeze: bool = False
    """Train only the bridge between an encoder and a decoder that were taken over."""
    padding: float = 0.0
    """Chance of a leaf of an answer, and of a `y_end`, to have two `y_end`s below it: the network then knows what
    to say on a hull (section 3.2.1). 0 to train on the trees alone."""
    generate: int = 0
    """Validation formulae translated free-running after each epoch."""

    def __post_init__(self) -> None:
        _choose("engine", self.engine, ENGINES)
        if self.epochs < 1 or self.batch_nodes < 1 or self.threads < 1:
            raise ValueError("epochs, batch_nodes and threads must be positive")
        if not 0 <= self.padding <= 0.4:
            raise ValueError("padding must be between 0 and 0.4; trees grow without end at 0.5")
        if self.padding and self.engine == "clusters":
            raise ValueError("clusters are padded to their hulls already; padding is for the other engines")


@dataclass(frozen=True, slots=True)
class Experiment:
    """One experiment file."""

    name: str = "experiment"
    task: str = "translate"
    data: DataConfig = field(default_factory=DataConfig)
    model: ModelConfig = field(default_factory=ModelConfig)
    sequence: SequenceConfig = field(default_factory=SequenceConfig)
    loss: LossConfig = field(default_factory=LossConfig)
    optimiser: OptimiserConfig = field(default_factory=OptimiserConfig)
    training: TrainingConfig = field(default_factory=TrainingConfig)

    def __post_init__(self) -> None:
        _choose("task", self.task, TASKS)
        if self.training.padding and self.model.sibling == "subtree":
            raise ValueError("padding needs a model that does not read the answer's subtrees")

    def as_dict(self) -> dict[str, Any]:
        """Nested dictionaries of plain values."""
        return dataclasses.asdict(self)

    @classmethod
    def from_dict(cls, record: dict[str, Any], path: Path = Path("experiment")) -> Experiment:
        """The experiment of nested dictionaries; raises ExperimentError for keys it does not know."""
        return _build(cls, record, path, "")  # type: ignore[no-any-return]


def read_experiment(path: Path | str) -> Experiment:
    """Read an experiment file. Raises ExperimentError with file and line."""
    path = Path(path)
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ExperimentError(path, 0, f"cannot be read: {error}") from error
    try:
        record = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ExperimentError(path, 0, f"not TOML: {error}") from error
    record.setdefault("name", path.stem)
    return _build(Experiment, record, path, text)  # type: ignore[no-any-return]


def _build(kind: type, record: dict[str, Any], path: Path, text: str, section: str = "") -> Any:
    hints = get_type_hints(kind)
    values: dict[str, Any] = {}
    for key, value in record.items():
        if key not in hints:
            known = ", ".join(hints)
            where = f"[{section}]" if section else "at the top"
            raise ExperimentError(path, _line(text, section, key), f"unknown key {key!r} {where}; known are {known}")
        expected = hints[key]
        if dataclasses.is_dataclass(expected):
            if not isinstance(value, dict):
                raise ExperimentError(path, _line(text, section, key), f"[{key}] must be a table")
            values[key] = _build(expected, value, path, text, key)  # type: ignore[arg-type]
            continue
        if expected is float and type(value) is int:
            value = float(value)
        if type(value) is not expected:
            message = f"{key} must be {expected.__name__}, not {type(value).__name__}"
            raise ExperimentError(path, _line(text, section, key), message)
        values[key] = value
    try:
        return kind(**values)
    except ValueError as error:
        raise ExperimentError(path, _line(text, "", section) if section else 0, str(error)) from error


def _line(text: str, section: str, key: str) -> int:
    """The line of a key within a section, found by its look; 0 if it cannot be found."""
    current = ""
    for number, line in enumerate(text.splitlines(), 1):
        if match := re.match(r"\s*\[([^\]]+)\]", line):
            current = match[1].strip()
            if not section and current == key:
                return number
        elif current == section and re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*[=.]", line):
            return number
    return 0
