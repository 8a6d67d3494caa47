"""How much of what a macro means is said around the formula.

"Lambert W-function" in a title speaks for `\\LambertW`, also if no training pair has it. Words count the more the
fewer macros share them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from functools import cache, lru_cache

from texlift.context.passage import words_of
from texlift.macros.lexicon import lexicon

__all__ = ["LEVELS", "Overlap", "overlap"]

LEVELS = 5
"""Degrees of overlap: from 1, nothing in common, to 5, everything; 0 is kept for no context."""


class Overlap:
    """Some words around a formula, compared with meanings of macros."""

    __slots__ = ("_known", "_meanings", "_words")

    def __init__(self, words: Iterable[str]) -> None:
        self._words = frozenset(map(_stem, words))
        self._known: dict[str, int] = {}
        self._meanings = _meanings()

    def of(self, macro: str) -> int:
        """The level of overlap with the macro's meaning."""
        found = self._known.get(macro)
        if found is None:
            weights = self._meanings.get(macro)
            if weights and self._words and self._words.isdisjoint(weights):
                found = 1  # nearly always
            else:
                found = _level(weights or {}, self._words)
            self._known[macro] = found
        return found

    def of_each(self, macros: list[str]) -> list[int]:
        """The levels of overlap with the meanings of several macros."""
        known = self._known
        return [known[macro] if macro in known else self.of(macro) for macro in macros]


@lru_cache(maxsize=1024)
def overlap(words: tuple[str, ...]) -> Overlap:
    """The overlap of words that many formulae share: titles, sentences with several formulae."""
    return Overlap(words)


def _level(weights: dict[str, float], words: frozenset[str]) -> int:
    if not words or not weights:
        return 0
    if words.isdisjoint(weights):
        return 1
    common = sum([weights[word] for word in weights.keys() & words])
    return 1 + min(LEVELS - 1, math.ceil((LEVELS - 1) * common - 1e-9))


@lru_cache(maxsize=16384)
def _stem(word: str) -> str:
    word = word.lower()
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


@cache
def _meanings() -> dict[str, dict[str, float]]:
    """Macro -> words of its meaning with weights that add up to one."""
    words = {macro.name: set(map(_stem, words_of(macro.meaning))) for macro in lexicon()}
    spread: Counter[str] = Counter()
    for some in words.values():
        spread.update(some)
    table = {}
    for name, some in words.items():
        weights = {word: math.log(len(words) / spread[word]) for word in some}
        total = sum(weights.values()) or 1.0
        table[name] = {word: weight / total for word, weight in weights.items()}
    return table
