"""`texlift report RUN...`: compare experiment runs in a table and a plot."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

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
    from texlift_paper.cli.figures_table import add_rows, figures_table
    from texlift_paper.training.curves import draw_curves
    from texlift_paper.training.run import Run

    folders = [folder for path in runs for folder in _runs_in(path)]
    if not folders:
        raise TexliftError(f"no run in {', '.join(map(str, runs))}: a run is a folder with experiment.json")
    table = Table(title="Runs")
    reached = figures_table("Figures", "run")
    columns = ("run", "task", "state", "epochs", "minutes", "loss", "kept epoch")
    for column in columns:
        table.add_column(column, justify="left" if column in ("run", "task") else "right")
    histories: dict[str, list[dict[str, Any]]] = {}
    for folder in folders:
        run = Run(folder)
        experiment, history, figures = run.experiment(), run.history(), run.figures()
        name = folder.name if folder in runs else f"{folder.parent.name}/{folder.name}"
        histories[name] = history
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
        rows = figures.get("validation") or {"topology given": last.get("given"), "free-running": last.get("free")}
        add_rows(reached, {row: score for row, score in rows.items() if score}, name)
    console = Console(width=160)
    console.print(table)
    console.print(reached)
    if plot is not None:
        draw_curves(histories, plot)
        typer.echo(f"drawn: {plot}")


def _runs_in(path: Path) -> list[Path]:
    if (path / "experiment.json").is_file():
        return [path]
    return sorted(folder.parent for folder in path.glob("*/experiment.json"))


def _number(value: float | None, digits: int = 2) -> str:
    return "-" if value is None else f"{value:.{digits}f}"
