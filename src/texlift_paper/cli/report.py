"""`texlift report RUN...`: compare experiment runs in a table and a plot."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console

app = typer.Typer(help=__doc__)


@app.command()
def report(
    runs: list[Path] = typer.Argument(..., help="Folders of runs, or a folder that holds some."),
    plot: Path | None = typer.Option(None, help="Draw the curves into this PNG file."),
) -> None:
    """Compare runs: what they were, how long they trained, what they reached, with copying the input beside it."""
    from rich.console import Console
    from rich.table import Table

    from texlift.errors import TexliftError
    from texlift_paper.cli.figures_table import print_figures
    from texlift_paper.training.curves import draw_curves
    from texlift_paper.training.run import Run

    folders = [folder for path in runs for folder in _runs_in(path)]
    if not folders:
        raise TexliftError(f"no run in {', '.join(map(str, runs))}: a run is a folder with experiment.json")
    table = Table(title="Runs")
    reached: list[tuple[tuple[str, ...], dict[str, dict[str, Any]]]] = []
    experiments: dict[str, dict[str, Any]] = {}
    columns = ("run", "task", "state", "epochs", "minutes", "loss", "kept epoch")
    for column in columns:
        table.add_column(column, justify="left" if column in ("run", "task") else "right")
    histories: dict[str, list[dict[str, Any]]] = {}
    for folder in folders:
        run = Run(folder)
        experiment, history, figures = run.experiment(), run.history(), run.figures()
        name = _name(folder, runs)
        histories[name] = history
        experiments[name] = experiment.as_dict()
        last = history[-1] if history else {}
        table.add_row(
            name,
            experiment.task,
            str(experiment.sequence.state if experiment.task == "sequence" else experiment.model.state),
            str(len(history)),
            _number(last.get("minutes"), 1),
            _number(last.get("loss"), 3),
            str(figures.get("kept", {}).get("epoch", "last")),
        )
        # a run that was not evaluated has those of its last epoch
        scores = [score for score in (last.get("given"), last.get("free")) if score]
        reached.append(((name,), figures.get("validation") or {score["mode"]: score for score in scores}))
    console = Console(width=160)
    console.print(table)
    _print_differences(experiments, console)
    print_figures("Figures", ("run",), reached)
    if plot is not None:
        draw_curves(histories, plot)
        typer.echo(f"drawn: {plot}")


def differences(experiments: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """{key: {run: value}} for the keys in which experiments differ, their names aside."""
    flat = {run: dict(_flat(experiment)) for run, experiment in experiments.items()}
    keys = dict.fromkeys(key for values in flat.values() for key in values if key != "name")
    found = {key: {run: values.get(key) for run, values in flat.items()} for key in keys}
    return {key: values for key, values in found.items() if len({str(value) for value in values.values()}) > 1}


def _flat(record: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in record.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


def _print_differences(experiments: Mapping[str, Mapping[str, Any]], console: Console) -> None:
    from rich.markup import escape
    from rich.table import Table

    found = differences(experiments)
    if not found:
        return
    table = Table(title="What differs")
    table.add_column("")
    for name in experiments:
        table.add_column(escape(name), overflow="fold")
    for key, values in found.items():
        table.add_row(key, *(escape(str(values[name])) for name in experiments))
    console.print(table)


def _runs_in(path: Path) -> list[Path]:
    """A run, or all runs below a folder; the parts a run was made of are not listed."""
    if (path / "experiment.json").is_file():
        return [path]
    found = sorted(file.parent for file in path.rglob("experiment.json"))
    return [folder for folder in found if not any(other in folder.parents for other in found)]


def _name(folder: Path, asked: list[Path]) -> str:
    """A short name that tells the run from the others."""
    for path in asked:
        if path in folder.parents:
            return f"{path.name}/{folder.relative_to(path)}"
    return folder.name


def _number(value: float | None, digits: int = 2) -> str:
    return "-" if value is None else f"{value:.{digits}f}"
