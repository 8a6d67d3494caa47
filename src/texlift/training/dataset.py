"""Pairs of the corpus as pairs of trees, split by fold and cut into batches."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from texlift.batching.clustering import Topologies, equation_parameters, pick_clustering
from texlift.batching.trees import SubtreeTable, TreeArrays
from texlift.corpus.augment import augment
from texlift.corpus.folds import assign_folds
from texlift.corpus.jsonl import read_pairs
from texlift.errors import FormulaError, TexliftError
from texlift.latex.binary import BinaryTree, parse_binary
from texlift.latex.signatures import Signatures, generic_signatures
from texlift.latex.tree import Heuristics
from texlift.macros.lexicon import lexicon
from texlift.network.vocabulary import Vocabulary
from texlift.training.experiment import DataConfig

__all__ = [
    "Dataset",
    "TreePair",
    "batches",
    "cluster_batches",
    "clusters_of",
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


@dataclass(frozen=True, slots=True, eq=False)
class Dataset:
    """Training, validation and test pairs over one vocabulary and one table of subtrees."""

    vocabulary: Vocabulary
    table: SubtreeTable
    training: list[TreePair]
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
    unseen = {generic for name in ("validation", "test") for generic, _ in split[name]}
    training = list(split["training"])
    if config.augment:
        parts = dict.fromkeys(part for generic, semantic in training for part in augment(generic, semantic))
        # a term of a training formula may be a whole formula of the validation: that would be a leak
        training = [part for part in parts if part[0] not in unseen]
    if config.terms and config.terms < len(training):
        chosen = np.random.default_rng(seed).permutation(len(training))[: config.terms]
        training = [training[index] for index in sorted(chosen)]
    parser = _Parser(config.heuristics, path)
    parsed = {
        "training": parser.parse(training),
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
    return Dataset(vocabulary, table, arrays["training"], arrays["validation"], arrays["test"], parser.failed)


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


def batches(
    pairs: Sequence[TreePair], budget: int, generator: np.random.Generator | None = None
) -> Iterator[list[TreePair]]:
    """Batches of similar sizes and at most `budget` nodes (one pair at least); shuffled with a generator.

    Sizes are blurred before sorting, so that the same formulae do not meet in every epoch.
    """
    sizes = np.array([pair.nodes for pair in pairs], dtype=float)
    if generator is not None:
        sizes *= generator.uniform(0.85, 1.15, len(sizes))
    groups: list[list[TreePair]] = []
    total = 0
    for index in np.argsort(sizes, kind="stable").tolist():
        nodes = pairs[index].nodes
        if not groups or total + nodes > budget:
            groups.append([])
            total = 0
        groups[-1].append(pairs[index])
        total += nodes
    order = generator.permutation(len(groups)) if generator is not None else np.arange(len(groups))
    for index in order.tolist():
        yield groups[index]


def clusters_of(pairs: Sequence[TreePair]) -> list[tuple[list[TreePair], int]]:
    """The paper's clusters of similar topology (Algorithm 1), each with the nodes of its hulls."""
    topologies = Topologies.of([(pair.source.values, pair.target.values) for pair in pairs])
    clustering = pick_clustering(topologies, equation_parameters(len(pairs)))
    hulls = clustering.hull_sizes()
    groups: dict[int, list[TreePair]] = {}
    for pair, topology in zip(pairs, topologies.of_pair.tolist(), strict=True):
        groups.setdefault(int(clustering.labels[topology]), []).append(pair)
    return [(members, int(hulls[label])) for label, members in groups.items()]


def cluster_batches(
    pairs: Sequence[TreePair], budget: int
) -> Callable[[np.random.Generator], Iterator[list[TreePair]]]:
    """The paper's mini-batches: clusters, the order shuffled anew each epoch.

    A cluster whose padded nodes exceed `budget` is cut into several batches.
    """
    groups = clusters_of(pairs)

    def order(generator: np.random.Generator) -> Iterator[list[TreePair]]:
        cut: list[list[TreePair]] = []
        for members, hull in groups:
            size = max(1, budget // hull)
            shuffled = [members[index] for index in generator.permutation(len(members)).tolist()]
            cut += [shuffled[start : start + size] for start in range(0, len(shuffled), size)]
        for index in generator.permutation(len(cut)).tolist():
            yield cut[index]

    return order
