"""`texlift corpus translate`: millions of formulae, by many processes or a Ray cluster; goes on where it stopped."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from texlift.cli.targets import known_targets
from texlift.errors import TexliftError

if TYPE_CHECKING:
    from texlift.scale.work import Figures

_FORMATS = ("jsonl", "parquet")
_WIDTH = 40  # characters of the longest bar


def translate_command(
    source: Path = typer.Argument(
        ...,
        metavar="INPUT",
        help='A file or folder: .jsonl or .parquet with "latex", "context", "id"; .tex, .md, .ipynb.',
    ),
    out: Path = typer.Argument(..., metavar="OUTPUT", help="A folder; a second run goes on where the first stopped."),
    to: list[str] = typer.Option([], "--to", "-t", help="Also as code for a target; may be given several times."),
    alternatives: int = typer.Option(0, "-k", min=0, max=50, help="How many other readings to keep."),
    constants: bool = typer.Option(False, "--constants", help=r"Mark every e, i, \pi, \gamma that is the constant."),
    check: bool = typer.Option(False, "--check", help="Also check what is stated; needs texlift[compute]."),
    seconds: float = typer.Option(5.0, "--seconds", min=0.1, max=600.0, help="For each check, at most."),
    kind: str = typer.Option("jsonl", "--format", "-f", help="Of the output: jsonl or parquet."),
    rows: int = typer.Option(5_000, "--rows", min=1, max=1_000_000, help="Formulae of a partition."),
    jobs: int = typer.Option(1, "--jobs", "-j", min=1, max=1024, help="Processes, or actors on Ray."),
    ray: bool = typer.Option(False, "--ray", help="Use Ray on this machine; needs texlift[scale]."),
    address: str = typer.Option("", "--address", help="Use the Ray cluster there: auto, or ray://HOST:PORT."),
    model: Path | None = typer.Option(None, "--model", "-m", help="Folder of a model you trained."),
) -> None:
    """Translate a whole corpus: one file of answers for each partition, as `translate --jsonl` gives them.

    Documents are read as `texlift document` reads them. Nothing is lost if a process, a node or the run itself dies:
    files are written whole or not at all, and a second run does what is missing.
    """
    from texlift.cli.lines import answered_lines
    from texlift.cli.translate import answer
    from texlift.scale.partitions import plan
    from texlift.scale.run import begin, finished, run, run_on_ray
    from texlift.scale.work import Job, total

    if kind not in _FORMATS:
        raise typer.BadParameter(f"{kind!r} is neither {' nor '.join(_FORMATS)}", param_hint="--format")
    targets = known_targets(to)
    own = str(model) if model else None
    answering = partial(answer, model=own, alternatives=alternatives, to=targets, constants=constants)
    lines = partial(answered_lines, answering, "semantic")
    job = Job(str(out), lines, kind, model=own, check=seconds if check else 0.0)
    partitions = plan(source, rows)
    settings = {"to": targets, "k": alternatives, "constants": constants, "format": kind, "rows": rows}
    settings |= {"model": own, "check": job.check}
    waiting = begin(job, settings, partitions)
    before = len(partitions) - len(waiting)
    if before:
        typer.echo(f"{before:,} of {len(partitions):,} partitions are done already", err=True)
    figures = total(finished(job, partitions))
    started, earlier = time.monotonic(), figures.formulae
    doing = run_on_ray(job, waiting, jobs, address or None) if ray or address else run(job, waiting, jobs)
    for one in _shown(doing, len(partitions), before):
        figures += one
    _report(figures, figures.formulae - earlier, time.monotonic() - started)
    if figures.lost:
        raise typer.Exit(1)


def _shown(doing: Iterable[Figures], total: int, before: int) -> Iterator[Figures]:
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("translating", total=total, completed=before)
        for one in doing:
            progress.advance(task)
            yield one


def _report(figures: Figures, formulae: int, seconds: float) -> None:
    rate = formulae / seconds if seconds else 0.0
    typer.echo(
        f"{figures.formulae:,} formulae, {figures.refused:,} without an answer, {figures.warned:,} with a warning; "
        f"this run {formulae:,} in {seconds:,.0f} s, {rate:,.0f}/s"
    )
    most, bins = max([*figures.confidences, 1]), len(figures.confidences)
    for number, count in enumerate(figures.confidences):
        bar = "█" * round(_WIDTH * count / most)
        typer.echo(f"confidence {number / bins:.1f} to {(number + 1) / bins:.1f}  {count:>12,}  {bar}".rstrip())
    for lost in figures.lost:
        typer.echo(f"error: {lost}", err=True)
    if not figures.formulae and not figures.lost:
        raise TexliftError("there is no formula in the input")
