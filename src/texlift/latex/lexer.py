"""Text to tokens.

A token is a control sequence, a parameter mark (`#1`) or one character; white space and comments stand
between tokens. Tokens keep their positions, so tokens plus the gaps between them are the source again,
byte for byte.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, compress

from texlift.errors import FormulaError

__all__ = ["MAX_LENGTH", "Token", "Tokens", "tokenize"]

MAX_LENGTH = 40_000
"""Longest formula in characters, ten times the longest of the DLMF; longer input is refused before any work on it."""

# TeXbook, chapter 7: a control word is a backslash and letters; a control symbol a backslash and one other
# character. A comment ends with its line. `#` takes the next character (a parameter), as in chapter 20.
# Possessive, and matching at the end too: white space and comments behind the last token are looked at once.
_TOKEN = re.compile(r"(?:[ \t\r\n]++|%[^\n]*+)*+(?:(\\[A-Za-z]+\*?|\\(?s:.)|#[1-9a-z']|[^ \t\r\n%])|$)")
# The same cuts where there is neither comment nor star: every character is in a token or in white space.
_SIMPLE = re.compile(r"[ \t\r\n]+|\\[A-Za-z]+|\\(?s:.)|#[1-9a-z']|(?s:.)")
_SPACES = frozenset(" \t\r\n")
_STARRED = frozenset({r"\operatorname*", r"\begin*", r"\tag*", r"\hspace*", r"\DeclareMathOperator*"})


@dataclass(frozen=True, slots=True)
class Token:
    """One token: its text and where it stands."""

    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


class Tokens:
    """All tokens of a source, as two parallel lists (a list of objects costs twice the time).

    `texts[i]` starts at `starts[i]` in `source`.
    """

    __slots__ = ("source", "starts", "texts")

    def __init__(self, source: str, texts: list[str], starts: list[int]) -> None:
        self.source = source
        self.texts = texts
        self.starts = starts

    def __len__(self) -> int:
        return len(self.texts)

    def __iter__(self) -> Iterator[Token]:
        return map(Token, self.texts, self.starts)

    def end(self, index: int) -> int:
        """Where token `index` ends."""
        return self.starts[index] + len(self.texts[index])

    def gap(self, index: int) -> str:
        """White space and comments before token `index` (for `len(self)`: after the last token)."""
        left = self.end(index - 1) if index else 0
        right = self.starts[index] if index < len(self.texts) else len(self.source)
        return self.source[left:right]


def tokenize(source: str) -> Tokens:
    """Cut `source` into tokens.

    Raises FormulaError for input no TeX would read: control characters, lone surrogates, a backslash at
    the very end, more than MAX_LENGTH characters.
    """
    if len(source) > MAX_LENGTH:
        raise FormulaError(
            f"formula of {len(source):,} characters is longer than the limit of {MAX_LENGTH:,}",
            source,
            (MAX_LENGTH, MAX_LENGTH + 1),
            "split the text into single formulae",
            "too-long",
        )
    if not source.isprintable():
        _refuse_unprintable(source)
    if "%" in source or "*" in source:
        texts, starts = _cut(source)
    else:
        texts = _SIMPLE.findall(source)
        starts = list(accumulate(map(len, texts), initial=0))
        starts.pop()
        if " " in source or not source.isprintable():
            kept = [text[0] not in _SPACES for text in texts]
            texts, starts = list(compress(texts, kept)), list(compress(starts, kept))
    if texts and texts[-1] == "\\":
        raise FormulaError(
            "a backslash needs a command name", source, (starts[-1], len(source)), r"write \backslash for the sign"
        )
    return Tokens(source, texts, starts)


def _cut(source: str) -> tuple[list[str], list[int]]:
    texts: list[str] = []
    starts: list[int] = []
    for match in _TOKEN.finditer(source):
        text = match[1]
        if text is None:
            break  # the end
        start = match.start(1)
        if text[-1] == "*" and len(text) > 2 and text not in _STARRED:
            texts.append(text[:-1])
            starts.append(start)
            text = "*"
            start = match.end() - 1
        texts.append(text)
        starts.append(start)
    return texts, starts


def _refuse_unprintable(source: str) -> None:
    for position, char in enumerate(source):
        if 0xD800 <= ord(char) <= 0xDFFF:
            raise FormulaError("lone surrogate: not a character", source, (position, position + 1), "", "encoding")
        if (ord(char) < 32 and char not in "\t\n\r") or ord(char) == 127:
            raise FormulaError(
                f"control character U+{ord(char):04X}", source, (position, position + 1), "remove it", "encoding"
            )
