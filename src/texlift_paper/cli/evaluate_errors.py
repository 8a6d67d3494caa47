"""`texlift evaluate errors RUN`: the wrong answers of a network as a page with filters."""

from __future__ import annotations

from pathlib import Path

import typer

app = typer.Typer(help=__doc__)


@app.command()
def evaluate_errors(
    run: Path = typer.Argument(..., help="Folder of a run that was evaluated, or a file of predictions."),
    out: Path | None = typer.Option(None, "--out", "-o", help="The page; default: errors.html beside the predictions."),
) -> None:
    """Write a page of wrong answers, by kind and length, to look through in a browser."""
    from texlift.errors import TexliftError
    from texlift.train.checkpoint import write_bytes
    from texlift_paper.training.errors_page import errors_page
    from texlift_paper.training.predictions import read_predictions

    file = run / "predictions.jsonl" if run.is_dir() else run
    if not file.is_file():
        raise TexliftError(f"no predictions at {file}: `texlift evaluate experiment RUN` writes them")
    predictions = read_predictions(file)
    page = out or file.with_name("errors.html")
    write_bytes(page, errors_page(predictions, f"Wrong answers of {file.parent.name}").encode())
    wrong = sum(not prediction.right for prediction in predictions)
    typer.echo(f"{wrong:,} of {len(predictions):,} answers are wrong: {page}")
