"""`texlift bench NAME`: measure one part against its bars."""

from __future__ import annotations

import json
import os
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from texlift.cli.plugins import BENCHES, Plugin, plugins
from texlift.errors import TexliftError
from texlift.extras import require

if TYPE_CHECKING:
    from texlift.bench.figure import Figure

app = typer.Typer(help=__doc__)

# name: (module with `measure(data: Path) -> list[Figure]`, what it measures)
OWN = {
    "foundation": Plugin("texlift.bench.foundation", "parsing, expansion, grammar induction, readings"),
    "translator": Plugin("texlift.bench.translator", "speed and memory of translating, start-up time"),
    "compute": Plugin("texlift.bench.compute", "conversion and numeric checks over the corpus"),
    "people": Plugin("texlift.bench.people", "documents, the service under load, the page"),
    "ablation": Plugin("texlift.bench.ablation", "what each mechanism is worth, on the folds of a cross-validation"),
    "ordinary": Plugin("texlift.bench.ordinary", "ordinary formulae with their meaning: right, wrong, refused"),
    "meaning": Plugin("texlift.bench.meaning", "structure, kinds of letters, Fungrim as numbers; takes minutes"),
    "statements": Plugin("texlift.bench.statements", "true and false statements given to the check"),
    "equal": Plugin("texlift.bench.equal", "pairs of answers given to equal"),
    "fuzz": Plugin("texlift.bench.fuzz", "hostile input for all commands and endpoints"),
}
ALL = {**OWN, **plugins(BENCHES), **OWN}


@app.command()
def bench(
    name: str = typer.Argument(..., help="One of: " + "; ".join(f"{k} ({v.help})" for k, v in ALL.items())),
    data: Path | None = typer.Option(
        None,
        help="Folder with dlmf.jsonl, default $TEXLIFT_DATA; for ordinary, statements, equal a file of JSON lines.",
    ),
    as_json: bool = typer.Option(False, "--json", help="One flat JSON object of figures instead of a table."),
    listed: bool = typer.Option(False, "--list", help="For ordinary: what is not right, with gold and answer."),
    report: Path | None = typer.Option(None, help="For ablation: the folder of `texlift crossval translator`."),
    minutes: float = typer.Option(1.0, min=0.01, help="For fuzz: how long."),
    seed: int = typer.Option(1, help="For fuzz and compute: the same seed gives the same input."),
    articles: int = typer.Option(0, min=0, help="For people: so many of the articles, drawn with a seed; 0: all."),
    keep: Path | None = typer.Option(None, help="For fuzz: file of found cases, read first and added to."),
    sample: int = typer.Option(1500, min=0, help="For compute: equations converted; 0 for all."),
    checks: int = typer.Option(300, min=0, help="For compute: checkable equations checked; 0 for all."),
    broken: int = typer.Option(300, min=0, help="For compute: equations broken on purpose; 0 for all that can be."),
    part: list[str] = typer.Option([], help="For compute: conversions, checks, objects, statements, equal; all."),
) -> None:
    """Measure one part against its bars: a table for people, `--json` for programs."""
    if name not in ALL:
        raise typer.BadParameter(f"unknown benchmark {name!r}; choose one of {', '.join(ALL)}")
    if name == "ordinary":
        from texlift.cli.bench_ordinary import run

        _finish(run(data, as_json, listed))
        return
    if listed:
        raise typer.BadParameter("--list goes with ordinary only", param_hint="--list")
    if name == "fuzz":
        from texlift.cli.bench_fuzz import run as run_fuzz

        _print(name, run_fuzz(minutes, seed, keep), as_json)
        return
    if name == "statements":
        from texlift.bench.statements import measure, packaged

        _print(name, measure(data or packaged()), as_json)
        return
    if name == "equal":
        from texlift.bench.equal import measure as measure_equal
        from texlift.bench.equal import packaged as packaged_pairs

        require("flint", "sympy")
        _print(name, measure_equal(data or packaged_pairs()), as_json)
        return
    if name == "compute":
        require("sympy")  # before the data is asked for
    folder = data or (Path(os.environ["TEXLIFT_DATA"]) if os.environ.get("TEXLIFT_DATA") else None)
    if folder is None or not folder.is_dir():
        raise TexliftError(f"no data folder: {folder or 'set TEXLIFT_DATA or give --data'}")
    if name == "ablation":
        from texlift.bench.ablation import measure as measure_ablation

        if report is None:
            raise typer.BadParameter("give the folder of a cross-validation", param_hint="--report")
        _print(name, measure_ablation(folder, report), as_json)
        return
    if name == "compute":
        from texlift.cli.bench_compute import run as run_compute

        _print(name, run_compute(folder, sample, checks, broken, seed, part), as_json)
        return
    if name == "people":
        from texlift.bench.people import measure as measure_people

        _print(name, measure_people(folder, articles), as_json)
        return
    _print(name, import_module(ALL[name].module).measure(folder), as_json)


def _print(name: str, figures: list[Figure], as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps({figure.name: figure.value for figure in figures}))
    else:
        print_table(name, figures)
    _finish(figures)


def _finish(figures: list[Figure]) -> None:
    if any(figure.reached is False for figure in figures):
        raise typer.Exit(3)


def print_table(name: str, figures: list[Figure]) -> None:
    """The figures as a table for people."""
    from rich.table import Table

    from texlift.cli.console import console

    table = Table(title=f"texlift bench {name}")
    for column in ("figure", "measured", "bar", "", "note"):
        table.add_column(column, justify="right" if column in ("measured", "bar") else "left")
    for figure in figures:
        mark = {True: "[green]reached", False: "[red]missed", None: ""}[figure.reached]
        table.add_row(figure.name, f"{figure.value:,.4g} {figure.unit}".strip(), figure.bar, mark, figure.note)
    console().print(table)
