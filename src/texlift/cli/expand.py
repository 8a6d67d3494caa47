"""`texlift expand`: semantic LaTeX to generic LaTeX."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import typer

from texlift.cli.formulae import given
from texlift.cli.lines import Request, error_line, stream
from texlift.cli.rewriting import Rewriting, list_notations
from texlift.errors import TexliftError, fenced

app = typer.Typer()


@app.command()
def expand(
    formulae: list[str] = typer.Argument(
        None, metavar="SEMANTIC...", help=r"e.g. '\BesselJ{\nu}@{z}'; - reads standard input."
    ),
    notation: str = typer.Option(
        "", "--notation", "-n", metavar="NAME", help="Rewrite it in this notation, e.g. wolfram; 'list' lists them."
    ),
    generic: bool = typer.Option(
        False, "--latex", help=r"With --notation: the formula is generic LaTeX, e.g. 'K(k)'; translate it first."
    ),
    context: str = typer.Option("", "--context", "-c", help="With --latex: words around the formula."),
    declare: list[str] = typer.Option([], "--declare", help="With --notation: what a letter is, e.g. 'n: integer'."),
    own: Path | None = typer.Option(None, "--vocabulary", help="A file with concepts and notations of your own."),
    jsonl: bool = typer.Option(
        False, "--jsonl", help='JSON lines: {"semantic": ..} (or {"latex": ..} with --latex) in, {"latex": ..} out.'
    ),
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

    With --notation the formula is rewritten as another book would write it, arguments transformed: K(k), by the
    modulus, is K(m) with m=k^2 in the notation wolfram. What it cannot express is an error.
    """
    if not notation and (generic or context or declare):
        raise typer.BadParameter("--latex, --context and --declare go with --notation")
    if notation == "list":
        return list_notations(own)
    if document is not None:
        if formulae or jsonl or output is None:
            raise typer.BadParameter("--document OUT goes with -o IN2, and with no formulae", param_hint="--document")
        _document(document, output, encoding, force)
        return None
    rewriting = Rewriting(notation, generic, context, tuple(declare), own)
    if jsonl:
        stream(partial(answer, rewriting=rewriting), "latex", jobs)
        return None

    failed = False
    for formula in given(formulae, "SEMANTIC"):
        try:
            with fenced(formula, "expanding"):
                expanded, notes = rewriting(formula)
        except TexliftError as error:
            typer.echo(f"error: {error}", err=True)
            failed = True
            continue
        typer.echo(expanded)
        for note in notes:
            typer.echo(f"note: {note}", err=True)
    if failed:
        raise typer.Exit(1)
    return None


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


def answer(requests: list[Request], rewriting: Rewriting | None = None) -> list[dict[str, Any]]:
    """Answers to some requests."""
    rewriting = rewriting or Rewriting()
    key = "latex" if rewriting.generic else "semantic"
    answers: list[dict[str, Any]] = []
    for request in requests:
        try:
            if isinstance(request, TexliftError):
                raise request
            formula = request.get(key)
            if not isinstance(formula, str):
                raise TexliftError(f'no text "{key}" in the line')
            with fenced(formula, "expanding"):
                latex, notes = rewriting(formula)
            answers.append({"latex": latex} | ({"notes": list(notes)} if rewriting.notation else {}))
        except TexliftError as error:
            answers.append(error_line(error, "latex"))
    return answers
