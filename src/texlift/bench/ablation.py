"""What each mechanism of the translator is worth: answers lost on unseen formulae when it is switched off.

The models are those that a cross-validation kept, each evaluated on the fold that it has not seen.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from texlift.bench.figure import Figure
from texlift.context.memory import COLUMNS, LIKELY_COLUMNS
from texlift.corpus.folds import split_fold
from texlift.corpus.jsonl import read_pairs
from texlift.corpus.pair import Pair
from texlift.errors import TexliftError
from texlift.scorer.schema import PLACE, READING
from texlift.train.evaluate import SETTINGS, Setting, evaluate
from texlift.translate.model import Model
from texlift.translate.translator import Translator

__all__ = ["MECHANISMS", "measure"]

Change = Callable[[Model], Model]


def _without(*names: str) -> Change:
    return lambda model: replace(model, slots=model.slots.without(*names))


def _scope(*scopes: str) -> tuple[str, ...]:
    return tuple(name for name in COLUMNS if name.partition(",")[0] in scopes)


_STYLE = tuple(f.name for s in (PLACE, READING) for f in s.features if f.group == "writing")
_OVERLAP = tuple(name for name in READING.names if name.startswith("overlap"))

MECHANISMS: dict[str, Change] = {
    "the recursive network": lambda model: replace(model, tuning=replace(model.tuning, network_share=0.0)),
    "the linear features": lambda model: replace(model, config=replace(model.config, linear=False)),
    "style: how the formula is written": _without(*_STYLE),
    "style: how its author writes": _without("best print and author's brackets"),
    "passage: overlap with the macros' meanings": _without(*_OVERLAP),
    "passage: symbols in the sentence": _without("in the sentence"),
    "memory: all of it": _without(*COLUMNS),
    "memory: section": _without(*_scope("section", "titles")),
    "memory: chapter": _without(*_scope("chapter")),
    "memory: sentence": _without(*_scope("sentence")),
    "memory: anywhere": _without(*_scope("anywhere")),
    "memory: company": _without("company"),
    "sections that a formula looks like": _without(*LIKELY_COLUMNS),
    "caution": lambda model: replace(model, tuning=replace(model.tuning, caution=0.0)),
}
"""What can be switched off, and how."""


def measure(data: Path, report: Path) -> list[Figure]:
    """Answers lost over all folds whose models are in the folder `report` of `texlift crossval translator`."""
    try:
        facts = json.loads((report / "crossval.json").read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise TexliftError(f"{report} is no folder of `texlift crossval translator`: {error}") from None
    pairs = read_pairs(data / "dlmf.jsonl")
    folds = sorted(
        int(path.name.removeprefix("fold")) for path in report.glob("fold?") if (path / "model.json").exists()
    )
    if not folds:
        raise TexliftError(f"{report} has no models")
    settings = [s for s in SETTINGS if s.name in ("with context", "without context", "sections as documents")]
    figures: list[Figure] = []
    right = {setting.name: 0 for setting in settings}
    lost = {(name, setting.name): 0 for name in MECHANISMS for setting in settings}
    total = 0
    for fold in folds:
        model = Model.load(report / f"fold{fold}")
        _, unseen = split_fold(pairs, fold, facts["by_section"])
        total += len(unseen)
        for setting in settings:
            own = _right(model, unseen, setting)
            right[setting.name] += own
            for name, change in MECHANISMS.items():
                lost[name, setting.name] += own - _right(change(model), unseen, setting)
    for setting in settings:
        note = f"folds {', '.join(map(str, folds))}, {total:,} formulae"
        figures.append(Figure(f"right, {setting.name}", right[setting.name], "", "", note))
    figures += [Figure(f"lost without {name}, {s.name}", lost[name, s.name]) for name in MECHANISMS for s in settings]
    return figures


def _right(model: Model, pairs: Sequence[Pair], setting: Setting) -> int:
    return sum(outcome.right for outcome in evaluate(Translator(model), pairs, setting))
