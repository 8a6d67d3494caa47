"""`texlift equal`: do two answers mean the same?

Exit code 0: equal, 1: different, 2: undecided or not readable. With --jsonl it is 0 once every line is answered.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import typer

from texlift.cli.lines import Request, error_line, stream
from texlift.errors import TexliftError
from texlift.extras import require
from texlift.meaning.declarations import Declarations

if TYPE_CHECKING:
    from texlift.verify.equality import Equality, Options

app = typer.Typer(help=__doc__)
_EXIT = {"equal": 0, "different": 1, "undecided": 2}


@app.command(help=__doc__)
def equal(
    a: str = typer.Argument(None, metavar="A", help="An answer: a formula, with or without words around it."),
    b: str = typer.Argument(None, metavar="B", help="The answer to compare it with."),
    where: list[str] = typer.Option(
        [], "--where", "-w", help="A condition on the letters, e.g. 'x>0'. May be repeated."
    ),
    declare: list[str] = typer.Option(
        [], "--declare", "-d", help="What a letter is: 'n: integer', 'z: complex'. May be repeated."
    ),
    form: bool = typer.Option(False, "--form", help="The form counts: x(x+1) is not x^2+x, 0.5 is not 1/2."),
    order: bool = typer.Option(False, "--order", help="The order of a list counts: 1, 2 is not 2, 1."),
    tolerance: float = typer.Option(
        0.0, "--tolerance", min=0.0, max=0.999, help="How far numbers may be apart, absolutely and relatively."
    ),
    semantic: bool = typer.Option(False, "--semantic", help="Both are semantic LaTeX already."),
    seconds: float = typer.Option(5.0, "--seconds", "-t", min=0.1, help="Time limit for a pair."),
    jobs: int = typer.Option(1, "--jobs", "-j", min=1, max=64, help="Processes (with --jsonl)."),
    jsonl: bool = typer.Option(
        False,
        "--jsonl",
        help='JSON lines in: {"a", "b", "where"?, "declare"?, "options"?: {"form", "order", "tolerance"}, "id"?}, out: '
        '{"verdict", "reason", "counterexample"}.',
    ),
) -> None:
    """Compare two answers: equal with a reason, different with a counterexample, or undecided with the reason."""
    from texlift.verify.equality import Options
    from texlift.verify.equality import equal as compared

    require("flint")
    declared = Declarations.parse(declare)
    options = Options(form, order, tolerance)
    if jsonl:
        if a is not None:
            raise typer.BadParameter("--jsonl reads standard input", param_hint="A")
        answer = partial(answers, where=tuple(where), declared=declared, options=options, semantic=semantic,
                         seconds=seconds)  # fmt: skip
        stream(answer, "verdict", jobs)
        return
    if a is None or b is None:
        raise typer.BadParameter("give two answers to compare", param_hint="A B")
    found = compared(
        a, b, where=where, declare=declared, form=form, order=order, tolerance=tolerance, seconds=seconds,
        semantic=semantic,
    )  # fmt: skip
    _show(found)
    raise typer.Exit(_EXIT[found.verdict])


def _show(found: Equality) -> None:
    color = {"equal": typer.colors.GREEN, "different": typer.colors.RED}.get(found.verdict, typer.colors.YELLOW)
    typer.secho(found.verdict, fg=color)
    typer.echo(f"reason    {found.reason}")
    example = found.counterexample
    if example:
        point = example.get("point")
        if point:
            typer.echo("at        " + ", ".join(f"{name} = {value}" for name, value in point.items()))
        for side in ("a", "b"):
            if side in example:
                typer.echo(f"{side}         {example[side]}")


def answers(
    requests: list[Request],
    where: tuple[str, ...],
    declared: Declarations,
    options: Options,
    semantic: bool,
    seconds: float,
) -> list[dict[str, Any]]:
    """Answers to some requests; what the command line says holds where a line says nothing."""
    return [_answer(request, where, declared, options, semantic, seconds) for request in requests]


def _answer(
    request: Request,
    where: tuple[str, ...],
    declared: Declarations,
    options: Options,
    semantic: bool,
    seconds: float,
) -> dict[str, Any]:
    from dataclasses import replace

    from texlift.verify.equality import Pair, equal_all

    try:
        if isinstance(request, TexliftError):
            raise request
        pair = Pair.of(request, semantic)
    except TexliftError as error:
        return {"verdict": "undecided", "reason": str(error), "counterexample": None, **_error(error)}
    pair = replace(pair, where=(*where, *pair.where), declared=pair.declared.over(declared))
    if request.get("options") is None:
        pair = replace(pair, options=options)
    return next(equal_all([pair], seconds)).as_dict()


def _error(error: TexliftError) -> dict[str, Any]:
    return {"error": error_line(error, "verdict")["error"]}
