"""`texlift check`: is an equation or inequality true? Numerically, with counterexamples."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from texlift.cli.formulae import given
from texlift.errors import FormulaError, TexliftError, fenced
from texlift.latex.wrapping import unwrapped
from texlift.meaning.declarations import Declarations
from texlift.verify.declared import constraints_of, words_of
from texlift.verify.lifting import lifted, readings, task_of

if TYPE_CHECKING:
    from texlift.verify import Task, Verdict

app = typer.Typer(help=__doc__)
_SURE = 0.8  # below that, a translation is shown with its probability


@app.command()
def check(
    formulae: list[str] = typer.Argument(
        None,
        metavar="FORMULA...",
        help="The formula: LaTeX, or semantic LaTeX with --semantic; - reads standard input.",
    ),
    semantic: bool = typer.Option(False, "--semantic", help="The formula is semantic LaTeX already."),
    where: list[str] = typer.Option(
        [], "--where", "-w", help=r"A constraint, e.g. '\realpart@@{a}>0' or 'n=0,1,2,\dots'."
    ),
    context: str = typer.Option(
        "",
        "--context",
        help="Words around the formula, to translate it with; relations between $ signs are constraints.",
    ),
    declare: list[str] = typer.Option(
        [], "--declare", "-d", help="What a letter is, and so where it is tried: 'n: integer', 'x: positive'."
    ),
    seconds: float = typer.Option(10.0, "--seconds", "-t", min=0.1, help="Time limit for a formula."),
    jobs: int = typer.Option(1, "--jobs", "-j", min=1, max=64, help="Worker processes (with --jsonl)."),
    jsonl: bool = typer.Option(
        False, "--jsonl", help='JSON lines in: {"latex" or "semantic", "constraints": [..], "declare": {..}}.'
    ),
    plot: Path | None = typer.Option(
        None, "--plot", help="Draw both sides and their difference to FILE (.png, .svg, .pdf)."
    ),
) -> None:
    """Check an equation or inequality numerically: verified, refuted with a counterexample, or undecided."""
    declared = Declarations.parse(declare)
    if jsonl:
        for answer in _batch(seconds, jobs, declared):
            typer.echo(json.dumps(answer, ensure_ascii=False))
        return
    if plot is not None and len(formulae or ()) > 1:
        raise typer.BadParameter("one plot is of one formula", param_hint="--plot")
    verdicts = [_checked(formula, semantic, where, context, declared, seconds, plot) for formula in given(formulae)]
    if any(verdict.verdict != "verified" for verdict in verdicts):
        raise typer.Exit(1)


def _checked(
    formula: str,
    semantic: bool,
    where: list[str],
    context: str,
    declared: Declarations,
    seconds: float,
    plot: Path | None,
) -> Verdict:
    """Check one formula and show what came out."""
    from texlift.verify import Task, check_all

    text, sure, others = (unwrapped(formula), 1.0, ()) if semantic else readings(formula, context, declared)
    constraints = tuple(w if semantic else lifted(w, context)[0] for w in where) + _said(text, context)
    task = Task(text, constraints, sure=sure, others=others, declared=words_of(declared))
    verdict = next(check_all([task], seconds))
    if not semantic:
        typer.echo(f"read as   {text}")
        if sure < _SURE:
            typer.secho(
                f"          {sure:.0%} sure; say it with --context or --semantic", fg=typer.colors.YELLOW, err=True
            )
    _show(verdict)
    if plot is not None:
        from texlift.meaning.reader.reading import read
        from texlift.meaning.tree import free_symbols
        from texlift.verify.plot import draw

        names = {name for statement in read(text, declared=declared).statements for name in free_symbols(statement)}
        draw(text, [*constraints_of(declared, names), *constraints], plot)
        typer.echo(f"plot      {plot}")
    return verdict


def _said(semantic: str, context: str) -> tuple[str, ...]:
    """Conditions between the letters of the formula that the words around it state."""
    if "$" not in context:
        return ()
    from texlift.meaning.reader.reading import read
    from texlift.meaning.tree import free_symbols
    from texlift.verify.surroundings import conditions_said

    names = {name for statement in read(semantic).statements for name in free_symbols(statement)}
    return tuple(conditions_said(context, "", names))


def _show(verdict: Verdict) -> None:
    color = {"verified": typer.colors.GREEN, "refuted": typer.colors.RED}.get(verdict.verdict, typer.colors.YELLOW)
    where = f"at {verdict.points} point{'s' * (verdict.points > 1)}" if verdict.points else ""
    digits = f", to {verdict.digits} digits" if verdict.digits and where else ""
    typer.secho(f"{verdict.verdict:<9} {where}{digits}".rstrip(), fg=color)
    if verdict.domain:
        typer.echo(f"domain    {verdict.domain}")
    if verdict.reason:
        typer.echo(f"reason    {verdict.reason}")
    if verdict.counterexample:
        example = verdict.counterexample
        point = ", ".join(f"{name} = {value}" for name, value in example["point"].items())
        place = f"at        {point}\n" if point else ""
        typer.echo(f"{place}left      {example['left']}\nright     {example['right']}")


def _batch(seconds: float, jobs: int, declared: Declarations) -> Iterator[dict[str, Any]]:
    """One answer for each line, in order, never fewer."""
    from texlift.verify import SHOWN, Verdict, check_all

    errors: dict[int, dict[str, Any]] = {}
    names: list[dict[str, Any]] = []

    def tasks() -> Iterator[Task]:
        for line in sys.stdin:
            if not line.strip():
                continue
            names.append(_identity(line))
            try:
                with fenced(line, "checking"):
                    yield _task(line, declared)
            except TexliftError as error:
                detail = error.as_dict() if isinstance(error, FormulaError) else {"message": str(error)}
                failed = Verdict("undecided", reason=str(detail["message"])).as_dict()
                errors[len(names) - 1] = {**{key: failed[key] for key in SHOWN}, "error": detail}

    emitted = 0
    for verdict in check_all(tasks(), seconds, jobs):
        while emitted in errors:
            yield names[emitted] | errors[emitted]
            emitted += 1
        fields = verdict.as_dict()
        yield names[emitted] | {key: fields[key] for key in SHOWN}
        emitted += 1
    while emitted in errors:
        yield names[emitted] | errors[emitted]
        emitted += 1


def _identity(line: str) -> dict[str, Any]:
    """The `id` of a line, which comes back with its answer."""
    try:
        data = json.loads(line)
    except ValueError:
        return {}
    return {"id": data["id"]} if isinstance(data, dict) and "id" in data else {}


def _task(line: str, declared: Declarations) -> Task:
    from texlift.verify import Task

    try:
        data = json.loads(line)
    except ValueError as error:
        raise TexliftError(f"no JSON: {error}") from None
    if not isinstance(data, dict) or not isinstance(data.get("semantic") or data.get("latex"), str):
        raise TexliftError('a line needs "latex" or "semantic"')
    constraints = data.get("constraints") or []
    if not isinstance(constraints, list) or not all(isinstance(c, str) for c in constraints):
        raise TexliftError('"constraints" must be a list of strings')
    if data.get("declare") is not None:
        declared = Declarations.of(data["declare"]).over(declared)
    if isinstance(data.get("semantic"), str):
        return Task(data["semantic"], tuple(constraints), declared=words_of(declared))
    context = data.get("context")
    if context is not None and not isinstance(context, str):
        raise TexliftError('"context" must be a string')
    return task_of(data["latex"], constraints, context, declared)
