"""How likely the model thinks a rule where its arguments say nothing: `O_n(x)`, `M(x,y)`.

What a formula makes of a letter beyond that, it makes of what stands in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

from texlift.context.memory import Memory
from texlift.grammar.rule import Rule
from texlift.scorer.encoding import Encoded
from texlift.translate.preparation import Preparation, Work
from texlift.translate.scores import Scorer, Scores

__all__ = ["NeutralOdds", "neutral_prints"]

_HOLE: Final = re.compile(r"(\\[A-Za-z]+)?#([1-9a-z])")
_PARAMETERS: Final = ("nmkjl", "kjnml", "abcde", "nmkjl", "abcde")
_ARGUMENTS: Final = ("xyzuv", "zwuvx", "nkmjl", "tsrqp", "stuvw")


class NeutralOdds:
    """Log-odds of rules with arguments that say nothing, by one model; each is computed once."""

    def __init__(self, preparation: Preparation, scorer: Scorer, memory: Memory) -> None:
        self._preparation = preparation
        self._scorer = scorer
        self._memory = memory
        self._known: dict[tuple[str, str, bool], float] = {}

    def __call__(self, rule: Rule, fenced: bool) -> float:
        r"""The log-odds of a rule's macro with the letters that make it likeliest; `fenced` with `\left`."""
        key = rule.call, rule.generic, fenced
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._computed(rule, fenced)
        return known

    def _computed(self, rule: Rule, fenced: bool) -> float:
        works = self._preparation.ready([(text, None) for text in neutral_prints(rule, fenced)], constants=False)
        encoded = [work.encoded for work in works if isinstance(work, Work) and work.encoded is not None]
        if not encoded:
            return 0.0
        memory = self._memory.columns([formula.symbols for formula in encoded])
        scored = zip(encoded, self._scorer(encoded, memory), strict=True)
        return max([_odds(rule.name, formula, scores) for formula, scores in scored])


def neutral_prints(rule: Rule, fenced: bool) -> Iterator[str]:
    r"""What a rule prints where its arguments are letters that anybody may use: `\lambda(x)`, `\lambda(n)`."""
    parameters = {hole for _, hole in _HOLE.findall(rule.call.partition("@")[0])}
    text = rule.generic.replace("#'", "")
    if not fenced:
        text = text.replace(r"\left(", "(").replace(r"\right)", ")")
    holes = list(dict.fromkeys(hole for _, hole in _HOLE.findall(text)))
    for some, others in zip(_PARAMETERS, _ARGUMENTS, strict=True):
        letters = {True: iter(some), False: iter(others)}
        filled = {hole: next(letters[hole in parameters], "x") for hole in holes}
        yield _HOLE.sub(partial(_filled, letters=filled), text)


def _filled(found: re.Match[str], letters: Mapping[str, str]) -> str:
    """The letter for a hole; a command before it keeps its distance."""
    return f"{found[1]} {letters[found[2]]}" if found[1] else letters[found[2]]


def _odds(macro: str, formula: Encoded, scores: Scores) -> float:
    """The log-odds of a macro beside the letter, at the place of a formula where they are highest."""
    found = [
        score - every[0]
        for place, every in zip(formula.at, scores.all, strict=True)
        for match, score in zip(place.matches, every[1:], strict=True)
        if match.rule.name == macro
    ]
    return max(found, default=0.0)
