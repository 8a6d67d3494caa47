"""`texlift crossval experiment FILE`: 10-fold cross-validation of an experiment, mean and deviation."""

from __future__ import annotations

from pathlib import Path

import typer

app = typer.Typer(help=__doc__)


@app.command()
def crossval_experiment(
    file: Path = typer.Argument(..., help="Experiment file (TOML)."),
    out: Path | None = typer.Option(None, help="Folder for the runs, one a fold; default: runs/NAME-crossval."),
    folds: str = typer.Option("0-9", help="Which folds are held out: `0-9` or `1,3,5`."),
    free_running: bool = typer.Option(True, help="Also let the decoder grow its own trees."),
) -> None:
    """Train once for each fold and print mean and deviation; folds that are done already are not run again."""
    import statistics
    from dataclasses import replace

    from rich.console import Console
    from rich.table import Table

    from texlift.training.experiment import read_experiment
    from texlift.training.run import Run
    from texlift.training.trial import Trial

    experiment = read_experiment(file)
    folder = out or Path("runs") / f"{experiment.name}-crossval"
    columns: dict[str, list[float]] = {}
    for fold in _folds(folds):
        data = replace(experiment.data, validation_fold=fold, test_fold=-1)
        run = Run.create(folder / f"fold{fold}", replace(experiment, data=data))
        if not run.weights.is_file():
            typer.echo(f"fold {fold}: training", err=True)
            vocabulary = run.vocabulary() if run.checkpoint.is_file() else None
            Trial.of(run.experiment(), vocabulary).train(run)
        figures = run.figures().get("validation")
        if figures is None:
            trial = Trial.load(run)
            pairs = trial.dataset.validation
            scores = {"identity": trial.identity(pairs)}
            if experiment.task != "sequence":
                scores["topology given"] = trial.score(pairs, free_running=False)
            if free_running or experiment.task == "sequence":
                scores["free-running"] = trial.score(pairs, free_running=True)
            figures = {name: score.as_dict() for name, score in scores.items()}
            run.save_figures({"validation": figures})
        for mode, score in figures.items():
            for name in ("p_f", "p_m", "p_b", "exact"):
                columns.setdefault(f"{mode}: {name}", []).append(float(score[name]))
    table = Table(title=f"{experiment.name}: {len(_folds(folds))}-fold cross-validation")
    for column in ("figure", "mean", "deviation", "lowest", "highest"):
        table.add_column(column, justify="left" if column == "figure" else "right")
    for name, values in columns.items():
        deviation = statistics.stdev(values) if len(values) > 1 else 0.0
        numbers = (statistics.mean(values), deviation, min(values), max(values))
        table.add_row(name, *(f"{number:.2f}" for number in numbers))
    Console().print(table)


def _folds(text: str) -> list[int]:
    try:
        if "-" in text:
            first, last = text.split("-")
            return list(range(int(first), int(last) + 1))
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise typer.BadParameter(f"folds are written like 0-9 or 1,3,5, not {text!r}") from None
