"""`texlift document`: a whole .tex, .md or .ipynb file."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from texlift.cli.document_page import page_target, write_page
from texlift.cli.targets import known_targets
from texlift.errors import TexliftError
from texlift.extras import require
from texlift.files import refuse_special

if TYPE_CHECKING:
    from texlift.documents.choices import Choices
    from texlift.documents.document import Document
    from texlift.documents.lifting import Options, Outcome, Progress

__all__ = ["app", "document", "refuse_overwriting", "targets_of", "write_file"]

app = typer.Typer()

_SHOWN = 20  # formulae left alone that are listed; the report has them all


@app.command()
def document(
    source: Path = typer.Argument(..., metavar="IN", help="The document: .tex, .md or .ipynb."),
    output: Path | None = typer.Option(None, "--output", "-o", metavar="OUT", help="Where to write the result."),
    mathml: bool = typer.Option(
        False, "--mathml", help="OUT is a page (.html) with MathML that screen readers can speak; for .tex with pandoc."
    ),
    converter: str = typer.Option(
        "pandoc", "--with", help="With --mathml, for .tex: pandoc, or latexml for documents that you trust."
    ),
    tagged: bool = typer.Option(
        False, "--tagged", help="For tagged PDF (LuaLaTeX): every formula with its words, every macro with its intent."
    ),
    report: Path | None = typer.Option(None, "--report", "-r", help="A page (.html) or data (.json) on all formulae."),
    threshold: float = typer.Option(0.7, min=0.0, max=1.0, help="Formulae less certain than this are left alone."),
    to: str = typer.Option("", "--to", "-t", help="Also as code, in the report: sympy, mpmath, mathematica, ..."),
    notation: list[Path] = typer.Option(
        None, "--notation", metavar="FILE", help="What each symbol means: .toml to edit, .tex for the paper, .json."
    ),
    diff: Path | None = typer.Option(
        None, "--diff", metavar="FILE", help="The changes as a unified diff; - prints it."
    ),
    check: bool = typer.Option(
        False, "--check", help="Also check equations numerically; those that fail are listed, all go to the report."
    ),
    seconds: float = typer.Option(5.0, min=0.1, max=600, help="Time limit for checking one formula."),
    interactive: bool = typer.Option(
        False, "--interactive", "-i", help="Ask about uncertain symbols, keep the answers."
    ),
    review: bool = typer.Option(
        False, "--review", help="Ask about every change; those rejected are kept in texlift.toml."
    ),
    rejected: list[str] = typer.Option(
        None, "--reject", metavar="CHANGE", help="Leave a change out, by its name in the report."
    ),
    prefix: str = typer.Option("tl", "--prefix", help="Letters before names of macros that the document has taken."),
    follow: bool = typer.Option(
        False, "--follow-links", help="Read files that links in the document's folder lead to."
    ),
    choices: Path | None = typer.Option(
        None, help="File with fixed readings; default: texlift.toml beside the document."
    ),
    constants: bool = typer.Option(False, "--constants", help=r"Mark every e, i, \pi, \gamma that is the constant."),
    encoding: str = typer.Option("", help="Encoding of the files; default: UTF-8, or what the document declares."),
    jobs: int = typer.Option(1, "--jobs", "-j", min=1, max=64, help="Worker processes."),
    force: bool = typer.Option(
        False, "--force", "-f", help="Overwrite files that exist; follow links, write to devices and pipes."
    ),
    model: Path | None = typer.Option(None, "--model", "-m", help="Folder of a model you trained."),
    quiet: bool = typer.Option(False, "--quiet", "-q", help="Print nothing but errors."),
) -> None:
    r"""Put semantic macros into all math of a document; everything else stays byte for byte.

    OUT prints the same pages as IN: beside it stands texlift-macros.sty (for Markdown and notebooks
    texlift-macros.json), which says how this document spells its macros. `texlift expand --document OUT` gives IN back.
    Files that the document \inputs are treated in the same way and written beside OUT under their own names.

    With --mathml, OUT is one HTML file: formulae are MathML 4 with intents where the reading is likely enough, and
    every formula has its words as alternative text.
    """
    from texlift.documents.choices import FILE_NAME, read_choices
    from texlift.documents.document import read_document
    from texlift.documents.lifting import Options
    from texlift.documents.loading import loads
    from texlift.documents.sidefile import side_name

    if output is None and report is None and diff is None and not notation:
        raise typer.BadParameter("give -o OUT, --report FILE, --notation FILE or --diff FILE", param_hint="-o")
    for path in notation or ():
        if path.suffix not in (".toml", ".tex", ".json"):
            raise typer.BadParameter(f"{path}: the table of notation is .toml, .tex or .json", param_hint="--notation")
    page = page_target(source, output, mathml, converter)
    if to:
        known_targets([to])
    if report is not None and report.suffix != ".json":
        require("math_core")
    if check:
        require("mpmath")
    read = read_document(source, encoding, follow)
    if read.kind == "tex" and loads(read.files[0].text):
        raise TexliftError(f"{source} is lifted already; texlift expand --document {source} -o FILE gives it back")
    if tagged and (read.kind != "tex" or page):
        raise typer.BadParameter("only for a LaTeX document that stays LaTeX", param_hint="--tagged")
    targets = [page] if page else targets_of(read, source, output)
    side = output.parent / side_name(read.kind) if output and not page else None
    printed = diff is not None and str(diff) == "-"
    others = [*([report] if report else []), *(notation or ()), *([diff] if diff and not printed else [])]
    refuse_overwriting([*targets, *([side] if side else []), *others], force)
    fixed_file = choices or source.parent / FILE_NAME
    if choices is not None and not choices.exists() and not interactive:
        raise TexliftError(f"{choices} does not exist")
    options = Options(
        threshold,
        alternatives=3 if report and report.suffix == ".json" else 0,
        constants=constants,
        target=to,
        check=check,
        seconds=seconds,
        jobs=jobs,
        model=model,
        prefix=prefix,
    )
    fixed = read_choices(fixed_file)
    fixed = replace(fixed, rejected={**fixed.rejected, **dict.fromkeys(rejected or (), "")})
    if interactive:
        fixed = _asked(read, options, fixed, fixed_file)
    with _progress(quiet) as progress:
        from texlift.collector import collect_rarely
        from texlift.documents.lifting import lift

        collect_rarely()
        outcome = lift(read, options, fixed, progress)
    if review and _reviewed(outcome, fixed_file):
        outcome = lift(read, options, read_choices(fixed_file))
    _write_notation(outcome, notation or [], source.name)
    if diff is not None:
        from texlift.documents.difference import unified_diff

        if printed:
            typer.echo(unified_diff(outcome), nl=False)
        else:
            write_file(diff, unified_diff(outcome))
    _write(outcome, [] if page else targets, side, report, source.name, force, threshold if tagged else None)
    if page:
        write_page(outcome, page, source.name, threshold, quiet, converter)
    if not quiet:
        _summary(outcome, None if page else output, others)


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
    for path in targets:
        refuse_special(path, force)


def _write(
    outcome: Outcome,
    targets: list[Path],
    side: Path | None,
    report: Path | None,
    title: str,
    force: bool,
    tagged: float | None = None,
) -> None:
    """Write everything; `tagged` is the threshold for words, None if the formulae get none."""
    from texlift.documents.sidefile import side_text
    from texlift.documents.source import write_atomically
    from texlift.documents.tagging import tagged_texts

    try:
        texts = outcome.texts() if tagged is None else tagged_texts(outcome, tagged)
        if side and (outcome.spellings or tagged is not None):
            text = side_text(outcome.document.kind, outcome.spellings, tagged is not None)
            write_atomically(side, text.encode("utf-8"))
        if targets:
            # the main file last: where it stands, all that it needs is there
            written = list(zip(outcome.document.files, texts, targets, strict=True))
            for file, text, path in reversed(written):
                write_atomically(path, file.encoded(text), special=force)
        if report:
            from texlift.documents.report import report_html, report_json

            page = report_json(outcome) if report.suffix == ".json" else report_html(outcome, title)
            write_atomically(report, page.encode("utf-8", "backslashreplace"), special=force)
    except OSError as error:
        raise TexliftError(f"cannot write {error.filename}: {error.strerror}") from None


def write_file(path: Path, text: str) -> None:
    """Write a text file in one step. Raises TexliftError if that is not possible."""
    from texlift.documents.source import write_atomically

    try:
        write_atomically(path, text.encode("utf-8", "surrogatepass"))
    except OSError as error:
        raise TexliftError(f"cannot write {path}: {error.strerror}") from None


def _write_notation(outcome: Outcome, paths: list[Path], title: str) -> None:
    if not paths:
        return
    import json

    from texlift.documents.notation import notation, notation_json, notation_tex, notation_toml

    entries = notation(outcome)
    for path in paths:
        if path.suffix == ".json":
            write_file(path, json.dumps(notation_json(entries), ensure_ascii=False, indent=1) + "\n")
        else:
            write_file(path, notation_tex(entries) if path.suffix == ".tex" else notation_toml(entries, title))


def _reviewed(outcome: Outcome, file: Path) -> bool:
    """Ask about every change, equal ones once; whether some were rejected."""
    from texlift.documents.choices import reject

    seen: dict[tuple[str, str], str] = {}
    some = False
    for item in outcome.lifted:
        if item.state != "translated":
            continue
        pair = (item.formula.latex, item.written)
        if pair not in seen:
            name = outcome.document.path_of(item.formula).name
            typer.echo(f"\n{name}:{item.formula.line}  {item.confidence:.0%}\n- {pair[0]}\n+ {pair[1]}")
            answer = typer.prompt("enter to accept, r to reject, q to accept the rest", default="", show_default=False)
            seen[pair] = answer.strip()
        if seen[pair] == "q":
            break
        if seen[pair] == "r":
            reject(file, item.change, "rejected in review")
            some = True
    if some:
        typer.echo(f"kept in {file}")
    return some


def _summary(outcome: Outcome, output: Path | None, others: list[Path]) -> None:
    from texlift.documents.formula import STATES
    from texlift.documents.loading import loads
    from texlift.documents.sidefile import side_name

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
        parts = [f"{verdicts.count(v):,} {v}" for v in ("verified", "proved", "refuted", "undecided") if v in verdicts]
        typer.echo(f"checked: {', '.join(parts)}")
        for item in outcome.lifted:
            if item.verdict is not None and item.verdict.verdict == "refuted":
                name = outcome.document.path_of(item.formula).name
                latex = " ".join(item.formula.latex.split())
                typer.echo(f"{name}:{item.formula.line}: fails numerically ({item.verdict.reason}): {latex[:70]}")
    if partly := sum(item.partly for item in outcome.lifted):
        typer.echo(f"{partly:,} of the formulae have symbols that were left alone")
    for macro, name in outcome.renamed.items():
        typer.echo(f"the document has {macro} itself: texlift's is {name} in it")
    for problem in outcome.document.problems:
        typer.secho(f"{problem}", fg=typer.colors.YELLOW, err=True)
    alone = [item for item in outcome.lifted if item.state in ("uncertain", "conflict", "broken")]
    for item in alone[:_SHOWN]:
        latex = " ".join(item.formula.latex.split())
        name = outcome.document.path_of(item.formula).name
        typer.echo(f"{name}:{item.formula.line}: left alone ({item.message}): {latex[:70]}", err=True)
    if len(alone) > _SHOWN:
        typer.echo(f"{len(alone) - _SHOWN} more are left alone: see --report", err=True)
    side = output.parent / side_name(outcome.document.kind) if output and outcome.spellings else None
    if side and outcome.document.kind == "tex" and not loads(outcome.texts()[0]):
        typer.echo("no \\begin{document} here: put \\usepackage{texlift-macros} into the preamble yourself")
    for path in (output, side, *others):
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
