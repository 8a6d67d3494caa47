"""Experiment files: commented TOML in, frozen dataclasses out; a key nobody knows is an error with its line."""

from __future__ import annotations

import dataclasses
import math
import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_type_hints

from texlift.errors import TexliftError
from texlift.latex.tree import Heuristics
from texlift_paper.network.engines import ENGINES
from texlift_paper.network.model import ModelConfig
from texlift_paper.network.sequence import SequenceConfig
from texlift_paper.network.sequence_kinds import ARCHITECTURES
from texlift_paper.training.device import PRECISIONS

__all__ = [
    "DataConfig",
    "DecodingConfig",
    "Experiment",
    "ExperimentError",
    "LossConfig",
    "OptimiserConfig",
    "TrainingConfig",
    "parse_experiment",
    "read_experiment",
    "with_settings",
]

TASKS = ("translate", "autoencode-generic", "autoencode-semantic", "sequence")
OPTIMISERS = ("adam", "rmsprop")
SCHEDULES = ("constant", "cosine", "linear")
MINI_BATCHES = ("sizes", "clusters", "random")
KEPT = ("last", "best")
COMPARATORS = ("all", "paper")


_HOW_LONG = ("epochs", "minutes", "patience")
_WHERE = ("device", "threads", "save_minutes", "tensorboard")


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
    comparators: str = "all"
    """Where formulae are cut into terms: at all comparators, or at those that the paper lists."""
    development: int = 0
    """Formulae taken out of the training folds to choose a checkpoint on (`keep = "best"`)."""
    terms: int = 0
    """At most so many training pairs, chosen at random; 0 for all."""
    max_nodes: int = 400
    """Training pairs with a larger tree are left out; validation keeps them."""
    min_count: int = 2
    """Labels that occur less often in training are unknown."""
    placeholders: bool = False
    """For sequences: numbers of two digits or more are hidden behind `<number_1>`, `<number_2>` ..."""
    command_end: bool = True
    concat_end: bool = True
    prefix: bool = False
    postfix: bool = False

    def __post_init__(self) -> None:
        _choose("comparators", self.comparators, COMPARATORS)
        if min(self.development, self.terms) < 0:
            raise ValueError("development and terms must not be negative")

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
class DecodingConfig:
    """How answers are found when the network runs freely; no part of training."""

    beam: int = 1
    """Beginnings of answers that are kept; 1 takes the most likely value each time."""

    def __post_init__(self) -> None:
        if not 1 <= self.beam <= 100:
            raise ValueError("beam must be between 1 and 100")


@dataclass(frozen=True, slots=True)
class TrainingConfig:
    """How long, how much at once, and where weights come from."""

    epochs: int = 10
    minutes: float = 0.0
    """Stop after so many minutes of processor time, at the end of a batch; 0 for no limit."""
    batch_nodes: int = 6000
    """Nodes of both sides that are computed at once."""
    mini_batches: str = "sizes"
    """What a step is made of: trees of similar size, the paper's clusters, or pairs at random. A cluster with more than
    `batch_nodes` is computed in pieces; it is one step all the same."""
    hulls: bool = False
    """Pad every answer with `y_end` to the hull of its cluster, as the paper does."""
    teacher_forcing: bool = False
    """In training, feed the decoder with its parent's right value instead of the predicted one."""
    engine: str = "levels"
    seed: int = 1
    threads: int = 1
    save_minutes: float = 5.0
    """How often a checkpoint is written within an epoch."""
    layerwise: int = 0
    """Epochs for each layer alone before all are trained together; 0 to train all at once."""
    encoder_from: str = ""
    decoder_from: str = ""
    """Auto-encoders whose encoder and decoder to start from: folders of runs, or experiment files, which are then
    trained first, on this experiment's data."""
    freeze: bool = False
    """Train only the bridge between an encoder and a decoder that were taken over."""
    padding: float = 0.0
    """Chance of a leaf of an answer, and of a `y_end`, to have two `y_end`s below it: the network then knows what
    to say on a hull (section 3.2.1). A cheap substitute for `hulls`. 0 to train on the trees alone."""
    keep: str = "last"
    """Which weights a run ends with: those of the last epoch, or of the one with the best p_m on the development
    formulae (on the validation fold if there are none)."""
    generate: int = 0
    """Validation formulae translated free-running after each epoch."""
    patience: int = 0
    """Stop after so many epochs in a row without a better p_m on the development formulae (on the validation fold if
    there are none); 0 to go on to the end."""
    device: str = "cpu"
    """cpu, cuda, cuda:1 ..., or auto."""
    precision: str = "float32"
    """bfloat16 for mixed precision, on devices that have it."""
    tensorboard: bool = False
    """Also log for TensorBoard, into the folder of the run."""

    def __post_init__(self) -> None:
        _choose("engine", self.engine, tuple(ENGINES))
        _choose("mini_batches", self.mini_batches, MINI_BATCHES)
        _choose("keep", self.keep, KEPT)
        _choose("precision", self.precision, PRECISIONS)
        if self.patience < 0:
            raise ValueError("patience must not be negative")
        if self.epochs < 1 or self.batch_nodes < 1 or self.threads < 1:
            raise ValueError("epochs, batch_nodes and threads must be positive")
        if not 0 <= self.padding <= 0.4:
            raise ValueError("padding must be between 0 and 0.4; trees grow without end at 0.5")
        if self.padding and self.hulls:
            raise ValueError("answers are padded at random (padding) or to their hull (hulls), not both")


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
    decoding: DecodingConfig = field(default_factory=DecodingConfig)

    def __post_init__(self) -> None:
        _choose("task", self.task, TASKS)
        _choose("architecture", self.sequence.architecture, tuple(ARCHITECTURES))
        if self.training.teacher_forcing and self.model.feed == "zero":
            raise ValueError("teacher_forcing needs a decoder that is fed: feed must be argmax or softmax")

    def continues(self, before: Experiment) -> bool:
        """Whether this is another one trained at least as long, or with the same training computed elsewhere."""
        ours, theirs = self.training, before.training
        later = ours.epochs >= theirs.epochs and (ours.minutes or math.inf) >= (theirs.minutes or math.inf)
        same = {name: getattr(theirs, name) for name in _HOW_LONG + _WHERE}
        return later and before == dataclasses.replace(
            self, training=dataclasses.replace(ours, **same), decoding=before.decoding
        )

    @property
    def trained_for(self) -> tuple[float, ...]:
        """The settings that say when training ends."""
        return tuple(getattr(self.training, name) for name in _HOW_LONG)

    def as_dict(self) -> dict[str, Any]:
        """Nested dictionaries of plain values."""
        return dataclasses.asdict(self)

    @classmethod
    def from_dict(cls, record: dict[str, Any], path: Path = Path("experiment")) -> Experiment:
        """The experiment of nested dictionaries; raises ExperimentError for keys it does not know."""
        return _build(cls, record, path, "")  # type: ignore[no-any-return]


def read_experiment(path: Path | str) -> Experiment:
    """Read an experiment file of one experiment. Raises ExperimentError with file and line."""
    return parse_experiment(Path(path))[0]


def parse_experiment(path: Path, beside: Iterable[str] = ()) -> tuple[Experiment, dict[str, Any]]:
    """An experiment file, and the values of keys at its top that are no part of the experiment."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ExperimentError(path, 0, f"cannot be read: {error}") from error
    try:
        record = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ExperimentError(path, 0, f"not TOML: {error}") from error
    record.setdefault("name", path.stem)
    extra = {key: record.pop(key) for key in beside if key in record}
    return _build(Experiment, record, path, text), extra


def with_settings(experiment: Experiment, settings: Iterable[str]) -> Experiment:
    """The experiment with some keys changed, each `section.key=value` with the value written as in TOML.

    Quotes around a text may be left out. Raises ExperimentError for a key or value that is not possible.
    """
    record = experiment.as_dict()
    for setting in settings:
        key, equals, text = setting.partition("=")
        *sections, name = key.strip().split(".")
        table = record
        for section in sections:
            table = table.get(section, {}) if isinstance(table, dict) else {}
        if not equals or not isinstance(table, dict) or name not in table or isinstance(table[name], dict):
            raise ExperimentError(Path("--set"), 0, f"{setting!r} is not SECTION.KEY=VALUE with a known key")
        try:
            table[name] = tomllib.loads(f"value = {text}")["value"]
        except tomllib.TOMLDecodeError:
            table[name] = text.strip()
    return Experiment.from_dict(record, Path("--set"))


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
