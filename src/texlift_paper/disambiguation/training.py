"""Train and cross-validate the classifiers."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray

from texlift.errors import TexliftError
from texlift.latex.binary import parse_binary
from texlift_paper.batching.trees import IntArray, SubtreeTable, TreeArrays
from texlift_paper.disambiguation.choices import Choice
from texlift_paper.disambiguation.classifiers import (
    KINDS,
    BagClassifier,
    Batch,
    Classifier,
    RecurrentClassifier,
    RecursiveClassifier,
)
from texlift_paper.disambiguation.words import Words, leaf_of, words_of
from texlift_paper.network.vocabulary import Vocabulary
from texlift_paper.training.loop import reuse_memory

__all__ = ["Accuracy", "Settings", "Trained", "cross_validate", "random_accuracy", "train_classifier", "train_on_all"]


@dataclass(frozen=True, slots=True)
class Settings:
    """How a classifier is made and trained."""

    kind: str = "places"
    layers: int = 1
    epochs: int = 8
    rate: float = 3e-3
    batch: int = 256
    seed: int = 1
    hidden: int = 256
    state: int = 64
    fits: bool = True
    """Recurrent and recursive: only macros of which a whole template fits where the symbol stands are candidates.

    For perceptrons the symbol alone says what the candidates are, as in the paper.
    """
    min_count: int = 2
    """Words that occur less often in training are not used."""
    dropout: float = 0.2
    """Share of hidden units that are left out in training."""
    word_dropout: float = 0.0
    """Share of words that are left out in training."""
    members: int = 1
    """Networks that vote, each from another seed."""

    def __post_init__(self) -> None:
        if self.members < 1:
            raise ValueError("there must be one member at least")
        if self.kind not in KINDS:
            raise ValueError(f"kind must be one of {', '.join(KINDS)}, not {self.kind!r}")

    @property
    def near(self) -> bool:
        """Whether words near the symbol count with their place; a pure bag knows no places."""
        return self.kind != "bag"

    @property
    def perceptron(self) -> bool:
        """Whether words are all that is read."""
        return self.kind in ("bag", "places")


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Shares of right choices of a held-out fold: of those among two macros or more, and of all."""

    fold: int
    ambiguous: float
    every: float
    choices: int


@dataclass(frozen=True, slots=True, eq=False)
class Trained:
    """A classifier and the tables it needs."""

    settings: Settings
    models: tuple[Classifier, ...]
    words: Words
    macros: tuple[str, ...]
    candidates: dict[str, tuple[str, ...]]
    samples: _Samples

    def accuracy(self, choices: Sequence[Choice]) -> float:
        """Share of right choices."""
        right = sum(name == choice.macro for name, choice in zip(self.predict(choices), choices, strict=True))
        return right / max(1, len(choices))

    @torch.no_grad()
    def predict(self, choices: Sequence[Choice]) -> list[str]:
        """The most likely macro of each choice, by the mean probability of all members."""
        chosen: list[str] = []
        for start in range(0, len(choices), 512):
            batch = self.samples.batch(choices[start : start + 512], self.words)
            chances = torch.stack([model.eval()(batch).softmax(dim=1) for model in self.models]).mean(dim=0)
            chosen += [self.macros[index] for index in chances.argmax(dim=1).tolist()]
        return chosen


class _Samples:
    """Choices as tensors; trees and words are made once for each formula."""

    def __init__(self, choices: Sequence[Choice], candidates: dict[str, tuple[str, ...]], settings: Settings) -> None:
        plain = settings.perceptron
        self.fits = settings.fits and not plain
        self.candidates = candidates
        self.macros = tuple(sorted({name for choice in choices for name in candidates[choice.symbol]}))
        self.number = {name: number for number, name in enumerate(self.macros)}
        self.table = SubtreeTable()
        trees = {choice.formula: parse_binary(choice.formula) for choice in choices}
        self.vocabulary = Vocabulary.of(trees.values())
        self.trees = {
            formula: TreeArrays.of(self.vocabulary.numbers(tree), self.table) for formula, tree in trees.items()
        }
        # interned: the same few thousand words in tens of thousands of samples
        self.sample = {
            self.key(choice): {
                sys.intern(word): weight
                for word, weight in words_of(
                    choice.formula, choice.symbol, choice.start, settings.near, beside_symbol=not plain
                ).items()
            }
            for choice in choices
        }
        self.node = {self.key(choice): self.leaf_node(choice) for choice in choices}
        self.numbered: dict[tuple[str, str, int], tuple[IntArray, NDArray[np.float32]]] = {}
        self.numbered_by: Words | None = None
        self.masks: dict[tuple[str, ...], torch.Tensor] = {}
        for names in {names for choice in choices for names in (candidates[choice.symbol], self.fitting(choice))}:
            mask = torch.zeros(len(self.macros), dtype=torch.bool)
            mask[[self.number[name] for name in names]] = True
            self.masks[names] = mask

    @staticmethod
    def key(choice: Choice) -> tuple[str, str, int]:
        return choice.formula, choice.symbol, choice.start

    def fitting(self, choice: Choice) -> tuple[str, ...]:
        """The candidates of a choice, those that fit if that counts."""
        names = self.candidates[choice.symbol]
        fitting = tuple(name for name in names if name in choice.fitting) if self.fits else ()
        return fitting or names

    def leaf_node(self, choice: Choice) -> int:
        """The node of the symbol in the tree of the formula."""
        leaves = np.flatnonzero(self.trees[choice.formula].values > 0)
        return int(leaves[min(leaf_of(choice.formula, choice.start), len(leaves) - 1)])

    def words_at(self, choice: Choice, words: Words) -> tuple[IntArray, NDArray[np.float32]]:
        """(numbers, weights) of a choice's words, looked up once for all epochs and members."""
        if words is not self.numbered_by:
            self.numbered, self.numbered_by = {}, words
        key = self.key(choice)
        if key not in self.numbered:
            numbers, weights = words.numbers(self.sample[key])
            self.numbered[key] = (np.array(numbers, dtype=np.int64), np.array(weights, dtype=np.float32))
        return self.numbered[key]

    def batch(self, choices: Sequence[Choice], words: Words) -> Batch:
        formulae = {formula: place for place, formula in enumerate(dict.fromkeys(c.formula for c in choices))}
        found = [self.words_at(choice, words) for choice in choices]
        lengths = [len(numbers) for numbers, _ in found]
        return Batch(
            torch.from_numpy(np.concatenate([numbers for numbers, _ in found])),
            torch.from_numpy(np.concatenate([weights for _, weights in found])),
            torch.from_numpy(np.cumsum([0, *lengths[:-1]])),
            tuple(self.trees[formula] for formula in formulae),
            torch.tensor([formulae[choice.formula] for choice in choices]),
            torch.tensor([self.node[self.key(choice)] for choice in choices]),
            torch.stack([self.masks[self.candidates[choice.symbol]] for choice in choices]),
            torch.stack([self.masks[self.fitting(choice)] for choice in choices]),
            torch.tensor([self.number[choice.macro] for choice in choices]),
        )


def _ambiguous(choices: Sequence[Choice], candidates: dict[str, tuple[str, ...]]) -> list[Choice]:
    """The choices that are any: two macros at least, the right one among them."""
    return [
        choice
        for choice in choices
        if len(candidates.get(choice.symbol, ())) > 1 and choice.macro in candidates[choice.symbol]
    ]


def train_classifier(
    training: Sequence[Choice],
    settings: Settings,
    samples: _Samples,
    progress: Callable[[int, float], None] | None = None,
) -> Trained:
    """Train on some choices; `samples` may hold more (those that are asked for later)."""
    reuse_memory()
    words = Words.of((samples.sample[samples.key(choice)] for choice in training), settings.min_count)
    models = tuple(
        _train_member(training, replace(settings, seed=settings.seed + member), samples, words, progress)
        for member in range(settings.members)
    )
    return Trained(settings, models, words, samples.macros, samples.candidates, samples)


def _train_member(
    training: Sequence[Choice],
    settings: Settings,
    samples: _Samples,
    words: Words,
    progress: Callable[[int, float], None] | None,
) -> Classifier:
    torch.manual_seed(settings.seed)
    generator = np.random.default_rng(settings.seed)
    model = _build(settings, words, samples)
    # fused: most weights belong to words, so it pays to pass over them once
    optimiser = torch.optim.AdamW(model.parameters(), lr=settings.rate, weight_decay=1e-2, fused=True)
    steps = settings.epochs * -(-len(training) // settings.batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, settings.rate, total_steps=steps, pct_start=0.1)
    for epoch in range(settings.epochs):
        model.train()
        total = 0.0
        for part in _shuffled(training, settings.batch, generator):
            loss = model.loss(samples.batch(part, words))
            optimiser.zero_grad(set_to_none=True)
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            schedule.step()
            total += loss.item() * len(part)
        if progress is not None:
            progress(epoch + 1, total / len(training))
    return model


def _build(settings: Settings, words: Words, samples: _Samples) -> Classifier:
    count, macros, labels = len(words), len(samples.macros), len(samples.vocabulary)
    size, left_out = settings.hidden, (settings.dropout, settings.word_dropout)
    if settings.perceptron:
        return BagClassifier(count, macros, settings.layers, size, *left_out)
    if settings.kind == "recurrent":
        return RecurrentClassifier(count, macros, labels, settings.state, size, *left_out)
    return RecursiveClassifier(count, macros, labels, samples.table, settings.state, size, *left_out)


def _shuffled(choices: Sequence[Choice], size: int, generator: np.random.Generator) -> Iterator[list[Choice]]:
    """Batches in which the choices of one formula stay together: its tree is read once."""
    formulae: dict[str, list[Choice]] = {}
    for choice in choices:
        formulae.setdefault(choice.formula, []).append(choice)
    groups = list(formulae.values())
    batch: list[Choice] = []
    for index in generator.permutation(len(groups)).tolist():
        batch += groups[index]
        while len(batch) >= size:
            yield batch[:size]
            batch = batch[size:]
    if batch:
        yield batch


def random_accuracy(choices: Sequence[Choice], candidates: dict[str, tuple[str, ...]]) -> float:
    """What choosing at random among the candidates gives."""
    return sum(1 / max(1, len(candidates.get(choice.symbol, ()))) for choice in choices) / max(1, len(choices))


def cross_validate(
    choices: Sequence[Choice],
    candidates: dict[str, tuple[str, ...]],
    settings: Settings,
    folds: Sequence[int] = range(10),
    progress: Callable[[Accuracy], None] | None = None,
) -> list[Accuracy]:
    """Train without each of the folds in turn. A symbol with one candidate needs no network: that is the choice."""
    asked = _ambiguous(choices, candidates)
    if not asked:
        raise TexliftError("no formula of the corpus has a symbol with two candidates")
    samples = _Samples(asked, candidates, settings)
    accuracies: list[Accuracy] = []
    for fold in folds:
        held_out = [choice for choice in choices if choice.fold == fold]
        single = sum(candidates.get(choice.symbol) == (choice.macro,) for choice in held_out)
        training = [choice for choice in asked if choice.fold != fold]
        testing = [choice for choice in asked if choice.fold == fold]
        trained = train_classifier(training, settings, samples)
        ambiguous = trained.accuracy(testing)
        every = (single + ambiguous * len(testing)) / max(1, len(held_out))
        accuracies.append(Accuracy(fold, ambiguous, every, len(held_out)))
        if progress is not None:
            progress(accuracies[-1])
    return accuracies


def train_on_all(choices: Sequence[Choice], candidates: dict[str, tuple[str, ...]], settings: Settings) -> Trained:
    """A classifier for use: trained on everything."""
    asked = _ambiguous(choices, candidates)
    return train_classifier(asked, settings, _Samples(asked, candidates, settings))
