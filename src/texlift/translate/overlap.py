"""How much of what a macro means is said around the formula.

"Lambert W-function" in a title speaks for `\\LambertW`, also if no training pair has it. Words count the more the
fewer macros share them.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from functools import cache

from texlift.macros.lexicon import lexicon

__all__ = ["LEVELS", "Overlap"]

LEVELS = 5
"""Degrees of overlap: from 1, nothing in common, to 5, everything; 0 is kept for no context."""

_WORD = re.compile(r"[a-z]{2,}")


class Overlap:
    """The words around one formula, compared with meanings of macros."""

    __slots__ = ("_known", "_sentence", "_titles")

    def __init__(self, titles: Iterable[str], sentence: Iterable[str]) -> None:
        self._titles = frozenset(map(_stem, titles))
        self._sentence = frozenset(map(_stem, sentence))
        self._known: dict[str, tuple[int, int]] = {}

    def of(self, macro: str) -> tuple[int, int]:
        """Levels of overlap with the titles and with the sentence."""
        found = self._known.get(macro)
        if found is None:
            weights = _meanings().get(macro, {})
            found = self._known[macro] = (_level(weights, self._titles), _level(weights, self._sentence))
        return found


def _level(weights: dict[str, float], words: frozenset[str]) -> int:
    if not words or not weights:
        return 0
    common = sum([weights[word] for word in weights.keys() & words])
    return 1 + min(LEVELS - 1, math.ceil((LEVELS - 1) * common - 1e-9))


def _stem(word: str) -> str:
    word = word.lower()
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


@cache
def _meanings() -> dict[str, dict[str, float]]:
    """Macro -> words of its meaning with weights that add up to one."""
    words = {macro.name: {_stem(word) for word in _WORD.findall(macro.meaning.lower())} for macro in lexicon()}
    spread: Counter[str] = Counter()
    for some in words.values():
        spread.update(some)
    table = {}
    for name, some in words.items():
        weights = {word: math.log(len(words) / spread[word]) for word in some}
        total = sum(weights.values()) or 1.0
        table[name] = {word: weight / total for word, weight in weights.items()}
    return table
