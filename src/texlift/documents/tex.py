r"""Math in LaTeX files.

One walk over the text, from token to token that matters: comments, verbatim, math, headings, definitions, `\input`.
Everything else is text and is never looked at.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import replace

from texlift.documents.context import Headings, Paragraphs, plain_words
from texlift.documents.formula import Display, Formula, Problem
from texlift.documents.rows import MOST_UNCLOSED, balanced, end_of_math, rows
from texlift.errors import FormulaError, Span
from texlift.latex.definitions import Definition, read_definitions

__all__ = ["MATH_ENVIRONMENTS", "Include", "TexReader"]

Include = Callable[[str, int], None]
r"""Called with the name in `\input{name}` and the line it stands in."""

Package = Callable[[str], None]
"""Called with the file name of a package or class that may lie beside the document."""

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
    "IEEEeqnarray",
    "IEEEeqnarraybox",
)
MATH_ENVIRONMENTS = frozenset({*_MATH, *(name + "*" for name in _MATH)})
_WITH_ARGUMENT = frozenset(
    name + star for name in ("alignat", "xalignat", "IEEEeqnarray", "IEEEeqnarraybox") for star in ("", "*")
)
_PROGRAMS = ("lstlisting", "minted", "listing", "luacode", "pycode", "tikzpicture", "pgfpicture")
_AS_WRITTEN = ("verbatim", "Verbatim", "BVerbatim", "LVerbatim", "semiverbatim", "alltt", "filecontents", "comment")
_VERBATIM = frozenset({*_PROGRAMS, *_AS_WRITTEN, *(name + "*" for name in _AS_WRITTEN)})
_HEADINGS = {"part": "chapter", "chapter": "chapter", "section": "section", "subsection": "subsection",
             "subsubsection": "paragraph", "paragraph": "paragraph", "subparagraph": "paragraph"}  # fmt: skip
_GROUPS = {
    **dict.fromkeys(("newcommand", "renewcommand", "providecommand", "DeclareRobustCommand", "DeclareMathOperator"), 1),
    **dict.fromkeys((word + "DocumentCommand" for word in ("New", "Renew", "Provide", "Declare")), 2),
    "DeclarePairedDelimiter": 2,
    "DeclarePairedDelimiterX": 3,
    "DeclarePairedDelimiterXPP": 5,
}  # commands that define a macro, with the number of groups behind its name and options
_DEFS = frozenset({"def", "gdef", "edef", "xdef"})
_PACKAGES = {"usepackage": ".sty", "RequirePackage": ".sty", "documentclass": ".cls", "LoadClass": ".cls"}
_SKIPPED = {
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
_OPENS = re.compile(r"(?:\\(?!begin)[A-Za-z]+\s*)*\\begin\s*\{([^{}]*)\}(?:\{[^{}]*\})?\s*")
_CLOSES = re.compile(r"\s*\\end\s*\{([^{}]*)\}\s*")
_ENVIRONMENT = re.compile(r"\s*\{([^{}\n]*)\}\s*")
_LET = re.compile(r"\s*(\\(?:[A-Za-z@]+|.))\s*=?\s*(?:\\(?:[A-Za-z@]+|.)|\S)")
_MOST_DEFINITIONS = 2_000


class TexReader:
    """Reads the files of one document in order; titles and definitions carry over from file to file."""

    def __init__(self, include: Include | None = None, package: Package | None = None) -> None:
        self.formulae: list[Formula] = []
        self.displays: list[Display] = []
        self.problems: list[Problem] = []
        self.definitions: dict[str, Definition] = {}
        self.headings = Headings()
        self.names: set[str] = set()  # that the document gives a meaning to, understood or not
        self.environments: dict[str, str] = {}  # the author's own for math, with those that they stand for
        self.openers: dict[str, str] = {}  # `\be` for `\begin{equation}`
        self.closers: dict[str, str] = {}
        self._include = include
        self._package = package
        self._shared = False  # whether a formula has the table of definitions
        self._learning = False

    def read(self, text: str, part: int = 0, path: str = "", offset_line: int = 0) -> None:
        """Find the formulae of one file."""
        _Walk(self, text, part, path, offset_line).run(self._include, self._package)

    def learn(self, text: str) -> None:
        """Take in the definitions of a package; its formulae are not the document's."""
        self._learning = True
        try:
            _Walk(self, text, 0, "", 0).run(None, self._package)
        finally:
            self._learning = False

    def add(self, formula: Formula) -> None:
        """One more formula of the document, with the definitions that hold at its place."""
        if not self._learning:
            self._shared = True
            self.formulae.append(formula)

    def complain(self, problem: Problem) -> None:
        """One more problem of the document."""
        if not self._learning:
            self.problems.append(problem)

    def define(self, source: str) -> bool:
        r"""Take in one definition (`\newcommand..`); False if it is of a kind that math does not need."""
        source = re.sub(
            r"^\\(?:DeclareRobustCommand|gdef|edef|xdef)",
            lambda m: "\\def" if m[0] != "\\DeclareRobustCommand" else "\\newcommand",
            source,
        )
        source = re.sub(r"^(\\(?:new|renew|provide)command)\*", r"\1", source)
        if named := re.match(r"\\[A-Za-z]+\*?\s*\{?\s*(\\(?:[A-Za-z@]+|.))", source):
            self.names.add(named[1])
        try:
            found = read_definitions(source)[1]
        except FormulaError:
            return False
        if len(self.definitions) > _MOST_DEFINITIONS:
            return False
        # A formula keeps the definitions that held where it stands: a table that one has is not changed any more.
        if self._shared:
            self.definitions = dict(self.definitions)
            self._shared = False
        for name, definition in found.items():
            self.definitions[name] = _for_math(definition)
            self._abbreviate(name[1:], definition)
        return True

    def _abbreviate(self, word: str, definition: Definition) -> None:
        r"""`\newcommand{\be}{\begin{equation}}`: math begins with `\be`."""
        if definition.arguments:
            return
        opened, closed = _OPENS.fullmatch(definition.body), _CLOSES.fullmatch(definition.body)
        for match, table in ((opened, self.openers), (closed, self.closers)):
            if match and self.math_environment(match[1]):
                table[word] = match[1]

    def math_environment(self, name: str) -> bool:
        """Whether an environment, of LaTeX or the author's own, holds math."""
        return name in MATH_ENVIRONMENTS or name in self.environments


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

    def run(self, include: Include | None, package: Package | None) -> None:
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
                at = self.command(match["name"], match, include, package)
            elif len(token) > 2:
                at = self.verb(at)

    def math(self, opening: int, start: int, closer: str, width: int, display: bool) -> int:
        """Math between signs; returns the position to go on from."""
        end = end_of_math(self.text, start, closer)
        if end < 0:
            self.problem(opening, f"a formula opens here with {self.text[opening:start]} and never closes")
            blank = re.compile(r"\n[ \t]*\r?\n").search(self.text, start)
            return blank.end() if blank else len(self.text)
        behind = end + (1 if closer == "$" else width)
        self.add(start, end, display, (opening, behind))
        return behind

    def environment(self, match: re.Match[str]) -> int:
        name = match["begin"]
        if name in _VERBATIM:
            end = self.text.find(f"\\end{{{name}}}", match.end())
            return len(self.text) if end < 0 else end
        if not self.reader.math_environment(name):
            return match.end()
        start = match.end()
        if name in _WITH_ARGUMENT:
            start = self.arguments(start)
        # Each search for an end that is missing reads the whole file; a file with many of them is no LaTeX.
        end = end_of_math(self.text, start, name) if self.unclosed < MOST_UNCLOSED else -1
        if end < 0:
            self.problem(match.start(), f"\\begin{{{name}}} is never closed")
            return start
        behind = end + len(f"\\end{{{name}}}")
        self.add(start, end, True, (match.start(), behind), self.reader.environments.get(name, name))
        return behind

    def abbreviated(self, name: str, opening: int, start: int) -> int:
        r"""Math from `\be` to `\ee`; returns the position to go on from."""
        environment = self.reader.openers[name]
        ends = [f"\\{word}" for word, closed in self.reader.closers.items() if closed == environment]
        found = [(end, len(closer)) for closer in ends if (end := end_of_math(self.text, start, closer)) >= 0]
        if (written := end_of_math(self.text, start, environment)) >= 0:
            found.append((written, 0))
        if not found or self.unclosed >= MOST_UNCLOSED:
            self.problem(opening, f"\\{name} is never closed")
            return start
        end, width = min(found)
        behind = end + (width or len(f"\\end{{{environment}}}"))
        self.add(start, end, True, (opening, behind), self.reader.environments.get(environment, environment))
        return end + width

    def own_environment(self, at: int) -> int:
        r"""`\newenvironment{name}[n][default]{begin}{end}`: it holds math if it begins with math of LaTeX."""
        text = self.text
        named = _ENVIRONMENT.match(text, at)
        if not named:
            return at
        self.reader.names |= {f"\\{named[1]}", f"\\end{named[1]}"}
        start = named.end()
        while text.startswith("[", start) and (end := balanced(text, start, start + 2000)) > 0:
            start = self.skip_blanks(end)
        behind = self.arguments(start)
        opened = _OPENS.fullmatch(text[start + 1 : behind - 1].strip()) if behind > start else None
        if opened and self.reader.math_environment(opened[1]):
            self.reader.environments[named[1]] = opened[1]
        return self.arguments(behind)

    def command(self, name: str, match: re.Match[str], include: Include | None, package: Package | None) -> int:
        text, at = self.text, match.end()
        if name in _GROUPS or name in _DEFS or name == "let":
            return self.definition(name, match.start(), at)
        if name in self.reader.openers:
            return self.abbreviated(name, match.start(), at)
        if name in ("newenvironment", "renewenvironment"):
            return self.own_environment(at)
        if name in _PACKAGES:
            behind = self.arguments(at)
            names = _ENVIRONMENT.match(text, text.rfind("{", at, behind)) if behind > at else None
            for one in names[1].split(",") if names and package else ():
                if package:
                    package(one.strip() + _PACKAGES[name])
            return behind
        if name == "newtheorem" and (named := _ENVIRONMENT.match(text, at)):
            self.reader.names |= {f"\\{named[1]}", f"\\end{named[1]}"}
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
        if name == "let":
            equal = _LET.match(text, at)
            if not equal:
                return at
            self.reader.define(text[start : equal.end()])
            return equal.end()
        groups = _GROUPS.get(name, 1)
        if name in _DEFS:
            head = re.compile(r"\s*(\\(?:[A-Za-z@]+|.))").match(text, at)
            if not head:
                return at
            self.reader.names.add(head[1])
            parameters = _PARAMETERS.match(text, head.end())
            at = parameters.end() if parameters else head.end()
        else:
            at = self.skip_blanks(at)
            named = re.compile(r"\{\s*(\\(?:[A-Za-z@]+|.))\s*\}|(\\(?:[A-Za-z@]+|.))").match(text, at)
            if not named:
                return at
            self.reader.names.add(named[1] or named[2])
            at = self.skip_blanks(named.end())
            while text.startswith("[", at) and (end := balanced(text, at, at + 2000)) > 0:
                at = self.skip_blanks(end)
        for _ in range(groups):
            at = self.skip_blanks(at)
            if not text.startswith("{", at):
                return at
            end = balanced(text, at) if self.unclosed < MOST_UNCLOSED else -1
            if end < 0:
                self.problem(start, f"\\{name} is never closed")
                return at
            at = end
        self.reader.define(text[start:at])
        return at

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

    def add(self, start: int, end: int, display: bool, outer: Span, environment: str = "") -> None:
        known = len(self.reader.formulae)
        for first, last in rows(self.text, start, end, display):
            self.reader.add(
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
        if (found := len(self.reader.formulae)) > known:
            self.reader.displays.append(Display(self.part, *outer, (start, end), display, environment, known, found))

    def problem(self, at: int, message: str) -> None:
        self.unclosed += 1
        if self.unclosed <= MOST_UNCLOSED:
            self.reader.complain(Problem(self.path, self.line(at), message))


def _for_math(definition: Definition) -> Definition:
    """The definition as it works in math mode: `\\ensuremath` and `\\xspace` are for text."""
    body = re.sub(r"\\(?:ensuremath|xspace|mathsurround)(?![A-Za-z])\s?", "", definition.body)
    return replace(definition, body=body)
