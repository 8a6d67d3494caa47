"""Formulae where they stand in a document, and what became of them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from texlift.latex.definitions import Definition

if TYPE_CHECKING:
    from texlift.translate.answer import Decision
    from texlift.verify import Verdict

__all__ = ["STATES", "Display", "Formula", "Lifted", "Problem"]

STATES = {
    "translated": "semantic macros put in where the reading is sure",
    "plain": "nothing in it has a semantic macro",
    "uncertain": "left alone: the confidence is below the threshold",
    "conflict": "left alone: the way back to its very bytes would be lost",
    "rejected": "left alone: its author does not want the change",
    "broken": "left alone: it is not LaTeX that can be read",
}
"""What can become of a formula."""


@dataclass(frozen=True, slots=True)
class Formula:
    """One formula (of a display with several rows: one row) of a document.

    `part` is an index into the document's parts, `start` and `end` are positions in that part's text. `context`
    has the names the translator knows: chapter, section, subsection, paragraph, sentence. `definitions` are the
    author's macros that hold at this place.
    """

    part: int
    start: int
    end: int
    latex: str
    display: bool
    line: int
    context: Mapping[str, str] = field(default_factory=dict)
    definitions: Mapping[str, Definition] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Display:
    """A piece of math with its delimiters: where it stands, and which formulae (its rows) are in it.

    `start` and `end` include the delimiters, `inner` does not; `environment` is empty for dollars and brackets.
    `first` and `last` are places in the document's list of formulae.
    """

    part: int
    start: int
    end: int
    inner: tuple[int, int]
    display: bool
    environment: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Problem:
    """Something about a document the author should know: where, and what."""

    path: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}"


@dataclass(frozen=True, slots=True)
class Lifted:
    """A formula with its translation; `state` is one of STATES, `message` says why it was left alone.

    `semantic` is the reading of the whole formula, `written` what stands in the output document: the author's text with
    calls where the reading is sure. `left` are the decisions of the reading that are not in it.
    """

    formula: Formula
    state: str
    semantic: str
    confidence: float
    decisions: tuple[Decision, ...] = ()
    alternatives: tuple[tuple[str, float], ...] = ()
    message: str = ""
    code: str = ""
    code_error: str = ""
    verdict: Verdict | None = None
    written: str = ""
    left: tuple[Decision, ...] = ()
    asserted: str = ""  # semantic LaTeX of what is sure and the rest as written, the author's macros expanded

    @property
    def change(self) -> str:
        """The name of a change, the same in every run: of the formula in its sentence, under its title."""
        words = (self.formula.latex, *(text for _, text in sorted(self.formula.context.items())))
        return hashlib.sha256("\0".join(words).encode("utf-8", "surrogatepass")).hexdigest()[:8]

    @property
    def partly(self) -> bool:
        """Whether some symbols of a translated formula were left alone."""
        return self.state == "translated" and bool(self.left)

    def as_dict(self) -> dict[str, Any]:
        """The JSON form: of `--report FILE.json` and of the service."""
        record: dict[str, Any] = {
            "line": self.formula.line,
            "latex": self.formula.latex,
            "display": self.formula.display,
            "state": self.state,
            "change": self.change,
            "semantic": self.semantic,
            "written": self.written,
            "confidence": round(self.confidence, 6),
            "decisions": [decision.as_dict() for decision in self.decisions],
            "alternatives": [{"semantic": text, "confidence": value} for text, value in self.alternatives],
        }
        if self.message:
            record["message"] = self.message
        if self.code or self.code_error:
            record |= {"code": self.code or None, "code_error": self.code_error or None}
        if self.verdict is not None:
            record["verdict"] = self.verdict.as_dict()
        return record
