"""`texlift macros [WORDS]`: search the lexicon."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from texlift.errors import TexliftError

if TYPE_CHECKING:
    from rich.table import Table as RichTable
    from rich.text import Text

    from texlift.macros.concepts import Concept
    from texlift.macros.lexicon import Lexicon, Macro

app = typer.Typer(help=__doc__)


@app.command()
def macros(
    words: list[str] = typer.Argument(None, help="Words of the name, the meaning or the presentation; none: all."),
    as_json: bool = typer.Option(False, "--json", help="A JSON array of entries instead of a table."),
    limit: int = typer.Option(30, "--limit", "-n", min=0, help="Most rows of the table; 0: all."),
    own: Path | None = typer.Option(None, "--lexicon", help="A lexicon of your own, looked up with the packaged one."),
    sty: bool = typer.Option(False, "--sty", help="A LaTeX package (texlift-macros.sty) that defines all macros."),
    mathjax: bool = typer.Option(False, "--mathjax", help="A script that defines all macros for MathJax 3 and 4."),
    katex: bool = typer.Option(False, "--katex", help="A script that defines all macros for KaTeX."),
    like: Path | None = typer.Option(
        None, "--like", help="Print as a lifted document does: the texlift-macros.sty or .json beside it."
    ),
    output: Path | None = typer.Option(
        None, "--output", "-o", metavar="FILE", help="Where --sty, --mathjax, --katex go; default: standard output."
    ),
) -> None:
    """Look up semantic macros: what they mean, how they are written, how they look, where the DLMF defines them.

    The macros of ordinary mathematics (the vocabulary) are listed with those of the DLMF.

    Every word must occur. The name of a macro (`texlift macros BesselJ`) shows all its forms. With --sty, --mathjax or
    --katex nothing is looked up: these give definitions of all macros, for LaTeX, MathJax or KaTeX.
    """
    from texlift.macros.concepts import vocabulary
    from texlift.macros.lexicon import lexicon, read_lexicon

    table = lexicon().extended(vocabulary().macros.values())
    table = table.extended(read_lexicon(own)) if own else table
    if sty or mathjax or katex:
        if sty + mathjax + katex > 1 or words or as_json:
            raise typer.BadParameter("give one of --sty, --mathjax, --katex, and no words")
        _define("sty" if sty else "mathjax" if mathjax else "katex", table, like, output)
        return
    if like or output:
        raise typer.BadParameter("--like and --output belong to --sty, --mathjax and --katex")
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


def _define(target: str, table: Lexicon, like: Path | None, output: Path | None) -> None:
    """Write the definitions of all macros."""
    from texlift.documents.package import package_text, standard_spellings, without
    from texlift.documents.sidefile import read_side_file
    from texlift.documents.source import write_atomically
    from texlift.documents.webmacros import katex_script, mathjax_script

    spelt = read_side_file(like) if like else []
    if spelt is None:
        raise TexliftError(f"{like} does not exist")
    standard = standard_spellings(table)
    if target == "sty":
        text = package_text(spelt, without(standard, spelt), requires=True)
    else:
        text = (mathjax_script if target == "mathjax" else katex_script)([*spelt, *without(standard, spelt)])
    if output is None:
        typer.echo(text, nl=False)
        return
    try:
        write_atomically(output, text.encode("utf-8"))
    except OSError as error:
        raise TexliftError(f"cannot write {output}: {error.strerror}") from None


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
    from texlift.macros.concepts import vocabulary

    facts = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    facts.add_row("macro", _plain(macro.name))
    facts.add_row("meaning", _plain(macro.meaning))
    facts.add_row("arguments", _arguments(macro))
    if macro.synonym:
        facts.add_row("same as", _plain(macro.synonym))
    if macro.dlmf:
        facts.add_row("DLMF", _plain(macro.dlmf_url))
    concept = vocabulary().commands.get(macro.name)
    if concept is not None:
        facts.add_row("concept", _plain(f"{concept.name} ({concept.area})"))
    forms = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    forms.add_column("written", overflow="fold")
    forms.add_column("looks", overflow="fold")
    for call, generic in macro.templates:
        forms.add_row(_plain(call), _plain(generic))
    out = console()
    out.print(facts)
    out.print()
    out.print(forms)
    if concept is not None:
        out.print()
        out.print(_notations(concept))


def _notations(concept: Concept) -> RichTable:
    """The notations of a concept, where they are customary, and which must be declared."""
    from rich.table import Table

    from texlift.macros.lexicon import lexicon

    shown = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for title in ("notation", "customary in", "read"):
        shown.add_column(title, overflow="fold")
    doubt = "in context" if concept.command in lexicon() else "if declared"
    for one in concept.notations:
        shown.add_row(_plain(one.latex), ", ".join(one.tags), doubt if one.ambiguous else "yes")
    return shown


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
