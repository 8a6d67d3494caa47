"""Labels of trees and their numbers: 0 for inner nodes, as in the paper, then `y_end`, unknown, and the symbols."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from texlift.errors import TexliftError
from texlift.latex.binary import INNER, BinaryTree

__all__ = ["END", "UNKNOWN", "ZERO", "Vocabulary"]

ZERO = 0
"""The value of inner nodes."""
END = 1
"""The paper's y_end: padding of a tree to a hull."""
UNKNOWN = 2
_SPECIAL = (INNER, "<END>", "<UNKNOWN>")


class Vocabulary:
    """Both ways between labels and numbers."""

    __slots__ = ("_numbers", "labels")

    def __init__(self, labels: Sequence[str]) -> None:
        if tuple(labels[: len(_SPECIAL)]) != _SPECIAL:
            raise TexliftError("a vocabulary begins with the labels of inner nodes, y_end and unknown")
        self.labels = tuple(labels)
        self._numbers = {label: number for number, label in enumerate(self.labels)}
        if len(self._numbers) != len(self.labels):
            raise TexliftError("a vocabulary lists a label twice")

    @classmethod
    def of(cls, trees: Iterable[BinaryTree], at_least: int = 1) -> Vocabulary:
        """All labels that occur at least `at_least` times, the most frequent first."""
        counts: Counter[str] = Counter()
        for tree in trees:
            counts.update(tree.labels)
        kept = [label for label, count in counts.most_common() if count >= at_least and label not in _SPECIAL]
        return cls([*_SPECIAL, *kept])

    def __len__(self) -> int:
        return len(self.labels)

    def number(self, label: str) -> int:
        """The number of a label, that of unknown labels if it is none of these."""
        return self._numbers.get(label, UNKNOWN)

    def numbers(self, tree: BinaryTree) -> NDArray[np.int32]:
        """The labels of a tree in pre-order as numbers, (nodes,)."""
        return np.array([self.number(label) for label in tree.labels], dtype=np.int32)

    def tree(self, numbers: Iterable[int]) -> BinaryTree:
        """The tree of numbers in pre-order."""
        return BinaryTree(tuple(self.labels[number] for number in numbers))
