r"""Math in LaTeX files.

One walk over the text, from token to token that matters: comments, verbatim, math, headings, definitions, `\input`.
Everything else is text and is never looked at.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping

from texlift.documents.context import Headings, Paragraphs, plain_words
from texlift.documents.formula import Formula, Problem
from texlift.documents.rows import balanced, end_of_math, rows
from texlift.errors import FormulaError
from texlift.latex.definitions import Definition, read_definitions

__all__ = ["MATH_ENVIRONMENTS", "Include", "TexReader"]

Include = Callable[[str, int], None]
r"""Called with the name in `\input{name}` and the line it stands in."""

_MATH = (
    "equation",
    "align",
    "gather",
    "multline",
    "flalign",
    "alignat",
    "xalignat",
    "eqnarray",
    "displaymath",
    "math",
    "dmath",
    "dgroup",
)
MATH_ENVIRONMENTS = frozenset({*_MATH, *(name + "*" for name in _MATH)})
_WITH_ARGUMENT = frozenset({"alignat", "alignat*", "xalignat", "xalignat*"})
_PROGRAMS = ("lstlisting", "minted", "listing", "luacode", "pycode", "tikzpicture", "pgfpicture")
_AS_WRITTEN = ("verbatim", "Verbatim", "BVerbatim", "LVerbatim", "semiverbatim", "alltt", "filecontents", "comment")
_VERBATIM = frozenset({*_PROGRAMS, *_AS_WRITTEN, *(name + "*" for name in _AS_WRITTEN)})
_HEADINGS = {"part": "chapter", "chapter": "chapter", "section": "section", "subsection": "subsection",
             "subsubsection": "paragraph", "paragraph": "paragraph", "subparagraph": "paragraph"}  # fmt: skip
_DEFINES = frozenset(
    {
        "newcommand",
        "renewcommand",
        "providecommand",
        "DeclareRobustCommand",
        "DeclareMathOperator",
        "def",
        "gdef",
        "edef",
    }
)
_SKIPPED = {
    **dict.fromkeys(("newenvironment", "renewenvironment", "NewDocumentCommand"), 3),
    **dict.fromkeys(("newtheorem",), 2),
    **dict.fromkeys(("hypersetup", "lstset", "includegraphics", "graphicspath", "pgfplotsset"), 1),
}  # how many arguments to jump over
_TOKEN = re.compile(
    r"%[^\n]*|\\begin\s*\{(?P<begin>[^{}\n]*)\}|\\end\s*\{document\}|\\(?:verb|lstinline|mintinline)(?![A-Za-z])\*?"
    r"|\\(?P<name>[A-Za-z@]+)\*?|\\.|\$\$?",
    re.DOTALL,
)
_PARAMETERS = re.compile(r"(?:\s*#\d)*\s*")
_FILE = re.compile(r"\s*(?:\{([^{}\n]*)\}|([^\s{}\\%]+))")
_MOST_DEFINITIONS = 2_000
_MOST_UNCLOSED = 50


class TexReader:
    """Reads the files of one document in order; titles and definitions carry over from file to file."""

    def __init__(self, include: Include | None = None) -> None:
        self.formulae: list[Formula] = []
        self.problems: list[Problem] = []
        self.definitions: Mapping[str, Definition] = {}
        self.headings = Headings()
        self.names: set[str] = set()  # that the document gives a meaning to, understood or not
        self._include = include

    def read(self, text: str, part: int = 0, path: str = "", offset_line: int = 0) -> None:
        """Find the formulae of one file."""
        _Walk(self, text, part, path, offset_line).run(self._include)

    def define(self, source: str) -> bool:
        r"""Take in one definition (`\newcommand..`); False if it is of a kind that math does not need."""
        source = re.sub(
            r"^\\(?:DeclareRobustCommand|gdef|edef)",
            lambda m: "\\def" if m[0] != "\\DeclareRobustCommand" else "\\newcommand",
            source,
        )
        source = re.sub(r"^(\\(?:new|renew|provide)command)\*", r"\1", source)
        try:
            found = read_definitions(source)[1]
        except FormulaError:
            return False
        if len(self.definitions) > _MOST_DEFINITIONS:
            return False
        # A new table for every definition, so that a formula keeps those that held where it stands.
        self.definitions = {**self.definitions, **{name: _for_math(definition) for name, definition in found.items()}}
        return True


class _Walk:
    def __init__(self, reader: TexReader, text: str, part: int, path: str, offset_line: int) -> None:
        self.reader = reader
        self.text = text
        self.part = part
        self.path = path
        self.lines = [match.end() for match in re.finditer("\n", text)]
        self.offset = offset_line
        self.paragraphs = Paragraphs(text)
        self.unclosed = 0

    def line(self, at: int) -> int:
        return bisect_right(self.lines, at) + 1 + self.offset

    def run(self, include: Include | None) -> None:
        text = self.text
        at = 0
        while (match := _TOKEN.search(text, at)) is not None:
            token = match[0]
            at = match.end()
            if token[0] == "%":
                continue
            if token in ("$", "$$"):
                at = self.math(match.start(), at, token, len(token), token == "$$")
            elif token == "\\(" or token == "\\[":
                at = self.math(match.start(), at, "\\)" if token == "\\(" else "\\]", 2, token == "\\[")
            elif match["begin"] is not None:
                at = self.environment(match)
            elif match["name"] is None and token.startswith("\\end"):
                return
            elif match["name"] is not None:
                at = self.command(match["name"], match, include)
            elif len(token) > 2:
                at = self.verb(at)

    def math(self, opening: int, start: int, closer: str, width: int, display: bool) -> int:
        """Math between signs; returns the position to go on from."""
        end = end_of_math(self.text, start, closer)
        if end < 0:
            self.problem(opening, f"a formula opens here with {self.text[opening:start]} and never closes")
            blank = re.compile(r"\n[ \t]*\r?\n").search(self.text, start)
            return blank.end() if blank else len(self.text)
        self.add(start, end, display)
        return end + (1 if closer == "$" else width)

    def environment(self, match: re.Match[str]) -> int:
        name = match["begin"]
        if name in _VERBATIM:
            end = self.text.find(f"\\end{{{name}}}", match.end())
            return len(self.text) if end < 0 else end
        if name not in MATH_ENVIRONMENTS:
            return match.end()
        start = match.end()
        if name in _WITH_ARGUMENT and self.text.startswith("{", start):
            start = max(start, balanced(self.text, start))
        # Each search for an end that is missing reads the whole file; a file with many of them is no LaTeX.
        end = end_of_math(self.text, start, name) if self.unclosed < _MOST_UNCLOSED else -1
        if end < 0:
            self.problem(match.start(), f"\\begin{{{name}}} is never closed")
            return start
        self.add(start, end, display=True)
        return end + len(f"\\end{{{name}}}")

    def command(self, name: str, match: re.Match[str], include: Include | None) -> int:
        text, at = self.text, match.end()
        if name in _DEFINES:
            return self.definition(name, match.start(), at)
        if name in _HEADINGS or name == "title":
            return self.heading(name, at)
        if name in ("input", "include", "subfile"):
            target = _FILE.match(text, at)
            if target and include:
                include((target[1] or target[2] or "").strip(), self.line(at))
            return target.end() if target else at
        if name == "iffalse":
            end = re.compile(r"\\(?:fi|else)(?![A-Za-z])").search(text, at)
            return end.end() if end else len(text)
        if name in ("url", "path", "href"):  # signs mean nothing in an address
            address = re.compile(r"\s*\{[^{}\n]*\}").match(text, at)
            return address.end() if address else at
        if name in _SKIPPED:
            for _ in range(_SKIPPED[name]):
                at = self.arguments(at)
        return at

    def heading(self, name: str, at: int) -> int:
        """A title: its words are context, its math is math, so the walk goes on inside it."""
        start = at
        while self.text.startswith("[", start):
            start = max(balanced(self.text, start), start + 1)
        if self.text.startswith("{", start) and (end := balanced(self.text, start, start + 2000)) > 0:
            words = plain_words(self.text[start + 1 : end - 1])
            if name == "title":
                self.reader.headings.name_document(words)
            else:
                self.reader.headings.enter(_HEADINGS[name], words)
        return at

    def definition(self, name: str, start: int, at: int) -> int:
        text = self.text
        if name in ("def", "gdef", "edef"):
            head = re.compile(r"\s*\\(?:[A-Za-z@]+|.)").match(text, at)
            if not head:
                return at
            parameters = _PARAMETERS.match(text, head.end())
            at = parameters.end() if parameters else head.end()
        else:
            at = self.skip_blanks(at)
            named = re.compile(r"\{\s*\\(?:[A-Za-z@]+|.)\s*\}|\\(?:[A-Za-z@]+|.)").match(text, at)
            if not named:
                return at
            at = self.skip_blanks(named.end())
            while text.startswith("[", at) and (end := balanced(text, at, at + 2000)) > 0:
                at = self.skip_blanks(end)
        if not text.startswith("{", at):
            return at
        end = balanced(text, at) if self.unclosed < _MOST_UNCLOSED else -1
        if end < 0:
            self.problem(start, f"\\{name} is never closed")
            return at
        self.reader.define(text[start:end])
        return end

    def arguments(self, at: int) -> int:
        """Behind the options and the one mandatory argument that follow."""
        at = self.skip_blanks(at)
        while self.text.startswith("[", at) and (end := balanced(self.text, at, at + 2000)) > 0:
            at = self.skip_blanks(end)
        if self.text.startswith("{", at) and (end := balanced(self.text, at, at + 2000)) > 0:
            return end
        return at

    def skip_blanks(self, at: int) -> int:
        while at < len(self.text) and self.text[at] in " \t\r\n":
            at += 1
        return at

    def verb(self, at: int) -> int:
        while self.text.startswith("[", at) and (end := balanced(self.text, at, at + 500)) > 0:
            at = end
        if at >= len(self.text):
            return at
        if self.text[at] == "{":
            return max(balanced(self.text, at), at + 1)
        end = self.text.find(self.text[at], at + 1)
        line = self.text.find("\n", at)
        return end + 1 if end >= 0 and (line < 0 or end < line) else at + 1

    def add(self, start: int, end: int, display: bool) -> None:
        for first, last in rows(self.text, start, end, display):
            self.reader.formulae.append(
                Formula(
                    self.part,
                    first,
                    last,
                    self.text[first:last],
                    display,
                    self.line(first),
                    self.reader.headings.context(self.paragraphs.sentence(start, end)),
                    self.reader.definitions,
                )
            )

    def problem(self, at: int, message: str) -> None:
        self.unclosed += 1
        if self.unclosed <= _MOST_UNCLOSED:
            self.reader.problems.append(Problem(self.path, self.line(at), message))


def _for_math(definition: Definition) -> Definition:
    """The definition as it works in math mode: `\\ensuremath` and `\\xspace` are for text."""
    body = re.sub(r"\\(?:ensuremath|xspace|mathsurround)(?![A-Za-z])\s?", "", definition.body)
    return Definition(definition.name, definition.arguments, body, definition.default)
