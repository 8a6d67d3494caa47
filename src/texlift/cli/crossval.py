"""`texlift crossval WHAT`: cross-validate and write a report."""

from __future__ import annotations

import typer

from texlift.cli.app import lazy_group

COMMANDS = {"translator": ("texlift.cli.crossval_translator", "The translator that ships with texlift.")}

app = typer.Typer(cls=lazy_group(COMMANDS, "crossval"), no_args_is_help=True)


@app.callback()
def crossval() -> None:
    """Cross-validate and write a report."""
