"""Numbers for rules, macros and kinds of calls: under these the scorer keeps what it learns about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from texlift.corpus.primer import is_primed
from texlift.grammar.grammar import Grammar
from texlift.grammar.rule import Rule

__all__ = ["SHAPES", "RuleNumbers", "shape_number"]

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
        )


def shape_number(rule: Rule) -> int:
    """What kind of call a rule is, by the numbers of its @s, variables and parameters; 0 is the literal reading."""
    layout = rule.shape.layout
    ats, variables = (layout[2], layout[3]) if len(layout) > 2 else (0, 0)
    return 1 + (min(ats, 3) * 4 + min(variables, 3)) * 3 + min(layout[0] + layout[1], 2)
