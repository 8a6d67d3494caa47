"""`texlift train translator`: grammar and scorer from pairs."""

from __future__ import annotations

import json
import time
from pathlib import Path

import typer

from texlift.cli.syntaxes import SYNTAX, in_macros_of
from texlift.errors import TexliftError

app = typer.Typer()


@app.command()
def translator(
    pairs: Path = typer.Argument(..., help="JSON lines with generic, semantic and, if known, context and symbols."),
    out: Path = typer.Option(..., "--out", "-o", help="Folder of the model; an interrupted training continues there."),
    epochs: int = typer.Option(8, min=1, help="Passes over the pairs."),
    seed: int = typer.Option(1, help="The same seed gives the same weights."),
    without: str = typer.Option("", help="Leave a part out: linear or network."),
    held_out: int = typer.Option(-1, help="Leave out this fold (0-9), to evaluate on it."),
    by_section: bool = typer.Option(False, help="Folds by section instead of by formula."),
    handbook: bool | None = typer.Option(
        None,
        "--handbook/--no-handbook",
        help="Also learn from the packaged pairs of common mathematics; by default if yours are in their language.",
        show_default=False,
    ),
    notations: bool | None = typer.Option(
        None,
        "--notations/--no-notations",
        help="Also learn from the formulae in other notations, and from the names in them alone; by default if your "
        "pairs are in the DLMF's language. In others the notation tells which macro was used.",
        show_default=False,
    ),
    syntax: str = SYNTAX,
    calibration: Path | None = typer.Option(None, help="calibration.json of a cross-validation."),
) -> None:
    """Train a translator on your own pairs; use it with `texlift translate --model FOLDER`."""
    from dataclasses import replace

    from texlift.cli.training_progress import training_progress
    from texlift.corpus.folds import split_fold
    from texlift.corpus.jsonl import read_pairs
    from texlift.train.fit import TranslatorSettings, fit
    from texlift.train.report import draw_training
    from texlift.translate.confidence import Calibration

    if without not in ("", "linear", "network"):
        raise typer.BadParameter("choose linear or network", param_hint="--without")
    settings = TranslatorSettings(
        epochs=epochs,
        seed=seed,
        linear=without != "linear",
        network=without != "network",
        handbook=handbook,
        notations=None if notations is None else int(notations),
        names=notations,
        faithful=not syntax,  # formulae whose meaning is in another syntax were not printed by macros
    )
    every = in_macros_of(read_pairs(pairs), syntax)
    corpus, unseen = split_fold(every, held_out, by_section) if held_out >= 0 else (every, [])
    out.mkdir(parents=True, exist_ok=True)
    start = time.monotonic()
    with training_progress() as tell:
        model, history = fit(corpus, settings, out, tell, unseen=unseen)
    if syntax:
        model = replace(model, card={**model.card, "syntax": syntax})
    if calibration is not None:
        try:
            table = json.loads(calibration.read_text("utf-8"))
            fitted = Calibration.of(table)
        except (OSError, ValueError, KeyError) as error:
            raise TexliftError(f"{calibration} is not a calibration: {error}") from error
        model = replace(model, calibration=fitted)
    model.save(out)
    draw_training(out / "training.png", history)
    (out / "checkpoint.safetensors").unlink(missing_ok=True)
    last = history[-1]
    typer.echo(
        f"{out}: {len(model.grammar):,} rules, {model.card['examples']:,} examples, loss {last['loss']:.4f}, "
        f"{last['accuracy']:.2%} of places right, {time.monotonic() - start:,.0f} s"
    )
