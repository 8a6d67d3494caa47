"""A trained translator on disk, in one folder.

    weights.safetensors   the scorer's weights
    memory.safetensors    what formulae under known titles make of symbols
    model.json            sizes, names of the features, vocabulary, tuned numbers, calibration, card
    grammar.json          the rules, in the order of their numbers
    needs.json            what each rule needs to match: loading it is faster than parsing all rules

The folder is written completely or not at all.
"""

from __future__ import annotations

import json
import logging
import shutil
import tempfile
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
from safetensors.numpy import load_file, save_file

from texlift.context.memory import Memory
from texlift.errors import TexliftError
from texlift.grammar.grammar import Grammar
from texlift.grammar.needs import dump_needs, load_needs
from texlift.scorer.network import ScorerConfig
from texlift.scorer.schema import PLACE, READING, Slots
from texlift.scorer.vocabulary import RuleNumbers, Vocabulary
from texlift.translate.confidence import Calibration
from texlift.tuning import Tuning

__all__ = ["Model", "packaged_model"]

_FORMAT = "texlift-translator-10"  # a new number with every change of the files, or of what a feature's values mean
_FILES = ("weights.safetensors", "memory.safetensors", "grammar.json", "needs.json", "model.json")


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
        """Write the folder; an existing one is replaced only once the new one is complete."""
        folder = Path(folder)
        folder.parent.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
        try:
            # half the size; what sixteen bits lose is far below what two trainings differ by
            half = {name: np.ascontiguousarray(w, np.float16) for name, w in self.weights.items()}
            save_file(half, scratch / "weights.safetensors")
            save_file(self.memory.arrays(), scratch / "memory.safetensors")
            rules = self.grammar.dumps()
            (scratch / "grammar.json").write_text(rules, "utf-8")
            (scratch / "needs.json").write_text(_needs_file(rules), "utf-8")
            text = json.dumps(self._table(), ensure_ascii=False, indent=1)
            (scratch / "model.json").write_text(text + "\n", "utf-8")
            if folder.exists():
                for name in _FILES:
                    (scratch / name).replace(folder / name)
            else:
                scratch.replace(folder)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)

    def _table(self) -> dict[str, Any]:
        return {
            "format": _FORMAT,
            "config": asdict(self.config),
            "features": {"place": PLACE.names, "reading": READING.names},
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
            table = json.loads((folder / "model.json").read_text("utf-8"))
            if table.get("format") != _FORMAT:
                raise TexliftError(f"{folder}: format {table.get('format')!r}, expected {_FORMAT!r}")
            tuning = Tuning.of(table["tuning"])
            fields: dict[str, Any] = {
                "config": ScorerConfig(**table["config"]),
                "vocabulary": Vocabulary(tuple(table["labels"]), tuple(table["words"])),
                "calibration": Calibration.of(table["calibration"]),
                "tuning": tuning,
                "slots": Slots.of(table["features"]["place"], table["features"]["reading"]),
                "weights": {n: w.astype(np.float32) for n, w in load_file(folder / "weights.safetensors").items()},
                "memory": Memory.of_arrays(load_file(folder / "memory.safetensors"), tuning),
                "card": table["card"],
            }
        except OSError as error:
            raise TexliftError(f"cannot read model {folder}: {error}") from error
        except (ValueError, KeyError, TypeError, AttributeError, SafetensorError) as error:
            raise TexliftError(f"{folder} is not a translator model: {error}") from error
        model = Model(grammar=_grammar(folder), **fields)
        if model.config.rules != model.numbers.unknown_rule + 1 + len(model.vocabulary.labels):
            raise TexliftError(f"{folder}: weights and grammar do not belong together")
        return model


def _needs_file(rules: str) -> str:
    """The file that belongs to a grammar's file with the text `rules`."""
    lines = [json.dumps(needs, ensure_ascii=False) for needs in dump_needs(Grammar.loads(rules).needs)]
    return f'{{"grammar": {crc32(rules.encode())},\n"needs": [\n' + ",\n".join(lines) + "\n]}\n"


def _grammar(folder: Path) -> Grammar:
    """The grammar of a model folder; a file of needs that is missing, broken or of another grammar does not matter."""
    grammar = Grammar.load(folder / "grammar.json")
    try:
        table = json.loads((folder / "needs.json").read_text("utf-8"))
        if table["grammar"] == crc32((folder / "grammar.json").read_bytes()):
            needs = load_needs(table["needs"])
            if len(needs) == len(grammar):
                grammar.needs = needs
    except (OSError, ValueError, KeyError, TypeError):
        logging.getLogger(__name__).info("%s: no needs.json, the rules are parsed", folder)
    return grammar


@cache
def packaged_model() -> Model:
    """The model that ships with texlift."""
    with as_file(files("texlift.translate").joinpath("model")) as folder:
        return Model.load(folder)
