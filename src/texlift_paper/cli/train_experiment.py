"""`texlift train experiment FILE`: train one of the paper's networks as an experiment file says."""

from __future__ import annotations

import logging
import os
from pathlib import Path

import typer

app = typer.Typer(help=__doc__)


@app.command()
def train_experiment(
    file: Path = typer.Argument(..., help="Experiment file (TOML); see the folder experiments."),
    out: Path | None = typer.Option(None, help="Folder of the run; default: runs/NAME. An interrupted run goes on."),
    minutes: float | None = typer.Option(
        None, help="Stop after so many minutes of processor time, instead of what the file says."
    ),
    settings: list[str] = typer.Option(
        [], "--set", help="Change a key of the file, e.g. `--set model.layers=2`; may be repeated."
    ),
    quiet: bool = typer.Option(False, help="No progress bar."),
) -> None:
    """Train, or go on where an interrupted run stopped; also under torchrun."""
    from dataclasses import replace

    from texlift_paper.training.experiment import read_experiment, with_settings
    from texlift_paper.training.run import Run

    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S", force=True)
    experiment = with_settings(read_experiment(file), settings)
    if minutes is not None:
        experiment = replace(experiment, training=replace(experiment.training, minutes=minutes))
    if "RANK" in os.environ:
        import torch.distributed

        torch.distributed.init_process_group("gloo")
    from texlift_paper.training.trial import Trial

    run = Run.create(out or Path("runs") / experiment.name, experiment)
    trial = Trial.for_run(run)
    data = trial.dataset
    typer.echo(
        f"{len(data.training):,} training and {len(data.validation):,} validation pairs, "
        f"{len(data.vocabulary):,} labels, {sum(p.numel() for p in trial.model.parameters()):,} weights",
        err=True,
    )
    if quiet or "RANK" in os.environ:
        trial.train(run)
    else:
        _with_progress(trial, run)
    if "RANK" in os.environ:
        import torch.distributed

        torch.distributed.destroy_process_group()
    typer.echo(f"{run.folder}: weights, curves and history written")


def _with_progress(trial: object, run: object) -> None:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from texlift_paper.training.run import Run
    from texlift_paper.training.trial import Trial

    assert isinstance(trial, Trial)
    assert isinstance(run, Run)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        bar = progress.add_task("epoch", total=None)

        def on_batch(batch: int, count: int, loss: float) -> None:
            progress.update(bar, completed=batch, total=count, description=f"loss {loss:.3f} a node")

        trial.train(run, on_batch)
