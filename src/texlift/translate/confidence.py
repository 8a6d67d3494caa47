"""Signs of how sure an answer is: what tells right answers from wrong ones besides their probability.

Two scorers that disagree, a rule hardly ever used, a formula that is a single letter: each is a reason for doubt that
the probability alone does not show. `Calibration` weighs the signs by how often answers with them were right.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from texlift.context.exactness import EXACT
from texlift.grammar.match import Match
from texlift.latex.canonical import Row
from texlift.scorer.encoded import first_reading, print_level
from texlift.scorer.encoding import Encoded
from texlift.translate.decoding import Choice, Derivation, Probabilities

__all__ = [
    "HEAD",
    "SIGNS",
    "UNPRINTED",
    "Judged",
    "certain",
    "is_alone",
    "is_markup",
    "is_symbol",
    "judge",
    "log_odds",
    "marks",
    "without_markup",
]

SIGNS = (
    "log-odds of the answer",
    "log-odds of its least sure decision",
    "log-odds by the linear features alone",
    "log-odds by the network alone",
    "decisions",
    "symbols left literal that may be macros",
    "the formula is one symbol",
    "rules used less than five times",
    "no context",
    "a symbol with which calls start, alone and left as it stands",
    "a macro is read that prints something else",
    "log-odds that formulae of its section agree with its decisions, the least",
    "log-odds that formulae of its sentence do",
    "log-odds that all formulae with the same expression do",
)
"""What the numbers of `Judged.signs` are, in order; counts as logarithms."""

HEAD = SIGNS.index("a symbol with which calls start, alone and left as it stands")
"""The number of that sign."""

UNPRINTED = SIGNS.index("a macro is read that prints something else")
"""The number of that sign. In the DLMF's own notation every third such answer is wrong, elsewhere it is usual."""

_MARKED = frozenset([r"\cpi", r"\iunit", r"\expe"])
_CONSTANTS = frozenset([r"\pi", "i", "e"])
_AS_IT_STANDS = " as it stands"
_RARE = 5
_FURTHEST = 12.0  # log-odds beyond this are all the same
_AGREEING = 3  # signs of whether other formulae agree
_ALL_AGREE = (4.0,) * _AGREEING  # more than any number of formulae can tell
_SCRIPTS = frozenset("_'^")
_TITLES = ("chapter", "section")
_LONGEST = 1000  # characters of a title that are looked at


@dataclass(frozen=True, slots=True)
class Judged:
    """The probability of an answer by the scorer, and the signs."""

    probability: float
    signs: tuple[float, ...]


def judge(
    encoded: Encoded,
    derivation: Derivation,
    parts: Sequence[Sequence[Sequence[float]]],
    head: bool = False,
    placed: bool = False,
    together: Probabilities | None = None,
) -> Judged:
    """The answer's probability and signs; `parts[k][p]` are the log-probabilities at place p by scorer k alone.

    A decision that holds for several places counts once. `head`: the formula is a symbol with which calls start, alone;
    left as it stands it may mention the function all the same, though no pair says so. `placed`: its titles
    are guessed. With `together`, the probabilities of all readings, answers that differ only in how constants are
    marked up count as one.
    """
    where = encoded.where
    groups = encoded.place_group.tolist()
    decided: set[tuple[int, str]] = set()
    literal = rare = 0
    unprinted = False
    agreeing = encoded.agreeing
    agreed = [*_ALL_AGREE]
    total = 0.0
    least = math.inf
    by_part = [0.0] * len(parts)
    for choice in derivation.choices:
        index = where[id(choice.row), choice.position]
        match = choice.match
        key = (groups[index], match.rule.call if match else "")
        if key in decided:
            continue
        decided.add(key)
        matches = encoded.places[index].matches
        if together is not None:
            same = _same_constant(matches, match)
            if same:
                own = _added(together[id(choice.row), choice.position], same)
                total += own
                least = min(least, own)
                by_part = [sum_ + _added(part[index], same) for sum_, part in zip(by_part, parts, strict=True)]
                continue
        number = 0
        if match is None:
            for other in matches:
                if other.rule.count:
                    literal += 1
                    break
        else:
            rare += match.rule.count < _RARE
            number = -1
            for at, other in enumerate(matches, 1):
                if other is match:
                    number = at
                    break
            unprinted = unprinted or number < 0 or print_level(encoded, index, number) < EXACT
        if agreeing is not None and number >= 0:
            at = first_reading(encoded, index) + number
            agreed = [min(*both) for both in zip(agreed, agreeing[at].tolist(), strict=True)]
        own = choice.log_probability
        total += own
        least = min(least, own)
        for which, part in enumerate(parts):
            # a match cut short by the end of its span is not among those scored
            by_part[which] += part[index][number] if number >= 0 else own
    if len(by_part) != 2:
        by_part = [total, total]
    signs = (
        _of_log(total),
        _of_log(least if decided else 0.0),
        *map(_of_log, by_part),
        math.log1p(len(decided)),
        math.log1p(literal),
        float(is_alone(encoded)),
        math.log1p(rare),
        float(placed or not len(encoded.titles)),
        float(head and all(choice.match is None for choice in derivation.choices)),
        float(unprinted),
        *agreed,
    )
    return Judged(math.exp(total), signs)


def _same_constant(matches: Sequence[Match], chosen: Match | None) -> list[int]:
    """The numbers of the readings that are one constant, marked up or not, if the chosen one is among them."""
    if chosen is not None and chosen.rule.name not in _MARKED:
        return []
    marked = [number for number, match in enumerate(matches, 1) if match.rule.name in _MARKED]
    return [0, *marked] if marked else []


def is_markup(encoded: Encoded, choice: Choice) -> bool:
    """Whether it was only decided whether a constant is marked up."""
    index = encoded.where[id(choice.row), choice.position]
    return bool(_same_constant(encoded.places[index].matches, choice.match))


def _added(scores: Sequence[float], numbers: Sequence[int]) -> float:
    """The logarithm of the probability of some readings together."""
    return min(0.0, math.log(math.fsum([math.exp(scores[number]) for number in numbers])))


def without_markup(about: Sequence[str]) -> list[str]:
    """The marks of an answer but those of how its constants are marked up."""
    return [mark for mark in about if mark not in _MARKED and mark.removesuffix(_AS_IT_STANDS) not in _CONSTANTS]


def marks(
    labels: Collection[str],
    derivation: Derivation | None,
    alone: bool,
    context: str | Mapping[str, str] | None,
) -> list[str]:
    """What an answer is about, by name: its symbols, its macros, symbols left as they stand that may be macros, titles.

    About some of them gold itself is not of one mind, and who answers should know which.
    """
    found = list(labels)
    if context and not isinstance(context, str):
        found += [f"in {str(context[name])[:_LONGEST].lower()}" for name in _TITLES if name in context]
    if alone:
        found += [f"{label} alone" for label in labels]
    if derivation is not None:
        decided = {
            choice.match.rule.name if choice.match else choice.row.elements[choice.position].label + _AS_IT_STANDS
            for choice in derivation.choices
        }
        found += decided
    return found


def is_alone(encoded: Encoded) -> bool:
    """Whether a formula is a single symbol, with its scripts."""
    return len(encoded.labels) < 8 and bool(encoded.places) and is_symbol(encoded.places[0].row)


def is_symbol(row: Row) -> bool:
    """Whether a row holds a single symbol, with its scripts."""
    return sum([element.label not in _SCRIPTS for element in row.elements]) == 1


@cache
def certain(alone: bool, head: bool, context: bool) -> Judged:
    """A formula in which there is nothing to decide."""
    return Judged(
        1.0, (*([_FURTHEST] * 4), 0.0, 0.0, float(alone), 0.0, float(not context), float(head), 0.0, *_ALL_AGREE)
    )


def log_odds(probability: float) -> float:
    """Log-odds, within bounds."""
    if probability <= 0.0:
        return -_FURTHEST
    return _of_log(math.log(probability))


def _of_log(log_probability: float) -> float:
    if log_probability > -1e-9:
        return _FURTHEST
    if log_probability < -_FURTHEST:
        return -_FURTHEST
    odds = log_probability - math.log(-math.expm1(log_probability))
    return odds if -_FURTHEST < odds < _FURTHEST else math.copysign(_FURTHEST, odds)
