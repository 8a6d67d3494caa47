"""`texlift translate`: generic LaTeX to semantic LaTeX."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from texlift.cli.lines import error_line, stream
from texlift.errors import FormulaError, TexliftError

if TYPE_CHECKING:
    from texlift.translate.translation import Translation

app = typer.Typer()


@app.command()
def translate(
    formulae: list[str] = typer.Argument(None, metavar="FORMULA...", help=r"e.g. 'J_\nu(z)'"),
    context: str = typer.Option("", "--context", "-c", help='What it is about: "Bessel functions".'),
    to: str = typer.Option("", "--to", "-t", help="Also as code: sympy, mpmath, mathematica, maple, maxima, mathml."),
    alternatives: int = typer.Option(3, "-k", min=0, max=50, help="How many other readings to show."),
    constants: bool = typer.Option(False, "--constants", help=r"Mark every e, i, \pi, \gamma that is the constant."),
    quiet: bool = typer.Option(False, "--quiet", "-q", help="Only the semantic LaTeX, nothing else."),
    jsonl: bool = typer.Option(False, "--jsonl", help='JSON lines: {"latex": .., "context": ..} in, answers out.'),
    jobs: int = typer.Option(1, "--jobs", "-j", min=1, max=64, help="Worker processes for --jsonl."),
    apart: bool = typer.Option(
        False, "--apart", help="For --jsonl: each line as if it were alone, whatever the others are."
    ),
    model: Path | None = typer.Option(None, "--model", "-m", help="Folder of a model you trained."),
) -> None:
    r"""Say what a formula means: `\Gamma(z)` is `\EulerGamma@{z}`, the Euler gamma function of z."""
    if jsonl:
        from functools import partial

        own = str(model) if model else None
        stream(partial(answer, model=own, alternatives=alternatives, to=to, constants=constants, apart=apart), jobs)
        return
    if not formulae:
        raise typer.BadParameter("give a formula, or --jsonl to read lines", param_hint="FORMULA")
    from texlift.translate.translator import load

    translator = load(model)
    for number, formula in enumerate(formulae):
        result = translator.translate(formula, context or None, alternatives, constants)
        if quiet:
            typer.echo(result.to(to) if to else result.semantic)
            continue
        if number:
            typer.echo()
        _show(result, to)


def answer(
    requests: list[dict[str, Any] | TexliftError],
    model: str | None,
    alternatives: int,
    to: str,
    constants: bool,
    apart: bool = False,
) -> list[dict[str, Any]]:
    """Answers to a chunk of requests."""
    from texlift.translate.collector import collect_rarely
    from texlift.translate.translator import load

    translator = load(model)
    collect_rarely()
    asked: list[tuple[str, Any]] = []
    errors: dict[int, TexliftError] = {}
    for index, request in enumerate(requests):
        try:
            asked.append(_formula(request))
        except TexliftError as error:
            errors[index] = error
    results = translator.translate_many(asked, alternatives, constants, together=not apart)
    answers: list[dict[str, Any]] = []
    for index in range(len(requests)):
        if index in errors:
            answers.append(error_line(errors[index], "semantic"))
            continue
        result = next(results)
        if isinstance(result, FormulaError):
            answers.append(error_line(result, "semantic"))
            continue
        record = result.as_dict()
        if to:
            try:
                record["code"] = result.to(to)
            except TexliftError as error:
                record |= error_line(error, "code")
        answers.append(record)
    return answers


def _formula(request: dict[str, Any] | TexliftError) -> tuple[str, str | Mapping[str, str] | None]:
    if isinstance(request, TexliftError):
        raise request
    latex = request.get("latex")
    if not isinstance(latex, str):
        raise TexliftError('no text "latex" in the line')
    context = request.get("context")
    if isinstance(context, dict):
        context = {str(name): text for name, text in context.items() if isinstance(text, str)}
    elif context is not None and not isinstance(context, str):
        raise TexliftError('"context" must be a text or an object of texts')
    return latex, context


def _show(result: Translation, to: str) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console()
    console.print(Text(result.semantic, style="bold"))
    console.print(Text(f"confidence {result.confidence:.1%}", style=_colour(result.confidence)))
    if to:
        try:
            console.print(Text(f"{to}: {result.to(to)}", style="cyan"))
        except TexliftError as error:
            console.print(Text(f"{to}: {error}", style="red"))
    if result.decisions:
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
        for heading in ("in the source", "read as", "meaning", "", "otherwise"):
            table.add_column(heading, overflow="fold", header_style="dim")
        for decision in result.decisions:
            other = next((r for r in decision.competing if r.probability >= 0.005), None)
            table.add_row(
                Text(decision.source),
                Text(decision.macro or "as it stands"),
                Text(decision.meaning, style=f"link {decision.url}" if decision.url else ""),
                Text(f"{decision.probability:.1%}", style=_colour(decision.probability)),
                Text(f"{other.macro or 'as it stands'} {other.probability:.1%}" if other else "", style="dim"),
            )
        console.print(table)
    for alternative in result.alternatives:
        console.print(Text(f"or {alternative.semantic}  ({alternative.confidence:.1%})", style="dim"))
    for warning in result.warnings:
        console.print(Text(f"warning: {warning}", style="yellow"))


def _colour(probability: float) -> str:
    return "green" if probability >= 0.95 else "yellow" if probability >= 0.7 else "red"
