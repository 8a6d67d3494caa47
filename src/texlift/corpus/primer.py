"""A primer: pairs made from rules that no pair uses, so that a scorer has met every macro of the lexicon once.

    \\LambertW@{#1}, shown as W\\left(#1\\right), meaning "Lambert W-function"

becomes the pair `W\\left(z\\right)`, `\\LambertW@{z}` in a section with that title, and again in a sentence that
names it. A name alone, `W`, may mean anything: it becomes a pair `W`, `\\LambertW` only where the sentence names it,
and beside it stands the pair `W`, `W` in a sentence that speaks of something else.
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
_SOMETHING_ELSE = (
    "where ${}$ is a constant",
    "the parameter ${}$",
    "let ${}$ be an integer",
    "the matrix ${}$",
    "the set ${}$",
    "a path ${}$",
    "with ${}$ fixed",
    "the variable ${}$",
)


def is_primed(rule: Rule) -> bool:
    """Whether a rule that no pair uses is numbered as if one did: a call with variables that show.

    Without them (`e_{1}`, `H_{m}`) a rule looks like any letter with an index, and words alone can tell them apart.
    """
    return _is_unused(rule) and "#" in rule.call.partition("@")[2]


def _is_unused(rule: Rule) -> bool:
    return not rule.count and rule.name in lexicon()


def is_primer(pair: Pair) -> bool:
    """Whether a pair stems from the primer."""
    return pair.id.startswith(_ID)


def primer(rules: Iterable[Rule]) -> Iterator[Pair]:
    """Pairs for rules that no pair uses."""
    names: dict[str, None] = {}
    for rule in filter(_is_unused, rules):
        letters = _letters(rule.call)
        semantic, generic = (_filled(text, letters) for text in (rule.call, rule.generic))
        macro = lexicon().lookup(rule.name)
        assert macro is not None
        contexts = [{"sentence": f"the {macro.meaning} ${generic}$"}]
        if is_primed(rule):
            contexts.insert(0, {"section": macro.meaning})
        else:
            names[generic] = None
        for number, context in enumerate(contexts):
            yield Pair(f"{_ID}{rule.call}.{number}", generic, semantic, context)
    for generic in names:
        sentence = _SOMETHING_ELSE[crc32(generic.encode()) % len(_SOMETHING_ELSE)].format(generic)
        yield Pair(f"{_ID}{generic}", generic, generic, {"sentence": sentence})


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
