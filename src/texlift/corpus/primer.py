"""A primer: pairs made from rules that no pair uses, so that a scorer has met every macro of the lexicon once.

    \\LambertW@{#1}, shown as W\\left(#1\\right), meaning "Lambert W-function"

becomes the pair `W\\left(z\\right)`, `\\LambertW@{z}` in a section with that title, and again in a sentence that
names it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from zlib import crc32

from texlift.corpus.pair import Pair
from texlift.grammar.rule import Rule
from texlift.macros.lexicon import lexicon

__all__ = ["is_primed", "is_primer", "primer"]

_ID = "primer."
_HOLE = re.compile(r"#([1-9a-z])")
_PARAMETERS = ("n", "m", r"\nu", r"\mu", "k", "a", "b", "j")
_VARIABLES = ("z", "x", "t", "y", "w", "u", "v", "s", "p", "q", "c", "d")


def is_primed(rule: Rule) -> bool:
    """Whether the primer has pairs for a rule: a call of a macro whose meaning is known, with variables that show.

    Without them (`e_{1}`, `H_{m}`) a rule looks like any letter with an index.
    """
    return not rule.count and "#" in rule.call.partition("@")[2] and rule.name in lexicon()


def is_primer(pair: Pair) -> bool:
    """Whether a pair stems from the primer."""
    return pair.id.startswith(_ID)


def primer(rules: Iterable[Rule]) -> Iterator[Pair]:
    """Pairs for rules that no pair uses."""
    for rule in rules:
        if not is_primed(rule):
            continue
        letters = _letters(rule.call)
        semantic, generic = (_filled(text, letters) for text in (rule.call, rule.generic))
        macro = lexicon().lookup(rule.name)
        assert macro is not None
        meaning = macro.meaning
        for number, context in enumerate(({"section": meaning}, {"sentence": f"the {meaning} ${generic}$"})):
            yield Pair(f"{_ID}{rule.call}.{number}", generic, semantic, context)


def _filled(text: str, letters: Mapping[str, str]) -> str:
    return _HOLE.sub(lambda hole: letters[hole[1]], text.replace("#'", ""))


def _letters(call: str) -> dict[str, str]:
    """What stands in the holes: letters for parameters before the @, others behind, the same for the same call."""
    head, _, tail = call.partition("@")
    draw = crc32(call.encode())
    chosen: dict[str, str] = {}
    for text, letters in ((head, _PARAMETERS), (tail or head, _VARIABLES)):
        for hole in _HOLE.findall(text):
            if hole not in chosen:
                chosen[hole] = letters[(draw + len(chosen)) % len(letters)]
    return chosen
