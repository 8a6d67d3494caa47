r"""Caution with letters that nothing speaks for: `\theta(x)` alone is no phase of Airy functions.

The model has learnt from a handbook of special functions, where `\theta(x)` hardly means anything else. What it would
read with anybody's arguments (`O_n(x)`) says nothing of these; what it reads because of the arguments (`\lambda(\tau)`,
but not `\lambda(x)`) does. So a reading is compared with that of the same rule with arguments that say nothing.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from texlift.context.familiarity import (
    arguments_shown,
    is_known,
    is_specialist,
    is_unmistakable,
    related,
    shows_word,
)
from texlift.context.passage import Context
from texlift.context.subject import subject_of
from texlift.grammar.match import Match
from texlift.grammar.rule import Rule
from texlift.scorer.encoding import Encoded, Place
from texlift.translate.scores import Prior, Scores, normalised
from texlift.tuning import Tuning

__all__ = ["Neutral", "unspoken"]

Neutral: TypeAlias = Callable[[Rule, bool], float]
r"""The log-odds of a rule where its arguments say nothing, without and with `\left`."""

_HARDLY: Final = -5.0  # log-probability of a reading that will not be chosen
_CLEARLY: Final = -0.01  # log-probability of a literal reading that nothing competes with
_THIN: Final = re.compile(r"\\!\s*\\left(?![A-Za-z])")


def unspoken(formula: Encoded, latex: str, context: Context, scores: Scores, tuning: Tuning, neutral: Neutral) -> Prior:
    r"""Makes readings of letters less likely that nothing around speaks for, and most those only specialists know.

    A function of few may be beside `\operatorname{Ai}(x)`, in a text about it, in a section that the model knows, or
    its arguments leave no doubt. In the handbook `\theta\left(x\right)` is what a macro prints; elsewhere formula
    editors and language models write so, and it says nothing. `\theta\!\left(x\right)` says that it is applied.
    """
    found: dict[int, list[float]] = {}
    if len(formula.words.whole) > 1:  # titles that the model has learnt from
        return found
    fenced = r"\left" in latex
    best: list[tuple[str, bool]] | None = None
    for index, place in enumerate(formula.at):
        literal, *others_scores = scores.all[index]
        likely = [match for match, score in zip(place.matches, others_scores, strict=True) if score > _HARDLY]
        if literal > _CLEARLY or all(map(_shows_itself if fenced else _is_known, likely)):
            continue
        if best is None:
            best = [_best(*one) for one in zip(formula.at, scores.all, strict=True)]
            text = " ".join(context.values()) if isinstance(context, Mapping) else context or ""
        others = {name for name, known in best if known}
        doubt = _Doubt(latex, text, others, tuning, neutral)
        kin = doubt.shown_by_kin(place.matches)
        doubts = {match: doubt.of(match, kin) for match in likely}
        most = max(doubts.values(), default=0.0)  # what is hardly read anyway must not profit
        if most:
            less = [doubts.get(match, most) for match in place.matches]
            found[index] = _disbelieved(scores.all[index], [0.0, *less])
    return found


def _disbelieved(scores: Sequence[float], less: Sequence[float]) -> list[float]:
    """What to add to log-probabilities to lower each by `less`; the letter, which is first, gains, no other reading."""
    lowered = normalised([score - own for score, own in zip(scores, less, strict=True)])
    others = [min(score, after) for score, after in zip(scores[1:], lowered[1:], strict=True)]
    literal = math.log(max(1.0 - sum(map(math.exp, others)), math.exp(lowered[0])))
    return [after - score for score, after in zip(scores, [literal, *others], strict=True)]


class _Doubt:
    """By how much, in log-odds, readings without words are less likely than the model thinks."""

    __slots__ = ("_latex", "_neutral", "_others", "_text", "_tuning")

    def __init__(self, latex: str, text: str, others: Collection[str], tuning: Tuning, neutral: Neutral) -> None:
        self._latex = latex
        self._text = text
        self._others = others
        self._tuning = tuning
        self._neutral = neutral

    def shown_by_kin(self, matches: Iterable[Match]) -> frozenset[int]:
        r"""How many arguments well-known functions show at a place that are of the kind the formula has.

        `N_\nu(x)` beside `J_\nu(x)` is a Bessel function in other books.
        """
        kin = [match for match in matches if _is_known(match) and not _shows_itself(match) and self._is_kin(match)]
        return frozenset([arguments_shown(match.rule.name, match.rule.call) for match in kin])

    def _is_kin(self, match: Match) -> bool:
        return any(related(match.rule.name, other) for other in self._others if other != match.rule.name)

    def of(self, match: Match, kin_shown: Collection[int] = ()) -> float:
        """The doubt in one reading; `kin_shown`: with so many arguments a better known relative can be meant."""
        name, tuning = match.rule.name, self._tuning
        if _shows_itself(match) or (self._text and subject_of(self._text).speaks_of(name)):
            return 0.0
        first, last = match.row.elements[match.start], match.row.elements[match.end - 1]
        source = self._latex[first.start : last.end]
        fenced = r"\left" in source
        applied = fenced and _THIN.search(source) is not None
        fences = tuning.unspoken_applied if applied else tuning.unspoken_fences if fenced else 0.0
        shown = arguments_shown(name, match.rule.call)
        kin = self._is_kin(match)
        contested = kin and shown in kin_shown  # its relatives in the formula speak for the better known one
        if _is_known(match) or (kin and not contested):
            return fences
        if is_specialist(name) or contested:  # a matrix of two rows
            return tuning.unspoken_bare * tuning.unspoken + fences
        if not shown:  # a letter or an accent alone tells nothing
            return tuning.unspoken_bare * tuning.unspoken + fences
        function = tuning.unspoken_function if applied else 0.0
        if shown == 1:  # `f(x)` and `f_n(x)` tell little, `\\lambda(\\tau)` more
            alone = min(max(0.0, self._neutral(match.rule, fenced)), tuning.unspoken_letter)
            return tuning.unspoken_argument + alone - function / 2.0
        return tuning.unspoken + fences - function  # two arguments can: `\\zeta(s,a)`


def _shows_itself(match: Match) -> bool:
    r"""Whether a reading has a name or a sign of its own, which hardly means anything else: `\sin x`, `dx`."""
    name = match.rule.name
    return is_unmistakable(name) or (shows_word(match.rule.generic) and not is_specialist(name))


def _is_known(match: Match) -> bool:
    return is_known(match.rule.name, match.rule.has_ats)


def _best(place: Place, scores: Sequence[float]) -> tuple[str, bool]:
    """The macro of the likeliest reading of a place, and whether it needs no word."""
    number = max(range(len(scores)), key=scores.__getitem__)
    return ("", False) if not number else (place.matches[number - 1].rule.name, _is_known(place.matches[number - 1]))
