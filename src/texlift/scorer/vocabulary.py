"""Numbers for labels, styles, words and rules: the alphabet of the scorer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from texlift.latex.canonical import Row

__all__ = ["STYLES", "Vocabulary"]

STYLES = ("", "left", "big", "op", "rm", "rm-word", "function", "it", "text", "binom", "prime", "variant", "other")
"""Ways of writing that the scorer can tell apart; everything else is "other"."""

_STYLE_IDS = {style: index for index, style in enumerate(STYLES)} | {"\\choose": STYLES.index("binom")}
_CLASSES = ("<unknown>", "<end>", "<number>", "<text>", "<environment>", "<fence>", "<command>", "<letter>", "<row>")


@dataclass(frozen=True)
class Vocabulary:
    """Labels and words that occurred in training; what did not has a number by its class."""

    labels: tuple[str, ...]
    words: tuple[str, ...]
    label_ids: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "label_ids", {label: index for index, label in enumerate(self.labels)})

    @cached_property
    def word_ids(self) -> dict[str, int]:
        """Number of each word."""
        return {word: index for index, word in enumerate(self.words)}

    @staticmethod
    def of(rows: Iterable[Row], words: Iterable[Iterable[str]], at_least: int = 2) -> Vocabulary:
        """The vocabulary of a training set: labels and words seen at least `at_least` times."""
        labels: Counter[str] = Counter()
        for row in rows:
            _count(row, labels)
        seen: Counter[str] = Counter()
        for some in words:
            seen.update(some)
        kept = sorted(label for label, count in labels.items() if count >= at_least and not _is_open(label))
        return Vocabulary((*_CLASSES, *kept), tuple(sorted(word for word, count in seen.items() if count >= at_least)))

    def label(self, label: str) -> int:
        """Number of a label."""
        number = self.label_ids.get(label)
        if number is not None:
            return number
        if label[0].isdigit():
            return 2
        if label.startswith("text:"):
            return 3
        if label.startswith("env:"):
            return 4
        if " " in label:
            return 5
        if label[0] == "\\":
            return 6
        return 7 if label[-1].isalpha() else 0

    @property
    def style_ids(self) -> dict[str, int]:
        """Number of each way of writing that has one of its own."""
        return _STYLE_IDS

    def style(self, style: str) -> int:
        """Number of a way of writing."""
        return _STYLE_IDS.get(style, len(STYLES) - 1)


END: Final = 1
ROW: Final = 8


def _is_open(label: str) -> bool:
    """Classes with endless members: numbers with several digits, texts."""
    return (label[0].isdigit() and len(label) > 2) or label.startswith("text:")


def _count(row: Row, labels: Counter[str]) -> None:
    for element in row.elements:
        labels[element.label] += 1
        for child in element.rows:
            _count(child, labels)
