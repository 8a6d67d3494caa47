"""`texlift macros [WORDS]`: search the lexicon."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from rich.text import Text

    from texlift.macros.lexicon import Macro

app = typer.Typer(help=__doc__)


@app.command()
def macros(
    words: list[str] = typer.Argument(None, help="Words of the name, the meaning or the presentation; none: all."),
    as_json: bool = typer.Option(False, "--json", help="A JSON array of entries instead of a table."),
    limit: int = typer.Option(30, "--limit", "-n", min=0, help="Most rows of the table; 0: all."),
    own: Path | None = typer.Option(None, "--lexicon", help="A lexicon of your own, looked up with the packaged one."),
) -> None:
    """Look up semantic macros: what they mean, how they are written, how they look, where the DLMF defines them.

    Every word must occur. The name of a macro (`texlift macros BesselJ`) shows all its forms.
    """
    from texlift.macros.lexicon import lexicon, read_lexicon

    table = lexicon().extended(read_lexicon(own)) if own else lexicon()
    asked = " ".join(words or ())
    exact = table.lookup(asked) if asked else None
    found = [exact] if exact else table.search(asked)
    if as_json:
        typer.echo(json.dumps([macro.as_entry() | {"url": macro.dlmf_url} for macro in found], ensure_ascii=False))
    elif len(found) == 1:
        _show_macro(found[0])
    elif found:
        _show_table(found, limit if asked else 0)
    if not found:
        typer.echo(f"no macro matches {asked!r}", err=True)
        if near := table.near(asked):
            typer.echo("near misses: " + "; ".join(f"{macro.name}, {macro.meaning}" for macro in near), err=True)
        raise typer.Exit(1)


def _show_table(found: list[Macro], limit: int) -> None:
    from rich.table import Table

    from texlift.cli.console import console

    shown = found[:limit] if limit else found
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for title in ("written", "looks", "meaning", "DLMF"):
        table.add_column(title, overflow="fold")
    for macro in shown:
        call = _plain(macro.call_form)
        call.stylize("bold", 0, len(macro.name))
        table.add_row(call, _plain(macro.generic_form), _plain(macro.meaning), _link(macro))
    console().print(table)
    if len(shown) < len(found):
        typer.echo(f"{len(found) - len(shown)} more: give more words, or --limit 0 for all", err=True)


def _show_macro(macro: Macro) -> None:
    from rich.table import Table

    from texlift.cli.console import console

    facts = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    facts.add_row("macro", _plain(macro.name))
    facts.add_row("meaning", _plain(macro.meaning))
    facts.add_row("arguments", _arguments(macro))
    if macro.synonym:
        facts.add_row("same as", _plain(macro.synonym))
    if macro.dlmf:
        facts.add_row("DLMF", _plain(macro.dlmf_url))
    forms = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    forms.add_column("written", overflow="fold")
    forms.add_column("looks", overflow="fold")
    for call, generic in macro.templates:
        forms.add_row(_plain(call), _plain(generic))
    out = console()
    out.print(facts)
    out.print()
    out.print(forms)


def _arguments(macro: Macro) -> str:
    counts = [(macro.options, "optional"), (macro.parameters, "parameter"), (macro.variables, "variable")]
    parts = [f"{count} {noun}{'s' if count > 1 and noun != 'optional' else ''}" for count, noun in counts if count]
    text = ", ".join(parts) or "none"
    if not macro.variables_by:
        return text
    cases = ", ".join(f"{number} for {value}" for value, number in macro.variables_by.items())
    return f"{text} at most (by parameter {macro.by + 1}: {cases})"


def _plain(text: str) -> Text:
    """The text as it is: rich would take `[#1]` for markup."""
    from rich.text import Text

    return Text(text)


def _link(macro: Macro) -> Text:
    """The reference with a link behind it; in a pipe the address itself."""
    from rich.text import Text

    if not macro.dlmf:
        return Text()
    return Text(macro.dlmf, style=f"link {macro.dlmf_url}") if sys.stdout.isatty() else Text(macro.dlmf_url)
