"""Curves of runs as a picture."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from texlift.train.checkpoint import write_bytes

__all__ = ["draw_curves"]

_PANELS = (
    ("loss per node (training)", ("loss",)),
    ("p_m, topology given (%)", ("given", "p_m")),
    ("p_b, topology given (%)", ("given", "p_b")),
    ("exact match, free-running (%)", ("free", "exact")),
)


def draw_curves(histories: Mapping[str, list[dict[str, Any]]], path: Path) -> None:
    """One line a run over minutes of training, one panel a figure."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, len(_PANELS), figsize=(4.5 * len(_PANELS), 3.4), constrained_layout=True)
    for axis, (title, keys) in zip(axes, _PANELS, strict=True):
        for name, history in histories.items():
            points = [(record["minutes"], value) for record in history if (value := _value(record, keys)) is not None]
            if points:
                axis.plot(*zip(*points, strict=True), marker=".", label=name)
        axis.set_title(title, fontsize=10)
        axis.set_xlabel("minutes (processor time)")
        axis.grid(alpha=0.3)
    if any(histories.values()):
        axes[0].legend(fontsize=8)
    picture = io.BytesIO()
    figure.savefig(picture, format="png", dpi=110)
    pyplot.close(figure)
    write_bytes(path, picture.getvalue())


def _value(record: dict[str, Any], keys: tuple[str, ...]) -> float | None:
    value: Any = record
    for key in keys:
        if not isinstance(value, dict) or key not in value:
            return None
        value = value[key]
    return float(value) if value is not None else None
