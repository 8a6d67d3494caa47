"""`texlift expand`: semantic LaTeX to generic LaTeX."""

from __future__ import annotations

from typing import Any

import typer

from texlift.cli.formulae import given
from texlift.cli.lines import Request, error_line, stream
from texlift.errors import TexliftError, fenced
from texlift.latex.wrapping import unwrapped

app = typer.Typer()


@app.command()
def expand(
    formulae: list[str] = typer.Argument(
        None, metavar="SEMANTIC...", help=r"e.g. '\BesselJ{\nu}@{z}'; - reads standard input."
    ),
    jsonl: bool = typer.Option(False, "--jsonl", help='JSON lines: {"semantic": ..} in, {"latex": ..} out.'),
    jobs: int = typer.Option(1, "--jobs", "-j", min=1, max=64, help="Worker processes for --jsonl."),
) -> None:
    r"""Show a semantic formula as everybody writes it: `\EulerGamma@{z}` is `\Gamma\left(z\right)`."""
    if jsonl:
        stream(answer, "latex", jobs)
        return
    from texlift.grammar.expansion import expand as expand_formula

    failed = False
    for formula in given(formulae, "SEMANTIC"):
        try:
            with fenced(formula, "expanding"):
                expanded = expand_formula(unwrapped(formula))
        except TexliftError as error:
            typer.echo(f"error: {error}", err=True)
            failed = True
            continue
        typer.echo(expanded)
    if failed:
        raise typer.Exit(1)


def answer(requests: list[Request]) -> list[dict[str, Any]]:
    """Answers to some requests."""
    from texlift.grammar.expansion import expand as expand_formula

    answers = []
    for request in requests:
        try:
            if isinstance(request, TexliftError):
                raise request
            semantic = request.get("semantic")
            if not isinstance(semantic, str):
                raise TexliftError('no text "semantic" in the line')
            with fenced(semantic, "expanding"):
                answers.append({"latex": expand_formula(unwrapped(semantic))})
        except TexliftError as error:
            answers.append(error_line(error, "latex"))
    return answers
