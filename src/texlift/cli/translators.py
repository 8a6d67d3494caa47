"""Translators of other packages: `texlift translate --NAME WHAT` asks the one that joined under that name."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from pathlib import Path

import typer

from texlift.cli.plugins import TRANSLATORS, plugins
from texlift.errors import TexliftError

__all__ = ["answer_with"]


def answer_with(name: str, what: Path, formulae: Iterable[str]) -> None:
    """Print the answer to each formula, and its warnings to standard error; exit code 1 if one was refused."""
    joined = plugins(TRANSLATORS)
    if name not in joined:
        raise TexliftError(f"no installed package has a translator for --{name}")
    failed = False
    for result in import_module(joined[name].module).answers(what, formulae):
        if isinstance(result, TexliftError):
            typer.echo(f"error: {result}", err=True)
            failed = True
            continue
        answer, warnings = result
        typer.echo(" ".join(answer.split("\n")))
        for warning in warnings:
            typer.echo(f"warning: {warning}", err=True)
    if failed:
        raise typer.Exit(1)
