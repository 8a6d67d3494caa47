"""The whole page: one file that loads nothing, runs nothing, and has a language, a title and headings."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from importlib.resources import files

from texlift.documents.lifting import Outcome
from texlift.documents.web.body import Body, markdown_body, notebook_body, tex_body
from texlift.documents.web.equations import Equations
from texlift.documents.web.latexml import html_by_latexml
from texlift.documents.web.pandoc import html_by_pandoc

__all__ = ["CONVERTERS", "Page", "page_of"]

CONVERTERS = {"pandoc": html_by_pandoc, "latexml": html_by_latexml}
"""What makes HTML of the text of a LaTeX document."""

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")
_HEADING = re.compile(r"<h1[\s>]")
_MARKUP = re.compile(r"<math.*?</math>|<[^>]*>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Page:
    """The page, how many formulae are in it, and how many of them have intents."""

    text: str
    formulae: int
    understood: int


def page_of(outcome: Outcome, name: str, threshold: float, converter: str = "pandoc") -> Page:
    """The document as a page; raises TexliftError where a converter that it needs is missing.

    `converter` is that of a LaTeX document's text: pandoc or latexml.
    """
    equations = Equations(outcome, threshold)
    if outcome.document.kind == "tex":
        body = tex_body(outcome, equations, CONVERTERS[converter])
    else:
        body = (markdown_body if outcome.document.kind == "markdown" else notebook_body)(outcome, equations)
    return Page(_page(body, name, equations), equations.total, equations.understood)


def _page(body: Body, name: str, equations: Equations) -> str:
    style = files("texlift.documents").joinpath("web", "page.css").read_text("utf-8")
    found = re.search(r"<h1[^>]*>(.*?)</h1>", body.html, re.DOTALL)
    title = " ".join(html.unescape(_MARKUP.sub(" ", found[1])).split()) if found else ""
    title = _safe(body.title or title or name)
    heading = "" if _HEADING.search(body.html) else f"<h1>{html.escape(title)}</h1>\n"
    language = body.language if _LANGUAGE.fullmatch(body.language) else "en"
    plain = equations.total - equations.understood
    note = f"{equations.total:,} {'formula' if equations.total == 1 else 'formulae'}"
    if plain:
        note += f"; {plain:,} shown as written, because the meaning is not certain"
    return (
        f'<!DOCTYPE html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        f"<title>{html.escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n{heading}{body.html}\n"
        f"<footer><p>{note}.</p></footer>\n</main>\n</body>\n</html>\n"
    )


def _safe(text: str) -> str:
    return "".join(char if char.isprintable() and not "\ud800" <= char <= "\udfff" else "�" for char in text)
