r"""A document: its files, the parts of them that hold text and math, and the formulae in order.

LaTeX and Markdown files are one part each, a notebook has one part for each Markdown cell.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from texlift.documents.formula import Display, Formula, Problem
from texlift.documents.markdown import read_markdown
from texlift.documents.notebook import Cell, markdown_cells, with_sources
from texlift.documents.package import PACKAGE
from texlift.documents.source import Source, decode, inside, read_source
from texlift.documents.tex import TexReader
from texlift.errors import TexliftError

__all__ = ["KINDS", "Document", "document_of", "read_document"]

KINDS = {
    ".tex": "tex",
    ".ltx": "tex",
    ".latex": "tex",
    ".md": "markdown",
    ".markdown": "markdown",
    ".qmd": "markdown",
    ".ipynb": "notebook",
}
"""Kinds of documents by the suffix of the file name."""

_MOST_FILES = 500
_DEEPEST = 20


@dataclass(slots=True)
class Document:
    """`parts[i]` is a text with math, `owners[i]` the index of its file; the first file is the main one."""

    kind: str
    files: list[Source] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    owners: list[int] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)
    formulae: list[Formula] = field(default_factory=list)
    displays: list[Display] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    defined: frozenset[str] = frozenset()  # names of the macros that the document and files beside it define

    def path_of(self, formula: Formula) -> Path:
        """The file a formula stands in."""
        return self.files[self.owners[formula.part]].path

    def written(self, replacements: dict[int, str]) -> list[str]:
        """The texts of all files, formula `i` replaced by `replacements[i]`; everything else stays as it is."""
        by_part: dict[int, list[tuple[int, int, str]]] = {}
        for index, text in replacements.items():
            formula = self.formulae[index]
            by_part.setdefault(formula.part, []).append((formula.start, formula.end, text))
        parts = [_replaced(text, by_part.get(number, [])) for number, text in enumerate(self.parts)]
        if self.kind == "notebook":
            return [with_sources(self.files[0].text, self.cells, parts)]
        texts = [file.text for file in self.files]
        for number, text in enumerate(parts):
            texts[self.owners[number]] = text
        return texts


def read_document(path: Path, encoding: str = "", links: bool = False) -> Document:
    r"""Read a document and, for LaTeX, the files it `\input`s from its own folder.

    Packages and classes that lie there are read for their definitions. `links` allows links in the folder that lead out
    of it. Raises TexliftError if the main file cannot be read; what is wrong with other files is a problem on the list.
    """
    kind = KINDS.get(path.suffix.lower())
    if kind is None:
        raise TexliftError(f"{path}: unknown kind of document {path.suffix!r}; known are {', '.join(KINDS)}")
    return _Reading(kind, path.parent, encoding, links).run(read_source(path, encoding))


def document_of(data: bytes, name: str) -> Document:
    r"""A document that came as bytes; it has no folder, so `\input` is reported and not followed."""
    kind = KINDS.get(Path(name).suffix.lower())
    if kind is None:
        raise TexliftError(f"{name!r}: unknown kind of document; known are {', '.join(KINDS)}")
    return _Reading(kind, None, "").run(decode(data, Path(Path(name).name)))


class _Reading:
    def __init__(self, kind: str, root: Path | None, encoding: str, links: bool = False) -> None:
        self.document = Document(kind)
        self.root = root
        self.encoding = encoding
        self.links = links
        self.reader = TexReader(self.include, self.package)
        self.packages: set[Path] = set()
        self.open: list[Path] = []

    def run(self, source: Source) -> Document:
        document = self.document
        document.files.append(source)
        if document.kind == "notebook":
            line = 0
            for cell in markdown_cells(source.text):
                document.cells.append(cell)
                document.parts.append(cell.source)
                document.owners.append(0)
                read_markdown(self.reader, cell.source, len(document.parts) - 1, line)
                line += cell.source.count("\n") + 1
        elif document.kind == "markdown":
            document.parts.append(source.text)
            document.owners.append(0)
            read_markdown(self.reader, source.text)
        else:
            self.tex(source, source.path.resolve() if self.root is not None else source.path)
        document.formulae = self.reader.formulae
        document.displays = self.reader.displays
        document.problems += self.reader.problems
        document.defined = frozenset(self.reader.definitions) | self.reader.names
        return document

    def tex(self, source: Source, resolved: Path) -> None:
        part = len(self.document.parts)
        self.document.parts.append(source.text)
        self.document.owners.append(len(self.document.files) - 1)
        self.open.append(resolved)
        self.reader.read(source.text, part, source.path.name)
        self.open.pop()

    def include(self, name: str, line: int) -> None:
        r"""Follow one `\input`; what goes wrong is reported with the line it stands in."""
        current = self.open[-1].name
        try:
            self._include(name)
        except TexliftError as error:
            self.document.problems.append(Problem(current, line, f"\\input not followed: {error}"))

    def _include(self, name: str) -> None:
        if self.root is None:
            raise TexliftError(f"{name!r}: one file was sent, without its folder")
        named = inside(self.root, name, links=self.links)
        path = named.resolve()
        if path in self.open:
            raise TexliftError(f"{name!r} is being read already: the files include each other")
        if len(self.open) > _DEEPEST or len(self.document.files) >= _MOST_FILES:
            raise TexliftError(f"more than {_DEEPEST} levels or {_MOST_FILES} files")
        relative = self.root / named.relative_to(self.root.resolve())
        if any(file.path == relative for file in self.document.files):
            return  # read before: its formulae are on the list
        source = read_source(relative, self.encoding)
        self.document.files.append(source)
        self.tex(source, path)

    def package(self, name: str) -> None:
        """Learn the definitions of a package or class that lies beside the document; others are the TeX system's."""
        if self.root is None or len(self.packages) >= _MOST_FILES:
            return
        try:
            path = inside(self.root, name, ("",), self.links)
            if path in self.packages or name == f"{PACKAGE}.sty":
                return
            self.packages.add(path)
            self.reader.learn(read_source(path, self.encoding).text)
        except TexliftError:
            return


def _replaced(text: str, edits: list[tuple[int, int, str]]) -> str:
    pieces = []
    at = 0
    for start, end, new in sorted(edits):
        pieces += [text[at:start], new]
        at = end
    return "".join([*pieces, text[at:]])
