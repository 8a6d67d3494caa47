"""A trained translator on disk: weights, vocabulary, grammar, calibration, in one folder.

    weights.safetensors      the scorer's weights
    conventions.safetensors  what formulae under known titles make of symbols
    model.json               sizes, vocabulary, calibration, figures
    grammar.json             the rules, in the order of their numbers
    needs.json               what each rule needs to match: loading it is faster than parsing all rules

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

from texlift.context.memory import Conventions
from texlift.context.placing import Titles
from texlift.errors import TexliftError
from texlift.grammar.grammar import Grammar
from texlift.grammar.needs import dump_needs, load_needs
from texlift.scorer.network import ScorerConfig
from texlift.scorer.rulenumbers import RuleNumbers
from texlift.scorer.vocabulary import Vocabulary
from texlift.translate.calibration import Calibration

__all__ = ["Model", "packaged_model"]

_FORMAT = "texlift-translator-9"  # a new number with every change of features or files: old weights would mean others


@dataclass(frozen=True)
class Model:
    """Everything a translator needs."""

    grammar: Grammar
    vocabulary: Vocabulary
    config: ScorerConfig
    weights: Mapping[str, NDArray[np.float32]]
    calibration: Calibration = field(default_factory=Calibration)
    card: Mapping[str, Any] = field(default_factory=dict)
    conventions: Conventions = field(default_factory=Conventions)
    needless: frozenset[str] = frozenset()  # kinds of wrappers to leave out, see `texlift.translate.wrappers`
    sections: tuple[Titles, ...] = ()  # of the pairs it was trained on, the handbook's aside

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
            save_file(self.conventions.arrays(), scratch / "conventions.safetensors")
            rules = self.grammar.dumps()
            (scratch / "grammar.json").write_text(rules, "utf-8")
            (scratch / "needs.json").write_text(_needs_file(rules), "utf-8")
            table = {
                "format": _FORMAT,
                "config": asdict(self.config),
                "calibration": asdict(self.calibration),
                "card": dict(self.card),
                "needless": sorted(self.needless),
                "sections": self.sections,
                "labels": list(self.vocabulary.labels),
                "words": list(self.vocabulary.words),
            }
            (scratch / "model.json").write_text(json.dumps(table, ensure_ascii=False, indent=1) + "\n", "utf-8")
            if folder.exists():
                for name in (
                    "weights.safetensors",
                    "conventions.safetensors",
                    "grammar.json",
                    "needs.json",
                    "model.json",
                ):
                    (scratch / name).replace(folder / name)
            else:
                scratch.replace(folder)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)

    @staticmethod
    def load(folder: Path) -> Model:
        """Read a model folder; raises TexliftError that names the file for anything missing or broken."""
        folder = Path(folder)
        try:
            table = json.loads((folder / "model.json").read_text("utf-8"))
            if table.get("format") != _FORMAT:
                raise TexliftError(f"{folder}: format {table.get('format')!r}, expected {_FORMAT!r}")
            config = ScorerConfig(**table["config"])
            vocabulary = Vocabulary(tuple(table["labels"]), tuple(table["words"]))
            calibration = Calibration.of(table["calibration"])
            needless = frozenset(map(str, table.get("needless", ())))
            sections = tuple([(str(chapter), str(section)) for chapter, section in table["sections"]])
            weights = {name: w.astype(np.float32) for name, w in load_file(folder / "weights.safetensors").items()}
            conventions = Conventions.of_arrays(load_file(folder / "conventions.safetensors"))
        except OSError as error:
            raise TexliftError(f"cannot read model {folder}: {error}") from error
        except (ValueError, KeyError, TypeError, SafetensorError) as error:
            raise TexliftError(f"{folder} is not a translator model: {error}") from error
        grammar = _grammar(folder)
        model = Model(grammar, vocabulary, config, weights, calibration, table["card"], conventions, needless, sections)
        if config.rules != model.numbers.unknown_rule + 1 + len(vocabulary.labels):
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
