"""`texlift evaluate WHAT`: evaluate a trained model and write a report."""

from __future__ import annotations

import typer

from texlift.cli.app import lazy_group

COMMANDS = {
    "translator": ("texlift.cli.evaluate_translator", "The translator that ships with texlift."),
    "experiment": ("texlift_paper.cli.evaluate_experiment", "An experiment file: the paper's networks."),
}

app = typer.Typer(cls=lazy_group(COMMANDS), no_args_is_help=True)


@app.callback()
def evaluate() -> None:
    """Evaluate a trained model and write a report."""
