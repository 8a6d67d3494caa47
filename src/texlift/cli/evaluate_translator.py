"""`texlift evaluate translator`: a report of a model on pairs."""

from __future__ import annotations

from pathlib import Path

import typer

from texlift.cli.syntaxes import SYNTAX, in_macros_of

app = typer.Typer()


@app.command()
def translator(
    pairs: Path = typer.Argument(..., help="JSON lines of pairs the model was not trained on."),
    model: Path | None = typer.Option(None, "--model", "-m", help="Folder of the model; default: the packaged one."),
    out: Path = typer.Option(..., "--out", "-o", help="Folder of the report."),
    held_out: int = typer.Option(-1, help="Evaluate on this fold only (0-9)."),
    by_section: bool = typer.Option(False, help="Folds by section instead of by formula."),
    settings: list[str] = typer.Option([], "--setting", help="Only this setting, by name; may be given several times."),
    syntax: str = SYNTAX,
) -> None:
    """Exact match by kind, length and chapter, confusions, calibration, coverage; with and without context."""
    from texlift.corpus.folds import split_fold
    from texlift.corpus.jsonl import read_pairs
    from texlift.train.evaluate import SETTINGS, calibration_of, evaluate, in_syntax
    from texlift.train.report import write_report
    from texlift.translate.translator import load

    corpus = read_pairs(pairs)
    if held_out >= 0:
        _, corpus = split_fold(corpus, held_out, by_section)
    chosen = [setting for setting in SETTINGS if not settings or setting.name in settings]
    if unknown := set(settings) - {setting.name for setting in SETTINGS}:
        names = ", ".join(setting.name for setting in SETTINGS)
        raise typer.BadParameter(f"{unknown.pop()!r}: choose among {names}", param_hint="--setting")
    spelt = in_macros_of(corpus, syntax)
    folds = {setting.name: [evaluate(load(model), spelt, setting)] for setting in chosen}
    if syntax:
        gold = {pair.id: pair.semantic for pair in corpus}
        folds = {name: [in_syntax(one, gold, syntax, load(model)) for one in some] for name, some in folds.items()}
    calibration = calibration_of(folds.values())
    typer.echo(write_report(out, "Evaluation of the translator", folds, calibration).split("\n## ")[0])
    typer.echo(f"written to {out / 'report.md'}")
