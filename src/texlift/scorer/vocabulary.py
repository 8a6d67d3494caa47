"""Numbers for labels, styles, words, rules, macros and shapes of calls: the alphabet of the scorer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from texlift.grammar.grammar import Grammar
from texlift.grammar.rule import Rule
from texlift.latex.canonical import Row
from texlift.macros.lexicon import lexicon

__all__ = ["END", "ROW", "SHAPES", "STYLES", "RuleNumbers", "Vocabulary", "shape_number"]

SHAPES: Final = 49
"""Kinds of calls, see `shape_number`."""

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


@dataclass(frozen=True)
class RuleNumbers:
    """Numbers of rules and macros.

    Rules and macros that neither a training pair nor the primer uses share one number each, the last: what is known
    about them is how they are written and what they mean, not how often they are right. Literal readings are numbered
    behind the rules, by label.
    """

    rules: Mapping[tuple[str, str], int]
    macros: Mapping[str, int]  # 0 is the literal reading
    unknown_rule: int
    unknown_macro: int

    @staticmethod
    def of(grammar: Grammar) -> RuleNumbers:
        """The numbering of a grammar, whatever the order of its rules."""
        met = [rule for rule in grammar.rules if rule.count or _is_primed(rule)]
        used = sorted(met, key=lambda rule: (rule.call, rule.generic))
        names = sorted({rule.name for rule in used})
        return RuleNumbers(
            {(rule.call, rule.generic): number for number, rule in enumerate(used)},
            {name: number for number, name in enumerate(names, 1)},
            len(used),
            len(names) + 1,
        )


def _is_primed(rule: Rule) -> bool:
    """Whether a rule that no pair uses is numbered all the same: the primer has pairs for calls whose variables show.

    Without them (`e_{1}`, `H_{m}`) a rule looks like any letter with an index, and only words can tell them apart.
    """
    return rule.name in lexicon() and rule.shows_variables


def shape_number(rule: Rule) -> int:
    """What kind of call a rule is, by the numbers of its @s, variables and parameters; 0 is the literal reading."""
    layout = rule.shape.layout
    ats, variables = (layout[2], layout[3]) if len(layout) > 2 else (0, 0)
    return 1 + (min(ats, 3) * 4 + min(variables, 3)) * 3 + min(layout[0] + layout[1], 2)
