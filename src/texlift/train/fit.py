"""Training of the translator: grammar, vocabulary and scorer from pairs.

Everything random is drawn from the seed, the epoch and the number of the batch, so a training that is killed goes on
from its last checkpoint and ends with the same weights.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from texlift.context.passage import passage
from texlift.corpus.handbook import handbook_pairs
from texlift.corpus.pair import Pair
from texlift.corpus.primer import primer
from texlift.errors import FormulaError, TexliftError
from texlift.grammar.grammar import Grammar
from texlift.grammar.induction.induce import induce
from texlift.grammar.packaged import completed, is_lexicons
from texlift.latex.canonical import Row, canonical
from texlift.scorer.batch import Batch, Hidden, collate
from texlift.scorer.encoding import Encoded, Encoder
from texlift.scorer.fidelity import offsets
from texlift.scorer.network import ScorerConfig, initial_weights, score_parts
from texlift.scorer.schema import LIKELY, MEMORY, READING, Slots
from texlift.scorer.vocabulary import RuleNumbers, Vocabulary
from texlift.train.checkpoint import restore, save_checkpoint
from texlift.train.examples import Example, examples
from texlift.train.faithful import faithful
from texlift.train.torch_arrays import TorchArrays
from texlift.translate.model import Model
from texlift.tuning import Tuning

__all__ = ["Progress", "TranslatorSettings", "fit"]

log = logging.getLogger(__name__)

Progress = Callable[[str, int, int, dict[str, float]], None]
"""progress(stage, done, total, figures): called often; figures are loss and accuracy so far in the epoch."""


@dataclass(frozen=True, slots=True)
class TranslatorSettings:
    """How the translator is trained; the defaults are those of the packaged model."""

    epochs: int = 8
    batch: int = 96
    rate: float = 0.004  # of the network
    linear_rate: float = 0.03  # of the sparse linear part
    linear_epsilon: float = 0.001  # large: a feature seen once must not weigh as much as one seen a hundred times
    linear_decay: float = 0.05  # what few pairs say fades, what many say is learnt again
    warm_up: int = 200  # batches until the full rate
    hide_titles: float = 0.3  # share of formulae that do not see the titles
    new_section: float = 0.5  # share that is shown as if its section were a new one
    hide_sentence: float = 0.3
    hide_context: float = 0.2  # share that sees no context at all
    hide_style: float = 0.03  # share whose ways of writing are hidden
    forget: float = 0.1  # share in which half of the macros are treated as never seen
    forget_rare: float = 0.5  # share of batches in which a rule or macro used once is treated as never seen
    further_share: float = 0.35  # share of the further notations and of the names shown in each epoch
    feature_dropout: float = 0.1
    decay: float = 1e-5
    primer: bool = True  # pairs for what no pair uses
    handbook: bool | None = None  # pairs of common mathematics; None: if the pairs are in the lexicon's language
    notations: int | None = None  # further notations of each formula; None: one for pairs in the lexicon's language
    names: bool | None = None  # names that a formula uses, each alone, see `Names`; None: in the lexicon's language
    faithful: bool = True  # outside the lexicon's language: generic sides are what macros print, see `scorer.fidelity`
    embedding: int = 32
    state: int = 48
    hidden: int = 64
    table_bits: int = 21
    linear: bool = True
    network: bool = True
    seed: int = 1
    checkpoint_seconds: float = 60.0


def fit(
    pairs: Sequence[Pair],
    settings: TranslatorSettings,
    folder: Path | None = None,
    progress: Progress | None = None,
    grammar: Grammar | None = None,
    unseen: Sequence[Pair] = (),
    tuning: Tuning | None = None,
) -> tuple[Model, list[dict[str, float]]]:
    """A model of the pairs, and loss and accuracy of each epoch.

    With a `folder`, checkpoints are written there, and a training that was stopped goes on. `unseen` are pairs to be
    evaluated on: the handbook is used without their formulae.
    """
    tell = progress or (lambda *_: None)
    tuning = tuning or Tuning()
    if not pairs:
        raise TexliftError("no pairs to train on")
    unique = _unique(pairs)
    if settings.handbook or (settings.handbook is None and _in_lexicons_language(unique)):
        unique = _unique([*pairs, *handbook_pairs(pair.generic for pair in unseen)])
    if grammar is None:
        told = _stage(tell, "grammar")
        grammar = completed(induce([(pair.generic, pair.semantic) for pair in unique], progress=told))
    shown = [*unique, *primer(grammar.rules)] if settings.primer else unique
    vocabulary = _vocabulary(shown)
    numbers = RuleNumbers.of(grammar)
    encoder = Encoder(vocabulary, numbers, not grammar.language.with_lexicon)
    # an author's macros print what they print: other notations would teach that they do not
    lexicons = grammar.language.with_lexicon
    prepared, memory = examples(
        shown,
        grammar,
        encoder,
        int(lexicons) if settings.notations is None else settings.notations,
        settings.seed,
        lexicons if settings.names is None else settings.names,
        lambda done: tell("reading", done, len(shown), {}) if done % 200 == 0 else None,
        tuning,
    )
    prepared = [example for example in prepared if (example.gold >= 0).any()]
    if settings.faithful and not lexicons:
        tuning = faithful(prepared, tuning)
    if not prepared:
        raise TexliftError("no pair has a place with a choice: nothing to learn")
    config = ScorerConfig(
        len(vocabulary.labels),
        len(vocabulary.words),
        numbers.unknown_rule + 1 + len(vocabulary.labels),
        numbers.unknown_macro + 1,
        settings.embedding,
        settings.state,
        settings.hidden,
        settings.table_bits,
        settings.linear,
        settings.network,
    )
    trainer = _Trainer(config, settings, prepared, numbers, grammar, folder, tuning)
    history = trainer.run(tell)
    weights = {name: tensor.detach().numpy() for name, tensor in trainer.weights.items()}
    card = {"settings": asdict(settings), "pairs": len(unique), "examples": len(prepared), "rules": len(grammar)}
    model = Model(grammar, vocabulary, config, weights, memory, tuning=tuning, card=card)
    return model, history


def _stage(tell: Progress, name: str) -> Callable[[str, int, int], None]:
    return lambda stage, done, total: tell(f"{name}, {stage}", done, total, {})


def _unique(pairs: Sequence[Pair]) -> list[Pair]:
    return list({(p.generic, p.semantic, p.context_text): p for p in pairs}.values())


def _in_lexicons_language(pairs: Sequence[Pair]) -> bool:
    """Whether some pairs use the lexicon's macros, so that the handbook speaks their language."""
    return is_lexicons(induce([(pair.generic, pair.semantic) for pair in pairs]))


def _vocabulary(pairs: Sequence[Pair]) -> Vocabulary:
    rows: list[Row] = []
    for generic in dict.fromkeys(pair.generic for pair in pairs):
        try:
            rows.append(canonical(generic))
        except FormulaError:
            continue
    contexts = (passage("", pair.context) for pair in pairs)
    return Vocabulary.of(rows, ({*around.titles, *around.sentence} for around in contexts))


class _Trainer:
    """The state of one training: weights, optimiser, where it is."""

    def __init__(
        self,
        config: ScorerConfig,
        settings: TranslatorSettings,
        prepared: list[Example],
        numbers: RuleNumbers,
        grammar: Grammar,
        folder: Path | None,
        tuning: Tuning,
    ) -> None:
        self.numbers = numbers
        self.tuning = tuning
        self.rare_rules, self.rare_macros = _rarity(config, numbers, grammar)
        self.config = config
        self.settings = settings
        self.examples = prepared
        self.module = nn.ParameterDict(
            {name: nn.Parameter(torch.from_numpy(w)) for name, w in initial_weights(config, settings.seed).items()}
        )
        self.weights: dict[str, torch.Tensor] = dict(self.module.items())
        self.network = [w for name, w in self.weights.items() if name != "linear"]
        groups: list[dict[str, Any]] = [
            {"params": [self.weights["linear"]], "eps": settings.linear_epsilon, "weight_decay": settings.linear_decay},
            {"params": self.network, "weight_decay": settings.decay},
        ]
        self.optimiser = torch.optim.AdamW(groups, lr=settings.rate, weight_decay=0.0, fused=True)
        self.arrays = TorchArrays()
        self.slots = Slots.of()
        self.path = folder / "checkpoint.safetensors" if folder else None
        self.history: list[dict[str, float]] = []

    def run(self, tell: Progress) -> list[dict[str, float]]:
        """All epochs, from the checkpoint on if there is one."""
        epoch, done, sums = self._resume()
        saved = time.monotonic()
        settings = self.settings
        while epoch < settings.epochs:
            batches = self._batches(epoch)
            total = settings.epochs * len(batches)
            while done < len(batches):
                self._rates(epoch * len(batches) + done, total)
                self._step(batches[done], np.random.default_rng((settings.seed, epoch, done)), sums)
                done += 1
                tell(f"epoch {epoch + 1} of {settings.epochs}", done, len(batches), _figures(sums))
                if self.path and time.monotonic() - saved > settings.checkpoint_seconds:
                    self._save(epoch, done, sums)
                    saved = time.monotonic()
            self.history.append({"epoch": epoch + 1.0, **_figures(sums)})
            log.info("epoch %d: %s", epoch + 1, self.history[-1])
            epoch, done, sums = epoch + 1, 0, np.zeros(4)
            if self.path:
                self._save(epoch, done, sums)
        return self.history

    def _resume(self) -> tuple[int, int, NDArray[np.float64]]:
        if self.path is None or not self.path.exists():
            return 0, 0, np.zeros(4)
        facts = restore(self.path, self.module, self.optimiser)
        if facts["settings"] != asdict(self.settings):
            raise TexliftError(f"{self.path} belongs to a training with other settings; use another folder")
        self.history = facts["history"]
        return facts["epoch"], facts["done"], np.array(facts["sums"])

    def _save(self, epoch: int, done: int, sums: NDArray[np.float64]) -> None:
        assert self.path is not None
        facts: dict[str, Any] = {"epoch": epoch, "done": done, "sums": sums.tolist(), "history": self.history}
        save_checkpoint(self.path, self.module, self.optimiser, {**facts, "settings": asdict(self.settings)})

    def _batches(self, epoch: int) -> list[list[int]]:
        """Shuffled, then formulae of similar size together: the passes over the trees are as long as the longest."""
        rng = np.random.default_rng((self.settings.seed, epoch))
        shown = rng.random(len(self.examples)) < self.settings.further_share
        order = [i for i in rng.permutation(len(self.examples)).tolist() if shown[i] or not self.examples[i].further]
        size = self.settings.batch
        batches = []
        for start in range(0, len(order), 16 * size):
            chunk = sorted(order[start : start + 16 * size], key=lambda i: len(self.examples[i].encoded.tree.labels))
            batches += [chunk[at : at + size] for at in range(0, len(chunk), size)]
        rng.shuffle(batches)
        return batches

    def _rates(self, step: int, total: int) -> None:
        warm_up = min(self.settings.warm_up, max(total // 10, 1))
        factor = min(1.0, (step + 1) / warm_up) * (1.0 - step / total)
        self.optimiser.param_groups[0]["lr"] = self.settings.linear_rate * factor
        self.optimiser.param_groups[1]["lr"] = self.settings.rate * factor

    def _step(self, chosen: list[int], rng: np.random.Generator, sums: NDArray[np.float64]) -> None:
        settings = self.settings
        some = [self.examples[index] for index in chosen]
        count = len(some)
        primed = np.array([example.primed for example in some])
        hidden = rng.random(count) < settings.hide_context
        titled = (rng.random(count) >= settings.hide_titles) & ~hidden | primed
        new = rng.random(count) < settings.new_section
        said = (rng.random(count) >= settings.hide_sentence) & ~hidden | primed
        batch = collate(
            [_shown(*each, rng) for each in zip(some, titled.tolist(), new.tolist(), strict=True)],
            self.slots,
            self.config.table_bits,
            hidden=Hidden(
                titles=~titled,
                sentences=~said,
                writing=rng.random(count) < settings.hide_style,
                forget=partial(self._forget, rng, rng.random(count) < settings.forget),
            ),
        )
        for seen in (batch.place_features, batch.reading_features):
            seen[rng.random(seen.shape, np.float32) < settings.feature_dropout] = 0
        weights = batch.crossed.weights
        weights *= rng.random(len(weights), np.float32) >= settings.feature_dropout
        gold = np.concatenate([example.gold for example in some])
        parts = score_parts(self.weights, self.config, batch, self.arrays)
        fixed = torch.from_numpy(np.concatenate([offsets(example.encoded.readings, self.tuning) for example in some]))
        loss, right, places = _loss(parts[0] + fixed, batch, gold)
        for part in parts[1:]:
            more, right, places = _loss(part + fixed, batch, gold)
            loss = loss + more
        self.optimiser.zero_grad()
        torch.autograd.backward(loss / count)
        nn.utils.clip_grad_norm_(self.network, 5.0)
        self.optimiser.step()
        sums += (loss.item(), right, places, count)

    def _forget(
        self,
        rng: np.random.Generator,
        forgetful: NDArray[np.bool_],
        formula: NDArray[np.int64],
        rule: NDArray[np.int64],
        macro: NDArray[np.int64],
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Some macros and rules as if never seen: unseen ones must be judged by their looks.

        In some formulae half of the macros; everywhere, at times, what is used so rarely that it might as well have
        been unseen. Without that, whatever no pair uses would never be right in training.
        """
        share = self.settings.forget_rare
        lost = rng.random(self.config.macros) < 0.5
        lost[0] = False
        gone = (rng.random(self.config.macros) < share * self.rare_macros)[macro] | (forgetful[formula] & lost[macro])
        gone_rule = gone | (rng.random(self.config.rules) < share * self.rare_rules)[rule]
        return np.where(gone_rule, self.numbers.unknown_rule, rule), np.where(gone, self.numbers.unknown_macro, macro)


def _shown(example: Example, titled: bool, new: bool, rng: np.random.Generator) -> Encoded:
    """A formula with what memory says; at times as if its section were new, with some words of its titles.

    What the words have in common with the meaning of a macro stays: it is known of unseen words too. So does what the
    chapter's other sections do. Where no section is named, the sections that the formula looks like stand in.
    """
    encoded, remembered = example.encoded, example.remembered
    assert remembered is not None
    memory = (remembered.fresh if new else remembered.known).copy()
    if not titled or encoded.symbols.untitled:
        memory[:, _LIKELY_COLUMNS] = remembered.fresh_untitled if new else remembered.untitled
    readings = encoded.readings._replace(memory=memory)
    if not new:
        return encoded._replace(readings=readings)
    memory[:, _OF_SECTION] = 0
    words = encoded.words
    seen = words.titles[rng.random(len(words.titles)) < rng.random()]
    shown = words._replace(titles=seen, whole=np.intersect1d(words.whole, seen))
    return encoded._replace(readings=readings, words=shown)


_MEMORY_COLUMNS = range(MEMORY.start, MEMORY.stop)
_OF_SECTION = [c - MEMORY.start for c in READING.columns("section", "titles", "sentence") if c in _MEMORY_COLUMNS]
_LIKELY_COLUMNS = slice(LIKELY.start - MEMORY.start, LIKELY.stop - MEMORY.start)


def _rarity(
    config: ScorerConfig, numbers: RuleNumbers, grammar: Grammar
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """For each rule and each macro one over its uses, 0 from five uses on."""
    rules = np.zeros(config.rules)
    macros = np.zeros(config.macros)
    for rule in grammar.rules:
        number = numbers.rules.get((rule.call, rule.generic))
        if number is not None:
            rules[number] = max(rule.count, 1)
            macros[numbers.macros[rule.name]] += max(rule.count, 1)
    return _one_over(rules), _one_over(macros)


def _one_over(uses: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where((uses > 0) & (uses < _FEW), 1.0 / np.maximum(uses, 1.0), 0.0)


_FEW = 5


def _figures(sums: NDArray[np.float64]) -> dict[str, float]:
    loss, right, places, count = sums.tolist()
    return {"loss": loss / max(count, 1), "accuracy": right / max(places, 1)}


def _loss(scores: torch.Tensor, batch: Batch, gold: NDArray[np.int32]) -> tuple[torch.Tensor, int, int]:
    """Cross-entropy over the readings of each place that gold visits, summed; right places; places."""
    places = len(gold)
    place = torch.from_numpy(batch.reading_place)
    top = torch.full((places,), -math.inf).scatter_reduce(0, place, scores.detach(), "amax")
    total = torch.zeros(places).index_add(0, place, torch.exp(scores - top[place]))
    visited = np.flatnonzero(gold >= 0)
    first = np.searchsorted(batch.reading_place, visited)
    wanted = torch.from_numpy(first + gold[visited])
    chosen = torch.from_numpy(visited)
    right = int((scores.detach()[wanted] >= top[chosen]).sum())
    return (torch.log(total[chosen]) + top[chosen] - scores[wanted]).sum(), right, len(visited)
