"""The history of a run as a log that TensorBoard shows: `tensorboard --logdir runs`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from texlift.extras import require

__all__ = ["log_epoch", "need_tensorboard"]


def need_tensorboard() -> None:
    """Raises MissingExtraError before a training starts, not after its first epoch."""
    require("tensorboard")


def log_epoch(folder: Path, record: Mapping[str, Any]) -> None:
    """Write the figures of one epoch; an epoch that is written again (after an interruption) replaces the first."""
    need_tensorboard()
    from torch.utils.tensorboard import SummaryWriter

    epoch = int(record["epoch"])
    with SummaryWriter(str(folder), purge_step=epoch) as writer:
        for name, value in _numbers(record):
            if name != "epoch":
                writer.add_scalar(name, value, epoch)


def _numbers(record: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, float]]:
    for name, value in record.items():
        if isinstance(value, Mapping):
            yield from _numbers(value, f"{prefix}{name}/")
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield prefix + name, float(value)
