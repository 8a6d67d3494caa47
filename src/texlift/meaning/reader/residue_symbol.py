r"""Fractions in parentheses that are Legendre or Jacobi symbols: what in the formula says so.

`\left(\frac pq\right)\left(\frac qp\right)` would be 1, `\left(\frac{-1}{p}\right)=(-1)^{(p-1)/2}` no equation between
fractions, and nobody puts parentheses around a fraction that is a whole side of an equation.
"""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["has_residue_symbols"]

_PART = r"\s*(\{[^{}]*\}|\\?\w)"
_SYMBOL = re.compile(
    r"(?:\\left|\\[bB]igg?l?)?\(\s*\\[td]?frac" + _PART + _PART + r"\s*(?:\\right|\\[bB]igg?r?)?\)(?!\s*\^)"
)
_CONGRUENCES = (r"\pmod", r"\equivmod", r"\pod", r"\bmod")
_POWER_OF_MINUS_ONE = re.compile(r"\(\s*-\s*1\s*\)\s*\^")
_MODULI = frozenset("pq")
_VALUES = re.compile(r"\s*(?:\\pm\s*|-\s*)?[01]\s*$")
_BINARY = re.compile(r"[+*/]|\\cdot|(?<![({=])-")


@lru_cache(maxsize=256)
def has_residue_symbols(source: str) -> bool:
    """Whether the fractions in parentheses of a formula are residue symbols."""
    found = [(above.strip("{} "), below.strip("{} ")) for above, below in _SYMBOL.findall(source)]
    if not found:
        return False
    if any(sign in source for sign in _CONGRUENCES):
        return True
    pairs = set(found)
    if any((below, above) in pairs for above, below in pairs if above != below):
        return True
    below = {part for _, part in found}
    if not all(part[:1].isalpha() for part in below):
        return False
    sides = _SYMBOL.sub("", source).split("=")
    prime = bool(below & _MODULI)
    if len(sides) == 2 and not sides[0].strip():  # symbols alone on the left
        if _POWER_OF_MINUS_ONE.search(sides[1]) and not _BINARY.search(_SYMBOL.sub("", source).split("=")[0]):
            return True
        if prime and _VALUES.fullmatch(sides[1]):
            return True
        return len(below) == 1 and prime and len(found) > 1 and not sides[1].strip()
    return False
