"""Style: does this author print as the macros do?

A macro prints the same signs each time: `\\BesselJ{\\nu}@{z}` is `J_{\\nu}\\left(z\\right)`, with `\\left`, and
`\\abs{z}^{2}` is `{\\left|z\\right|^{2}}`, with braces. An author who uses such macros and writes `J_{\\nu}(z)` used
no macro there. `print_level` says how nearly a rule prints what the source has, `brackets_in` how brackets are written
in a text. The scorer sees both, for the formula and for the text around it, and learns what they are worth.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from texlift.errors import Span
from texlift.grammar.match import Match, SpanRef
from texlift.grammar.pattern import HOLES
from texlift.latex.canonical import Element
from texlift.latex.invisible import framed, reach, text_before, text_behind
from texlift.macros.presentation import presented
from texlift.remembered import remembered

__all__ = [
    "BRACES",
    "EXACT",
    "FENCES",
    "FENCES_AND_BRACES",
    "FONTS",
    "LEFT",
    "LEFT_AROUND_SYMBOL",
    "NO_BRACKETS",
    "OTHERWISE",
    "PLAIN_BRACKETS",
    "alike",
    "bare_print",
    "brackets_in",
    "print_level",
]

OTHERWISE, FONTS, FENCES_AND_BRACES, FENCES, BRACES = range(1, 6)
EXACT: Final = 6
"""Levels: what the print and the source differ in, `EXACT` if in nothing but spaces and how scripts are typed.

Fences are `\\left` and `\\right`; fonts, with fences and braces aside, `\\mathrm{i}` for `i`.
"""

NO_BRACKETS, PLAIN_BRACKETS, LEFT, LEFT_AROUND_SYMBOL = range(1, 5)
"""How brackets are written in a text: none, plain ones only, some with `\\left`, with `\\left` even around a symbol."""

_AROUND_SYMBOL = re.compile(r"\\left\(\s*(?:\\(?!right|middle)[A-Za-z]+|[A-Za-z0-9])\s*\\right\)")
_DRAWN_IN = re.compile(r"\\!\s*\\left\(")
_MARK = re.compile(r"#([1-9a-z'])")
_SPACE = re.compile(r"\\[,!;:> ]|\\mskip[-0-9.]+mu|~")
_BRACES = re.compile(r"[{}]|\\mathopen|\\mathclose")
_SCRIPT = re.compile(r"([_^])(\\[A-Za-z]+|[A-Za-z0-9])")
_BASE = re.compile(r"\{(\\?[A-Za-z]+|\\[a-z]+\{\\?[A-Za-z]+\}|[0-9])\}(?=[_^])")
_WRAPPED = re.compile(
    r"(?<![A-Za-z_^}\]])\{(?:(?:\\[A-Za-z]+(?:\{[A-Za-z]+\})?|[A-Za-z])(?:_\{[^{}]*\})?'*\^|\\left\|)"
)
_FENCE = re.compile(r"\\(?:left|right|middle|[bB]igg?[lmr]?)(?![A-Za-z])")
_FONT = re.compile(r"\\(?:mathrm|mathit|operatorname\*?|text|rm|it)(?![A-Za-z])")


@remembered(maxsize=4096)
def brackets_in(text: str) -> int:
    """How the brackets of a text are written.

    Whoever writes `f\\!\\left(x\\right)` draws it in by hand: no macro prints that.
    """
    if r"\left" not in text:
        return PLAIN_BRACKETS if "(" in text else NO_BRACKETS
    shown = _DRAWN_IN.sub("", text) if r"\!" in text else text
    return LEFT_AROUND_SYMBOL if _AROUND_SYMBOL.search(shown) else LEFT


def bare_print(generic: str) -> str:
    """The print of a rule without holes and scripts."""
    return _printed(generic, _NO_SCRIPTS, False, False)[0]


def alike(one: str, other: str) -> bool:
    """Whether two texts differ in nothing but spaces and how scripts are typed."""
    return _typed(one.replace(" ", "")) == _typed(other.replace(" ", ""))


def print_level(match: Match, latex: str, with_frame: bool = False) -> int:
    """The level for one match in its source.

    `with_frame`: with what the rule prints around itself unseen, and strictly, as a macro prints.
    """
    row = match.row
    elements = row.elements
    carried = match.scripts or match.trailing
    kinds = frozenset([elements[at].label for at in carried]) if carried else _NO_SCRIPTS
    wrapped = "^" in kinds and _wraps(latex)
    printed, rest, braces = _printed(match.rule.generic, kinds, bool(match.trailing), wrapped)
    before = printed
    for hole, piece in rest:
        if hole >= 0:
            start, end = _inside(match.holes[hole], with_frame and printed.endswith("{"))
            if with_frame:
                start, end = _with_unseen(match, hole, latex, (start, end), before, piece)
            printed += latex[start:end].replace(" ", "")
        elif carried:
            for start, end, label in sorted(
                [(elements[at].start, elements[at].end, elements[at].label) for at in carried]
            ):
                printed += "'" if label == "'" else latex[start:end].replace(" ", "")
        printed += piece
        before = piece
    outer = framed(latex, row, match.start, match.end, match.rule.generic) if with_frame else None
    if outer is None:
        end = _end(elements, match.start, match.end)
        start, end = _with_braces(latex, elements[match.start].start, end, braces)
    else:
        start, end = outer
    written = latex[start:end].replace(" ", "")
    if with_frame:
        if printed != written:
            return _STRICTLY[_loosely(printed, written)]
        if carried:
            return EXACT if match.scripts or _verbatim(match, latex[start : _core(match)], latex) else BRACES
        if any(o[1] == start and c[0] == end and latex[o[0]] == "\\" for o, c in row.dissolved):
            return FENCES  # what is around it was printed by another macro
        return EXACT if _verbatim(match, latex[start:end], latex) else BRACES
    if printed != written:
        level = _loosely(printed, written)
        if level < EXACT:
            return level
    if row.dissolved and any(opening[1] == start and closing[0] == end for opening, closing in row.dissolved):
        return BRACES
    return EXACT


_STRICTLY: Final = (0, OTHERWISE, FONTS, FENCES_AND_BRACES, FENCES_AND_BRACES, FENCES, FENCES)
"""Levels where whatever differs counts: `BRACES` is left for what differs in spaces alone."""
_BEHIND_COMMAND = re.compile(r"(\\[A-Za-z]+)\s+")


def _verbatim(match: Match, written: str, latex: str) -> bool:
    """Whether a rule prints a text with its spaces; those behind a command's name are not seen.

    Who types `x=y` and not `x = y`, as the macro prints it, did not use the macro.
    """
    parts = _MARK.split(match.rule.generic)
    texts = list(parts)
    for number in range(1, len(parts), 2):
        texts[number] = ""
        if parts[number] != "'":
            hole = HOLES.index(parts[number])
            span = _inside(match.holes[hole], parts[number - 1].endswith("{"))
            sides = [parts[side].replace(" ", "") for side in (number - 1, number + 1)]
            start, end = _with_unseen(match, hole, latex, span, *sides)
            texts[number] = latex[start:end]
    return _BEHIND_COMMAND.sub(r"\1", "".join(texts).strip()) == _BEHIND_COMMAND.sub(r"\1", written.strip())


def _core(match: Match) -> int:
    """Where a match ends in the source without the scripts that stand behind it."""
    return _end(match.row.elements, match.start, min(match.trailing))


_NO_SCRIPTS: Final[frozenset[str]] = frozenset()
_SCRIPTS: Final = frozenset("_'^")


def _end(elements: list[Element], start: int, stop: int) -> int:
    """Where elements end in the source; scripts may stand there in another order."""
    last = stop - 1
    end = elements[last].end
    while last > start and elements[last].label in _SCRIPTS:
        last -= 1
        if elements[last].end > end:
            end = elements[last].end
    return end


def _inside(hole: SpanRef, braced: bool = False) -> Span:
    """What a hole holds in the source: with the braces of a macro that it starts with, unless the hole is in braces."""
    elements = hole.row.elements
    if hole.start == 0 and hole.end == len(elements):
        return hole.row.start, hole.row.end
    start, end = elements[hole.start].start, _end(elements, hole.start, hole.end)
    if hole.row.dissolved and hole.end - hole.start > 1 and not braced:
        for opening, closing in hole.row.dissolved:
            if opening[1] == start and closing[0] <= end:
                return opening[0], max(closing[1], end)
    return start, end


def _with_unseen(match: Match, hole: int, latex: str, span: Span, before: str, behind: str) -> Span:
    """What a hole holds with what other macros print around it unseen, up to what the rule prints on either side.

    At the ends of a match nothing is added: what is unseen there is around the match too.
    """
    held = match.holes[hole]
    start, end = span
    if held.start == 0 and held.end == len(held.row.elements):
        return span
    _, (low, high) = reach(held.row, held.start, held.end)
    if before and low < start:
        found = (at for at in range(start, low - 1, -1) if text_before(latex, 0, at, before) >= 0)
        start = next(found, start)
    if behind and high > end:
        found = (at for at in range(end, high + 1) if text_behind(latex, at, len(latex), behind) >= 0)
        end = next(found, end)
    return start, end


def _with_braces(latex: str, start: int, end: int, braces: int) -> Span:
    """A piece of the source with so many braces before it, and those that close them, if they are there."""
    if braces and latex.endswith("{" * braces, 0, start):
        start -= braces
    open_ = latex.count("{", start, end) - latex.count("}", start, end)
    if open_ > 0 and latex.startswith("}" * open_, end):
        end += open_
    return start, end


@remembered(maxsize=4096)
def _loosely(printed: str, written: str) -> int:
    """The level of two texts that are not the same."""
    printed, written = _typed(printed), _typed(written)
    if printed == written:
        return EXACT
    if _BRACES.sub("", printed) == _BRACES.sub("", written):
        return BRACES
    printed, written = _FENCE.sub("", printed), _FENCE.sub("", written)
    if printed == written:
        return FENCES
    if _BRACES.sub("", printed) == _BRACES.sub("", written):
        return FENCES_AND_BRACES
    return FONTS if _plain(printed) == _plain(written) else OTHERWISE


def _typed(text: str) -> str:
    """A text without what is a matter of typing: spaces, `x_1` for `x_{1}`, `{x}^{2}` for `x^{2}`."""
    return _BASE.sub(r"\1", _SCRIPT.sub(r"\1{\2}", _SPACE.sub("", text)))


def _plain(text: str) -> str:
    """A text without fonts and braces."""
    return _BRACES.sub("", _FONT.sub("", text))


@remembered(maxsize=64)
def _wraps(latex: str) -> bool:
    """Whether a formula has powers in braces with what they stand on."""
    return _WRAPPED.search(latex) is not None


@lru_cache(maxsize=8192)
def _printed(
    generic: str, scripts: frozenset[str], trailing: bool, wrapped: bool
) -> tuple[str, tuple[tuple[int, str], ...], int]:
    """A rule's print without spaces: up to its first hole, then each hole and what follows it; -1: the scripts.

    At last how many braces open before its first symbol, which may be `{}`.
    `wrapped`: what carries a superscript is printed in braces with it, `{\\cos^{2}}`. Primes are printed as marks.
    """
    shown = f"{presented(generic, _NO_SCRIPTS)}#'" if trailing else presented(generic, scripts)
    point = shown.find("#'")
    if wrapped and not shown.startswith("}", point + 2):
        shown = f"{{{shown[: point + 2]}}}{shown[point + 2 :]}"
    parts = _MARK.split(shown.replace(" ", ""))
    holes = [-1 if mark == "'" else HOLES.index(mark) for mark in parts[1::2]]
    braces = len(parts[0]) - len(parts[0].lstrip("{"))
    braces -= parts[0].startswith("}", braces)
    return parts[0], tuple(zip(holes, parts[2::2], strict=True)), braces
