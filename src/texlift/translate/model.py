"""A trained translator on disk, in one folder.

    weights.safetensors   the scorer's weights
    memory.safetensors    what formulae under known titles make of symbols
    model.json            sizes, names of the features, vocabulary, tuned numbers, calibration, card
    grammar.json          the rules, in the order of their numbers
    needs.json            what each rule needs to match: loading it is faster than parsing all rules
    checksums.json        of the other files: a damaged one is refused

The folder is written completely or not at all: new files are first collected in a folder inside it, and as soon as that
is complete, they are read from there. Moving them to their places can be interrupted and taken up again.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cache, cached_property
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load as load_arrays
from safetensors.numpy import save as dump_arrays

from texlift.context.memory import Memory
from texlift.errors import TexliftError
from texlift.files import checksum, write_file
from texlift.grammar.grammar import Grammar
from texlift.grammar.needs import dump_needs, load_needs
from texlift.scorer.network import ScorerConfig
from texlift.scorer.schema import Slots
from texlift.scorer.vocabulary import RuleNumbers, Vocabulary
from texlift.translate.confidence import Calibration
from texlift.tuning import Tuning

__all__ = ["Model", "packaged_model"]

_FORMAT = "texlift-translator-10"  # a new number with every change of the files, or of what a feature's values mean
_FILES = ("weights.safetensors", "memory.safetensors", "grammar.json", "needs.json", "model.json")
_CHECKSUMS = "checksums.json"
_BLOCK = 1 << 14
_NEXT = ".next"  # folder of complete new files that are not at their places yet

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Model:
    """Everything a translator needs."""

    grammar: Grammar
    vocabulary: Vocabulary
    config: ScorerConfig
    weights: Mapping[str, NDArray[np.float32]]
    memory: Memory = field(default_factory=Memory)
    calibration: Calibration = field(default_factory=Calibration)
    tuning: Tuning = field(default_factory=Tuning)
    slots: Slots = field(default_factory=Slots.of)
    card: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def numbers(self) -> RuleNumbers:
        """Numbers of rules and macros."""
        return RuleNumbers.of(self.grammar)

    def save(self, folder: Path) -> None:
        """Write the folder; what it holds is replaced only once all new files are complete."""
        folder = Path(folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            _settle(folder)
            scratch = folder / f"{_NEXT}-{os.urandom(6).hex()}"
            try:
                scratch.mkdir()
                for name, content in self._contents().items():
                    write_file(scratch / name, content)
                scratch.replace(folder / _NEXT)
            finally:
                shutil.rmtree(scratch, ignore_errors=True)
            _settle(folder)
        except OSError as error:
            raise TexliftError(f"cannot write model {folder}: {error.strerror or error}") from error

    def _contents(self) -> dict[str, bytes]:
        """The files of the folder by name; their checksums come last."""
        # half the size; what sixteen bits lose is far below what two trainings differ by
        half = {name: np.ascontiguousarray(w, np.float16) for name, w in self.weights.items()}
        rules = self.grammar.dumps()
        files = {
            "weights.safetensors": dump_arrays(half),
            "memory.safetensors": dump_arrays(self.memory.arrays()),
            "grammar.json": rules.encode(),
            "needs.json": _needs_file(rules).encode(),
            "model.json": json.dumps(self._table(), ensure_ascii=False, indent=1).encode() + b"\n",
        }
        sums = {name: checksum(content) for name, content in files.items()}
        return {**files, _CHECKSUMS: json.dumps(sums, indent=1).encode() + b"\n"}

    def _table(self) -> dict[str, Any]:
        return {
            "format": _FORMAT,
            "config": asdict(self.config),
            "features": {"place": self.slots.place_names, "reading": self.slots.reading_names},
            "tuning": self.tuning.as_dict(),
            "calibration": asdict(self.calibration),
            "card": dict(self.card),
            "labels": list(self.vocabulary.labels),
            "words": list(self.vocabulary.words),
        }

    @staticmethod
    def load(folder: Path) -> Model:
        """Read a model folder; raises TexliftError that names the file for anything missing or broken."""
        folder = Path(folder)
        try:
            files = _sound(folder)
            table = json.loads(files["model.json"])
            if table.get("format") != _FORMAT:
                raise TexliftError(f"{folder}: format {table.get('format')!r}, expected {_FORMAT!r}")
            tuning = Tuning.of(table["tuning"])
            fields: dict[str, Any] = {
                "config": ScorerConfig(**table["config"]),
                "vocabulary": Vocabulary(tuple(table["labels"]), tuple(table["words"])),
                "calibration": Calibration.of(table["calibration"]),
                "tuning": tuning,
                "slots": Slots.of(_names(table["features"]["place"]), _names(table["features"]["reading"])),
                "weights": {n: _widened(w) for n, w in load_arrays(files["weights.safetensors"]).items()},
                "memory": Memory.of_arrays(load_arrays(files["memory.safetensors"]), tuning),
                "card": table["card"],
            }
        except OSError as error:
            raise TexliftError(f"cannot read model {folder}: {error}") from error
        except (ValueError, KeyError, TypeError, AttributeError, SafetensorError, RecursionError) as error:
            raise TexliftError(f"{folder} is not a translator model: {error}") from error
        model = Model(grammar=_grammar(folder, files), **fields)
        if model.config.rules != model.numbers.unknown_rule + 1 + len(model.vocabulary.labels):
            raise TexliftError(f"{folder}: weights and grammar do not belong together")
        if untrained := model.slots.untrained:
            _log.warning("%s was trained without the features %s: they are off", folder, ", ".join(untrained))
        return model


def _widened(weights: NDArray[Any]) -> NDArray[np.float32]:
    """Weights in single precision. Numbers of sixteen bits are looked up: faster than `astype`."""
    if weights.dtype != np.float16:
        return weights.astype(np.float32)
    halves, table = np.ascontiguousarray(weights).view(np.uint16).ravel(), _all_halves()
    found = np.empty(halves.size, np.float32)
    for at in range(0, halves.size, _BLOCK):  # the indices of so many fit into the processor's cache
        some = slice(at, at + _BLOCK)
        found[some] = table.take(halves[some])
    return found.reshape(weights.shape)


@cache
def _all_halves() -> NDArray[np.float32]:
    return np.arange(1 << 16, dtype=np.uint16).view(np.float16).astype(np.float32)


def _names(found: object) -> list[str]:
    """A list of names; ValueError if it is something else."""
    if not isinstance(found, list) or not all(isinstance(name, str) for name in found):
        raise ValueError("its features are no list of names")
    return found


def _needs_file(rules: str) -> str:
    """The file that belongs to a grammar's file with the text `rules`."""
    lines = [json.dumps(needs, ensure_ascii=False) for needs in dump_needs(Grammar.loads(rules).needs)]
    return f'{{"grammar": {crc32(rules.encode())},\n"needs": [\n' + ",\n".join(lines) + "\n]}\n"


def _settle(folder: Path) -> None:
    """Move new files that are complete to their places; remove what an earlier process left incomplete."""
    for incomplete in folder.glob(f"{_NEXT}-*"):
        shutil.rmtree(incomplete, ignore_errors=True)
    complete = folder / _NEXT
    if complete.is_dir():
        for name in (*_FILES, _CHECKSUMS):
            if (complete / name).exists():
                (complete / name).replace(folder / name)
        complete.rmdir()


def _sound(folder: Path) -> dict[str, bytes]:
    """The files of a model by name, checked against their checksums. Raises TexliftError where one is damaged."""

    def content(name: str) -> bytes:
        waiting = folder / _NEXT / name
        return (waiting if waiting.exists() else folder / name).read_bytes()

    files = {name: content(name) for name in _FILES if name != "needs.json"}
    try:
        files["needs.json"] = content("needs.json")
    except FileNotFoundError:
        files["needs.json"] = b""  # made of the grammar
    try:
        sums = json.loads(content(_CHECKSUMS))
    except FileNotFoundError:
        _log.warning("%s has no %s: whether its files are damaged is not known", folder, _CHECKSUMS)
        return files
    for name, found in files.items():
        if found and sums.get(name) != checksum(found):
            raise TexliftError(f"{folder / name} is damaged: its checksum is not the one in {_CHECKSUMS}")
    return files


def _grammar(folder: Path, files: Mapping[str, bytes]) -> Grammar:
    """The grammar of a model folder; a file of needs that is missing, broken or of another grammar does not matter."""
    try:
        grammar = Grammar.loads(files["grammar.json"].decode(), str(folder / "grammar.json"))
    except UnicodeDecodeError as error:
        raise TexliftError(f"{folder / 'grammar.json'} is not UTF-8: {error.reason}") from error
    try:
        table = json.loads(files["needs.json"])
        if table["grammar"] == crc32(files["grammar.json"]):
            needs = load_needs(table["needs"])
            if len(needs) == len(grammar):
                grammar.needs = needs
    except (ValueError, KeyError, TypeError, RecursionError):
        _log.info("%s: no needs.json, the rules are parsed", folder)
    return grammar


@cache
def packaged_model() -> Model:
    """The model that ships with texlift."""
    with as_file(files("texlift.translate").joinpath("model")) as folder:
        return Model.load(folder)
