"""Math in Jupyter notebooks: the Markdown cells, changed in place.

A notebook is JSON. Writing it anew would change bytes that must stay (order, blanks, escapes), so
the places of the cells' source strings are found and only strings that changed are replaced.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from texlift.errors import Span, TexliftError

__all__ = ["Cell", "markdown_cells", "with_sources"]

_BLANKS = " \t\r\n"
_DEEPEST = 100
_scan: Any = vars(json.decoder)[
    "scanstring"
]  # (text, position behind the quote) -> (value, position behind the closing quote)


@dataclass(frozen=True, slots=True)
class Cell:
    """A Markdown cell: its source, and the literal strings (value, span in the file) it is made of."""

    source: str
    strings: tuple[tuple[str, Span], ...]
    span: Span  # of the whole value: a string or a list of strings


def markdown_cells(text: str) -> list[Cell]:
    """The Markdown cells of a notebook; raises TexliftError if it is not one."""
    try:
        root = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise TexliftError(f"not a notebook: {error}") from None
    if not isinstance(root, dict) or not isinstance(root.get("cells"), list):
        raise TexliftError("not a notebook of format 4: no list of cells")
    kinds: dict[int, Any] = {}
    strings: dict[int, list[tuple[str, Span]]] = {}
    spans: dict[int, Span] = {}
    for path, value, span in _Walk(text).values():
        match path:
            case ("cells", int(number), "cell_type"):
                kinds[number] = value
            case ("cells", int(number), "source"):
                spans[number] = span
                if isinstance(value, str):
                    strings.setdefault(number, []).append((value, span))
            case ("cells", int(number), "source", int()) if isinstance(value, str):
                strings.setdefault(number, []).append((value, span))
    return [
        Cell("".join(value for value, _ in parts), tuple(parts), spans[number])
        for number, parts in sorted(strings.items())
        if kinds.get(number) == "markdown" and number in spans
    ]


def with_sources(text: str, cells: list[Cell], sources: list[str]) -> str:
    """The notebook with new sources; `sources[i]` belongs to `cells[i]`."""
    edits: list[tuple[Span, str]] = []
    for cell, source in zip(cells, sources, strict=True):
        if source == cell.source:
            continue
        if text[cell.span[0]] == '"':
            edits.append((cell.span, _literal(source, text, cell.span)))
            continue
        lines = source.splitlines(keepends=True)
        if len(lines) == len(cell.strings):
            edits += [
                (span, _literal(line, text, span))
                for line, (value, span) in zip(lines, cell.strings, strict=True)
                if line != value
            ]
        else:
            edits.append((cell.span, "[" + ", ".join(_literal(line, text, cell.span) for line in lines) + "]"))
    pieces = []
    at = 0
    for (start, end), literal in sorted(edits):
        pieces += [text[at:start], literal]
        at = end
    return "".join([*pieces, text[at:]])


def _literal(value: str, text: str, span: Span) -> str:
    """A JSON string, escaped beyond ASCII if the one it replaces was."""
    return json.dumps(value, ensure_ascii=text[span[0] : span[1]].isascii())


class _Walk:
    """All values of a JSON text that is known to be valid, with their paths and places."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def values(self) -> Iterator[tuple[tuple[Any, ...], Any, Span]]:
        yield from self._value((), 0)

    def _skip(self) -> str:
        while self.text[self.at] in _BLANKS:
            self.at += 1
        return self.text[self.at]

    def _value(self, path: tuple[Any, ...], depth: int) -> Iterator[tuple[tuple[Any, ...], Any, Span]]:
        if depth > _DEEPEST:
            raise TexliftError("not a notebook: nested too deeply")
        char = self._skip()
        start = self.at
        value: Any = None
        if char == '"':
            value, self.at = _scan(self.text, start + 1, False)
        elif char in "{[":
            self.at += 1
            index = 0
            while self._skip() not in "}]":
                key: Any = index
                if char == "{":
                    key, self.at = _scan(self.text, self.at + 1, False)
                    self._skip()
                    self.at += 1  # the colon
                yield from self._value((*path, key), depth + 1)
                index += 1
                if self._skip() == ",":
                    self.at += 1
            self.at += 1
        else:
            while self.at < len(self.text) and self.text[self.at] not in ",]} \t\r\n":
                self.at += 1
        yield path, value, (start, self.at)
