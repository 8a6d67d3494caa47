"""`texlift convert`: semantic LaTeX to code for computer algebra, NumPy or Julia, to MathJSON or to MathML."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from texlift.cli.formulae import given
from texlift.cli.lines import Request, error_line, stream
from texlift.cli.targets import known_targets
from texlift.cli.words import declarations
from texlift.errors import TexliftError, fenced
from texlift.meaning.declarations import Declarations
from texlift.verify.lifting import lifted

if TYPE_CHECKING:
    from texlift.targets import Conversion

app = typer.Typer(help=__doc__)


@app.command()
def convert(
    formulae: list[str] = typer.Argument(
        None, metavar="SEMANTIC...", help=r"Semantic LaTeX, e.g. '\BesselJ{\nu}@{z}'; - reads standard input."
    ),
    to: list[str] = typer.Option(
        ...,
        "--to",
        "-t",
        help="sympy, mpmath, numpy (a Python function), mathematica, maple, maxima, julia, mathjson, mathml (Content), "
        "intent (presentation MathML 4), words (plain English) or concepts (semantic LaTeX, every concept a macro). "
        "May be repeated.",
    ),
    latex: bool = typer.Option(
        False, "--latex", help=r"The formula is generic LaTeX, e.g. 'J_\nu(z)'; translate it first."
    ),
    context: str = typer.Option("", "--context", "-c", help="Words around the formula, to translate it with."),
    declare: list[str] = typer.Option(
        [], "--declare", "-d", help="What a letter is: 'n: integer', 'f: function', 'A: matrix(3,3)'. May be repeated."
    ),
    own: Path | None = typer.Option(
        None, "--vocabulary", help="A file with concepts and notations of your own (TOML or JSON)."
    ),
    explain: bool = typer.Option(
        False, "--explain", "-e", help="For each function: definition, conventions, conditions."
    ),
    jsonl: bool = typer.Option(
        False,
        "--jsonl",
        help='JSON lines in {"semantic", "declare"?}, out {"code", "warnings"} or {"code": null, "error"}.',
    ),
) -> None:
    """Convert semantic LaTeX to the language of a computer algebra system."""
    targets = known_targets(to)
    declared = declarations(declare, own)
    if jsonl:
        if len(targets) > 1:
            raise typer.BadParameter("one target with --jsonl", param_hint="--to")
        from texlift.collector import collect_rarely

        collect_rarely()
        stream(partial(answer, to=targets[0], declared=declared), "code")
        return
    failed = False
    for formula in given(formulae, "SEMANTIC"):
        try:
            semantic = formula
            if latex:
                semantic, _ = lifted(formula, context)
                typer.echo(f"read as: {semantic}", err=True)
        except TexliftError as error:
            typer.echo(f"error: {error}", err=True)
            failed = True
            continue
        for target in targets:
            failed |= _show(semantic, target, latex, explain, targets, declared)
    if failed:
        raise typer.Exit(1)


def _show(
    semantic: str, target: str, latex: bool, explain: bool, targets: Sequence[str], declared: Declarations
) -> bool:
    """The code of one target; whether something went wrong."""
    from texlift.targets import convert as convert_to

    prefix = f"{target}: " if len(targets) > 1 else ""
    try:
        result = convert_to(semantic, target, declared)
        typer.echo(prefix + result.code)
        _tell(result, semantic, latex)
        if explain:
            from texlift.targets.explanation import explain as explanation

            with fenced(semantic, "explaining"):
                typer.echo("\n".join(explanation(semantic, target)))
    except TexliftError as error:
        typer.echo(f"error: {prefix}{error}", err=True)
        return True
    return False


def _tell(result: Conversion, semantic: str, latex: bool) -> None:
    if (result.warnings or result.functions) and not latex and "@" not in semantic:
        typer.secho("hint: functions are not marked; --latex translates the formula first", err=True)
    for warning in result.warnings:
        typer.secho(f"warning: {warning}", fg=typer.colors.YELLOW, err=True)
    for note in result.notes:
        typer.echo(f"note: {note}", err=True)


def answer(requests: list[Request], to: str, declared: Declarations) -> list[dict[str, Any]]:
    """Answers to some requests."""
    return [_answer(request, to, declared) for request in requests]


def _answer(request: Request, to: str, declared: Declarations) -> dict[str, Any]:
    from texlift.targets import convert as convert_to

    try:
        if isinstance(request, TexliftError):
            raise request
        if not isinstance(request.get("semantic"), str):
            raise TexliftError('no text "semantic" in the line')
        own = Declarations.of(request.get("declare")).over(declared)
        result = convert_to(request["semantic"], to, own)
    except TexliftError as error:
        return error_line(error, "code")
    return {"code": result.code, "warnings": list(result.warnings), "notes": list(result.notes)}
