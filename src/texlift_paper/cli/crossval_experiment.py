"""`texlift crossval experiment FILE`: 10-fold cross-validation of an experiment, mean and deviation."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from texlift_paper.training.experiment import Experiment

app = typer.Typer(help=__doc__)


@app.command()
def crossval_experiment(
    file: Path = typer.Argument(..., help="Experiment file (TOML)."),
    out: Path | None = typer.Option(None, help="Folder for the runs, one a fold; default: runs/NAME-crossval."),
    folds: str = typer.Option("0-9", help="Which folds are held out: `0-9` or `1,3,5`."),
    free_running: bool = typer.Option(True, help="Also let the decoder grow its own trees."),
    settings: list[str] = typer.Option(
        [], "--set", help="Change a key of the file, e.g. `--set model.layers=2`; may be repeated."
    ),
) -> None:
    """Train once for each fold and print mean and deviation; call it again to go on after an interruption.

    Folds that are done already are not run again.
    """
    from texlift.errors import TexliftError
    from texlift.train.checkpoint import write_json
    from texlift_paper.training.experiment import read_experiment, with_settings

    experiment = with_settings(read_experiment(file), settings)
    if experiment.training.keep == "best" and not experiment.data.development:
        raise TexliftError(
            f'{file}: with keep = "best" a held-out fold would choose its own weights; set development in [data]'
        )
    folder = out or Path("runs") / f"{experiment.name}-crossval"
    figures = {fold: _fold(experiment, folder / f"fold{fold}", fold, free_running) for fold in _folds(folds)}
    summary = _summary(figures)
    write_json(folder / "summary.json", summary)
    _print(experiment.name, summary, len(figures))


def _fold(experiment: Experiment, folder: Path, fold: int, free_running: bool) -> dict[str, dict[str, Any]]:
    """Figures of one fold, from its folder if it was done before."""
    from dataclasses import replace

    from texlift_paper.training.figures import figures_of
    from texlift_paper.training.run import Run
    from texlift_paper.training.trial import Trial

    data = replace(experiment.data, validation_fold=fold, test_fold=-1)
    run = Run.create(folder, replace(experiment, data=data))
    if not run.weights.is_file():
        typer.echo(f"fold {fold}: training", err=True)
        Trial.for_run(run).train(run)
    figures: dict[str, dict[str, Any]] | None = run.figures().get("validation")
    if figures is None:
        typer.echo(f"fold {fold}: evaluating", err=True)
        trial = Trial.load(run)
        figures = figures_of(trial, trial.dataset.validation, free_running).as_dict()
        run.save_figures({"validation": figures})
    return figures


def _summary(figures: dict[int, dict[str, dict[str, Any]]]) -> dict[str, dict[str, Any]]:
    """For each row: mean, deviation and the value of each fold, of every figure."""
    import statistics

    from texlift_paper.cli.figures_table import NAMES

    summary: dict[str, dict[str, Any]] = {}
    for row in next(iter(figures.values())):
        for name in NAMES:
            values = {fold: float(rows[row][name]) for fold, rows in figures.items() if row in rows}
            listed = list(values.values())
            deviation = statistics.stdev(listed) if len(listed) > 1 else 0.0
            summary.setdefault(row, {})[name] = {
                "mean": statistics.mean(listed),
                "deviation": deviation,
                "folds": values,
            }
    return summary


def _print(name: str, summary: dict[str, dict[str, Any]], folds: int) -> None:
    from rich.console import Console

    from texlift_paper.cli.figures_table import add_rows, figures_table

    table = figures_table(f"{name}: {folds}-fold cross-validation", "over folds")
    for what in ("mean", "deviation"):
        add_rows(table, {row: {key: cell[what] for key, cell in cells.items()} for row, cells in summary.items()}, what)
    Console(width=160).print(table)


def _folds(text: str) -> list[int]:
    try:
        if "-" in text:
            first, last = text.split("-")
            return list(range(int(first), int(last) + 1))
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise typer.BadParameter(f"folds are written like 0-9 or 1,3,5, not {text!r}") from None
