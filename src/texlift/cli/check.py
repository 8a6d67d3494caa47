"""`texlift check`: is an equation or inequality true? With proofs and counterexamples."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from texlift.cli.formulae import given
from texlift.cli.lines import Request, error_line, identified, requests
from texlift.errors import TexliftError, fenced
from texlift.latex.wrapping import unwrapped
from texlift.meaning.declarations import Declarations
from texlift.verify.declared import words_of
from texlift.verify.lifting import lifted, readings, task_of
from texlift.verify.verdict import TRUE

if TYPE_CHECKING:
    from texlift.verify import Task, Verdict

app = typer.Typer(help=__doc__)
_DRAWING = 30.0  # seconds at least for a plot
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
        None, "--plot", metavar="FILE", help="Draw both sides, or a function, to a file (.svg or .png)."
    ),
    in_colour: bool = typer.Option(
        False, "--complex", help="With --plot: colour the complex plane by the argument of each side."
    ),
) -> None:
    """Check a statement: proved, verified by numbers, refuted with a counterexample, or undecided."""
    declared = Declarations.parse(declare)
    if jsonl:
        for answer in _batch(seconds, jobs, declared):
            typer.echo(json.dumps(answer))
        return
    if plot is not None and len(formulae or ()) > 1:
        raise typer.BadParameter("one plot is of one formula", param_hint="--plot")
    if in_colour and plot is None:
        raise typer.BadParameter("says how to draw; give --plot FILE too", param_hint="--complex")
    failed = False
    for formula in given(formulae):
        try:
            with fenced(formula, "checking"):
                verdict = _checked(formula, semantic, where, context, declared, seconds, plot, in_colour)
        except TexliftError as error:
            typer.echo(f"error: {error}", err=True)
            failed = True
            continue
        failed |= verdict.verdict not in TRUE
    if failed:
        raise typer.Exit(1)


def _checked(
    formula: str,
    semantic: bool,
    where: list[str],
    context: str,
    declared: Declarations,
    seconds: float,
    plot: Path | None,
    in_colour: bool,
) -> Verdict:
    """Check one formula and show what came out."""
    from texlift.verify import Task, check_all

    if plot is not None:
        from texlift.verify.plot import kind_of

        kind_of(plot)  # a wrong suffix is an error before anything is computed
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
        from texlift.verify.plot import draw

        draw(text, constraints, plot, words_of(declared), in_colour, max(seconds, _DRAWING))
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
    color = {"proved": typer.colors.GREEN, "verified": typer.colors.GREEN, "refuted": typer.colors.RED}.get(
        verdict.verdict, typer.colors.YELLOW
    )
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
        if example.get("python"):
            typer.echo(f"python    {example['python']}")


def _batch(seconds: float, jobs: int, declared: Declarations) -> Iterator[dict[str, Any]]:
    """One answer for each line, in order, never fewer."""
    from texlift.verify import SHOWN, check_all

    asked: deque[Request] = deque()  # not answered yet
    errors: deque[tuple[Request, TexliftError]] = deque()

    def tasks() -> Iterator[Task]:
        for request in requests():
            asked.append(request)
            try:
                with fenced(str(request)[:1000], "checking"):
                    yield _task(request, declared)
            except TexliftError as error:
                errors.append((request, error))

    def refused() -> Iterator[dict[str, Any]]:
        """Answers to the requests in front that cannot be checked."""
        while errors and asked[0] is errors[0][0]:
            yield identified(asked.popleft(), _undecided(errors.popleft()[1]))

    for verdict in check_all(tasks(), seconds, jobs):
        yield from refused()
        fields = verdict.as_dict()
        yield identified(asked.popleft(), {key: fields[key] for key in SHOWN})
    yield from refused()


def _undecided(error: TexliftError) -> dict[str, Any]:
    """The answer to a line that cannot be checked."""
    from texlift.verify import SHOWN, Verdict

    detail = error_line(error, "verdict")["error"]
    failed = Verdict("undecided", reason=str(detail["message"])).as_dict()
    return {**{key: failed[key] for key in SHOWN}, "error": detail}


def _task(request: Request, declared: Declarations) -> Task:
    from texlift.verify import Task

    if isinstance(request, TexliftError):
        raise request
    if not isinstance(request.get("semantic") or request.get("latex"), str):
        raise TexliftError('a line needs "latex" or "semantic"')
    constraints = request.get("constraints") or []
    if not isinstance(constraints, list) or not all(isinstance(c, str) for c in constraints):
        raise TexliftError('"constraints" must be a list of strings')
    if request.get("declare") is not None:
        declared = Declarations.of(request["declare"]).over(declared)
    if isinstance(request.get("semantic"), str):
        return Task(request["semantic"], tuple(constraints), declared=words_of(declared))
    context = request.get("context")
    if context is not None and not isinstance(context, str):
        raise TexliftError('"context" must be a string')
    return task_of(request["latex"], constraints, context, declared)
