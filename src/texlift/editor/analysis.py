"""What is known about one version of a document: its formulae, their readings, its letters."""

from __future__ import annotations

import re
import time
from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from texlift.documents.choices import FILE_NAME, Choices, read_choices
from texlift.documents.document import Document, document_of
from texlift.documents.formula import Lifted, Problem
from texlift.documents.lifting import Options, lift
from texlift.editor.introductions import Introduction, introductions
from texlift.editor.positions import Lines
from texlift.errors import TexliftError
from texlift.translate.answer import Decision

__all__ = ["MAX_BYTES", "MAX_FORMULAE", "OPTIONS", "Analysis", "SupersededError", "analyse"]

MAX_BYTES = 2_000_000
"""Largest document that is looked at."""

MAX_FORMULAE = 5_000
"""Most formulae of a document that are looked at, from its start."""

OPTIONS = Options(compare=False)
_SECONDS = 120.0  # for translating one version
_NAME = re.compile(r"\\[A-Za-z]+")
_SIGN = re.compile(r"\$|\\(?:[\[(\\]|begin\b)")  # where a formula or a row of one may start or end
_MOST_SIGNS = 4 * MAX_FORMULAE
_DISPLAYS = tuple(name + star for name in ("equation", "align", "gather", "multline", "eqnarray") for star in ("", "*"))
_PAIRS = ((r"\(", r"\)"), (r"\[", r"\]"), *((f"\\begin{{{name}}}", f"\\end{{{name}}}") for name in _DISPLAYS))
_MOST_UNCLOSED = 500
_SURROGATE = re.compile("[\ud800-\udfff]")


class SupersededError(Exception):
    """The document was changed or closed: nobody waits for this result."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """One version of a document. Offsets are those of `text`, which is what the editor shows.

    `notes` are what the author should know about the document as a whole, `problems` what is wrong at a line.
    """

    version: int
    text: str
    lines: Lines
    lifted: tuple[Lifted, ...] = ()
    shift: int = 0  # characters of `text` before the first one of the document: a byte order mark
    choices: Choices = field(default_factory=Choices)
    introduced: Mapping[str, tuple[Introduction, ...]] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()
    seconds: float = 0.0

    def at(self, offset: int) -> Lifted | None:
        """The formula at an offset; its end belongs to it, so that a cursor behind it counts."""
        place = offset - self.shift
        index = bisect_right(self.lifted, place, key=lambda item: item.formula.start) - 1
        return self.lifted[index] if index >= 0 and place <= self.lifted[index].formula.end else None

    def span(self, item: Lifted, inner: tuple[int, int] | None = None) -> tuple[int, int]:
        """Where a formula, or a part of it, stands in the text."""
        start = item.formula.start + self.shift
        return (start + inner[0], start + inner[1]) if inner else (start, item.formula.end + self.shift)

    def is_mapped(self, item: Lifted) -> bool:
        """Whether the places of decisions are places of the text: not where the author's macros were written out."""
        latex, known = item.formula.latex, (*item.formula.definitions, *self.choices.macros)
        if known and not set(known).isdisjoint(_NAME.findall(latex)):
            return False
        return all(latex[slice(*decision.span)] == decision.source for decision in item.decisions)

    def decision_at(self, item: Lifted, offset: int) -> Decision | None:
        """The innermost decision at an offset of the text."""
        if not self.is_mapped(item):
            return None
        place = offset - self.shift - item.formula.start
        around = [one for one in item.decisions if one.span[0] <= place < one.span[1]]
        around = around or [one for one in item.decisions if one.span[1] == place]
        return min(around, key=lambda one: one.span[1] - one.span[0], default=None)


def analyse(
    text: str,
    name: str,
    version: int,
    folder: Path | None = None,
    encoding: str = "utf-16",
    is_superseded: Callable[[], bool] = lambda: False,
) -> Analysis:
    """Look at one version of a document; choices are those in `folder`.

    Raises SupersededError as soon as `is_superseded` says that the result is not needed any more.
    """
    started = time.monotonic()
    lines = Lines(text, encoding)
    if (size := len(text.encode("utf-8", "surrogatepass"))) > MAX_BYTES:
        return Analysis(version, text, lines, notes=(f"{size:,} bytes: documents over {MAX_BYTES:,} are not read",))
    if opening := _never_closed(text):
        return Analysis(version, text, lines, notes=(f"not read: {opening} is never closed, over and over",))
    notes: list[str] = []
    # an editor may send half a character; the replacement is as long, so that places stay
    read = _beginning(_SURROGATE.sub("\ufffd", text))
    document = document_of(read.encode("utf-8"), name)
    document.formulae.sort(key=lambda formula: formula.start)
    if len(read) < len(text) or len(document.formulae) > MAX_FORMULAE:
        del document.formulae[MAX_FORMULAE:]
        notes.append(f"too many formulae: only the first {len(document.formulae):,} are read")

    def watch(step: str, done: int, total: int) -> None:
        if is_superseded():
            raise SupersededError
        if time.monotonic() - started > _SECONDS:
            raise TexliftError(f"not read: that took more than {_SECONDS:.0f} seconds")

    watch("", 0, 0)
    choices, lifted = _lifted(document, folder, notes, watch)
    shift = len(read) - len(document.parts[0])
    return Analysis(
        version,
        text,
        lines,
        lifted,
        shift,
        choices,
        introductions(document.parts[0], document.formulae),
        tuple(problem for problem in document.problems if not problem.message.startswith("\\input")),
        tuple(dict.fromkeys(notes)),
        time.monotonic() - started,
    )


def _never_closed(text: str) -> str:
    """The opening sign that stands too often behind the last closing one: each is searched to the end of the text."""
    return next((opening for opening, closing in _PAIRS if _opened(text, opening, closing) > _MOST_UNCLOSED), "")


def _opened(text: str, opening: str, closing: str) -> int:
    return text.count(opening, max(0, text.rfind(closing)))


def _beginning(text: str) -> str:
    """The text, or as much of it as may hold MAX_FORMULAE formulae: finding more of them would take too long."""
    last = next(islice(_SIGN.finditer(text), _MOST_SIGNS, None), None)
    if last is None:
        return text
    paragraph = text.rfind("\n\n", 0, last.start())
    return text[: paragraph if paragraph > 0 else last.start()]


def _lifted(
    document: Document, folder: Path | None, notes: list[str], watch: Callable[[str, int, int], None]
) -> tuple[Choices, tuple[Lifted, ...]]:
    """The formulae, read with the author's choices; without them, and with a note, where they cannot be obeyed."""
    choices = Choices()
    try:
        if folder is not None and (folder / FILE_NAME).is_file():
            choices = read_choices(folder / FILE_NAME)
        return choices, lift(document, OPTIONS, choices, watch).lifted
    except TexliftError as error:
        notes.append(str(error))
    try:
        return Choices(), lift(document, OPTIONS, None, watch).lifted
    except TexliftError as error:
        notes.append(str(error))
        return Choices(), ()
