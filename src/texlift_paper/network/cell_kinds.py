"""Which cells there are: `cell = "NAME"` in the table [model] of an experiment file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from texlift_paper.network.cells import DecoderCell, EncoderCell
from texlift_paper.network.gru import GruDecoderCell, GruEncoderCell
from texlift_paper.network.lstm import LstmDecoderCell, LstmEncoderCell

__all__ = ["CELLS", "CellKind"]


@dataclass(frozen=True, slots=True)
class CellKind:
    """`encoder(inputs, state, forget)` and `decoder(inputs, state, sibling, forget)`."""

    encoder: Callable[[int, int, float], EncoderCell]
    decoder: Callable[[int, int, int, float], DecoderCell]


CELLS = {
    "lstm": CellKind(LstmEncoderCell, LstmDecoderCell),
    "gru": CellKind(GruEncoderCell, GruDecoderCell),
}
