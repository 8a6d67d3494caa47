"""A trained network as a translator of single formulae, without the corpus it was trained on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from texlift.errors import TexliftError
from texlift.grammar.certificate import Certifier
from texlift.grammar.expansion import Expander
from texlift.grammar.packaged import packaged_grammar
from texlift.latex.binary import BinaryTree, parse_binary
from texlift.latex.canonical import canonical
from texlift_paper.batching.trees import SubtreeTable, TreeArrays, TreeBatch
from texlift_paper.network.generation import Grown, grow
from texlift_paper.network.model import TreeToTree
from texlift_paper.network.sequence import SequenceModel
from texlift_paper.network.sequence_search import write
from texlift_paper.network.tokens import latex_of
from texlift_paper.network.vocabulary import UNKNOWN, ZERO
from texlift_paper.training.attention_picture import Look
from texlift_paper.training.dataset import Dataset
from texlift_paper.training.device import on_device
from texlift_paper.training.run import Run
from texlift_paper.training.trial import Trial

__all__ = ["Lifted", "Lifter", "answers"]


@dataclass(frozen=True, slots=True)
class Lifted:
    """An answer as LaTeX, its log-probability, whether it expands back to the formula, and where the decoder looked."""

    semantic: str
    score: float
    certified: bool
    look: Look | None


class Lifter:
    """The network of a run; formulae go in as generic LaTeX."""

    def __init__(self, trial: Trial) -> None:
        self.trial = trial
        self.certifier = Certifier(Expander(packaged_grammar()))

    @classmethod
    def load(cls, folder: Path | str, settings: Iterable[str] = ()) -> Lifter:
        """The network in a folder; `settings` change keys of its experiment, how it decodes for instance."""
        run = Run(Path(folder))
        if not run.weights.is_file():
            raise TexliftError(f"{folder} is not the folder of a trained run: it has no weights.safetensors")
        dataset = Dataset(run.vocabulary(), SubtreeTable(), [], [], [], [], 0)
        return cls(Trial.load(run, settings, dataset))

    def lift(self, formula: str) -> Lifted:
        """The most likely answer. Raises FormulaError for a formula that does not parse."""
        key = canonical(formula).key
        trial = self.trial
        with on_device(trial.device):
            if isinstance(trial.model, SequenceModel):
                (written,) = write(trial.model, [formula], trial.experiment.decoding.beam)
                text, score = latex_of(written.tokens), written.score
                look: Look | None = Look(written.source.tokens, written.raw, written.attention)
            else:
                text, score, look = self._grow(formula)
        return Lifted(text, score, self.certifier.certifies(text, key), look)

    def _grow(self, formula: str) -> tuple[str, float, Look | None]:
        trial = self.trial
        assert isinstance(trial.model, TreeToTree)
        tree = parse_binary(formula, trial.experiment.data.heuristics)
        arrays = TreeArrays.of(trial.dataset.vocabulary.numbers(tree), trial.dataset.table)
        beam = trial.experiment.decoding.beam
        (grown,) = grow(trial.model, TreeBatch.of([arrays]), trial.engine, beam=beam)
        labels = self._labels(grown, tree)
        leaves = [number for number, value in enumerate(grown.values) if value != ZERO]
        look = None
        if grown.attention is not None:
            look = Look(tree.labels, [labels[leaf] for leaf in leaves], grown.attention[leaves])
        return trial.tree_text(BinaryTree(tuple(labels))), grown.score, look

    def _labels(self, grown: Grown, tree: BinaryTree) -> list[str]:
        """The labels of an answer; one that the network does not know is taken from where it looked."""
        known = self.trial.dataset.vocabulary.labels
        labels = [known[value] for value in grown.values]
        if grown.attention is not None:
            for node, value in enumerate(grown.values):
                copied = tree.labels[int(grown.attention[node].argmax())]
                if value == UNKNOWN and copied:
                    labels[node] = copied
        return labels


def answers(folder: Path, formulae: Iterable[str]) -> Iterator[tuple[str, list[str]] | TexliftError]:
    """The translator that `texlift translate --run FOLDER` calls: an answer and its warnings, or an error, for each."""
    lifter = Lifter.load(folder)
    for formula in formulae:
        try:
            lifted = lifter.lift(formula)
        except TexliftError as error:
            yield error
            continue
        warnings = [] if lifted.certified else ["the answer does not expand back to the formula; do not rely on it"]
        yield lifted.semantic, warnings
