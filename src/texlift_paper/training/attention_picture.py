"""Where the decoder looked, as a picture: a row for each symbol of the answer, a column for each of the source."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from torch import Tensor

from texlift.errors import TexliftError
from texlift.train.checkpoint import write_bytes

__all__ = ["Look", "draw_attention"]

_FORMATS = ("png", "svg")
_LARGEST = 400  # symbols on a side that can be drawn so that somebody can read them


@dataclass(frozen=True, slots=True)
class Look:
    """The symbols of source and answer, and the attention of each of the latter over the former."""

    source: Sequence[str]
    answer: Sequence[str]
    weights: Tensor


def draw_attention(look: Look, title: str, path: Path) -> None:
    """Draw a PNG or SVG file, by its ending."""
    kind = path.suffix.lower().lstrip(".")
    if kind not in _FORMATS:
        raise TexliftError(f"{path}: a picture is a .png or .svg file")
    if max(len(look.source), len(look.answer)) > _LARGEST:
        raise TexliftError(f"more than {_LARGEST} symbols are too many for a picture")
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    figure = Figure(figsize=(1.5 + 0.28 * len(look.source), 1.5 + 0.28 * len(look.answer)), layout="constrained")
    FigureCanvasSVG(figure)
    axis = figure.add_subplot()
    axis.imshow(look.weights.cpu().numpy(), cmap="Blues", vmin=0, vmax=1, aspect="equal")
    # formulae are no markup here: a dollar is a dollar
    axis.set_xticks(range(len(look.source)), look.source, rotation=90, parse_math=False, family="monospace", fontsize=8)
    axis.set_yticks(range(len(look.answer)), look.answer, parse_math=False, family="monospace", fontsize=8)
    axis.set_xlabel("source")
    axis.set_ylabel("answer")
    axis.set_title(title, fontsize=9, parse_math=False)
    picture = io.BytesIO()
    figure.savefig(picture, format=kind, dpi=110)
    write_bytes(path, picture.getvalue())
