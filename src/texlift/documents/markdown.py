r"""Math in Markdown: `$..$`, `$$..$$`, `\(..\)`, `\[..\]`, fenced ```math blocks and bare environments.

Code, HTML comments and links are not looked at. Dollars follow the rule of Pandoc: no blank behind the opening
one, none before the closing one, no digit behind it; so "$5 and $10" stays text.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from texlift.documents.context import Paragraphs
from texlift.documents.formula import Display, Formula
from texlift.documents.rows import MOST_UNCLOSED, end_of_math, rows
from texlift.documents.tex import MATH_ENVIRONMENTS, TexReader
from texlift.errors import Span

__all__ = ["read_markdown"]

_TOKEN = re.compile(
    r"^(?P<fence>`{3,}|~{3,})[ \t]*(?P<language>[^\n`]*)\n|(?P<ticks>`+)|<!--"
    r"|^(?P<heading>\#{1,6})[ \t]+(?P<title>[^\n]*)"
    r"|\\begin\s*\{(?P<begin>[^{}\n]*)\}|\\\\[\[(]|\\.|\$\$|\$(?=[^\s$])",
    re.MULTILINE,
)
_LEVELS = {1: "chapter", 2: "section", 3: "subsection"}
_FRONT = re.compile(r"---\r?\n(.*?)\n(?:---|\.\.\.)\r?\n", re.DOTALL)
_FRONT_TITLE = re.compile(r"^title:\s*[\"']?(.*?)[\"']?\s*$", re.MULTILINE)
_DOLLAR = re.compile(r"\\.|\n[ \t]*\r?\n|`|\$", re.DOTALL)


def read_markdown(reader: TexReader, text: str, part: int = 0, offset_line: int = 0) -> None:
    """Add the formulae of a Markdown text to `reader`."""
    lines = [match.end() for match in re.finditer("\n", text)]
    paragraphs = Paragraphs(text)

    def add(start: int, end: int, display: bool, outer: Span, environment: str = "") -> None:
        known = len(reader.formulae)
        for first, last in rows(text, start, end, display):
            line = bisect_right(lines, first) + 1 + offset_line
            context = reader.headings.context(paragraphs.sentence(start, end))
            reader.add(Formula(part, first, last, text[first:last], display, line, context, reader.definitions))
        if (found := len(reader.formulae)) > known:
            reader.displays.append(Display(part, *outer, (start, end), display, environment, known, found))

    at = 0
    if front := _FRONT.match(text):
        if title := _FRONT_TITLE.search(front[1]):
            reader.headings.name_document(title[1])
        at = front.end()
    unclosed = 0  # environments without an end
    nowhere: set[str] = set()  # closers that do not come any more
    while (match := _TOKEN.search(text, at)) is not None:
        token = match[0]
        at = match.end()
        if match["fence"]:
            close = re.compile(rf"^{re.escape(match['fence'])}[ \t]*$", re.MULTILINE).search(text, at)
            end = close.start() if close else len(text)
            if match["language"].strip() == "math":
                add(at, end, True, (match.start(), close.end() if close else len(text)))
            at = close.end() if close else len(text)
        elif match["ticks"]:
            if match["ticks"] in nowhere:
                continue
            close = re.compile(rf"(?<!`){match['ticks']}(?!`)").search(text, at)
            if close is None:
                nowhere.add(match["ticks"])
                continue
            blank = text.find("\n\n", at, close.start())
            if blank < 0:
                at = close.end()
        elif token == "<!--":
            end = text.find("-->", at)
            at = len(text) if end < 0 else end + 3
        elif match["heading"]:
            reader.headings.enter(_LEVELS.get(len(match["heading"]), "paragraph"), match["title"].strip("# "))
            at = match.start("title")  # a title may hold math
        elif match["begin"] is not None:
            if match["begin"] not in MATH_ENVIRONMENTS or unclosed >= MOST_UNCLOSED:
                continue
            end = end_of_math(text, at, match["begin"])
            unclosed += end < 0
            if end >= 0:
                behind = end + len(f"\\end{{{match['begin']}}}")
                add(at, end, True, (match.start(), behind), match["begin"])
                at = behind
        elif token in ("\\(", "\\[", "\\\\(", "\\\\["):
            closer = token[:-1] + (")" if token[-1] == "(" else "]")
            end = -1 if closer in nowhere else text.find(closer, at)
            if end < 0:
                nowhere.add(closer)
            elif text.find("\n\n", at, end) < 0:
                add(at, end, token[-1] == "[", (match.start(), end + len(closer)))
                at = end + len(closer)
        elif token == "$$":
            end = end_of_math(text, at, "$$")
            if end >= 0:
                add(at, end, True, (match.start(), end + 2))
                at = end + 2
        elif token == "$" and (end := _closing_dollar(text, at)) >= 0:
            add(at, end, False, (match.start(), end + 1))
            at = end + 1


def _closing_dollar(text: str, start: int) -> int:
    """Where inline math ends, or -1 if the dollar is a dollar."""
    at = start
    while (match := _DOLLAR.search(text, at)) is not None:
        at = match.end()
        if match[0][0] in "\n`":
            return -1
        if match[0] == "$":
            if text[match.start() - 1] in " \t\n" or text[at : at + 1].isdigit():
                return -1
            return match.start()
    return -1
