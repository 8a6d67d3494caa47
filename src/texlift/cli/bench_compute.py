"""`texlift bench compute`: how much is measured, and a bar on standard error that shows how far it is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import typer

from texlift.bench.compute import PARTS, Extent, measure
from texlift.bench.figure import Figure

__all__ = ["run"]


def run(data: Path, sample: int, checks: int, broken: int, seed: int, parts: Sequence[str]) -> list[Figure]:
    """The figures of the parts asked for, all if none is."""
    for part in parts:
        if part not in PARTS:
            raise typer.BadParameter(f"unknown part {part!r}; choose from {', '.join(PARTS)}", param_hint="--part")
    extent = Extent(sample, checks, broken, seed, tuple(parts) or PARTS)
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        return measure(data, extent)
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        steps = {}

        def tell(step: str, done: int, total: int) -> None:
            if step not in steps:
                steps[step] = bar.add_task(step, total=total)
            bar.update(steps[step], completed=done)

        return measure(data, extent, tell)
