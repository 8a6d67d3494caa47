"""What a classifier sees of a choice: the symbol, the bag of words of the formula, and words near the symbol."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from texlift.latex.leaves import leaf_starts
from texlift.latex.parser import parse
from texlift.latex.tree import Tree, row_tree

__all__ = ["Words", "leaf_of", "words_of"]

_REACH = 80
_SEPARATORS = frozenset({",", ";", "|", r"\mid", r"\middle|", r"\vert"})
_ENDINGS = frozenset({"=", "<", ">", ",", r"\leq", r"\geq", r"\sim"})
_BEFORE, _AFTER = 3, 8
"""How far from the symbol a word still counts with its place."""


@lru_cache(maxsize=4096)
def _leaves(formula: str) -> tuple[tuple[str, ...], tuple[int, ...]]:
    row = parse(formula)
    return tuple(Tree(row_tree(row)).leaves()), tuple(leaf_starts(row))


def leaf_of(formula: str, start: int) -> int:
    """The number of the leaf at (or last before) a character position."""
    _, starts = _leaves(formula)
    exact = [index for index, place in enumerate(starts) if place == start]
    if exact:
        return exact[0]
    return max(0, bisect_right(sorted(starts), start) - 1)


def words_of(formula: str, symbol: str, start: int, near: bool = True, beside_symbol: bool = False) -> dict[str, float]:
    """Words with their weights: the symbol, the bag (logarithms of counts), and with `near` the neighbours.

    With `beside_symbol` each word of the bag counts again together with the symbol: `q` tells more of `P` than of `J`.
    """
    labels, _ = _leaves(formula)
    words = {f"bag {label}": math.log1p(count) for label, count in Counter(labels).items()}
    words[f"symbol {symbol}"] = 1.0
    if beside_symbol:
        words |= {f"{symbol} bag {label}": 1.0 for label in labels}
    if near:
        place = leaf_of(formula, start)
        for offset in range(-_BEFORE, _AFTER + 1):
            if offset and 0 <= place + offset < len(labels):
                words[f"{offset:+d} {labels[place + offset]}"] = 1.0
                words[f"{symbol} {offset:+d} {labels[place + offset]}"] = 1.0
        separators = _separators(labels, place)
        words[f"arguments {separators}"] = 1.0
        words[f"{symbol} arguments {separators}"] = 1.0
    return words


def _separators(labels: tuple[str, ...], place: int) -> str:
    """What separates the arguments behind a symbol: `\\Gamma(a,z)` is not `\\Gamma(z)`; `-` without arguments."""
    depth = 0
    found: list[str] = []
    for label in labels[place + 1 : place + _REACH]:
        if label.startswith(r"\left") or label == "(":
            depth += 1
        elif label.startswith(r"\right") or label == ")":
            depth -= 1
            if depth <= 0:
                return " ".join(found) or "one"
        elif depth == 1 and label in _SEPARATORS:
            found.append(label)
        elif depth == 0 and len(found) == 0 and label in _ENDINGS:
            return "-"
    return "-" if depth == 0 else "open"


class Words:
    """Numbers for the words that occur often enough."""

    __slots__ = ("_numbers", "listed")

    def __init__(self, listed: Sequence[str]) -> None:
        self.listed = tuple(listed)
        self._numbers = {word: number for number, word in enumerate(self.listed)}

    @classmethod
    def of(cls, samples: Iterable[dict[str, float]], at_least: int = 2) -> Words:
        """The words of some samples, the most frequent first."""
        counts = Counter(word for sample in samples for word in sample)
        return cls([word for word, count in counts.most_common() if count >= at_least])

    def __len__(self) -> int:
        return len(self.listed)

    def numbers(self, sample: dict[str, float]) -> tuple[list[int], list[float]]:
        """(numbers, weights) of the known words of a sample."""
        known = [(self._numbers[word], weight) for word, weight in sample.items() if word in self._numbers]
        return [number for number, _ in known], [weight for _, weight in known]
