"""`texlift document`: a whole .tex, .md or .ipynb file."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from texlift.cli.targets import known_targets
from texlift.errors import TexliftError
from texlift.extras import require

if TYPE_CHECKING:
    from texlift.documents.choices import Choices
    from texlift.documents.document import Document
    from texlift.documents.lifting import Options, Outcome, Progress

__all__ = ["app", "document", "refuse_overwriting", "targets_of"]

app = typer.Typer()

_SHOWN = 20  # formulae left alone that are listed; the report has them all


@app.command()
def document(
    source: Path = typer.Argument(..., metavar="IN", help="The document: .tex, .md or .ipynb."),
    output: Path | None = typer.Option(None, "--output", "-o", metavar="OUT", help="Where to write the result."),
    report: Path | None = typer.Option(None, "--report", "-r", help="A page (.html) or data (.json) on all formulae."),
    threshold: float = typer.Option(0.7, min=0.0, max=1.0, help="Formulae less certain than this are left alone."),
    to: str = typer.Option("", "--to", "-t", help="Also as code, in the report: sympy, mpmath, mathematica, ..."),
    check: bool = typer.Option(False, "--check", help="Also check equations numerically; verdicts go to the report."),
    seconds: float = typer.Option(5.0, min=0.1, max=600, help="Time limit for checking one formula."),
    interactive: bool = typer.Option(
        False, "--interactive", "-i", help="Ask about uncertain symbols, keep the answers."
    ),
    choices: Path | None = typer.Option(
        None, help="File with fixed readings; default: texlift.toml beside the document."
    ),
    constants: bool = typer.Option(False, "--constants", help=r"Mark every e, i, \pi, \gamma that is the constant."),
    encoding: str = typer.Option("", help="Encoding of the files; default: UTF-8, or what the document declares."),
    jobs: int = typer.Option(1, "--jobs", "-j", min=1, max=64, help="Worker processes."),
    force: bool = typer.Option(False, "--force", "-f", help="Overwrite files that exist."),
    model: Path | None = typer.Option(None, "--model", "-m", help="Folder of a model you trained."),
    quiet: bool = typer.Option(False, "--quiet", "-q", help="Print nothing but errors."),
) -> None:
    r"""Translate all math of a document; text outside math stays byte for byte.

    Files that the document \inputs are translated too and written beside OUT under their own names.
    """
    from texlift.documents.choices import FILE_NAME, read_choices
    from texlift.documents.document import read_document
    from texlift.documents.lifting import Options
    from texlift.documents.sidefile import side_name

    if output is None and report is None:
        raise typer.BadParameter("give -o OUT, --report FILE, or both", param_hint="-o")
    if to:
        knowntargets_of([to])
    if report is not None and report.suffix != ".json":
        require("math_core")
    if check:
        require("mpmath")
    read = read_document(source, encoding)
    targets = targets_of(read, source, output)
    side = output.parent / side_name(read.kind) if output else None
    refuse_overwriting([*targets, *([report] if report else [])], force)
    fixed_file = choices or source.parent / FILE_NAME
    if choices is not None and not choices.exists() and not interactive:
        raise TexliftError(f"{choices} does not exist")
    options = Options(threshold, 3 if report else 0, constants, to, check, seconds, jobs, model)
    fixed = read_choices(fixed_file)
    if interactive:
        fixed = _asked(read, options, fixed, fixed_file)
    with _progress(quiet) as progress:
        from texlift.collector import collect_rarely
        from texlift.documents.lifting import lift

        collect_rarely()
        outcome = lift(read, options, fixed, progress)
    _write(outcome, targets, side, report, source.name)
    if not quiet:
        _summary(outcome, output, report)


def targets_of(read: Document, source: Path, output: Path | None) -> list[Path]:
    """Where each file of the document goes: OUT, and the included ones beside it as they stood beside IN."""
    if output is None:
        return []
    root = source.parent
    return [output, *(output.parent / file.path.relative_to(root) for file in read.files[1:])]


def refuse_overwriting(targets: list[Path], force: bool) -> None:
    """Raise TexliftError if a file would be overwritten without being asked to."""
    existing = [str(path) for path in targets if path.exists()]
    if existing and not force:
        hint = "choose an OUT in another folder, or --force to overwrite"
        raise TexliftError(f"{', '.join(existing)} would be overwritten; {hint}")
    folders = [str(path) for path in targets if path.is_dir()]
    if folders:
        raise TexliftError(f"{folders[0]} is a folder")


def _write(outcome: Outcome, targets: list[Path], side: Path | None, report: Path | None, title: str) -> None:
    from texlift.documents.sidefile import side_text
    from texlift.documents.source import write_atomically

    try:
        if side and outcome.spellings:
            write_atomically(side, side_text(outcome.document.kind, outcome.spellings).encode("utf-8"))
        if targets:
            for file, text, path in zip(outcome.document.files, outcome.texts(), targets, strict=True):
                write_atomically(path, file.encoded(text))
        if report:
            from texlift.documents.report import report_html, report_json

            page = report_json(outcome) if report.suffix == ".json" else report_html(outcome, title)
            write_atomically(report, page.encode("utf-8"))
    except OSError as error:
        raise TexliftError(f"cannot write {error.filename}: {error.strerror}") from None


def _summary(outcome: Outcome, output: Path | None, report: Path | None) -> None:
    from texlift.documents.formula import STATES

    total = len(outcome.lifted)
    typer.echo(
        f"{total:,} {'formula' if total == 1 else 'formulae'}"
        + (f" in {outcome.document.files[0].path.name}" if output else "")
    )
    for state, meaning in STATES.items():
        if count := outcome.counts.get(state):
            typer.echo(f"{count:7,} {state:<10} {meaning}")
    verdicts = [item.verdict.verdict for item in outcome.lifted if item.verdict is not None]
    if verdicts:
        parts = [f"{verdicts.count(v):,} {v}" for v in ("verified", "refuted", "undecided") if v in verdicts]
        typer.echo(f"checked: {', '.join(parts)}")
    for problem in outcome.document.problems:
        typer.secho(f"{problem}", fg=typer.colors.YELLOW, err=True)
    alone = [item for item in outcome.lifted if item.state in ("uncertain", "conflict", "broken")]
    for item in alone[:_SHOWN]:
        latex = " ".join(item.formula.latex.split())
        name = outcome.document.path_of(item.formula).name
        typer.echo(f"{name}:{item.formula.line}: left alone ({item.message}): {latex[:70]}", err=True)
    if len(alone) > _SHOWN:
        typer.echo(f"{len(alone) - _SHOWN} more are left alone: see --report", err=True)
    for path in (output, report):
        if path:
            typer.echo(f"wrote {path}")


def _asked(read: Document, options: Options, fixed: Choices, file: Path) -> Choices:
    """Ask about symbols the translator is unsure of; answers go to the choices file at once."""
    from texlift.documents.choices import read_choices, remember
    from texlift.documents.lifting import lift
    from texlift.documents.questions import questions

    with _progress(False) as progress:
        outcome = lift(read, options, fixed, progress)
    for question in questions(outcome.lifted):
        typer.echo(f"\n{question.symbol} in {question.example}  (line {question.line}, {question.places} place(s))")
        for number, reading in enumerate(question.readings, 1):
            name = reading.macro or "as it stands"
            typer.echo(f"  {number}  {name}  {reading.meaning if reading.macro else ''}  {reading.probability:.0%}")
        answer = typer.prompt(
            "number, empty to leave it open, q to stop asking", default="", show_default=False
        ).strip()
        if answer == "q":
            break
        if answer.isdigit() and 1 <= int(answer) <= len(question.readings):
            remember(file, question.symbol, question.readings[int(answer) - 1].macro)
            typer.echo(f"kept in {file}")
    return read_choices(file)


@contextlib.contextmanager
def _progress(quiet: bool) -> Iterator[Progress | None]:
    from rich.console import Console

    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        tasks = {}

        def tell(step: str, done: int, total: int) -> None:
            if step not in tasks:
                tasks[step] = bar.add_task(step, total=total)
            bar.update(tasks[step], completed=done)

        yield tell
