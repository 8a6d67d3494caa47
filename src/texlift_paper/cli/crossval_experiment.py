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
    file: Path = typer.Argument(..., help="Experiment file (TOML); it may have seeds and a table [sweep]."),
    out: Path | None = typer.Option(None, help="Folder for the runs, one a fold; default: runs/NAME-crossval."),
    folds: str = typer.Option("0-9", help="Which folds are held out: `0-9` or `1,3,5`."),
    free_running: bool = typer.Option(True, help="Also let the decoder grow its own trees."),
    settings: list[str] = typer.Option(
        [], "--set", help="Change a key of the file, e.g. `--set model.layers=2`; may be repeated."
    ),
) -> None:
    """Train once for each fold and print mean and deviation; call it again to go on after an interruption.

    Folds that are done already are not run again. Of several seeds, mean and deviation are over all folds and seeds.
    """
    from dataclasses import replace

    from texlift.train.checkpoint import write_json
    from texlift_paper.cli.figures_table import NAMES, TEXT_NAMES, print_figures
    from texlift_paper.training.study import read_study, summarise_runs

    study = read_study(file, settings)
    held_out = _folds(folds)
    folder = out or Path("runs") / f"{study.name}-crossval"
    for point in study.points:
        _refuse_choosing(file, point.experiment)
    for point in study.points:
        figures: dict[Any, dict[str, dict[str, Any]]] = {}
        for part, experiment in study.runs(point):
            for fold in held_out:
                data = replace(experiment.data, validation_fold=fold, test_fold=-1)
                key = fold if len(study.seeds) == 1 else f"seed {experiment.training.seed}, fold {fold}"
                where = folder / part / f"fold{fold}"
                figures[key] = finished_figures(replace(experiment, data=data), where, free_running)
        summary = summarise_runs(figures, (*NAMES, *TEXT_NAMES), "folds")
        write_json(folder / point.name / "summary.json", summary)
        title = f"{study.name}{' ' + point.name if point.name else ''}: {len(held_out)}-fold cross-validation"
        print_figures(title, ("over folds",), mean_and_deviation(summary))


def mean_and_deviation(
    summary: dict[str, dict[str, dict[str, Any]]],
) -> list[tuple[tuple[str, ...], dict[str, dict[str, Any]]]]:
    """A summary as two groups of rows for a table."""
    return [
        ((what,), {row: {key: cell[what] for key, cell in cells.items()} for row, cells in summary.items()})
        for what in ("mean", "deviation")
    ]


def finished_figures(experiment: Experiment, folder: Path, free_running: bool) -> dict[str, dict[str, Any]]:
    """Train and evaluate on the validation fold; what was done before is taken from the folder."""
    from texlift_paper.training.figures import figures_of
    from texlift_paper.training.predictions import predictions_of, save_predictions
    from texlift_paper.training.run import Run
    from texlift_paper.training.trial import Trial

    run = Run.create(folder, experiment)
    trial: Trial | None = None
    if not run.weights.is_file():
        typer.echo(f"{folder}: training", err=True)
        trial = Trial.for_run(run)
        trial.train(run)
    figures: dict[str, dict[str, Any]] | None = run.figures().get("validation")
    if figures is None:
        typer.echo(f"{folder}: evaluating", err=True)
        trial = trial or Trial.load(run)
        found = figures_of(trial, trial.dataset.validation, free_running)
        figures = found.as_dict()
        if free_running:
            save_predictions(predictions_of(found.answers), run.predictions("validation"))
        run.save_figures({"validation": figures})
    return figures


def _refuse_choosing(file: Path, experiment: Experiment) -> None:
    """The held-out fold must not decide when training stops or which weights are kept."""
    from texlift.errors import TexliftError

    training = experiment.training
    if (training.keep == "best" or training.patience) and not experiment.data.development:
        what = 'keep = "best"' if training.keep == "best" else "patience"
        raise TexliftError(
            f"{file}: with {what} a held-out fold would choose its own weights; set development in [data]"
        )


def _folds(text: str) -> list[int]:
    try:
        if "-" in text:
            first, last = text.split("-")
            return list(range(int(first), int(last) + 1))
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise typer.BadParameter(f"folds are written like 0-9 or 1,3,5, not {text!r}") from None
