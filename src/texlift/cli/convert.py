"""`texlift convert`: semantic LaTeX to SymPy, mpmath, Mathematica, Maple, Maxima or Content MathML."""

from __future__ import annotations

import json
import sys
from typing import Any

import typer

from texlift.cli.lifting import lifted
from texlift.errors import FormulaError, TexliftError

app = typer.Typer(help=__doc__)


@app.command()
def convert(
    semantic: str = typer.Argument("", help=r"Semantic LaTeX, e.g. '\BesselJ{\nu}@{z}'."),
    to: str = typer.Option(..., "--to", "-t", help="sympy, mpmath, mathematica, maple, maxima or mathml."),
    latex: bool = typer.Option(
        False, "--latex", help=r"The formula is generic LaTeX, e.g. 'J_\nu(z)'; translate it first."
    ),
    context: str = typer.Option("", "--context", "-c", help="Words around the formula, to translate it with."),
    explain: bool = typer.Option(
        False, "--explain", "-e", help="For each function: definition, conventions, conditions."
    ),
    jsonl: bool = typer.Option(
        False, "--jsonl", help='JSON lines in {"semantic"}, out {"code", "warnings"} or {"code": null, "error"}.'
    ),
) -> None:
    """Convert semantic LaTeX to the language of a computer algebra system."""
    from texlift.targets import TARGETS
    from texlift.targets import convert as convert_to

    if to not in TARGETS:
        raise typer.BadParameter(f"unknown target {to!r}; choose one of {', '.join(TARGETS)}")
    if jsonl:
        for line in sys.stdin:
            if line.strip():
                typer.echo(json.dumps(_answer(line, to), ensure_ascii=False))
        return
    if not semantic:
        raise typer.BadParameter("give a formula, or --jsonl")
    if latex:
        semantic, _ = lifted(semantic, context)
        typer.echo(f"read as: {semantic}", err=True)
    result = convert_to(semantic, to)
    typer.echo(result.code)
    if (result.warnings or result.functions) and not latex and "@" not in semantic:
        typer.secho("hint: functions are not marked; --latex translates the formula first", err=True)
    for warning in result.warnings:
        typer.secho(f"warning: {warning}", fg=typer.colors.YELLOW, err=True)
    for note in result.notes:
        typer.echo(f"note: {note}", err=True)
    if explain:
        from texlift.targets.explanation import explain as explanation

        for line in explanation(semantic, to):
            typer.echo(line)


def _answer(line: str, to: str) -> dict[str, Any]:
    from texlift.targets import convert as convert_to

    try:
        data = json.loads(line)
        if not isinstance(data, dict) or not isinstance(data.get("semantic"), str):
            raise TexliftError('a line needs "semantic"')
        result = convert_to(data["semantic"], to)
    except FormulaError as error:
        return {"code": None, "error": error.as_dict()}
    except (ValueError, TexliftError) as error:
        return {"code": None, "error": {"code": "input", "message": str(error)}}
    return {"code": result.code, "warnings": list(result.warnings), "notes": list(result.notes)}
