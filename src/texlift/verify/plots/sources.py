"""The text of the sides of a statement, for legends: with the parentheses and differentials around their nodes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from texlift.errors import Span

__all__ = ["sources"]

_RELATION = re.compile(r"=|<|>|\\(?:leq?|geq?|leqslant|geqslant|neq?|equiv|approx|simeq|lt|gt)(?![A-Za-z])|\\not")
_CLOSED = (("(", ")"), ("[", "]"), ("{", "}"), (r"\left", r"\right"))


def sources(text: str, spans: Sequence[Span]) -> list[str]:
    """The text of each side; empty where it cannot be told.

    Between two sides it reaches to the sign of the relation, at the ends as far as the formula goes.
    """
    starts = [0] * len(spans)
    ends = [len(text)] * len(spans)
    signs = [list(_RELATION.finditer(text, max(0, one[1]), other[0])) for one, other in pairwise(spans)]
    for index, found in enumerate(signs):
        ends[index] = found[0].start() if found else spans[index][1]
        starts[index + 1] = found[-1].end() if found else spans[index + 1][0]
    if spans and (sign := list(_RELATION.finditer(text, 0, max(0, spans[0][0])))):
        starts[0] = sign[-1].end()  # what stands before is the name of a function
    if spans and (sign := list(_RELATION.finditer(text, spans[-1][1]))):
        ends[-1] = spans[-1][1]  # conditions follow
    sides = [text[start:end].strip().rstrip(",.;").strip() for start, end in zip(starts, ends, strict=True)]
    return [side if _is_balanced(side) and r"\text" not in side else "" for side in sides]


def _is_balanced(side: str) -> bool:
    return all(side.count(opening) == side.count(closing) for opening, closing in _CLOSED)
