"""`texlift document IN -o OUT.html --mathml`: the page of a document."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from texlift.errors import TexliftError
from texlift.extras import require

if TYPE_CHECKING:
    from texlift.documents.lifting import Outcome

__all__ = ["page_target", "write_page"]

_PAGES = (".html", ".htm", ".xhtml")


def page_target(source: Path, output: Path | None, mathml: bool, converter: str) -> Path | None:
    """The page to write, None if none is wanted; what it needs is looked for before any work is done."""
    if converter not in ("pandoc", "latexml"):
        raise typer.BadParameter(f"{converter!r} is neither pandoc nor latexml", param_hint="--with")
    named = output is not None and output.suffix.lower() in _PAGES
    if not mathml:
        if named:
            raise typer.BadParameter("a page needs --mathml", param_hint="-o")
        return None
    if not named:
        raise typer.BadParameter("--mathml writes a page: give -o OUT.html", param_hint="--mathml")
    require("math_core")
    if source.suffix.lower() in (".tex", ".ltx", ".latex"):
        from texlift.documents.web.latexml import require_latexml
        from texlift.documents.web.pandoc import require_pandoc

        (require_pandoc if converter == "pandoc" else require_latexml)()
    return output


def write_page(outcome: Outcome, path: Path, name: str, threshold: float, quiet: bool, converter: str) -> None:
    """Write the page and say what is in it."""
    from texlift.documents.source import write_atomically
    from texlift.documents.web.page import page_of

    page = page_of(outcome, name, threshold, converter)
    try:
        write_atomically(path, page.text.encode("utf-8", "replace"))
    except OSError as error:
        raise TexliftError(f"cannot write {path}: {error.strerror}") from None
    if not quiet:
        typer.echo(f"{page.understood:,} of {page.formulae:,} formulae have intents; the others are shown as written")
        typer.echo(f"wrote {path}")
