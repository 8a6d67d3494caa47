"""`texlift expand`: semantic LaTeX to generic LaTeX."""

from __future__ import annotations

from typing import Any

import typer

from texlift.cli.lines import error_line, stream
from texlift.errors import TexliftError

app = typer.Typer()


@app.command()
def expand(
    formulae: list[str] = typer.Argument(None, metavar="SEMANTIC...", help=r"e.g. '\BesselJ{\nu}@{z}'"),
    jsonl: bool = typer.Option(False, "--jsonl", help='JSON lines: {"semantic": ..} in, {"latex": ..} out.'),
    jobs: int = typer.Option(1, "--jobs", "-j", min=1, max=64, help="Worker processes for --jsonl."),
) -> None:
    r"""Show a semantic formula as everybody writes it: `\EulerGamma@{z}` is `\Gamma\left(z\right)`."""
    if jsonl:
        stream(answer, jobs)
        return
    if not formulae:
        raise typer.BadParameter("give a formula, or --jsonl to read lines", param_hint="SEMANTIC")
    from texlift.macros.expansion import expand as expand_formula

    for formula in formulae:
        typer.echo(expand_formula(formula))


def answer(requests: list[dict[str, Any] | TexliftError]) -> list[dict[str, Any]]:
    """Answers to a chunk of requests."""
    from texlift.macros.expansion import expand as expand_formula

    answers = []
    for request in requests:
        try:
            if isinstance(request, TexliftError):
                raise request
            semantic = request.get("semantic")
            if not isinstance(semantic, str):
                raise TexliftError('no text "semantic" in the line')
            answers.append({"latex": expand_formula(semantic)})
        except TexliftError as error:
            answers.append(error_line(error, "latex"))
    return answers
