r"""A piece of math mode: where it ends, and the rows of a display.

Both walk over comments, escaped signs and text boxes (`\text{if $x$ is real}`), which may hold dollars and braces
that mean nothing to the math around them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from texlift.errors import Span

__all__ = ["MOST_UNCLOSED", "balanced", "end_of_math", "rows"]

MOST_UNCLOSED: Final = 50
"""Formulae of a text that never end, after which no end is looked for any more: each look reads all of the rest."""

_BOXES = (
    r"text(?:rm|it|bf|sf|tt|up|sl|sc|normal)?|mbox|hbox|fbox|parbox|intertext|shortintertext"
    r"|tag\*?|label|ref|eqref|cite|vspace\*?|hspace\*?"
)
_LENGTH = r"\s*[-+]?\s*(?:\d+[.,]?\d*|[.,]\d+)?\s*(?:pt|pc|in|bp|cm|mm|dd|cc|sp|ex|em|mu|\\[A-Za-z@]+)"
_TOKEN = re.compile(
    rf"%[^\n]*|\\begin\s*\{{(?P<begin>[^{{}}]*)\}}|\\end\s*\{{(?P<end>[^{{}}]*)\}}|\\(?P<box>{_BOXES})(?![A-Za-z])\s*(?=\{{)"
    rf"|\\\\\*?(?:\s*\[{_LENGTH}[^\]\n]*\])?|\\[A-Za-z]+|\\.|\$\$?|[{{}}]|\n[ \t]*\r?\n",
    re.DOTALL,
)
_ASIDE = frozenset({"label", "tag", "tag*", "intertext", "shortintertext", "vspace", "vspace*"})
_BLANKS = " \t\r\n"
_LONGEST_BOX = 5_000


def balanced(text: str, start: int, limit: int | None = None) -> int:
    """The position behind the bracket that opens at `start` (`{` or `[`), or -1 if it is never closed."""
    closer = "}" if text[start] == "{" else "]"
    depth = 0
    limit = len(text) if limit is None else min(limit, len(text))
    at = start
    while at < limit:
        char = text[at]
        if char == "\\":
            at += 2
            continue
        if char == "%":
            line = text.find("\n", at)
            at = limit if line < 0 else line
            continue
        if char == "{" or (char == "[" and closer == "]" and at == start):
            depth += 1
        elif (char == "}" and (depth := depth - 1) == 0 and closer == "}") or (
            char == "]" and closer == "]" and depth == 1
        ):
            return at + 1
        at += 1
    return -1


def end_of_math(text: str, start: int, closer: str) -> int:
    r"""Where math that starts at `start` ends: the position of its closer.

    `closer` is `$`, `$$`, `\)`, `\]` or the name of an environment.

    -1 if it never closes: a blank line ends every paragraph, and with it what TeX would call a missing dollar.
    """
    depth = 0
    for match in _tokens(text, start):
        token = match[0]
        if token[0] == "\n":
            if closer[0] in "$\\":
                return -1
        elif match["begin"] is not None:
            depth += match["begin"] == closer
        elif match["end"] is not None:
            if match["end"] == closer:
                if not depth:
                    return match.start()
                depth -= 1
        elif token == closer or (closer == "$" and token == "$$"):
            return match.start()
    return -1


def rows(text: str, start: int, end: int, display: bool) -> list[Span]:
    r"""The rows of math `start:end`: cut at `\\` outside groups, their ends freed of labels, tags, comments."""
    found: list[Span] = []
    asides: list[Span] = []
    depth = 0
    first = start
    for match in _tokens(text, start, end):
        token = match[0]
        if token[0] == "%":
            asides.append(match.span())
        elif token == "{" or match["begin"] is not None:
            depth += 1
        elif token == "}" or match["end"] is not None:
            depth -= 1
        elif match["box"] in _ASIDE:
            asides.append((match.start(), _behind_box(text, match)))
        elif token in ("\\nonumber", "\\notag"):
            asides.append(match.span())
        elif display and depth == 0 and token.startswith("\\\\"):
            found.append(_trimmed(text, first, match.start(), asides))
            first = match.end()
    found.append(_trimmed(text, first, end, asides))
    return [span for span in found if span[0] < span[1]]


def _tokens(text: str, start: int, end: int | None = None) -> Iterator[re.Match[str]]:
    end = len(text) if end is None else end
    at = start
    boxes = True  # until one is never closed: looking for each end anew would take for ever
    while (match := _TOKEN.search(text, at, end)) is not None:
        yield match
        at = match.end()
        if match["box"] is not None and boxes:
            behind = balanced(text, at, at + _LONGEST_BOX)
            boxes = behind >= 0
            at = max(at, behind)


def _behind_box(text: str, match: re.Match[str]) -> int:
    end = balanced(text, match.end(), match.end() + _LONGEST_BOX)
    return match.end() if end < 0 else end


def _trimmed(text: str, start: int, end: int, asides: list[Span]) -> Span:
    """`start:end` without blanks and asides at both ends."""
    before = dict(asides)
    behind = {last: first for first, last in asides}
    while start < end:
        if text[start] in _BLANKS:
            start += 1
        elif start in before and before[start] <= end:
            start = before[start]
        else:
            break
    while start < end:
        if text[end - 1] in _BLANKS and not (end > 1 and text[end - 2] == "\\"):
            end -= 1
        elif end in behind and behind[end] >= start:
            end = behind[end]
        else:
            break
    return start, end
