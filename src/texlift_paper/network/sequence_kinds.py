"""Which networks over tokens there are: `architecture = "NAME"` in the table [sequence] of an experiment file."""

from __future__ import annotations

from texlift_paper.network.sequence import SequenceModel
from texlift_paper.network.sequence_conv import ConvSequence
from texlift_paper.network.sequence_lstm import LstmSequence
from texlift_paper.network.sequence_transformer import TransformerSequence

__all__ = ["ARCHITECTURES"]

ARCHITECTURES: dict[str, type[SequenceModel]] = {
    "lstm": LstmSequence,
    "conv": ConvSequence,
    "transformer": TransformerSequence,
}
