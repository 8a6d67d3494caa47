"""The words around a formula: titles above it, the sentence it stands in."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right

__all__ = ["LEVELS", "Headings", "Paragraphs", "plain_words"]

LEVELS = ("chapter", "section", "subsection", "paragraph")
"""The titles the translator knows, from the outermost."""

_WINDOW = 400  # characters on either side that may belong to the sentence
_COMMENT = re.compile(r"(?<!\\)%[^\n]*")
_NO_WORDS = re.compile(
    r"\\(?:label|ref|eqref|cite[a-z]*|begin|end|input|include|pageref|index)\s*(?:\[[^\]]*\])*\s*\{[^{}]*\}"
)
_COMMAND = re.compile(r"\\[A-Za-z]+\*?|\\.|[{}~]")
_MATH = re.compile(  # of bounded length: what never ends would be looked for through all of the rest
    r"\$\$?(?P<dollars>[^$]*)\$\$?|\\\((?P<inline>.{0,3000}?)\\\)|\\\[(?P<display>.{0,3000}?)\\\]"
    r"|\\begin\{(?P<name>equation|align|gather|multline|eqnarray)(?P<star>\*?)\}(?P<rows>.{0,3000}?)\\end\{(?P=name)(?P=star)\}",
    re.DOTALL,
)
_ACCENT = re.compile(
    r"\\(?:[\"'`^~=.]|[Hcvudkr](?=\s*\{|\s))\s*(?:\{\s*\\?([A-Za-z])\s*\}|\\?([A-Za-z])(?![A-Za-z]*\}))"
)
_BLANKS = re.compile(r"\s+")
_BREAK = re.compile(
    r"\n[ \t]*\r?\n|\\(?:(?:sub)*section|chapter|(?:sub)?paragraph|item|par|title|maketitle|caption)(?![A-Za-z])"
    r"|\\begin\{document\}|^#{1,6} ",
    re.MULTILINE,
)
_SENTENCE_END = re.compile(r"[.!?](?=\s+[A-Z\\$]|\s*$)")


class Headings:
    """The titles in force while a document is read from top to bottom."""

    def __init__(self) -> None:
        self._titles: dict[str, str] = {}

    def enter(self, level: str, title: str) -> None:
        """A title: it ends those of its own level and below."""
        at = LEVELS.index(level)
        self._titles = {name: text for name, text in self._titles.items() if LEVELS.index(name) < at}
        if title:
            self._titles[level] = title

    def name_document(self, title: str) -> None:
        """The document's own title stands for the chapter until there is one."""
        self._titles.setdefault("chapter", title)

    def context(self, sentence: str) -> dict[str, str]:
        """The context of a formula under these titles."""
        return {**self._titles, "sentence": sentence}


class Paragraphs:
    """Where the paragraphs of a text begin, to cut the sentence around a place."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._breaks = [0, *(match.start() for match in _BREAK.finditer(text)), len(text)]

    def sentence(self, start: int, end: int) -> str:
        """The sentence around `start:end`, its markup taken off, math in dollars."""
        first = self._breaks[max(0, bisect_right(self._breaks, start) - 1)]
        last = self._breaks[min(len(self._breaks) - 1, bisect_left(self._breaks, end))]
        before = self._text[max(first, start - _WINDOW) : start]
        after = self._text[end : min(last, end + _WINDOW)]
        masked = _MATH.sub(lambda match: "m" * len(match[0]), before)
        ends = [match.end() for match in _SENTENCE_END.finditer(masked)]
        if ends:
            before = before[ends[-1] :]
        stop = _SENTENCE_END.search(_MATH.sub(lambda match: "m" * len(match[0]), after))
        if stop:
            after = after[: stop.end()]
        return plain_words(before + self._text[start:end] + after)


def plain_words(text: str) -> str:
    """Text without comments and markup; math between dollars stays as it is."""
    pieces = []
    at = 0
    text = _COMMENT.sub("", text)
    for match in _MATH.finditer(text):
        pieces.append(_words(text[at : match.start()]))
        inside = next(text for text in match.group("dollars", "inline", "display", "rows") if text is not None)
        space = "" if match["dollars"] is not None else " "
        pieces.append(f"{space}${inside.strip()}${space}")
        at = match.end()
    pieces.append(_words(text[at:]))
    return _BLANKS.sub(" ", "".join(pieces)).strip()


def _words(text: str) -> str:
    text = _ACCENT.sub(lambda accent: accent[1] or accent[2], text)  # M\\"obius is one word
    return _COMMAND.sub(" ", _NO_WORDS.sub(" ", text))
