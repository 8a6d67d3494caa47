"""`texlift disambiguate FORMULA`: which macros a symbol may stand for, with probabilities."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from texlift_paper.disambiguation.training import Accuracy, Settings

app = typer.Typer(help=__doc__)


@app.command()
def disambiguate(
    formula: str = typer.Argument("", help="A formula in generic LaTeX."),
    model: Path | None = typer.Option(None, help="A classifier made with --train; default: the packaged one."),
    k: int = typer.Option(5, "-k", help="Candidates to list for each symbol."),
    as_json: bool = typer.Option(False, "--json", help="JSON instead of a table."),
    train: Path | None = typer.Option(None, help="Train a classifier over words and write it to this file."),
    crossval: str = typer.Option(
        "",
        help="Cross-validate: bag (as in the paper), places (with words near the symbol), recurrent or recursive.",
    ),
    corpus: str = typer.Option(
        "dlmf.jsonl", help="Corpus for --train and --crossval: a path or a name in TEXLIFT_DATA."
    ),
    folds: str = typer.Option("0,1,2,3,4,5,6,7,8,9", help="Folds to hold out in turn."),
    layers: int = typer.Option(1, help="Hidden layers of bag and places, 1 to 5."),
    epochs: int = typer.Option(8, help="Epochs of training."),
    hidden: int = typer.Option(256, help="Size of the hidden layers."),
    min_count: int = typer.Option(2, help="Leave out words that occur less often."),
    members: int = typer.Option(1, min=1, help="Networks that vote, for --crossval."),
    seed: int = typer.Option(1, help="Random numbers of the training."),
) -> None:
    """List the candidates of every symbol; or train and cross-validate the classifiers.

    Probabilities are among the macros that print as the symbol, given that it stands for one of them.
    """
    if train is None and not crossval:
        if not formula:
            raise typer.BadParameter("give a formula, or --train FILE, or --crossval KIND")
        _list(formula, model, k, as_json)
        return
    from texlift_paper.disambiguation.classifiers import KINDS
    from texlift_paper.disambiguation.training import Settings

    if crossval and crossval not in KINDS:
        raise typer.BadParameter(f"unknown kind {crossval!r}; choose one of {', '.join(KINDS)}")
    try:
        held_out = [int(fold) for fold in folds.split(",")]
    except ValueError:
        raise typer.BadParameter(f"folds are numbers with commas between, not {folds!r}") from None
    _learn(
        corpus,
        Settings(
            crossval or "places",
            layers,
            epochs,
            seed=seed,
            hidden=hidden,
            min_count=min_count,
            members=members,
        ),
        train,
        held_out if crossval else [],
        as_json,
    )


def _list(formula: str, model: Path | None, k: int, as_json: bool) -> None:
    import json

    from texlift_paper.disambiguation.chooser import Chooser, packaged_chooser

    decisions = (Chooser.load(model) if model is not None else packaged_chooser()).decide(formula)
    if as_json:
        records = [
            {
                "symbol": decision.symbol,
                "position": decision.start,
                "candidates": [{"macro": c.macro, "probability": c.probability} for c in decision.candidates[:k]],
            }
            for decision in decisions
        ]
        typer.echo(json.dumps(records))
        return
    if not decisions:
        typer.echo("no symbol of this formula is printed by a macro")
    for decision in decisions:
        typer.echo(f"{decision.symbol}  (character {decision.start + 1})")
        for candidate in decision.candidates[:k]:
            typer.echo(f"  {candidate.probability:7.2%}  {candidate.macro}")


def _learn(corpus: str, settings: Settings, train: Path | None, folds: list[int], as_json: bool) -> None:
    import json

    from texlift.corpus.folds import assign_folds
    from texlift.corpus.jsonl import read_pairs
    from texlift.grammar.packaged import packaged_grammar
    from texlift_paper.disambiguation.choices import candidates_by_symbol, choices_of
    from texlift_paper.disambiguation.chooser import save_chooser
    from texlift_paper.disambiguation.training import cross_validate, random_accuracy, train_on_all
    from texlift_paper.training.dataset import data_file

    grammar = packaged_grammar()
    candidates = candidates_by_symbol(grammar)
    choices = choices_of(assign_folds(read_pairs(data_file(corpus))), grammar)
    asked = [choice for choice in choices if len(candidates.get(choice.symbol, ())) > 1]
    by_chance = {"ambiguous": random_accuracy(asked, candidates), "every": random_accuracy(choices, candidates)}
    typer.echo(
        f"{len(choices):,} choices, {len(asked):,} among two macros or more; at random "
        f"{by_chance['every']:.2%} of all, {by_chance['ambiguous']:.2%} of those",
        err=as_json,
    )
    if folds:

        def tell(found: Accuracy) -> None:
            line = f"fold {found.fold}: {found.ambiguous:.2%} of the ambiguous, {found.every:.2%} of all"
            typer.echo(line, err=as_json)

        summary = _summary(cross_validate(choices, candidates, settings, folds, tell))
        if as_json:
            counts = {"choices": len(choices), "ambiguous": len(asked)}
            typer.echo(json.dumps({"kind": settings.kind, "counts": counts, "at random": by_chance, **summary}))
        for name in ("ambiguous", "every") if not as_json else ():
            typer.echo(f"{name}: mean {summary[name]['mean']:.2%}, deviation {summary[name]['deviation']:.2%}")
    if train is not None:
        save_chooser(train_on_all(choices, candidates, settings), train)
        typer.echo(f"written: {train}", err=as_json)


def _summary(found: list[Accuracy]) -> dict[str, dict[str, Any]]:
    """Mean, deviation and the value of each fold, of the ambiguous choices and of all."""
    import statistics

    summary: dict[str, dict[str, Any]] = {}
    for name in ("ambiguous", "every"):
        values = [float(getattr(accuracy, name)) for accuracy in found]
        summary[name] = {
            "mean": statistics.mean(values),
            "deviation": statistics.stdev(values) if len(values) > 1 else 0.0,
            "folds": {accuracy.fold: value for accuracy, value in zip(found, values, strict=True)},
        }
    return summary
