"""`texlift check`: is an equation or inequality true? Numerically, with counterexamples."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from texlift.cli.lifting import lifted
from texlift.errors import FormulaError, TexliftError

if TYPE_CHECKING:
    from texlift.verify import Task, Verdict

app = typer.Typer(help=__doc__)
_SURE = 0.8  # below that, a translation is shown with its probability


@app.command()
def check(
    formula: str = typer.Argument("", help="The formula: LaTeX, or semantic LaTeX with --semantic."),
    semantic: bool = typer.Option(False, "--semantic", help="The formula is semantic LaTeX already."),
    where: list[str] = typer.Option(
        [], "--where", "-w", help=r"A constraint, e.g. '\realpart@@{a}>0' or 'n=0,1,2,\dots'."
    ),
    context: str = typer.Option(
        "",
        "--context",
        help="Words around the formula, to translate it with; relations between $ signs are constraints.",
    ),
    seconds: float = typer.Option(10.0, "--seconds", "-t", min=0.1, help="Time limit for a formula."),
    jobs: int = typer.Option(1, "--jobs", "-j", min=1, max=64, help="Worker processes (with --jsonl)."),
    jsonl: bool = typer.Option(False, "--jsonl", help='JSON lines in: {"latex" or "semantic", "constraints": [...]}.'),
    plot: Path | None = typer.Option(
        None, "--plot", help="Draw both sides and their difference to FILE (.png, .svg, .pdf)."
    ),
) -> None:
    """Check an equation or inequality numerically: verified, refuted with a counterexample, or undecided."""
    from texlift.verify import Task, check_all

    if jsonl:
        for answer in _batch(seconds, jobs):
            typer.echo(json.dumps(answer, ensure_ascii=False))
        return
    if not formula:
        raise typer.BadParameter("give a formula, or --jsonl")
    text, sure = (formula, 1.0) if semantic else lifted(formula, context)
    constraints = tuple(w if semantic else lifted(w, context)[0] for w in where) + _said(text, context)
    verdict = next(check_all([Task(text, constraints)], seconds))
    if not semantic:
        typer.echo(f"read as   {text}")
        if sure < _SURE:
            typer.secho(
                f"          {sure:.0%} sure; say it with --context or --semantic", fg=typer.colors.YELLOW, err=True
            )
    _show(verdict)
    if plot is not None:
        from texlift.verify.plot import draw

        draw(text, list(constraints), plot)
        typer.echo(f"plot      {plot}")
    if verdict.verdict != "verified":
        raise typer.Exit(1)


def _said(semantic: str, context: str) -> tuple[str, ...]:
    """Conditions between the letters of the formula that the words around it state."""
    if "$" not in context:
        return ()
    from texlift.targets.expression import free_symbols
    from texlift.targets.reading import read
    from texlift.verify.surroundings import conditions_said

    names = {name for statement in read(semantic).statements for name in free_symbols(statement)}
    return tuple(conditions_said(context, "", names))


def _show(verdict: Verdict) -> None:
    color = {"verified": typer.colors.GREEN, "refuted": typer.colors.RED}.get(verdict.verdict, typer.colors.YELLOW)
    where = f"at {verdict.points} point{'s' * (verdict.points > 1)}" if verdict.points else ""
    typer.secho(f"{verdict.verdict:<9} {where}".rstrip(), fg=color)
    if verdict.reason:
        typer.echo(f"reason    {verdict.reason}")
    if verdict.counterexample:
        example = verdict.counterexample
        point = ", ".join(f"{name} = {value}" for name, value in example["point"].items())
        typer.echo(f"at        {point or 'every point'}\nleft      {example['left']}\nright     {example['right']}")


def _batch(seconds: float, jobs: int) -> Iterator[dict[str, Any]]:
    """One answer for each line, in order, never fewer."""
    from texlift.verify import check_all

    errors: dict[int, dict[str, Any]] = {}
    count = 0

    def tasks() -> Iterator[Task]:
        nonlocal count
        for line in sys.stdin:
            if not line.strip():
                continue
            number, count = count, count + 1
            try:
                yield _task(line)
            except (ValueError, TypeError, TexliftError) as error:
                detail = error.as_dict() if isinstance(error, FormulaError) else {"message": str(error)}
                errors[number] = {"verdict": "undecided", "points": 0, "counterexample": None,
                                  "reason": str(detail["message"]), "error": detail}  # fmt: skip

    emitted = 0
    for verdict in check_all(tasks(), seconds, jobs):
        while emitted in errors:
            yield errors[emitted]
            emitted += 1
        fields = verdict.as_dict()
        yield {key: fields[key] for key in ("verdict", "points", "counterexample", "reason")}
        emitted += 1
    while emitted in errors:
        yield errors[emitted]
        emitted += 1


def _task(line: str) -> Task:
    from texlift.verify import Task

    data = json.loads(line)
    if not isinstance(data, dict) or not isinstance(data.get("semantic") or data.get("latex"), str):
        raise ValueError('a line needs "latex" or "semantic"')
    constraints = data.get("constraints") or []
    if not isinstance(constraints, list) or not all(isinstance(c, str) for c in constraints):
        raise ValueError('"constraints" must be a list of strings')
    if isinstance(data.get("semantic"), str):
        return Task(data["semantic"], tuple(constraints))
    context = data.get("context")
    if context is not None and not isinstance(context, str):
        raise ValueError('"context" must be a string')
    return Task(lifted(data["latex"], context)[0], tuple(lifted(c, context)[0] for c in constraints))
