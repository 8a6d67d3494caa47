"""`texlift evaluate WHAT`: evaluate a trained model and write a report."""

from __future__ import annotations

import typer

from texlift.cli.app import lazy_group

COMMANDS = {"translator": ("texlift.cli.evaluate_translator", "The translator that ships with texlift.")}

app = typer.Typer(cls=lazy_group(COMMANDS, "evaluate"), no_args_is_help=True)


@app.callback()
def evaluate() -> None:
    """Evaluate a trained model and write a report."""
