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
    predictions: Path | None = typer.Option(
        None, help="File for the answers; default: predictions.jsonl in the run, unless there is a --limit."
    ),
    settings: list[str] = typer.Option(
        [], "--set", help="Change a key of the experiment, e.g. `--set decoding.beam=4`; may be repeated."
    ),
    as_json: bool = typer.Option(False, "--json", help="JSON instead of a table."),
) -> None:
    """Evaluate on hulls as the paper does, with the topology given, and free-running; copying the input beside it.

    A network that was trained without padding has never seen y_end and does badly on hulls.
    """
    import json

    from texlift_paper.training.figures import figures_of
    from texlift_paper.training.predictions import predictions_of, save_predictions
    from texlift_paper.training.run import Run
    from texlift_paper.training.trial import Trial

    folder = Run(run)
    trial = Trial.load(folder, settings)
    pairs = trial.dataset.test if test else trial.dataset.validation
    if limit and limit < len(pairs):
        pairs = pairs[:: max(1, len(pairs) // limit)]
    found = figures_of(trial, pairs, free_running)
    figures = found.as_dict()
    whole = not limit and not settings
    if whole:
        folder.save_figures({"test" if test else "validation": figures})
    if predictions is None and whole:
        predictions = folder.predictions("test" if test else "validation")
    if predictions is not None and free_running:
        save_predictions(predictions_of(found.answers), predictions)
    if as_json:
        typer.echo(json.dumps(figures))
        return
    from texlift_paper.cli.figures_table import print_figures

    title = f"{run.name}, fold {'test' if test else 'validation'}, {len(pairs):,} formulae"
    print_figures(title, (), [((), figures)])
