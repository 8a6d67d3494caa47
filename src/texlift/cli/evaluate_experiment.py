"""`texlift evaluate experiment RUN`: figures of a trained network on its validation or test fold."""

from __future__ import annotations

from pathlib import Path

import typer

app = typer.Typer(help=__doc__)


@app.command()
def evaluate_experiment(
    run: Path = typer.Argument(..., help="Folder of a run, made by `texlift train experiment`."),
    test: bool = typer.Option(False, help="The test fold instead of the validation fold: look at it rarely."),
    free_running: bool = typer.Option(True, help="Also let the decoder grow its own trees."),
    limit: int = typer.Option(0, help="At most so many formulae; 0 for all."),
    as_json: bool = typer.Option(False, "--json", help="JSON instead of a table."),
) -> None:
    """Evaluate with the topology given and free-running, the identity baseline beside them.

    A network that was trained with padding is also measured as in the paper, on trees padded to their hulls.
    """
    import json

    from texlift.training.run import Run
    from texlift.training.trial import Trial

    folder = Run(run)
    trial = Trial.load(folder)
    pairs = trial.dataset.test if test else trial.dataset.validation
    if limit and limit < len(pairs):
        pairs = pairs[:: max(1, len(pairs) // limit)]
    scores = {"identity": trial.identity(pairs)}
    if trial.experiment.task != "sequence":
        scores["topology given"] = trial.score(pairs, free_running=False)
    if trial.experiment.training.padding:  # else the network has never seen y_end
        scores["hull given"] = trial.score_on_hulls(pairs)
    if free_running or trial.experiment.task == "sequence":
        scores["free-running"] = trial.score(pairs, free_running=True)
    figures = {name: score.as_dict() for name, score in scores.items()}
    folder.save_figures({"test" if test else "validation": figures})
    if as_json:
        typer.echo(json.dumps(figures))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(title=f"{run.name}, fold {'test' if test else 'validation'}, {len(pairs):,} formulae")
    for column in ("", "p_f", "p_m", "p_b", "exact", "edit distance", "micro p_f", "micro p_m", "micro p_b"):
        table.add_column(column, justify="right" if column else "left")
    for name, score in scores.items():
        distance = "-" if score.edit_distance is None else f"{score.edit_distance:.2f}"
        numbers = (score.p_f, score.p_m, score.p_b, score.exact)
        micro = (score.micro_p_f, score.micro_p_m, score.micro_p_b)
        table.add_row(name, *(f"{n:.2f}" for n in numbers), distance, *(f"{n:.2f}" for n in micro))
    Console().print(table)
