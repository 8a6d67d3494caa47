"""The progress bar of the translator's training."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from texlift.train.fit import Progress

__all__ = ["training_progress"]


@contextmanager
def training_progress(label: str = "") -> Iterator[Progress]:
    """A bar on standard error that shows the stage, how far it is, loss and accuracy."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label)

        def tell(stage: str, done: int, total: int, figures: dict[str, float]) -> None:
            shown = "".join(f"  {name} {value:.4f}" for name, value in figures.items())
            bar.update(task, description=f"{label} {stage}{shown}".strip(), completed=done, total=total)

        yield tell
