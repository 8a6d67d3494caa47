"""How nearly the source is written as a rule prints it.

A macro prints the same signs each time: `\\BesselJ{\\nu}@{z}` is `J_{\\nu}\\left(z\\right)`, with `\\left`. Where an
author who uses such macros writes `J_{\\nu}(z)`, no macro stood there.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from texlift.grammar.matching import Match
from texlift.grammar.pattern import HOLES

__all__ = ["EXACT", "exactness"]

EXACT: Final = 4
"""The highest level: as printed; 3: but for braces and spaces, 2: but for `\\left` and `\\right`, 1: otherwise."""

_MARK = re.compile(r"#([1-9a-z'])")
_LOOSE = re.compile(r"[{}]|\\[,!;:> ]|\\mskip[-0-9.]+mu|\\mathopen|\\mathclose|~")
_FENCE = re.compile(r"\\left\b|\\right\b|\\[bB]igg?[lr]?\b")


def exactness(match: Match, latex: str) -> int:
    """The level for one match in its source."""
    elements = match.row.elements
    stop = min(match.trailing) if match.trailing else match.end
    written = latex[elements[match.start].start : elements[stop - 1].end].replace(" ", "")
    printed, rest = _printed(match.rule.generic)
    for hole, piece in rest:
        if hole >= 0:
            span = match.holes[hole]
            inside = span.row.elements
            printed += latex[inside[span.start].start : inside[span.end - 1].end].replace(" ", "")
        else:
            for at in match.scripts:
                printed += latex[elements[at].start : elements[at].end].replace(" ", "")
        printed += piece
    return EXACT if printed == written else _loosely(printed, written)


@lru_cache(maxsize=2048)
def _loosely(printed: str, written: str) -> int:
    """The level of two texts that are not the same."""
    printed, written = _LOOSE.sub("", printed), _LOOSE.sub("", written)
    if printed == written:
        return EXACT - 1
    return EXACT - 2 if _FENCE.sub("", printed) == _FENCE.sub("", written) else EXACT - 3


@lru_cache(maxsize=8192)
def _printed(generic: str) -> tuple[str, tuple[tuple[int, str], ...]]:
    """A rule's print without spaces: up to its first hole, then each hole and what follows it; -1: the script point."""
    parts = _MARK.split(generic.replace(" ", ""))
    holes = [-1 if mark == "'" else HOLES.index(mark) for mark in parts[1::2]]
    return parts[0], tuple(zip(holes, parts[2::2], strict=True))
