"""`texlift train WHAT`: train the translator or one of the paper's networks."""

from __future__ import annotations

import typer

from texlift.cli.app import lazy_group

COMMANDS = {"translator": ("texlift.cli.train_translator", "The translator that ships with texlift.")}

app = typer.Typer(cls=lazy_group(COMMANDS, "train"), no_args_is_help=True)


@app.callback()
def train() -> None:
    """Train the translator or one of the paper's networks."""
