"""The formulae a command is given: as arguments, or on standard input for `-` and in a pipe."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TextIO

import typer

from texlift.latex.lexer import MAX_LENGTH

__all__ = ["given"]

_OPENERS = re.compile(r"\\\\|\\[{}$%]|\\(?:begin|left)(?![A-Za-z])|\\\[|\{")
_CLOSERS = re.compile(r"\\\\|\\[{}$%]|\\(?:end|right)(?![A-Za-z])|\\\]|\}")
_ESCAPED = frozenset((r"\\", r"\{", r"\}", r"\$", r"\%"))
_DISPLAY = re.compile(r"(?<!\\)\$\$")


def given(arguments: Sequence[str] | None, name: str = "FORMULA") -> Iterator[str]:
    """The arguments; for `-`, and where there are none and input is piped in, the formulae on standard input."""
    if not arguments and sys.stdin.isatty():
        raise typer.BadParameter("give a formula, or - to read standard input", param_hint=name)
    count = 0
    for argument in arguments or ("-",):
        for formula in formulae_in(_lines(sys.stdin)) if argument == "-" else [argument]:
            count += 1
            yield formula
    if not count:
        raise typer.BadParameter("give a formula; standard input holds none", param_hint=name)


def formulae_in(lines: Iterable[str]) -> Iterator[str]:
    """One formula per line; what a line leaves open (a brace, `\\\\begin`, `$$`, `\\\\[`) continues in the next."""
    pending = ""
    for line in lines:
        pending += line
        if not pending.strip():
            pending = ""
        elif len(pending) > MAX_LENGTH or not _is_open(pending):
            yield pending.strip()
            pending = ""
    if pending.strip():
        yield pending.strip()


def _lines(stream: TextIO) -> Iterator[str]:
    """The lines of a stream; of one that is too long for a formula no more is kept than what shows that."""
    while line := stream.readline(MAX_LENGTH + 1):
        yield line
        while len(line) > MAX_LENGTH and not line.endswith("\n"):
            line = stream.readline(MAX_LENGTH + 1)


def _is_open(text: str) -> bool:
    opened = sum(match not in _ESCAPED for match in _OPENERS.findall(text))
    closed = sum(match not in _ESCAPED for match in _CLOSERS.findall(text))
    return opened > closed or len(_DISPLAY.findall(text)) % 2 == 1
