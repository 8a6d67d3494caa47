r"""Places in a text, counted as editors count them: lines, and code units within a line.

The Language Server Protocol counts UTF-16 code units unless editor and server agree on something else. Its lines end
with `\n`, `\r\n` or `\r` and nothing else: a form feed or U+2028 ends no line.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable

from lsprotocol import types

__all__ = ["Lines", "applied", "unchanged"]

_LINE_END = re.compile(r"\r\n|\n|\r")
_BYTES = {"utf-8": 1, "utf-16": 2, "utf-32": 4}  # of one code unit


class Lines:
    """The lines of a text; turns offsets (Python's) into positions (the editor's) and back."""

    __slots__ = ("_codec", "_ends", "_starts", "_text", "_width")

    def __init__(self, text: str, encoding: str = "utf-16") -> None:
        ends = list(_LINE_END.finditer(text))
        self._text = text
        self._starts = [0, *(match.end() for match in ends)]
        self._ends = [*(match.start() for match in ends), len(text)]
        self._width = _BYTES.get(encoding, 2)
        self._codec = "utf-8" if self._width == 1 else f"utf-{8 * self._width}-le"

    def position(self, offset: int) -> types.Position:
        """The position of an offset; what lies outside of the text is moved to its nearest end."""
        offset = min(max(offset, 0), len(self._text))
        line = bisect_right(self._starts, offset) - 1
        start = self._starts[line]
        return types.Position(line, self._units(self._text[start : min(offset, self._ends[line])]))

    def range(self, start: int, end: int) -> types.Range:
        """The range between two offsets."""
        return types.Range(self.position(start), self.position(end))

    def offset(self, position: types.Position) -> int:
        """The offset of a position; a column behind the end of its line is that end.

        A position in the middle of a character is that character.
        """
        if position.line >= len(self._starts):
            return len(self._text)
        start, end = self._starts[max(position.line, 0)], self._ends[max(position.line, 0)]
        wanted = max(position.character, 0)
        line = self._text[start : min(end, start + wanted)]  # no character is shorter than one unit
        if line.isascii() or self._width == 4:
            return start + len(line)
        data = line.encode(self._codec, "surrogatepass")[: wanted * self._width]
        return start + len(data.decode(self._codec, "ignore"))

    def line_span(self, number: int) -> tuple[int, int]:
        """Start and end of a line, counted from 0; without blanks around what stands in it."""
        number = min(max(number, 0), len(self._starts) - 1)
        start, end = self._starts[number], self._ends[number]
        line = self._text[start:end]
        return start + len(line) - len(line.lstrip()), start + len(line.rstrip())

    def line_of(self, offset: int) -> int:
        """The line of an offset, counted from 1 as editors show it."""
        return bisect_right(self._starts, offset)

    def _units(self, text: str) -> int:
        if text.isascii():
            return len(text)
        return len(text.encode(self._codec, "surrogatepass")) // self._width


def applied(text: str, change: types.TextDocumentContentChangeEvent, encoding: str = "utf-16") -> str:
    """The text after one change of the editor."""
    if not isinstance(change, types.TextDocumentContentChangePartial):
        return change.text
    lines = Lines(text, encoding)
    start, end = lines.offset(change.range.start), lines.offset(change.range.end)
    return text[:start] + change.text + text[max(start, end) :]


def unchanged(old: str, new: str) -> tuple[int, int]:
    """How many characters at the start and how many at the end two texts have in common, without overlap."""
    shorter = min(len(old), len(new))
    before = _longest(shorter, lambda size: old[:size] == new[:size])
    behind = _longest(shorter - before, lambda size: old[len(old) - size :] == new[len(new) - size :])
    return before, behind


def _longest(most: int, agrees: Callable[[int], bool]) -> int:
    """The largest size up to `most` for which the texts agree; they agree for every smaller one."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if agrees(middle) else (low, middle - 1)
    return low
