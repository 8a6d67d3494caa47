r"""Pairs from LaTeX whose author defined macros: the formula as it was typed means more than what it prints.

    \newcommand{\norm}[1]{\left\lVert#1\right\rVert}     $\norm{x}\le 1$

gives the semantic side `\norm{x}\le 1` and the generic side `\left\lVert x\right\rVert\le 1`. Every macro that only
puts its arguments into LaTeX is part of the author's language. Macros that print nothing, open environments or are
TeX programs are not: they are expanded on both sides where that can be done.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from texlift.corpus.pair import Pair
from texlift.documents.context import LEVELS
from texlift.documents.document import read_document
from texlift.documents.formula import Formula, Problem
from texlift.documents.source import inside, read_source
from texlift.documents.tex import TexReader
from texlift.errors import FormulaError, TexliftError
from texlift.latex.canonical import canonical
from texlift.latex.definitions import Definition, expand_definitions, is_program
from texlift.latex.lexer import Tokens, tokenize
from texlift.latex.wrapping import unwrapped

__all__ = ["SENTENCES", "TexPairs", "pairs_from_tex"]

SENTENCES = ("dollars", "out")
"""What becomes of mathematics in the sentence around a formula: expanded, in dollars; or taken out."""

_PACKAGE = re.compile(r"\\(?:usepackage|RequirePackage)\s*(?:\[[^\]]*\])?\s*\{([^{}]*)\}")
_DOLLARS = re.compile(r"\$([^$]*)\$")
_COMMAND = re.compile(r"\\(?:[A-Za-z]+|.)")
_LAYOUT = re.compile(r"\\(?:begin|end)(?![A-Za-z])|\\\\|(?<!\\)[&$]")
_NO_DOCUMENT = frozenset({".sty", ".cls", ".def"})
_MOST_PAIRS = 500_000

Table = Mapping[str, Definition]


@dataclass(slots=True)
class TexPairs:
    """The pairs of some files; `macros` are those of the language, `problems` what was left out."""

    pairs: list[Pair] = field(default_factory=list)
    macros: set[str] = field(default_factory=set)
    problems: list[Problem] = field(default_factory=list)
    formulae: int = 0


def pairs_from_tex(files: Iterable[Path], sentence: str = "dollars", expanded: Sequence[str] = ()) -> TexPairs:
    r"""Pairs of all formulae in LaTeX files; definitions carry over from each file to those behind it.

    Packages in the folder of a file are read for their definitions. Macros named in `expanded` are not of the language.
    Raises TexliftError if a file cannot be read.
    """
    if sentence not in SENTENCES:
        raise TexliftError(f"sentence must be one of {', '.join(SENTENCES)}, not {sentence!r}")
    maker = _Maker(sentence, frozenset("\\" + name.lstrip("\\") for name in expanded))
    result = maker.result
    shared: dict[str, Definition] = {}
    for path in files:
        source = read_source(path, "")
        shared |= _packages(path, source.text)
        if path.suffix.lower() not in _NO_DOCUMENT:
            document = read_document(path)
            result.problems += document.problems
            for formula in document.formulae:
                name = document.path_of(formula).name
                maker.add(formula, name, shared)
                if len(result.pairs) > _MOST_PAIRS:
                    raise TexliftError(f"more than {_MOST_PAIRS:,} formulae: give fewer files at a time")
        shared |= _definitions(source.text)
    return result


def _packages(path: Path, text: str) -> dict[str, Definition]:
    """The definitions of packages that lie beside a file."""
    found: dict[str, Definition] = {}
    for match in _PACKAGE.finditer(text):
        for name in match[1].split(","):
            try:
                found |= _definitions(read_source(inside(path.parent, name.strip() + ".sty"), "").text)
            except TexliftError:
                continue  # a package of the TeX system
    return found


def _definitions(text: str) -> dict[str, Definition]:
    reader = TexReader()
    reader.read(text)
    return dict(reader.definitions)


class _Maker:
    """Makes pairs, formula after formula; the language is found anew only where a definition is new."""

    def __init__(self, sentence: str, plain: frozenset[str]) -> None:
        self.result = TexPairs()
        self.sentence = sentence
        self.plain = plain
        self.table: dict[str, Definition] = {}
        self.language: dict[str, Definition] = {}
        self.others: dict[str, Definition] = {}

    def add(self, formula: Formula, name: str, shared: Table) -> None:
        """The pair of one formula, or a problem."""
        result = self.result
        result.formulae += 1
        self._define({**shared, **formula.definitions})
        try:
            sides = self._sides(formula.latex)
        except FormulaError as error:
            result.problems.append(Problem(name, formula.line, f"{error.message}: {formula.latex[:60]!r}"))
            return
        if sides is None:
            return
        generic, semantic = sides
        if left := sorted(set(_COMMAND.findall(generic)) & set(self.table)):
            message = f"{', '.join(left)} cannot be expanded (a TeX program, or defined by itself)"
            result.problems.append(Problem(name, formula.line, message))
            return
        result.macros |= set(_COMMAND.findall(semantic)) & set(self.language)
        words = {level: self._printed(text) for level, text in formula.context.items()}
        titles = [words[level] for level in LEVELS[:2] if level in words]
        result.pairs.append(
            Pair(
                id=f"{name}:{formula.line}.{result.formulae}",
                generic=generic,
                semantic=semantic,
                context=words,
                kind="equation" if formula.display else "expression",
                section="/".join([name, *titles]),
            )
        )

    def _define(self, table: dict[str, Definition]) -> None:
        if table != self.table:
            self.table = table
            self.language = _language(table, self.plain)
            self.others = {name: d for name, d in table.items() if name not in self.language}

    def _sides(self, latex: str) -> tuple[str, str] | None:
        """Generic and semantic side; None if there is nothing to see."""
        typed = expand_definitions(unwrapped(_in_one_row(latex)), self.others, braced=False)
        semantic = _braced(typed, self.language).strip()
        generic = expand_definitions(semantic, self.language, braced=False).strip()
        canonical(semantic)
        return (generic, semantic) if canonical(generic).elements else None

    def _printed(self, words: str) -> str:
        """Words with their mathematics as what it prints, or without."""

        def printed(match: re.Match[str]) -> str:
            if self.sentence == "out":
                return "$…$"
            try:
                return f"${expand_definitions(match[1], self.table, braced=False)}$"
            except FormulaError:
                return "$…$"

        return _DOLLARS.sub(printed, words)


def _language(table: Table, plain: frozenset[str]) -> dict[str, Definition]:
    """The macros that are calls: they print something, and only put their arguments into LaTeX."""
    return {
        name: definition
        for name, definition in table.items()
        if name not in plain and name[1:].isalpha() and _is_template(definition) and not _recurs(name, table)
    }


def _is_template(definition: Definition) -> bool:
    if is_program(definition) or _LAYOUT.search(definition.body):
        return False
    try:
        return bool(canonical(re.sub(r"#(\d)", r"{#\1}", definition.body)).elements)
    except FormulaError:
        return False


def _recurs(name: str, table: Table) -> bool:
    """Whether a macro's expansion leads to itself again."""
    waiting, seen = [name], set()
    while waiting:
        for used in _COMMAND.findall(table[waiting.pop()].body):
            if used == name:
                return True
            if used in table and used not in seen:
                seen.add(used)
                waiting.append(used)
    return False


def _in_one_row(latex: str) -> str:
    """Without the alignment marks of the display that a formula stands in."""
    if "&" not in latex:
        return latex
    tokens = tokenize(latex)
    depth = 0
    pieces = []
    for index, text in enumerate(tokens.texts):
        depth += (text in ("{", r"\begin")) - (text in ("}", r"\end"))
        pieces += [tokens.gap(index), " " if text == "&" and depth <= 0 else text]
    return "".join(pieces)


def _braced(source: str, language: Table) -> str:
    r"""The formula with braces around all arguments of the language's macros: `\norm x` is `\norm{x}`."""
    tokens = tokenize(source)
    return "".join(_copied(tokens, 0, len(tokens), language)) + tokens.gap(len(tokens))


def _copied(tokens: Tokens, index: int, end: int, language: Table) -> Iterator[str]:
    while index < end:
        text = tokens.texts[index]
        yield tokens.gap(index) + text
        index += 1
        definition = language.get(text)
        missing = definition.arguments if definition else 0
        if definition and definition.default is not None:
            missing -= 1
            if index < end and tokens.texts[index] == "[" and (close := _closing(tokens, index, end)) >= 0:
                yield "["
                yield from _copied(tokens, index + 1, close, language)
                yield "]"
                index = close + 1
        while missing and index < end and tokens.texts[index] != "}":
            close = _closing(tokens, index, end) if tokens.texts[index] == "{" else index
            if close < 0:
                break
            first, last = (index + 1, close) if tokens.texts[index] == "{" else (index, index + 1)
            yield "{" + "".join(_copied(tokens, first, last, language)).strip() + "}"
            index = close + 1
            missing -= 1


def _closing(tokens: Tokens, index: int, end: int) -> int:
    """The index of the bracket that closes the one at `index`, or -1."""
    closer = {"{": "}", "[": "]"}[tokens.texts[index]]
    depth = 0
    for at in range(index, end):
        text = tokens.texts[at]
        depth += (text == "{") - (text == "}")
        if at > index and text == closer and depth == 0:
            return at
    return -1
