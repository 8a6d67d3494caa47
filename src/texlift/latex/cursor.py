"""The place in the tokens where a parser stands, and what can be read there without looking at what it means."""

from __future__ import annotations

import re
from typing import Final

from texlift.errors import FormulaError
from texlift.latex.lexer import Tokens
from texlift.latex.nodes import Leaf, Text

__all__ = ["CLOSERS", "MAX_DEPTH", "Cursor"]

MAX_DEPTH = 120
"""Deepest nesting of groups, arguments and delimiters; the deepest formula of the DLMF has 22 levels."""

CLOSERS: Final = frozenset({"}", r"\right", r"\mright", r"\end"})
"""Tokens that close what another token opened."""

_NO_DELIMITERS: Final = CLOSERS | frozenset(
    ("{", "^", "_", "'", "&", "$", "#", "~", "@", r"\\", r"\left", r"\mleft", r"\begin")
)
_LENGTH = re.compile(r"\s*[+-]?\s*(?:\d+(?:\.\d*)?|\.\d+)\s*(?:mu|pt|em|ex|cm|mm|in|pc|bp|sp)")


class Cursor:
    """Tokens, the number of the current one, and how deep it is nested."""

    __slots__ = ("at", "count", "depth", "source", "starts", "texts")

    def __init__(self, tokens: Tokens) -> None:
        self.source = tokens.source
        self.texts = tokens.texts
        self.starts = tokens.starts
        self.count = len(tokens.texts)
        self.at = 0
        self.depth = 0

    def error(self, message: str, index: int, hint: str = "", code: str = "syntax") -> FormulaError:
        """An error at a token."""
        if index >= self.count:
            return FormulaError(message, self.source, (len(self.source), len(self.source)), hint, code)
        start = self.starts[index]
        return FormulaError(message, self.source, (start, start + len(self.texts[index])), hint, code)

    def last_end(self) -> int:
        """Where the token before the current one ends."""
        return self.starts[self.at - 1] + len(self.texts[self.at - 1]) if self.at else 0

    def peek(self) -> str:
        """The current token, empty behind the last."""
        return self.texts[self.at] if self.at < self.count else ""

    def enter(self, index: int) -> None:
        """Go one level deeper, at a token."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.error(f"nested more than {MAX_DEPTH} levels deep", index, "simplify the formula", "too-deep")

    def unclosed(self, opener: str, closer: str, opening: int) -> None:
        """Raise that a token at `opening` is not closed by its closer."""
        if self.at < self.count:
            found = self.texts[self.at]
            raise self.error(f"{found} where {closer} was expected", self.at, f"close the {opener} opened before it")
        raise self.error(f"{opener} is never closed", opening, f"add the missing {closer}")

    def raw(self, owner: str) -> Text:
        """The source between braces, unparsed; `\\text a` without braces takes one token."""
        opening = self.at
        if opening >= self.count:
            raise self.error(f"{owner} needs an argument", opening - 1, f"write {owner}{{...}}")
        texts = self.texts
        if texts[opening] != "{":
            self.at += 1
            return Text(texts[opening], self.starts[opening], self.last_end())
        depth = 0
        for index in range(opening, self.count):
            if texts[index] == "{":
                depth += 1
            elif texts[index] == "}":
                depth -= 1
                if depth == 0:
                    self.at = index + 1
                    body = self.source[self.starts[opening] + 1 : self.starts[index]]
                    return Text(body, self.starts[opening], self.last_end())
        raise self.error("{ is never closed", opening, "add the missing }")

    def length(self, owner: str) -> Text:
        """A length, such as `3mu`."""
        match = _LENGTH.match(self.source, self.last_end())
        if match is None:
            raise self.error(f"{owner} needs a length", self.at - 1, f"for example {owner}3mu")
        while self.at < self.count and self.starts[self.at] < match.end():
            self.at += 1
        return Text(match[0], match.start(), match.end())

    def delimiter(self, owner: str) -> Leaf:
        """A delimiter, with or without braces around it."""
        index = self.at
        braced = index + 2 < self.count and self.texts[index] == "{" and self.texts[index + 2] == "}"
        text = self.texts[index + braced] if index < self.count else ""
        if not text or text in _NO_DELIMITERS or text[0].isalnum():
            raise self.error(f"{owner} needs a delimiter", max(0, index - 1), f"for example {owner}(")
        self.at += 3 if braced else 1
        return Leaf(text, self.starts[index], self.last_end())
