r"""The only change outside of mathematics: `\usepackage{texlift-macros}` before `\begin{document}`."""

from __future__ import annotations

import re

from texlift.documents.package import LOADING

__all__ = ["loaded", "loading_line", "loads", "unloaded"]

_BEGIN = re.compile(r"\\begin\s*\{document\}")
_LINE = re.compile(re.escape(LOADING) + r"\r?\n(?=\\begin\s*\{document\})")


def loaded(text: str) -> str:
    r"""The text of a main file with the line; unchanged where there is no preamble, or where it has one."""
    line = loading_line(text)
    return text if line is None else f"{text[: line[0]]}{line[1]}{text[line[0] :]}"


def loading_line(text: str) -> tuple[int, str] | None:
    """Where the line goes, and the line; None where there is no preamble, or where it has one."""
    at = _beginning(text)
    if at < 0 or _LINE.search(text):
        return None
    return at, LOADING + ("\r\n" if "\r\n" in text else "\n")


def unloaded(text: str) -> str:
    """The text without the line that `loaded` put in."""
    return _LINE.sub("", text, count=1)


def loads(text: str) -> bool:
    """Whether the line stands in a text."""
    return _LINE.search(text) is not None


def _beginning(text: str) -> int:
    r"""Where `\begin{document}` stands, comments aside; -1 if it does not."""
    for match in _BEGIN.finditer(text):
        line = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
        if not re.search(r"(?<!\\)(?:\\\\)*%", line):
            return match.start()
    return -1
