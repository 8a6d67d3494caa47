"""Pairs of the corpus as pairs of trees, split by fold and cut into batches."""

from __future__ import annotations

import logging
import os
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from texlift.corpus.augment import COMPARATORS, PAPER_COMPARATORS, augment
from texlift.corpus.folds import assign_folds
from texlift.corpus.jsonl import read_pairs
from texlift.errors import FormulaError, TexliftError
from texlift.latex.binary import BinaryTree, parse_binary
from texlift.latex.signatures import Signatures, generic_signatures
from texlift.latex.tree import Heuristics
from texlift.macros.lexicon import lexicon
from texlift_paper.batching.trees import SubtreeTable, TreeArrays
from texlift_paper.network.vocabulary import Vocabulary
from texlift_paper.training.experiment import DataConfig

__all__ = [
    "Dataset",
    "TreePair",
    "data_file",
    "load_dataset",
    "semantic_signatures",
]

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, eq=False)
class TreePair:
    """A formula's two sides as text and as trees."""

    generic: str
    semantic: str
    source: TreeArrays
    target: TreeArrays

    @property
    def nodes(self) -> int:
        """Nodes of both trees."""
        return len(self.source) + len(self.target)

    @property
    def trivial(self) -> bool:
        """Whether copying the input is the right translation."""
        return self.generic == self.semantic

    def posed(self, task: str) -> TreePair:
        """Question and answer of a task as source and target: an auto-encoder has one side twice."""
        if task == "autoencode-generic":
            return replace(self, semantic=self.generic, target=self.source)
        if task == "autoencode-semantic":
            return replace(self, generic=self.semantic, source=self.target)
        return self


@dataclass(frozen=True, slots=True, eq=False)
class Dataset:
    """Pairs over one vocabulary and one table of subtrees; `development` is taken out of the training folds."""

    vocabulary: Vocabulary
    table: SubtreeTable
    training: list[TreePair]
    development: list[TreePair]
    validation: list[TreePair]
    test: list[TreePair]
    skipped: int
    """Formulae that do not parse."""


def semantic_signatures() -> Signatures:
    """The table for parsing semantic LaTeX with the packaged lexicon."""
    return generic_signatures().with_calls(lexicon().call_signatures())


def data_file(name: str) -> Path:
    """A path as it is, or a file in the data folder."""
    path = Path(name)
    if path.is_file():
        return path
    folder = os.environ.get("TEXLIFT_DATA", "")
    if folder and (Path(folder) / name).is_file():
        return Path(folder) / name
    raise TexliftError(f"no corpus file {name}: give a path, or set TEXLIFT_DATA to the folder it is in")


def load_dataset(config: DataConfig, seed: int, vocabulary: Vocabulary | None = None) -> Dataset:
    """Read, parse, split; the vocabulary is that of the training pairs unless one is given."""
    path = data_file(config.file)
    pairs = assign_folds(read_pairs(path))
    split: dict[str, dict[tuple[str, str], None]] = {"training": {}, "validation": {}, "test": {}}
    for pair in pairs:
        held_out = {config.test_fold: "test", config.validation_fold: "validation"}
        split[held_out.get(pair.fold if pair.fold is not None else -1, "training")][pair.generic, pair.semantic] = None
    training, development = _taken_out(list(split["training"]), config.development)
    unseen = {generic for held_back in (split["validation"], split["test"], development) for generic, _ in held_back}
    if config.augment:
        signs = PAPER_COMPARATORS if config.comparators == "paper" else COMPARATORS
        parts = dict.fromkeys(part for generic, semantic in training for part in augment(generic, semantic, signs))
        # a term of a training formula may be a whole formula of the validation: that would be a leak
        training = [part for part in parts if part[0] not in unseen]
    if config.terms and config.terms < len(training):
        chosen = np.random.default_rng(seed).permutation(len(training))[: config.terms]
        training = [training[index] for index in sorted(chosen)]
    parser = _Parser(config.heuristics, path)
    parsed = {
        "training": parser.parse(training),
        "development": parser.parse(development),
        "validation": parser.parse(list(split["validation"])),
        "test": parser.parse(list(split["test"])),
    }
    if not parsed["training"]:
        raise TexliftError(f"{path}: no pair left to train on")
    parsed["training"] = [item for item in parsed["training"] if max(len(item[2]), len(item[3])) <= config.max_nodes]
    if vocabulary is None:
        vocabulary = Vocabulary.of((tree for item in parsed["training"] for tree in item[2:]), config.min_count)
    table = SubtreeTable()
    arrays = {
        name: [
            TreePair(
                generic,
                semantic,
                TreeArrays.of(vocabulary.numbers(source), table),
                TreeArrays.of(vocabulary.numbers(target), table),
            )
            for generic, semantic, source, target in items
        ]
        for name, items in parsed.items()
    }
    return Dataset(vocabulary, table, **arrays, skipped=parser.failed)


def _taken_out(pairs: list[tuple[str, str]], count: int) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """(the rest, `count` formulae at random); the same ones for every seed, and fewer are a part of more."""
    if count >= len(pairs):
        raise TexliftError(f"development = {count}, but there are only {len(pairs)} training formulae")
    chosen = set(np.random.default_rng(0).permutation(len(pairs))[:count].tolist())
    rest = [pair for index, pair in enumerate(pairs) if index not in chosen]
    return rest, [pair for index, pair in enumerate(pairs) if index in chosen]


class _Parser:
    def __init__(self, heuristics: Heuristics, path: Path) -> None:
        self.heuristics = heuristics
        self.path = path
        self.semantic = semantic_signatures()
        self.failed = 0

    def parse(self, pairs: list[tuple[str, str]]) -> list[tuple[str, str, BinaryTree, BinaryTree]]:
        parsed = []
        for generic, semantic in pairs:
            try:
                source = parse_binary(generic, self.heuristics)
                target = parse_binary(semantic, self.heuristics, self.semantic)
            except FormulaError as error:
                self.failed += 1
                logger.warning("%s: left out, does not parse: %s", self.path, error)
                continue
            parsed.append((generic, semantic, source, target))
        return parsed
