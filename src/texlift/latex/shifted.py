"""Unicode superscripts and subscripts: what `²` and `ₙ` raise and lower."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

__all__ = ["LOWERED", "RAISED", "spelled_out"]

_ORDINALS = frozenset("ªº")  # Spanish ordinals; the second is often typed for a degree
_BLOCKS = (range(0xB2, 0xBA), range(0x1D2C, 0x1D6B), range(0x2070, 0x20A0), range(0x2C7C, 0x2C7E))


def _table(kind: str) -> Mapping[str, str]:
    found = {}
    for char in (chr(point) for block in _BLOCKS for point in block):
        decomposed, _, base = unicodedata.decomposition(char).partition(" ")
        if decomposed == kind and " " not in base and char not in _ORDINALS:
            plain = chr(int(base, 16))
            found[char] = "-" if plain == "\u2212" else plain
    return MappingProxyType(found)


RAISED: Final = _table("<super>")
"""A superscript character -> the character that is raised."""
LOWERED: Final = _table("<sub>")
"""A subscript character -> the character that is lowered."""

_RUNS = re.compile(f"[{''.join(RAISED)}]+|[{''.join(LOWERED)}]+")


def spelled_out(latex: str) -> str:
    """The formula with `^{...}` and `_{...}` for superscript and subscript characters: `x²` is `x^{2}`."""
    return latex if latex.isascii() else _RUNS.sub(_script, latex)


def _script(run: re.Match[str]) -> str:
    table, mark = (RAISED, "^") if run[0][0] in RAISED else (LOWERED, "_")
    return f"{mark}{{{''.join([table[char] for char in run[0]])}}}"
