"""`texlift translate`: generic LaTeX to semantic LaTeX."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from texlift.cli.formulae import given
from texlift.cli.lines import Answer, Request, error_line, stream
from texlift.cli.targets import known_targets
from texlift.cli.words import declarations
from texlift.errors import FormulaError, TexliftError, fenced
from texlift.latex.wrapping import unwrapped
from texlift.meaning.declarations import NOTHING_DECLARED, Declarations

if TYPE_CHECKING:
    from rich.console import Console

    from texlift.translate.answer import Translation
    from texlift.translate.model import Model

app = typer.Typer()


@app.command()
def translate(
    formulae: list[str] = typer.Argument(
        None, metavar="FORMULA...", help=r"e.g. 'J_\nu(z)'; - reads standard input, one formula a line."
    ),
    context: str = typer.Option("", "--context", "-c", help='What it is about: "Bessel functions".'),
    to: list[str] = typer.Option(
        [],
        "--to",
        "-t",
        help="Also as sympy, mpmath, numpy, mathematica, maple, maxima, julia, mathjson, mathml, intent, words or "
        "concepts.",
    ),
    alternatives: int = typer.Option(3, "-k", min=0, max=50, help="How many other readings to show."),
    constants: bool = typer.Option(False, "--constants", help=r"Mark every e, i, \pi, \gamma that is the constant."),
    semantic: bool = typer.Option(
        False, "--semantic", help="The formula is semantic LaTeX already: check it and go on to code."
    ),
    declare: list[str] = typer.Option(
        [],
        "--declare",
        "-d",
        help=r"What a letter is: 'n: integer', 'f: function', 'A: matrix(3,3)', 'K: \compellintKk'.",
    ),
    own: Path | None = typer.Option(
        None, "--vocabulary", help="A file with concepts and notations of your own (TOML or JSON)."
    ),
    quiet: bool = typer.Option(False, "--quiet", "-q", help="Only the semantic LaTeX, or only the code with --to."),
    jsonl: bool = typer.Option(
        False,
        "--jsonl",
        help='JSON lines: {"latex": .., "context": .., "id": .., "document": .., "declare": {..}} in, answers out. '
        'Lines of one "document" are read together, all others independently.',
    ),
    jobs: int = typer.Option(1, "--jobs", "-j", min=1, max=64, help="Worker processes for --jsonl."),
    apart: bool = typer.Option(False, "--apart", help='For --jsonl: ignore "document".'),
    model: Path | None = typer.Option(None, "--model", "-m", help="Folder of a model you trained."),
    run: Path | None = typer.Option(None, "--run", help="Folder of a trained experiment: its network answers instead."),
) -> None:
    r"""Say what a formula means: `\Gamma(z)` is `\EulerGamma@{z}`, the Euler gamma function of z."""
    targets = known_targets(to)
    declared = declarations(declare, own)
    if run is not None:
        from texlift.cli.translators import answer_with

        if targets or jsonl or model or context or constants or semantic:
            raise typer.BadParameter("goes with formulae alone: an experiment knows no context and no code")
        answer_with("run", run, given(formulae))
        return
    if jsonl:
        from functools import partial

        folder = str(model) if model else None
        answering: Answer = partial(
            answer,
            model=folder,
            alternatives=alternatives,
            to=targets,
            constants=constants,
            apart=apart,
            declared=declared,
        )
        if semantic:
            answering = partial(answer_semantic, to=targets, declared=declared)
        stream(answering, "semantic", jobs)
        return
    asked = given(formulae)
    first = next(asked)
    from texlift.translate.translator import load

    translator = None if semantic else load(model)
    failed = False
    for number, formula in enumerate((first, *asked)):
        try:
            if translator is None:
                result = _semantic(formula, declared)
            else:
                result = translator.translate(formula, context or None, alternatives, constants, declare=declared)
        except FormulaError as error:
            typer.echo(f"error: {error}", err=True)
            failed = True
            continue
        if translator is not None and translator.model.card.get("syntax"):
            from texlift.cli.syntaxes import show_written

            failed |= show_written(result, translator.model, quiet)
            continue
        if quiet:
            failed |= _show_briefly(result, targets)
            continue
        if number:
            typer.echo()
        failed |= _show(result, targets)
    if failed:
        raise typer.Exit(1)


def answer(
    requests: list[Request],
    model: str | None,
    alternatives: int,
    to: Sequence[str],
    constants: bool,
    apart: bool = False,
    declared: Declarations = NOTHING_DECLARED,
) -> list[dict[str, Any]]:
    """Answers to some requests; those of one document share style and memory."""
    from texlift.collector import collect_rarely
    from texlift.translate.translator import load

    translator = load(model)
    collect_rarely()
    asked: list[tuple[str, Any]] = []
    errors: dict[int, TexliftError] = {}
    own: dict[int, Translation | TexliftError] = {}  # answers to lines with declarations of their own
    for index, request in enumerate(requests):
        try:
            formula = _formula(request)
            if isinstance(request, dict) and request.get("declare") is not None:
                more = Declarations.of(request["declare"]).over(declared)
                own[index] = next(translator.translate_many([formula], alternatives, constants, declare=more))
            else:
                asked.append(formula)
        except TexliftError as error:
            errors[index] = error
    document = not apart and any(isinstance(r, dict) and r.get("document") is not None for r in requests)
    results = translator.translate_many(asked, alternatives, constants, document=document, declare=declared)
    answers: list[dict[str, Any]] = []
    for index in range(len(requests)):
        result = errors.get(index) or own.get(index) or next(results)
        if isinstance(result, TexliftError):
            answers.append(error_line(result, "semantic") | ({"code": None} if to else {}))
        else:
            answers.append(_in_syntax(translator.model, result, _with_code(result, to) if to else result.as_dict()))
    return answers


def _in_syntax(model: Model, result: Translation, record: dict[str, Any]) -> dict[str, Any]:
    """A record with the answer in the syntax of its model, if that is not LaTeX."""
    from texlift.cli.syntaxes import doubts, written

    if not model.card.get("syntax"):
        return record
    try:
        text = written(result, model)
        return {**record, "written": text, "warnings": [*record["warnings"], *doubts(result, model)]}
    except FormulaError as error:
        return {**record, "written": None, "error": error_line(error, "written")["error"]}


def answer_semantic(
    requests: list[Request], to: Sequence[str], declared: Declarations = NOTHING_DECLARED
) -> list[dict[str, Any]]:
    """Answers to requests whose "latex" is semantic LaTeX."""
    answers: list[dict[str, Any]] = []
    for request in requests:
        try:
            formula = _formula(request)[0]
            own = request.get("declare") if isinstance(request, dict) else None
            result = _semantic(formula, Declarations.of(own).over(declared) if own is not None else declared)
        except TexliftError as error:
            answers.append(error_line(error, "semantic") | ({"code": None} if to else {}))
        else:
            answers.append(_with_code(result, to) if to else result.as_dict())
    return answers


def _semantic(typed: str, declared: Declarations) -> Translation:
    """The answer to a formula that says itself what it means: it must expand."""
    from texlift.grammar.expansion import expand
    from texlift.translate.answer import Translation

    with fenced(typed, "reading semantic LaTeX"):
        text = unwrapped(typed)
        return Translation(expand(text), text, 1.0, declared=declared)


def _with_code(result: Translation, to: Sequence[str]) -> dict[str, Any]:
    """The answer with code: of one target the text, of several an object by target, errors likewise."""
    record = result.as_dict()
    codes: dict[str, str | None] = {}
    errors: dict[str, Any] = {}
    notes: list[str] = []
    sure: list[float] = []
    for target in to:
        try:
            conversion = result.converted(target)
        except TexliftError as error:
            codes[target] = None
            errors[target] = error_line(error, "code")["error"]
            continue
        codes[target] = conversion.code
        sure.append(round(result.confidence_in(conversion), 6))
        prefix = f"{target}: " if len(to) > 1 else ""
        record["warnings"] += [prefix + text for text in conversion.warnings]
        notes += [prefix + text for text in conversion.notes]
    if sure:
        record["confidence"] = min(sure)
    single = len(to) == 1
    record |= {"code": codes[to[0]] if single else codes, "notes": notes}
    if errors:
        record["error"] = errors[to[0]] if single else errors
    return record


def _formula(request: Request) -> tuple[str, str | Mapping[str, str] | None]:
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


def _show_briefly(result: Translation, to: Sequence[str]) -> bool:
    """One line for the formula, or for each target; whether something went wrong."""
    if not to:
        # a comment ends with its line
        typer.echo(result.semantic if "%" in result.semantic else " ".join(result.semantic.split("\n")))
        return False
    failed = False
    for target in to:
        try:
            conversion = result.converted(target)
        except TexliftError as error:
            typer.echo(f"error: {target}: {error}", err=True)
            failed = True
            continue
        typer.echo(conversion.code)
        for warning in conversion.warnings:
            typer.echo(f"warning: {target}: {warning}", err=True)
    return failed


def _show(result: Translation, to: Sequence[str]) -> bool:
    """The answer for a person; whether something went wrong."""
    from rich.text import Text

    from texlift.cli.console import console

    out = console()
    out.print(Text(result.semantic, style="bold"), soft_wrap=True)
    out.print(Text(f"confidence {result.confidence:.1%}", style=_colour(result.confidence)))
    failed = False
    told = [f"warning: {warning}" for warning in result.warnings]
    for target in to:
        try:
            conversion = result.converted(target)
        except TexliftError as error:
            out.print(Text(f"{target}: {error}", style="red"), soft_wrap=True)
            failed = True
            continue
        sure = result.confidence_in(conversion)
        code, share = Text(f"{target}: {conversion.code}", style="cyan"), Text(f"  ({sure:.1%})", style=_colour(sure))
        out.print(code + share, soft_wrap=True)
        told += [f"warning: {target}: {warning}" for warning in conversion.warnings]
        told += [f"note: {target}: {note}" for note in conversion.notes]
    if result.decisions:
        _show_decisions(out, result)
    for alternative in result.alternatives:
        out.print(Text(f"or {alternative.semantic}  ({alternative.confidence:.1%})", style="dim"), soft_wrap=True)
    for line in told:
        out.print(Text(line, style="yellow"), soft_wrap=True)
    return failed


def _show_decisions(out: Console, result: Translation) -> None:
    from rich.table import Table
    from rich.text import Text

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
    out.print(table)


def _colour(probability: float) -> str:
    return "green" if probability >= 0.95 else "yellow" if probability >= 0.7 else "red"
