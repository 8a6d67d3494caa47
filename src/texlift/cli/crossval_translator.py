"""`texlift crossval translator`: train on nine folds, evaluate on the tenth, for each fold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import typer

app = typer.Typer()


@app.command()
def translator(
    pairs: Path = typer.Argument(..., help="JSON lines of pairs with folds."),
    out: Path = typer.Option(..., "--out", "-o", help="Folder of the report; finished folds are not done again."),
    folds: str = typer.Option("0,1,2,3,4,5,6,7,8,9", help="Which folds to hold out, one after the other."),
    by_section: bool = typer.Option(False, help="Folds by section instead of by formula."),
    epochs: int = typer.Option(8, min=1, help="Passes over the pairs."),
    ablations: bool = typer.Option(False, help="Also train without the network and without the linear part."),
) -> None:
    """Mean and deviation over folds, with and without context, as printed and in everyday notation; resumes."""
    from texlift.corpus.jsonl import read_pairs
    from texlift.train.checkpoint import write_bytes
    from texlift.train.evaluate import SETTINGS, Outcome, calibrated, calibration_of
    from texlift.train.report import write_report

    corpus = read_pairs(pairs)
    out.mkdir(parents=True, exist_ok=True)
    write_bytes(out / "crossval.json", json.dumps({"by_section": by_section, "epochs": epochs}).encode())
    variants = {"": ""} | ({"linear part only": "network", "network only": "linear"} if ablations else {})
    collected: dict[str, list[list[Any]]] = {}
    for fold in [int(number) for number in folds.split(",")]:
        for variant, without in variants.items():
            names = [variant] if variant else [setting.name for setting in SETTINGS]
            path = out / f"fold{fold}{'-' + without if without else ''}.json"
            if not path.exists():
                _run(corpus, fold, by_section, epochs, without, path)
            table = json.loads(path.read_text("utf-8"))
            for name, key in zip(names, [s.name for s in SETTINGS], strict=False):
                collected.setdefault(name, []).append([Outcome(**record) for record in table[key]])
    calibration = calibration_of(collected[setting.name] for setting in SETTINGS)
    collected = {name: calibrated(some) for name, some in collected.items()}
    kind = "held-out sections" if by_section else "random folds"
    text = write_report(out, f"Cross-validation of the translator, {kind}", collected, calibration)
    typer.echo(text.split("\n## ")[0])


def _run(corpus: Any, fold: int, by_section: bool, epochs: int, without: str, path: Path) -> None:
    """Train without one fold, evaluate on it, write the outcomes."""
    from dataclasses import asdict

    from texlift.cli.training_progress import training_progress
    from texlift.corpus.folds import split_fold
    from texlift.train.checkpoint import write_bytes
    from texlift.train.evaluate import SETTINGS, evaluate
    from texlift.train.fit import TranslatorSettings, fit
    from texlift.translate.translator import Translator

    train, test = split_fold(corpus, fold, by_section)
    settings = TranslatorSettings(epochs=epochs, linear=without != "linear", network=without != "network")
    folder = path.with_suffix("")
    folder.mkdir(exist_ok=True)
    with training_progress(f"fold {fold}") as tell:
        model, _ = fit(train, settings, folder, tell, unseen=test)
    translator_of_fold = Translator(model)
    wanted = SETTINGS if not without else SETTINGS[:1]
    table = {s.name: [asdict(o) for o in evaluate(translator_of_fold, test, s)] for s in wanted}
    write_bytes(path, json.dumps(table).encode())
    model.save(folder)
    (folder / "checkpoint.safetensors").unlink(missing_ok=True)
