"""Numbers for rules, macros and kinds of calls: under these the scorer keeps what it learns about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from texlift.corpus.primer import is_primed
from texlift.grammar.grammar import Grammar
from texlift.grammar.rule import Rule

__all__ = ["SHAPES", "RuleNumbers", "outnumbered", "shape_number"]

SHAPES = 49
"""Kinds of calls, see `shape_number`."""


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
    outnumbered: frozenset[tuple[str, str]] = frozenset()  # names of functions whose print is nearly always a number

    @staticmethod
    def of(grammar: Grammar) -> RuleNumbers:
        """The numbering of a grammar, whatever the order of its rules."""
        met = [rule for rule in grammar.rules if rule.count or is_primed(rule)]
        used = sorted(met, key=lambda rule: (rule.call, rule.generic))
        names = sorted({rule.name for rule in used})
        return RuleNumbers(
            {(rule.call, rule.generic): number for number, rule in enumerate(used)},
            {name: number for number, name in enumerate(names, 1)},
            len(used),
            len(names) + 1,
            outnumbered(grammar.rules),
        )


def outnumbered(rules: Sequence[Rule]) -> frozenset[tuple[str, str]]:
    """Names of functions that print, with a parameter, what stands for something else thirty times as often.

    `E_{n}` alone is an Euler number, not Euler's polynomial, though somebody may have called that so once. A mere
    letter may stand for many things.
    """
    functions = {rule.name for rule in rules if "@" in rule.call}
    names = [rule for rule in rules if "@" not in rule.call and "#1" in rule.generic]
    others: Counter[str] = Counter()
    for rule in names:
        if rule.name not in functions:
            others[rule.generic] += rule.count
    return frozenset(
        (rule.call, rule.generic)
        for rule in names
        if rule.name in functions and others[rule.generic] >= _OFTEN * max(rule.count, 1)
    )


_OFTEN = 30


def shape_number(rule: Rule) -> int:
    """What kind of call a rule is, by the numbers of its @s, variables and parameters; 0 is the literal reading."""
    layout = rule.shape.layout
    ats, variables = (layout[2], layout[3]) if len(layout) > 2 else (0, 0)
    return 1 + (min(ats, 3) * 4 + min(variables, 3)) * 3 + min(layout[0] + layout[1], 2)
