"""All figures of a network over some pairs, with copying beside it and the pairs that copying does not solve alone."""

from __future__ import annotations

from collections.abc import Sequence

from texlift_paper.network.model import TreeToTree
from texlift_paper.network.sequence import SequenceToSequence
from texlift_paper.training.dataset import TreePair
from texlift_paper.training.evaluation import Scores, copied, copied_on_hulls, free_running, hull_given, topology_given
from texlift_paper.training.metrics import MODES, Score, summarise
from texlift_paper.training.minibatches import Clusters
from texlift_paper.training.sequence_evaluation import evaluate_sequences
from texlift_paper.training.trial import Trial

__all__ = ["NON_TRIVIAL", "figures_of"]

NON_TRIVIAL = ", non-trivial"
"""Ending of the rows over pairs whose two sides differ."""
_GIVEN, _FREE, _HULL = MODES


def figures_of(trial: Trial, pairs: Sequence[TreePair], free: bool = True) -> dict[str, Score]:
    """Rows by name: copying and the network in every mode, over all pairs and over the non-trivial ones.

    An auto-encoder has no trivial pairs: copying is right for all of them.
    """
    posed = [pair.posed(trial.experiment.task) for pair in pairs]
    rows: dict[str, tuple[str, Scores]] = {"copying": (_FREE, copied(posed))}
    if isinstance(trial.model, SequenceToSequence):
        rows[_FREE] = (_FREE, evaluate_sequences(trial.model, posed))
    else:
        assert isinstance(trial.model, TreeToTree)
        clusters = Clusters.of(posed)
        rows[f"copying, {_HULL}"] = (_HULL, copied_on_hulls(clusters))
        rows[_HULL] = (_HULL, hull_given(trial.model, clusters, trial.engine))
        rows[_GIVEN] = (_GIVEN, topology_given(trial.model, posed, trial.engine))
        if free:
            rows[_FREE] = (_FREE, free_running(trial.model, posed, trial.engine))
    figures: dict[str, Score] = {}
    for name, (mode, scores) in rows.items():
        figures[name] = summarise(scores.values(), mode)
        if trial.experiment.task in ("translate", "sequence"):
            rest = [score for pair, score in scores.items() if not pair.trivial]
            figures[name + NON_TRIVIAL] = summarise(rest, mode)
    return figures
