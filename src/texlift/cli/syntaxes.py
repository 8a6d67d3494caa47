"""Semantic sides in another syntax than LaTeX, for the commands that learn from pairs and use what was learnt."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from texlift.corpus.pair import Pair
    from texlift.translate.answer import Translation
    from texlift.translate.model import Model

__all__ = ["SYNTAX", "doubts", "in_macros_of", "show_written", "written"]

SYNTAX: str = typer.Option(
    "", "--syntax", metavar="NAME", help="The semantic sides are not LaTeX but in this syntax: mathematica or json."
)
_MOST_SHOWN = 5


def in_macros_of(pairs: list[Pair], name: str) -> list[Pair]:
    """The pairs with macros on the semantic side; what cannot be read is left out and counted."""
    from texlift.corpus.spelt import in_macros
    from texlift.errors import TexliftError
    from texlift.macros.syntaxes.syntax import syntax

    if not name:
        return pairs
    spelt, problems = in_macros(pairs, syntax(name))
    for problem in problems[:_MOST_SHOWN]:
        typer.echo(f"left out: {problem}", err=True)
    if problems:
        typer.echo(f"left out: {len(problems):,} of {len(pairs):,} pairs are not in the syntax {name}", err=True)
    if not spelt:
        raise TexliftError(f"no pair is in the syntax {name}")
    return spelt


def written(result: Translation, model: Model) -> str | None:
    """An answer in the syntax that its model was trained for; None if that is LaTeX.

    Raises FormulaError for what the syntax has no word for.
    """
    from texlift.macros.syntaxes.syntax import syntax

    name = str(model.card.get("syntax", ""))
    return syntax(name).write(result.semantic, model.grammar.language) if name else None


def show_written(result: Translation, model: Model, quiet: bool) -> bool:
    """Print an answer in its model's syntax; whether that failed."""
    from texlift.errors import FormulaError

    try:
        text = written(result, model)
    except FormulaError as error:
        typer.echo(f"error: {error}", err=True)
        return True
    typer.echo(text if quiet else f"{text}\n  confidence {result.confidence:.2f}")
    for doubt in doubts(result, model):
        typer.echo(f"warning: {doubt}", err=True)
    return False


def doubts(result: Translation, model: Model) -> list[str]:
    """What a reader should know of an answer in another syntax."""
    from texlift.macros.syntaxes.spelling import doubtful_products

    names = dict.fromkeys(doubtful_products(result.semantic, model.grammar.language))
    return [f"{name}(...) was read as a product" for name in names]
