"""Confidence: from what the scorer says to how often such an answer is right.

Two scorers that disagree, a rule hardly ever used, a formula that is a single letter: each is a reason for doubt that
the probability alone does not show. The `evidence` for an answer (numbers named in EVIDENCE) and its `topics` (which
symbols and macros it is about) are weighed by a logistic regression, and its log-odds mapped by a monotone, piecewise
linear function (pool-adjacent-violators); both are fitted on formulae that the model was not trained on.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, NamedTuple

from texlift.context.passage import Context
from texlift.context.style import EXACT
from texlift.grammar.match import Match
from texlift.latex.canonical import Row
from texlift.scorer.encoding import Encoded
from texlift.translate.decoding import Choice, Derivation, Probabilities
from texlift.translate.scores import Scores

__all__ = [
    "EVIDENCE",
    "HEAD",
    "UNPRINTED",
    "Calibration",
    "Evidence",
    "Weighing",
    "is_markup",
    "is_symbol",
    "likelihood",
    "log_odds",
    "no_decision",
    "probability_of",
    "topics_of",
    "weigh",
    "without_markup",
]

EVIDENCE: Final = (
    "log-odds of the answer",
    "log-odds of its least certain decision",
    "log-odds by the linear features alone",
    "log-odds by the network alone",
    "decisions",
    "symbols left literal that may be macros",
    "the formula is one symbol",
    "rules used less than five times",
    "no context",
    "a symbol with which calls start, alone and unchanged",
    "a macro is read that prints something else",
    "log-odds that formulae of its section agree with its decisions, the least",
    "log-odds that formulae of its sentence do",
    "log-odds that all formulae with the same expression do",
)
"""What the numbers of `Evidence.values` are, in order; counts as logarithms."""

HEAD: Final = EVIDENCE.index("a symbol with which calls start, alone and unchanged")
UNPRINTED: Final = EVIDENCE.index("a macro is read that prints something else")
"""In the DLMF's own notation every third such answer is wrong, elsewhere it is usual."""

_MARKED: Final = frozenset([r"\cpi", r"\iunit", r"\expe"])
_CONSTANTS: Final = frozenset([r"\pi", "i", "e"])
_UNCHANGED: Final = " as it stands"
_RARE: Final = 5
_FURTHEST: Final = 12.0  # log-odds beyond this are all the same
_ALL_AGREE: Final = (4.0, 4.0, 4.0)  # more than any number of formulae can say
_SCRIPTS: Final = frozenset("_'^")
_TITLES: Final = ("chapter", "section")
_LONGEST: Final = 1000  # characters of a title that are looked at


class Evidence(NamedTuple):
    """The probability of an answer by the scorer, and the numbers that its confidence rests on."""

    probability: float
    values: tuple[float, ...]


def weigh(
    encoded: Encoded,
    derivation: Derivation,
    scores: Scores,
    head: bool = False,
    markup: Probabilities | None = None,
) -> Evidence:
    """The evidence for a derivation.

    `head`: the formula is a symbol with which calls start, alone; unchanged it may mention the function all the same,
    though no pair says so. With `markup`, the probabilities of all readings, answers that differ only in how constants
    are marked up count as one.
    """
    parts = scores.parts
    literal = rare = 0
    unprinted = False
    section, sentence, anywhere = _ALL_AGREE
    total = 0.0
    least = math.inf
    by_part = [0.0] * len(parts)
    decided = _decided(encoded, derivation)
    for index, choice in decided:
        match = choice.match
        place = encoded.at[index]
        matches = place.matches
        if markup is not None:
            same = _same_constant(matches, match)
            if same:
                own = _added(markup[id(choice.row), choice.position], same)
                total += own
                if own < least:
                    least = own
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
            unprinted = unprinted or number < 0 or place.levels[number - 1] < EXACT
        if number >= 0:
            agreed = scores.agreeing[index][number]
            section, sentence, anywhere = min(section, agreed[0]), min(sentence, agreed[1]), min(anywhere, agreed[2])
        own = choice.log_probability
        total += own
        if own < least:
            least = own
        for which, part in enumerate(parts):
            # a match cut short by the end of its span is not among those scored
            by_part[which] += part[index][number] if number >= 0 else own
    if len(by_part) != 2:
        by_part = [total, total]
    values = (
        _of_log(total),
        _of_log(least if decided else 0.0),
        *map(_of_log, by_part),
        math.log1p(len(decided)),
        math.log1p(literal),
        float(_is_alone(encoded)),
        math.log1p(rare),
        float(not len(encoded.words.titles)),
        float(head and all(choice.match is None for choice in derivation.choices)),
        float(unprinted),
        section,
        sentence,
        anywhere,
    )
    return Evidence(math.exp(total), values)


def likelihood(encoded: Encoded, derivation: Derivation) -> float:
    """The probability of a derivation by the scorer."""
    return math.exp(sum([choice.log_probability for _, choice in _decided(encoded, derivation)]))


def _decided(encoded: Encoded, derivation: Derivation) -> list[tuple[int, Choice]]:
    """The decisions of a derivation, each with its place; one that holds for several places counts once."""
    where = encoded.where
    groups = encoded.places.group.tolist()
    found: dict[tuple[int, str], tuple[int, Choice]] = {}
    for choice in derivation.choices:
        index = where[id(choice.row), choice.position]
        key = (groups[index], choice.match.rule.call if choice.match else "")
        if key not in found:
            found[key] = (index, choice)
    return list(found.values())


def _same_constant(matches: Sequence[Match], chosen: Match | None) -> list[int]:
    """The numbers of the readings that are one constant, marked up or not, if the chosen one is among them."""
    if chosen is not None and chosen.rule.name not in _MARKED:
        return []
    marked = [number for number, match in enumerate(matches, 1) if match.rule.name in _MARKED]
    return [0, *marked] if marked else []


def is_markup(encoded: Encoded, choice: Choice) -> bool:
    """Whether it was only decided whether a constant is marked up."""
    index = encoded.where[id(choice.row), choice.position]
    return bool(_same_constant(encoded.at[index].matches, choice.match))


def _added(scores: Sequence[float], numbers: Sequence[int]) -> float:
    """The logarithm of the probability of some readings together."""
    return min(0.0, math.log(math.fsum([math.exp(scores[number]) for number in numbers])))


def without_markup(about: Sequence[str]) -> list[str]:
    """The topics of an answer but those of how its constants are marked up."""
    return [topic for topic in about if topic not in _MARKED and topic.removesuffix(_UNCHANGED) not in _CONSTANTS]


def topics_of(
    labels: Collection[str],
    derivation: Derivation | None,
    alone: bool,
    context: Context,
) -> list[str]:
    """What an answer is about, by name: its symbols, its macros, unchanged symbols that may be macros, titles.

    About some of them gold itself is inconsistent.
    """
    found = list(labels)
    if context and not isinstance(context, str):
        found += [f"in {str(context[name])[:_LONGEST].lower()}" for name in _TITLES if name in context]
    if alone:
        found += [f"{label} alone" for label in labels]
    if derivation is not None:
        decided = {
            choice.match.rule.name if choice.match else choice.row.elements[choice.position].label + _UNCHANGED
            for choice in derivation.choices
        }
        found += decided
    return found


def _is_alone(encoded: Encoded) -> bool:
    """Whether a formula is a single symbol, with its scripts."""
    return encoded.tree.nodes.shape[1] < 8 and bool(encoded.at) and is_symbol(encoded.at[0].row)


def is_symbol(row: Row) -> bool:
    """Whether a row holds a single symbol, with its scripts."""
    return sum([element.label not in _SCRIPTS for element in row.elements]) == 1


@cache
def no_decision(alone: bool, head: bool, context: bool) -> Evidence:
    """The evidence for a formula in which there is nothing to decide."""
    return Evidence(
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


@dataclass(frozen=True, slots=True)
class Weighing:
    """Weights of the evidence and of the topics: log-odds that an answer is right."""

    weights: tuple[float, ...] = ()
    bias: float = 0.0
    topics: Mapping[str, float] = field(default_factory=dict)

    def __call__(self, evidence: Sequence[float], topics: Collection[str]) -> float:
        known = self.topics
        weighed = [weight * value for weight, value in zip(self.weights, evidence, strict=True)]
        # topics come in no order, so the sum must be the same in any
        return math.fsum([self.bias, *weighed, *[known[topic] for topic in topics if topic in known]])

    @staticmethod
    def of(table: Mapping[str, Any]) -> Weighing:
        """A weighing from its JSON form; ValueError, KeyError or TypeError if it is none."""
        topics = {str(topic): float(weight) for topic, weight in table["topics"].items()}
        return Weighing(tuple(map(float, table["weights"])), float(table["bias"]), topics)


@dataclass(frozen=True, slots=True)
class Calibration:
    """How evidence is weighed, and knots of the map, in log-odds; without weights the first value is the score.

    Symbols with which calls start, alone and unchanged, are weighed apart: some of them mention the function, and the
    scorers cannot tell those from letters. So are formulae in which a macro is read that prints something else: in
    other people's notation that is usual, in the DLMF's it is mostly an error.
    """

    formulae: Weighing = field(default_factory=Weighing)
    heads: Weighing = field(default_factory=Weighing)
    unprinted: Weighing = field(default_factory=Weighing)
    inputs: tuple[float, ...] = ()
    outputs: tuple[float, ...] = ()

    def score(self, evidence: Sequence[float], topics: Collection[str] = ()) -> float:
        """Log-odds that an answer is right, before the map: what answers are ranked by."""
        if not self.formulae.weights:
            return evidence[0]
        own = self.heads if evidence[HEAD] else self.unprinted if evidence[UNPRINTED] else self.formulae
        return own(evidence, topics)

    def __call__(self, evidence: Sequence[float], topics: Collection[str] = ()) -> float:
        """The calibrated probability that an answer is right."""
        at = self.score(evidence, topics)
        if not self.inputs:
            return probability_of(at)
        if at <= self.inputs[0]:
            return self.outputs[0] * probability_of(at) / probability_of(self.inputs[0])  # down to 0 in proportion
        above = bisect_left(self.inputs, at)
        if above == len(self.inputs):
            # the surest keep their order, and stay further from certainty than half of what the last step has left
            last = self.outputs[-1]
            return last + 0.5 * (1.0 - last) * (1.0 - math.exp(self.inputs[-1] - at))
        (x0, x1), (y0, y1) = self.inputs[above - 1 : above + 1], self.outputs[above - 1 : above + 1]
        return y0 + (y1 - y0) * (at - x0) / max(x1 - x0, 1e-9)

    @staticmethod
    def of(table: Mapping[str, Any]) -> Calibration:
        """A calibration from its JSON form; ValueError, KeyError or TypeError if it is none."""
        inputs, outputs = (tuple(map(float, table[name])) for name in ("inputs", "outputs"))
        if len(inputs) != len(outputs):
            raise ValueError("as many inputs as outputs are needed")
        formulae, heads, unprinted = (Weighing.of(table[name]) for name in ("formulae", "heads", "unprinted"))
        return Calibration(formulae, heads, unprinted, inputs, outputs)


def probability_of(log_odds: float) -> float:
    """The probability with these log-odds."""
    return 1.0 / (1.0 + math.exp(-max(-700.0, min(700.0, log_odds))))
