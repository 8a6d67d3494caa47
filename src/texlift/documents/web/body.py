r"""The text of a document as HTML: Markdown and notebooks by markdown-it, LaTeX by pandoc or LaTeXML.

Before a converter sees the text, formulae and references to them are replaced by stand-ins. What it returns is made
harmless, and the stand-ins become MathML.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from texlift.documents.document import Document
from texlift.documents.lifting import Outcome
from texlift.documents.web.equations import Equations
from texlift.documents.web.harmless import harmless
from texlift.documents.web.pandoc import html_by_pandoc
from texlift.documents.web.pictures import Pictures
from texlift.documents.web.standins import StandIns

__all__ = ["Body", "markdown_body", "notebook_body", "tex_body"]

_FRONT = re.compile(r"---\r?\n(.*?)\n(?:---|\.\.\.)\r?\n", re.DOTALL)
_FIELD = re.compile(r"^(title|lang):\s*[\"']?(.*?)[\"']?\s*$", re.MULTILINE)
_REFERENCE = re.compile(
    r"\\(?P<command>eqref|ref|cref|Cref|autoref)\s*\{(?P<label>[^{}]*)\}|(?<![\w@])@(?P<key>eq[-:][\w:-]*\w)"
)
_INPUT = re.compile(r"\\(?:input|include|subfile)\s*\{([^{}\n]*)\}|\\input\s+([^\s{}\\%]+)")
_MOST_OUTPUT = 20_000
_DEEPEST = 20


@dataclass(frozen=True, slots=True)
class Body:
    """What stands in `<main>`; title and language if the document says them."""

    html: str
    title: str = ""
    language: str = ""


def markdown_body(outcome: Outcome, equations: Equations) -> Body:
    """A Markdown file."""
    document = outcome.document
    standins = StandIns.unlike(document.parts)
    text = _referenced(_replaced(document, equations, standins)[0], equations, standins)
    fields: dict[str, str] = {}
    if front := _FRONT.match(text):
        fields = dict(_FIELD.findall(front[1]))
        text = text[front.end() :]
    pictures = Pictures(document.files[0].path.parent)
    body = harmless(_markdown().render(text), standins, pictures.data, 1)
    return Body(body, standins.words(fields.get("title", "")), fields.get("lang", ""))


def notebook_body(outcome: Outcome, equations: Equations) -> Body:
    """A notebook: Markdown cells as text, code cells as code with their printed output and pictures."""
    document = outcome.document
    standins = StandIns.unlike(document.parts)
    parts = [_referenced(part, equations, standins) for part in _replaced(document, equations, standins)]
    data = json.loads(document.files[0].text)
    pieces: list[str] = []
    texts = iter(parts)
    for cell in data["cells"]:
        kind = cell.get("cell_type") if isinstance(cell, dict) else ""
        source = _joined(cell.get("source")) if kind else ""
        if kind == "markdown" and cell.get("source"):
            pictures = Pictures(document.files[0].path.parent, cell.get("attachments"))
            pieces.append(harmless(_markdown().render(next(texts, source)), standins, pictures.data))
        elif kind == "code":
            pieces += [f"<pre><code>{html.escape(source)}</code></pre>"] if source.strip() else []
            pieces += [_output(output) for output in cell.get("outputs") or () if isinstance(output, dict)]
    metadata = data.get("metadata")
    title = metadata.get("title", "") if isinstance(metadata, dict) else ""
    return Body("\n".join(filter(None, pieces)), title if isinstance(title, str) else "")


def tex_body(outcome: Outcome, equations: Equations, convert: Callable[[str], str] = html_by_pandoc) -> Body:
    """A LaTeX file with the files that it inputs, by a converter of text."""
    document = outcome.document
    standins = StandIns.unlike(document.parts)
    parts = [_referenced(part, equations, standins) for part in _replaced(document, equations, standins)]
    converted = convert(_flattened(document, parts))
    pictures = Pictures(document.files[0].path.parent)
    return Body(harmless(converted, standins, pictures.data, 1))


def _replaced(document: Document, equations: Equations, standins: StandIns) -> list[str]:
    """The parts with a stand-in for each display."""
    edits: dict[int, list[tuple[int, int, str]]] = {}
    for display in document.displays:
        text = document.parts[display.part]
        behind = text[display.end : display.end + 200] if display.display and document.kind != "tex" else ""
        page, words = equations.shown(display, behind)
        end = display.end + Equations.attribute(behind)
        word = standins.add(page, text[display.start : end], words)
        if display.display and text[display.start : display.start + 3] in ("```", "~~~"):
            word = f"\n{word}\n"
        edits.setdefault(display.part, []).append((display.start, end, word))
    parts = []
    for number, text in enumerate(document.parts):
        pieces: list[str] = []
        at = 0
        for start, end, word in edits.get(number, []):
            pieces += [text[at:start], word]
            at = end
        parts.append("".join([*pieces, text[at:]]))
    return parts


def _referenced(text: str, equations: Equations, standins: StandIns) -> str:
    """References to equations of the document as links."""

    def link(match: re.Match[str]) -> str:
        label = (match["label"] or match["key"] or "").strip()
        shown = equations.reference(label)
        if not shown:
            return match[0]
        number = equations.labels[label]
        if match["command"] == "ref":
            before, behind = "", ""
        elif match["command"] == "eqref":
            before, behind = "(", ")"
        else:
            before, behind = "equation (", ")"
        return standins.add(f"{before}{shown}{behind}", match[0], f"{before}{number}{behind}")

    return _REFERENCE.sub(link, text)


def _flattened(document: Document, parts: list[str]) -> str:
    r"""One text: what the document `\input`s from its folder is put in, what was not read is left out."""
    root = document.files[0].path.parent
    known = {
        str(document.files[owner].path.relative_to(root)): part
        for owner, part in zip(document.owners, parts, strict=True)
        if document.files[owner].path.is_relative_to(root)
    }

    def put_in(text: str, depth: int) -> str:
        def found(match: re.Match[str]) -> str:
            name = (match[1] or match[2] or "").strip().removeprefix("./")
            inner = known.get(f"{name}.tex", known.get(name))
            return put_in(inner, depth + 1) if inner is not None and depth < _DEEPEST else ""

        return _INPUT.sub(found, text)

    return put_in(parts[0], 0)


@cache
def _markdown() -> Any:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": True, "maxNesting": 50}).enable(["table", "strikethrough"])


def _joined(value: object) -> str:
    if isinstance(value, list):
        return "".join(line for line in value if isinstance(line, str))
    return value if isinstance(value, str) else ""


def _output(output: dict[str, Any]) -> str:
    data = output.get("data") if isinstance(output.get("data"), dict) else {}
    assert isinstance(data, dict)
    for kind in ("image/png", "image/jpeg"):
        encoded = _joined(data.get(kind))
        if encoded and re.fullmatch(r"[A-Za-z0-9+/=\s]+", encoded):
            return f'<p><img src="data:{kind};base64,{"".join(encoded.split())}" alt="output of the code above"></p>'
    text = _joined(output.get("text")) or _joined(data.get("text/plain"))
    return f'<pre class="output">{html.escape(text[:_MOST_OUTPUT])}</pre>' if text.strip() else ""
