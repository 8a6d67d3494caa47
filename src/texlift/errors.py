"""The one family of errors: each knows the source, the place in it and what to do about it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Self

__all__ = ["INTERNAL", "FormulaError", "Span", "TexliftError", "fenced", "internal_error"]

INTERNAL = "internal"
"""The code of an error that texlift did not foresee: a defect, reported for the one formula that met it."""

_log = logging.getLogger(__name__)

Span = tuple[int, int]
"""Half-open range of character positions in a source string."""

_WINDOW = 72  # characters of the offending line shown around the caret


class TexliftError(Exception):
    """Base of everything texlift raises on purpose."""


@dataclass(slots=True)
class FormulaError(TexliftError):
    """Something is wrong at one place of a formula.

    `str()` shows the line, a caret below the place and a hint, ready for a terminal.
    """

    message: str
    source: str
    span: Span
    hint: str = ""
    code: str = "syntax"

    @property
    def line(self) -> int:
        """Line of the place, counted from 1."""
        return self.source.count("\n", 0, self.span[0]) + 1

    @property
    def column(self) -> int:
        """Column of the place, counted from 1."""
        return self.span[0] - (self.source.rfind("\n", 0, self.span[0]) + 1) + 1

    def excerpt(self) -> str:
        """The offending line, cut to a readable width, with a caret line below it."""
        start, end = self.span
        line_start = self.source.rfind("\n", 0, start) + 1
        line_end = self.source.find("\n", start)
        line_end = len(self.source) if line_end < 0 else line_end
        left = max(line_start, start - _WINDOW // 2)
        right = min(line_end, left + _WINDOW)
        prefix = "…" if left > line_start else ""
        suffix = "…" if right < line_end else ""
        shown = "".join(c if c.isprintable() else "�" for c in self.source[left:right])
        carets = "^" * max(1, min(end, right) - start)
        return f"{prefix}{shown}{suffix}\n{' ' * (len(prefix) + start - left)}{carets}"

    def __str__(self) -> str:
        if not self.source or self.source.isspace():
            text = self.message
        else:
            text = f"line {self.line}, column {self.column}: {self.message}\n{self.excerpt()}"
        return f"{text}\nhint: {self.hint}" if self.hint else text

    def detached(self) -> Self:
        """The error without the frames it came through: they would keep everything they worked on in memory."""
        self.__traceback__ = self.__cause__ = self.__context__ = None
        return self

    def within(self, typed: str) -> FormulaError:
        """The error with its place in what was typed, of which its source may be a part."""
        start = typed.find(self.source)
        if self.source == typed or start < 0:
            return self
        span = (start + self.span[0], start + self.span[1]) if self.source.strip() else (0, len(typed))
        return FormulaError(self.message, typed, span, self.hint, self.code)

    def as_dict(self) -> dict[str, object]:
        """The JSON form that `--jsonl` commands and the service answer with."""
        return {
            "code": self.code,
            "message": self.message,
            "position": self.span[0],
            "end": self.span[1],
            "line": self.line,
            "column": self.column,
            "hint": self.hint,
        }


def internal_error(error: Exception, source: str, step: str) -> FormulaError:
    """The error for a formula on which a step failed as nobody foresaw; the log has the traceback."""
    if isinstance(error, RecursionError):
        return FormulaError("nested too deeply", source, (0, len(source)), "simplify the formula", "too-deep")
    _log.error("%s failed on %.200r", step, source, exc_info=error)
    message = f"{step} failed on this formula ({type(error).__name__})"
    return FormulaError(message, source, (0, len(source)), "this is a defect of texlift: please report it", INTERNAL)


@contextmanager
def fenced(source: str, step: str) -> Iterator[None]:
    """Turn what nobody foresaw into an error of this formula, so that others can go on."""
    try:
        yield
    except TexliftError:
        raise
    except Exception as error:
        raise internal_error(error, source, step) from error
