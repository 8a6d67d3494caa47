"""A formula as the text around it spells it.

Somebody asks about `J_0(x)`, and the sentence given with it has `$J_{0}\\left(x\\right)$`: the same formula, by whoever
wrote the text. How that writer writes tells more than how the question was typed (see `exactness`), so the readings are
judged as the sentence spells them. The answer is still made of what was asked: only the judgement is borrowed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from texlift.errors import FormulaError
from texlift.latex.canonical import canonical_key

__all__ = ["skeleton", "spelled_around"]

# what does not count when spellings are compared: spaces, braces, sizes of fences, upright letters
_LOOSE = re.compile(
    r"\s+|[{}]|\\[,!;:> ]|~|\\mskip[-0-9.]+mu"
    r"|\\(?:left|right|middle|[bB]igg?[lmr]?|mathrm|mathit|operatorname\*?|text|rm|it)(?![A-Za-z])"
)
_TELLING = re.compile(r"\\(?:left|mathrm|mathit|operatorname)(?![A-Za-z])")
_MATH = re.compile(r"\$([^$]*)\$")
_LONGEST: Final = 4000  # characters of a text that are read
_SHORT: Final = 3  # characters of a formula that may stand in others by chance: `d` is not the d of `\\mathrm{d}t`
_SPANS: Final = 4  # that may hold a formula at one place
_BRACES: Final = 4  # around it that are looked at
_TRIES: Final = 8  # places in a text that are looked at for one formula


def spelled_around(latex: str, context: str | Mapping[str, str] | None) -> str | None:
    """The formula as the context spells it, if it is there only in another spelling, and in a fuller one; or None."""
    if not context:
        return None
    text = context if isinstance(context, str) else str(context.get("sentence", ""))
    if "$" not in text or (latex if len(latex) > _SHORT else f"${latex}$") in text:
        return None  # no formula, or this one as it stands: nearly always
    return _spelled(latex, text[:_LONGEST])


@lru_cache(maxsize=1024)
def _spelled(latex: str, text: str) -> str | None:
    pieces = [piece.strip() for piece in _MATH.findall(text)]
    if latex in pieces:
        return None
    wanted = _LOOSE.sub("", latex)
    key = None
    tries = 0
    for piece in pieces if wanted else ():
        bare, places = skeleton(piece)
        if len(wanted) <= _SHORT and bare != wanted:
            continue
        at = bare.find(wanted)
        while at >= 0 and tries < _TRIES:
            tries += 1
            for candidate in _spans(piece, places, at, at + len(wanted)):
                if key is None:
                    key = canonical_key(latex)
                if _key(candidate) == key:
                    return candidate if _fullness(candidate) > _fullness(latex) else None
            at = bare.find(wanted, at + 1)
    return None


@lru_cache(maxsize=128)
def skeleton(piece: str) -> tuple[str, list[int]]:
    """What counts of a formula, and where each of its characters stands."""
    bare: list[str] = []
    places: list[int] = []
    at = 0
    for loose in _LOOSE.finditer(piece):
        bare.append(piece[at : loose.start()])
        places += range(at, loose.start())
        at = loose.end()
    bare.append(piece[at:])
    places += range(at, len(piece))
    return "".join(bare), places


def _spans(piece: str, places: list[int], first: int, last: int) -> list[str]:
    """The spans of a formula that hold what counts from `first` to `last`, with fonts and braces around and without."""
    start, before = places[first], places[first - 1] + 1 if first else 0
    end, behind = places[last - 1] + 1, places[last] if last < len(places) else len(piece)
    opened = [at + 1 for at in range(before, start) if piece[at] == "{"][-_BRACES:]
    closed = [at + 1 for at in range(end, behind) if piece[at] == "}"][:_BRACES]
    # the widest first: `\\mathrm{i}` rather than the i in it
    spans = [piece[one:other].strip() for one in (before, *opened, start) for other in (*closed[::-1], end)]
    return [span for span in spans if _balanced(span)][:_SPANS]


def _fullness(latex: str) -> int:
    """How much of a formula tells how it was written: who types `\\left` has not typed something plainer."""
    return len(_TELLING.findall(latex))


def _balanced(span: str) -> bool:
    depth = 0
    for mark in re.findall(r"\\.|[{}]", span):
        depth += (mark == "{") - (mark == "}")
        if depth < 0:
            return False
    return depth == 0


def _key(span: str) -> str | None:
    try:
        return canonical_key(span)
    except FormulaError:
        return None
