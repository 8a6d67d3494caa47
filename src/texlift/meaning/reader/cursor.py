"""A cursor over the items of a row: places, brackets and bars that belong together, errors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from texlift.errors import FormulaError, Span
from texlift.latex.nodes import Leaf, Node, Scripted
from texlift.latex.nodes import Row as Nodes
from texlift.meaning.reader.items import flatten, text_of
from texlift.meaning.reader.notation import notation
from texlift.meaning.reader.slips import corrected, doubt_braces

if TYPE_CHECKING:
    from texlift.meaning.reader.scope import Scope

__all__ = ["CLOSE", "OPEN", "SEPARATORS", "Cursor"]

OPEN = {"(": ")", "[": "]", r"\{": r"\}", r"\lfloor": r"\rfloor", r"\lceil": r"\rceil", r"\langle": r"\rangle",
        r"\ulcorner": r"\urcorner", r"\llcorner": r"\lrcorner"}  # fmt: skip
CLOSE = frozenset(OPEN.values())
SEPARATORS = frozenset({",", ";"})


class Cursor:
    """Items, the signs they show, and where the reader is."""

    __slots__ = ("at", "bars", "count", "items", "scope", "span", "texts")

    def __init__(self, scope: Scope, nodes: Nodes, span: Span) -> None:
        self.scope = scope
        items: list[Node] = []
        flatten(nodes, items)
        items = corrected(scope, items)
        doubt_braces(scope, nodes)
        self.items = items
        self.texts = [node.text if type(node) is Leaf else self.known(text_of(node)) for node in items]
        self.count = len(items)
        self.at = 0
        self.bars = 0
        self.span = span

    def part(self, start: int, end: int) -> Self:
        """A row over items[start:end]."""
        row = type(self).__new__(type(self))
        row.scope = self.scope
        row.items = self.items[start:end]
        row.texts = self.texts[start:end]
        row.count = end - start
        row.at = 0
        row.bars = 0
        row.span = (row.items[0].start, row.items[-1].end) if row.items else self.span
        return row

    def here(self) -> Span:
        if self.at < self.count:
            return (self.items[self.at].start, self.items[self.at].end)
        return (self.items[-1].end, self.items[-1].end) if self.items else self.span

    def error(self, message: str, hint: str = "") -> FormulaError:
        return self.scope.error(message, self.here(), hint)

    def done(self) -> None:
        if self.at < self.count:
            raise self.error(f"unexpected {self.texts[self.at] or 'part'}")

    def closer(self, opening: int) -> int:
        """Index of the fence that closes the one at `opening`."""
        depth = 0
        for index in range(opening, self.count):
            text = self.texts[index]
            if text in OPEN:
                depth += 1
            elif text in CLOSE:
                depth -= 1
                if depth == 0:
                    return index
        raise self.scope.error(
            f"{self.texts[opening]} is never closed", (self.items[opening].start, self.items[opening].end), "close it"
        )

    def closing_bar(self, opening: int) -> int | None:
        """Index of the bar that closes the one at `opening`; None where it is a relation or stands alone."""
        depth = 0
        for index in range(opening + 1, self.count):
            text = self.texts[index]
            depth += (text in OPEN) - (text in CLOSE)
            if depth < 0:
                return None
            if depth == 0 and text == self.texts[opening] and self.width(index) == self.width(opening):
                return index if index > opening + 1 else None
            if depth == 0 and text in SEPARATORS and len(self.digits_from(index + 1)) != 3:  # |12,500| is one number
                return None
        return None

    def width(self, index: int) -> int:
        """How long a bar is in the source: `\\bigl|` closes with `\\bigr|`, not with a plain one."""
        node = self.items[index]
        base = node.base if type(node) is Scripted and node.base is not None else node
        return base.end - base.start

    def lone(self, signs: tuple[str, ...]) -> int | None:
        """Index of the first of these signs that does not open a pair of bars."""
        index, depth = 0, 0
        while index < self.count:
            text = self.texts[index]
            depth += (text in OPEN) - (text in CLOSE)
            closing = self.closing_bar(index) if text == "|" and depth == 0 else None
            if closing is not None:
                index = closing
            elif text in signs and depth == 0:
                return index
            index += 1
        return None

    def sign_in(self, node: Node) -> str:
        inner = type(self)(self.scope, [node], (node.start, node.end))
        return inner.texts[0] if inner.count == 1 else ""

    def digits(self, node: Node) -> list[str]:
        """The signs of an argument, one string each."""
        inner = type(self)(self.scope, [node], (node.start, node.end))
        return [text if type(item) is Leaf else "?" for text, item in zip(inner.texts, inner.items, strict=True)]

    def digits_from(self, index: int) -> str:
        """The digits that stand at `index` and behind it."""
        end = index
        while end < self.count and len(self.texts[end]) == 1 and self.texts[end] in "0123456789":
            end += 1
        return "".join(self.texts[index:end])

    @staticmethod
    def known(delimiter: str) -> str:
        """A delimiter by the name its sign is known by."""
        return notation().synonyms.get(delimiter, delimiter)
