"""`texlift train WHAT`: train the translator or one of the paper's networks."""

from __future__ import annotations

import typer

from texlift.cli.app import lazy_group

COMMANDS = {
    "translator": ("texlift.cli.train_translator", "The translator that ships with texlift."),
    "experiment": ("texlift_paper.cli.train_experiment", "An experiment file: the paper's networks."),
}

app = typer.Typer(cls=lazy_group(COMMANDS), no_args_is_help=True)


@app.callback()
def train() -> None:
    """Train the translator or one of the paper's networks."""
