"""All figures of a network over some pairs, with copying beside it and the pairs that copying does not solve alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from texlift_paper.network.model import TreeToTree
from texlift_paper.training.dataset import TreePair
from texlift_paper.training.device import on_device
from texlift_paper.training.evaluation import Scores, copied, copied_on_hulls, hull_given
from texlift_paper.training.metrics import MODES, Score, summarise
from texlift_paper.training.minibatches import Clusters
from texlift_paper.training.trial import Trial

__all__ = ["NON_TRIVIAL", "Figures", "figures_of"]

NON_TRIVIAL = ", non-trivial"
"""Ending of the rows over pairs whose two sides differ."""
_FREE, _HULL = MODES[1:3]


@dataclass(frozen=True, slots=True)
class Figures:
    """Rows by name, and the scores of the network's own answers, empty if it was not asked for any."""

    rows: dict[str, Score]
    answers: Scores

    def as_dict(self) -> dict[str, dict[str, object]]:
        """The rows as plain values."""
        return {name: score.as_dict() for name, score in self.rows.items()}


def figures_of(trial: Trial, pairs: Sequence[TreePair], free: bool = True) -> Figures:
    """Copying and the network in every mode, over all pairs and over the non-trivial ones.

    An auto-encoder has no trivial pairs: copying is right for all of them.
    """
    posed = [pair.posed(trial.experiment.task) for pair in pairs]
    found: dict[str, tuple[str, Scores]] = {"copying": (_FREE, copied(posed))}
    if isinstance(trial.model, TreeToTree):
        clusters = Clusters.of(posed)
        found[f"copying, {_HULL}"] = (_HULL, copied_on_hulls(clusters))
        with on_device(trial.device):
            found[_HULL] = (_HULL, hull_given(trial.model, clusters, trial.engine))
    found[trial.given_mode] = (trial.given_mode, trial.given(posed))
    answers = trial.answered(posed) if free else {}
    if free:
        found[_FREE] = (_FREE, answers)
    rows: dict[str, Score] = {}
    for name, (mode, scores) in found.items():
        rows[name] = summarise(scores.values(), mode)
        if trial.experiment.task in ("translate", "sequence"):
            rest = [score for pair, score in scores.items() if not pair.trivial]
            rows[name + NON_TRIVIAL] = summarise(rest, mode)
    return Figures(rows, answers)
