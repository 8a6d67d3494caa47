"""What a rule asks of its matches, found once a rule: which arguments take no list, what its letters must be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from texlift.grammar.pattern import Pattern
from texlift.grammar.rule import Rule
from texlift.macros.conventions import Convention, conventions_of
from texlift.macros.lexicon import lexicon
from texlift.macros.semantic import Language

__all__ = ["Conditions", "conditions_of"]

_CONSTANTS: Final = frozenset([r"\iunit", r"\expe"])
_DIVIDES: Final = frozenset([r"\divides"])


@dataclass(frozen=True, slots=True)
class Conditions:
    """What a rule asks of its matches."""

    single: tuple[int, ...]  # holes that take no list
    parameters: tuple[int, ...]  # holes for numbers that are shown as scripts
    head: int  # of how many arguments the function is that it names without them
    special: Special | None
    only_lists: bool  # it asks for nothing where a formula has no list


@dataclass(frozen=True, slots=True)
class Special:
    """What one rule in twenty asks for."""

    beside: bool  # holes stand side by side, so each is one symbol
    constant: bool
    divides: bool
    spelled: int  # letters of the word it starts with, if no pair has it without brackets around its argument
    conventions: tuple[tuple[int, Convention], ...]
    raised: int = -1  # the hole that carries the scripts it begins with: one operand, as in `2A^T`


_NOTHING: Final = Special(False, False, False, 0, ())


def conditions_of(rule: Rule, language: Language) -> Conditions:
    """What a rule asks for; what the lexicon says of its macros holds in its language only."""
    if not language.of_lexicon(rule.name):
        free = set(rule.lists) | _alone(rule.pattern)
        single = tuple([hole for hole in rule.shape.arguments if isinstance(hole, int) and hole not in free])
        return Conditions(single, (), 0, None, only_lists=True)
    macro = lexicon().lookup(rule.name)
    lists = macro.lists if macro else ()
    options, parameters = rule.shape.layout[:2]
    numbered = enumerate(rule.shape.arguments, -options)  # options have the numbers below 0
    holes = {argument: index for index, argument in numbered if isinstance(argument, int)}
    numbers = tuple(hole for hole, index in holes.items() if index < parameters)
    special = _special(rule, holes)
    return Conditions(
        tuple(hole for hole, index in holes.items() if index not in lists),
        numbers,
        macro.variables if macro and "@" not in rule.call else 0,
        None if special == _NOTHING else special,
        not numbers and special == _NOTHING,
    )


def _alone(pattern: Pattern) -> set[int]:
    """The holes that are all of a row: what stands in such a bracket or script is the argument, list or not."""
    found: set[int] = set()
    for item in pattern.items:
        for row in (*item.rows, *(argument for _, argument in item.scripts if argument is not None)):
            found |= {row.only} if row.only >= 0 else _alone(row)
    return found


def _special(rule: Rule, holes: dict[int, int]) -> Special:
    items = rule.pattern.items
    first = items[0] if items else None
    bare = len(items) > 1 and items[1].hole >= 0 and not rule.count
    conventions = conventions_of(rule.name, rule.call)
    return Special(
        _side_by_side(rule.pattern) and rule.name != r"\ClebschGordan",
        rule.name in _CONSTANTS,
        rule.name in _DIVIDES,
        len(first.letters) if first is not None and bare else 0,
        tuple((hole, c) for hole, index in holes.items() for c in conventions if c.argument == index),
        first.hole if first is not None and len(items) == 1 and first.hole >= 0 and first.scripts else -1,
    )


def _side_by_side(pattern: Pattern) -> bool:
    """Whether two holes follow each other with nothing between them."""
    pairs = zip(pattern.items, pattern.items[1:], strict=False)
    if any(one.hole >= 0 and other.hole >= 0 and not one.scripts for one, other in pairs):
        return True
    inner = [row for item in pattern.items for row in item.rows]
    inner += [argument for item in pattern.items for _, argument in item.scripts if argument is not None]
    return any(map(_side_by_side, inner))
