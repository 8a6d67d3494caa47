"""`texlift bench fuzz`: hostile input for all commands and endpoints."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import typer

from texlift.bench.figure import Figure
from texlift.bench.fuzz import Report, fuzz, read_cases, write_cases
from texlift.bench.surfaces import Finished

__all__ = ["in_process", "run"]


def in_process(arguments: Sequence[str], given: bytes = b"") -> Finished:
    """`texlift ARGUMENTS` without a new process."""
    import logging

    from typer.testing import CliRunner

    from texlift.cli.app import app

    logging.disable(logging.CRITICAL)  # each defect is reported once, with its input
    try:
        result = CliRunner().invoke(app, list(arguments), input=given)
    finally:
        logging.disable(logging.NOTSET)
    return Finished(result.stdout, result.exit_code, result.exception)


def run(minutes: float, seed: int, keep: Path | None) -> list[Figure]:
    """Fuzz, say how it goes on standard error, keep what was found."""
    known = read_cases(keep) if keep else []

    def tell(report: Report) -> None:
        line = f"{report.inputs.total():,} inputs, {len(report.cases)} broken promises, {report.peak:.0f} MB"
        typer.echo(line, err=True)
        if keep and report.cases:
            write_cases(keep, [*known, *report.cases])

    report = fuzz(in_process, minutes, seed, known, tell)
    tell(report)
    for case in report.cases:
        typer.echo(f"{case.surface}: {case.trouble}\n  {case.text[:300]!r}", err=True)
    sys.stderr.flush()
    return report.figures()
