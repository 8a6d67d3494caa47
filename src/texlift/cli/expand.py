"""`texlift expand`: semantic LaTeX to generic LaTeX."""

from __future__ import annotations

from pathlib import Path
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
    document: Path | None = typer.Option(
        None, "--document", "-d", metavar="OUT", help="A document that `texlift document` wrote: give back what it was."
    ),
    output: Path | None = typer.Option(None, "--output", "-o", metavar="IN2", help="With --document: where it goes."),
    encoding: str = typer.Option("", help="With --document: encoding of the files."),
    force: bool = typer.Option(False, "--force", "-f", help="With --document: overwrite files that exist."),
) -> None:
    r"""Show a semantic formula as everybody writes it: `\EulerGamma@{z}` is `\Gamma\left(z\right)`.

    With --document a whole lifted file: every call gets back the spelling its author gave it, which the
    texlift-macros.sty (or .json) beside the file says. Where nothing but lifting was done, the very bytes come back.
    """
    if document is not None:
        if formulae or jsonl or output is None:
            raise typer.BadParameter("--document OUT goes with -o IN2, and with no formulae", param_hint="--document")
        _document(document, output, encoding, force)
        return
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


def _document(source: Path, output: Path, encoding: str, force: bool) -> None:
    from texlift.cli.document import refuse_overwriting, targets_of
    from texlift.documents.document import read_document
    from texlift.documents.restored import restored_document
    from texlift.documents.sidefile import read_side_file, side_name
    from texlift.documents.source import write_atomically

    read = read_document(source, encoding)
    side = source.parent / side_name(read.kind)
    spellings = read_side_file(side)
    if spellings is None:
        note = f"{side} is not there: macros get their standard notation, which may not be the author's"
        typer.secho(note, fg=typer.colors.YELLOW, err=True)
    targets = targets_of(read, source, output)
    refuse_overwriting(targets, force)
    restored = restored_document(read, spellings)
    for problem in restored.problems:
        typer.secho(f"{problem}", fg=typer.colors.YELLOW, err=True)
    try:
        for file, text, path in zip(read.files, restored.texts, targets, strict=True):
            write_atomically(path, file.encoded(text))
    except OSError as error:
        raise TexliftError(f"cannot write {error.filename}: {error.strerror}") from None


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
