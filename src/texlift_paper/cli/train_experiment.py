"""`texlift train experiment FILE`: train one of the paper's networks as an experiment file says."""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from texlift_paper.training.experiment import Experiment
    from texlift_paper.training.run import Run
    from texlift_paper.training.study import Study
    from texlift_paper.training.trial import Trial

app = typer.Typer(help=__doc__)


@app.command()
def train_experiment(
    file: Path = typer.Argument(..., help="Experiment file (TOML); see the folder experiments."),
    out: Path | None = typer.Option(
        None, help="Folder of the run; default: runs/NAME. An interrupted run goes on, a finished one with more epochs."
    ),
    epochs: int | None = typer.Option(None, min=1, help="Epochs in all, instead of what the file says."),
    minutes: float | None = typer.Option(
        None, help="Stop after so many minutes of processor time, instead of what the file says."
    ),
    device: str | None = typer.Option(None, help="cpu, cuda, cuda:1 ... or auto, instead of what the file says."),
    tensorboard: bool = typer.Option(False, "--tensorboard", help="Also log for TensorBoard, into the folder."),
    settings: list[str] = typer.Option(
        [], "--set", help="Change a key of the file, e.g. `--set model.layers=2`; may be repeated."
    ),
    quiet: bool = typer.Option(False, help="No progress bar."),
) -> None:
    """Train, or go on where an interrupted run stopped; also under torchrun.

    A file with seeds or a table [sweep] is trained and evaluated for each, and mean and deviation are printed.
    """
    from texlift_paper.training.study import read_study

    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S", force=True)
    changed = {"epochs": epochs, "minutes": minutes, "device": device, "tensorboard": "true" if tensorboard else None}
    settings = [*settings, *(f"training.{key}={value}" for key, value in changed.items() if value is not None)]
    study = read_study(file, settings)
    folder = out or Path("runs") / study.name
    if study.single:
        _train(study.points[0].experiment, folder, quiet)
    else:
        _train_all(study, folder, quiet)


def _train(experiment: Experiment, folder: Path, quiet: bool) -> None:
    """One run, in one process or several."""
    if "RANK" in os.environ:
        import torch.distributed

        torch.distributed.init_process_group("gloo")
    from texlift_paper.training.run import Run
    from texlift_paper.training.trial import Trial

    run = Run.create(folder, experiment)
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


def _train_all(study: Study, folder: Path, quiet: bool) -> None:
    """All runs of a sweep, and the figures of each point: mean and deviation over its seeds."""
    from texlift.errors import TexliftError
    from texlift.train.checkpoint import write_json
    from texlift_paper.cli.crossval_experiment import finished_figures, mean_and_deviation
    from texlift_paper.cli.figures_table import NAMES, TEXT_NAMES, print_figures
    from texlift_paper.training.run import Run
    from texlift_paper.training.study import summarise_runs

    if "RANK" in os.environ:
        raise TexliftError("a sweep or several seeds run in one process; start its runs one by one under torchrun")
    rows: list[tuple[tuple[str, ...], dict[str, dict[str, Any]]]] = []
    summaries: dict[str, Any] = {}
    for point in study.points:
        figures = {}
        for part, experiment in study.runs(point):
            if not Run.create(folder / part, experiment).weights.is_file():
                _train(experiment, folder / part, quiet)
            figures[part] = finished_figures(experiment, folder / part, free_running=True)
        summary = summarise_runs(figures, (*NAMES, *TEXT_NAMES))
        summaries[point.name] = summary
        rows += [((point.name or study.name, *what), cells) for what, cells in mean_and_deviation(summary)]
        write_json(folder / "summary.json", summaries)
    title = f"{study.name}: {len(study.points)} settings, {len(study.seeds)} seeds"
    print_figures(title, ("setting", "over seeds"), rows)


def _with_progress(trial: Trial, run: Run) -> None:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        bar = progress.add_task("epoch", total=None)

        def on_batch(batch: int, count: int, loss: float) -> None:
            progress.update(bar, completed=batch, total=count, description=f"loss {loss:.3f} a node")

        trial.train(run, on_batch)
