"""Log-probabilities of all readings: what the scorer has learnt, and priors for what cannot be learnt.

A prior adds to the log-scores of readings: what the caller declares, prefers or chooses, caution with a bare letter
that comes without any context, letters that the text says are something else, and macros that share their name with
something better known. Those that nothing speaks for are in `unspoken`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from texlift.context.memory import agreement
from texlift.context.passage import Context
from texlift.context.subject import subject_of
from texlift.errors import Span
from texlift.grammar.match import Match
from texlift.meaning.declarations import Declarations
from texlift.scorer.arrays import Array, NumpyArrays
from texlift.scorer.batch import collate
from texlift.scorer.encoding import Encoded, Place
from texlift.scorer.fidelity import offsets
from texlift.scorer.levels import Indices
from texlift.scorer.network import ScorerConfig, combined, prepared, score_parts
from texlift.scorer.schema import Slots
from texlift.tuning import Tuning

__all__ = [
    "EXCLUDED",
    "Choices",
    "Prefer",
    "Prior",
    "Scorer",
    "Scores",
    "caution",
    "chosen",
    "declared_readings",
    "namesakes",
    "normalised",
    "said_otherwise",
    "with_priors",
]

Prefer: TypeAlias = Callable[[str, str], float]
"""(label of the symbol, macro or "") -> what to add to the log-score of that reading."""

Choices: TypeAlias = Mapping[Span, str]
"""Source span -> macro that must stand there, "" for the literal reading."""

Prior: TypeAlias = Mapping[int, Sequence[float]]
"""Place -> what is added to the log-scores of its readings, the literal one first."""

EXCLUDED: Final = -60.0
"""What is added to a reading that must not be."""


class Scores(NamedTuple):
    """Log-probabilities of the readings of each place of a formula."""

    all: list[list[float]]
    parts: tuple[list[list[float]], ...]  # by each scorer alone: the linear part, the network
    agreeing: list[list[list[float]]]  # log-odds that other formulae agree, see `texlift.context.memory.agreement`


class Scorer:
    """The scorer of one model."""

    def __init__(self, weights: Mapping[str, Array], config: ScorerConfig, slots: Slots, tuning: Tuning) -> None:
        self._config = config
        self._slots = slots
        self._tuning = tuning
        self._arrays = NumpyArrays()
        self._weights = prepared(weights, config.state)

    def __call__(self, formulae: Sequence[Encoded], memory: NDArray[np.int32]) -> Iterator[Scores]:
        """The scores of each formula; `memory` is what memory says of all readings, one after the other."""
        batch = collate(formulae, self._slots, self._config.table_bits, memory).merged()
        scored = score_parts(self._weights, self._config, batch, self._arrays)
        parts = [part.astype(np.float32) for part in scored]  # rounded alike in every batch
        first = np.diff(batch.reading_place, prepend=-1).nonzero()[0]
        bounds = [*first.tolist(), len(batch.reading_place)]
        values = [combined(parts, self._tuning.network_share), *(parts if len(parts) > 1 else ())]
        if self._tuning.inexact or self._tuning.braced or self._tuning.wrapped:
            fixed = np.concatenate([offsets(formula.readings, self._tuning) for formula in formulae])
            values = [value + fixed for value in values]
        flat = [_log_softmax(value, first, batch.reading_place).tolist() for value in values]
        flat.append(agreement(memory, self._tuning).tolist())
        by_place = [[values[start:end] for start, end in pairwise(bounds)] for values in flat]
        place = 0
        for formula in formulae:
            end = place + len(formula.at)
            every, *parts, agreeing = [values[place:end] for values in by_place]
            yield Scores(every, tuple(parts), agreeing)
            place = end


def _log_softmax(values: NDArray[np.float32], starts: Indices, place: Indices) -> NDArray[np.float32]:
    """Log-probabilities of readings; the readings of a place stand together, from `starts` on."""
    values = values - np.maximum.reduceat(values, starts)[place]
    result: NDArray[np.float32] = values - np.log(np.add.reduceat(np.exp(values), starts))[place]
    return result


# -- priors ----------------------------------------------------------------------------------------------------


def with_priors(scores: Scores, priors: Sequence[Prior]) -> Scores:
    """The scores with priors added, as log-probabilities again."""
    added: dict[int, list[float]] = {}
    for prior in priors:
        for place, values in prior.items():
            own = added.get(place)
            added[place] = [*values] if own is None else [a + b for a, b in zip(own, values, strict=True)]
    if not added:
        return scores

    def adjusted(every: list[list[float]]) -> list[list[float]]:
        found = list(every)
        for place, values in added.items():
            found[place] = normalised([a + b for a, b in zip(every[place], values, strict=True)])
        return found

    return Scores(adjusted(scores.all), tuple(map(adjusted, scores.parts)), scores.agreeing)


def normalised(scores: Sequence[float]) -> list[float]:
    """Log-scores as log-probabilities."""
    top = max(scores)
    total = top + math.log(sum([math.exp(value - top) for value in scores]))
    return [value - total for value in scores]


def caution(formula: Encoded, amount: float) -> Prior:
    """A bare letter without any context is rather a letter than a name: a wrong guess is worse than none."""
    if formula.has_context or len(formula.at) != 1 or len(formula.at[0].row.elements) != 1:
        return {}  # `J_{\nu}` says more than `J`
    if formula.tree.nodes.shape[1] > 2:
        return {}
    return {0: [amount, *([0.0] * len(formula.at[0].matches))]}


@dataclass(frozen=True, slots=True)
class _Namesake:
    """`command` is the other thing's own; with `beside` in the formula or `words` around it, the macro is meant."""

    command: str
    beside: frozenset[str]
    words: tuple[str, ...]
    arguments: frozenset[str]  # that only the other thing has
    call: str = ""  # the form that is mistaken; without it those with an empty parameter


_MAPS: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZfgh") | {r"\phi", r"\psi", r"\pi", r"\rho", r"\partial", r"\alpha"}
_NAMESAKES: Final[Mapping[str, _Namesake]] = {
    r"\Kelvinker": _Namesake(r"\ker", frozenset({"ber", "bei", "kei"}), ("kelvin", "bessel"), _MAPS),
    r"\bDiff": _Namesake(r"\nabla", frozenset({r"\Delta"}), ("difference",), frozenset(), r"\bDiff"),
}


def namesakes(formula: Encoded, latex: str, labels: Collection[str], context: Context) -> Prior:
    """Excludes macros that are mistaken for something better known: `\\ker(A)` is a kernel, not a Kelvin function.

    Such a macro is read only where the formula or its context speaks of its subject, or where it is written as nobody
    writes the other thing.
    """
    found: dict[int, list[float]] = {}
    if not any(other.command.removeprefix("\\") in latex for other in _NAMESAKES.values()):
        return found
    for index, place in enumerate(formula.at):
        if any(match.rule.name in _NAMESAKES for match in place.matches):
            wrong = [_is_namesake(match, latex, labels, context) for match in place.matches]
            found[index] = [0.0, *(EXCLUDED if one else 0.0 for one in wrong)]
    return found


def _is_namesake(match: Match, latex: str, labels: Collection[str], context: Context) -> bool:
    other = _NAMESAKES.get(match.rule.name)
    if other is None or (match.rule.call != other.call if other.call else "{}" not in match.rule.call):
        return False
    text = " ".join(context.values()) if isinstance(context, Mapping) else context or ""
    if not other.beside.isdisjoint(labels) or any(word in text.lower() for word in other.words):
        return False
    if latex.startswith(other.command, match.row.elements[match.start].start):
        return True
    return any(span.elements[0].label in other.arguments for span in match.holes.values())


def said_otherwise(formula: Encoded, latex: str, context: Context) -> Prior:
    """Excludes readings of letters that the text around introduces as something else: "let $\\Gamma$ be a group"."""
    text = " ".join(context.values()) if isinstance(context, Mapping) else context or ""
    found: dict[int, list[float]] = {}
    if "$" not in text:
        return found
    for index, place in enumerate(formula.at):
        element = place.row.elements[place.position]
        label = element.label
        if not place.matches or (f"${label}" not in text and f"$ {label}" not in text):
            continue
        subject = subject_of(text)
        if subject.has_kind(label):
            source = latex[element.start :]
            every = [subject.evidence(label, match.rule.name, source) for match in place.matches]
            if any(one.otherwise and one.against for one in every):
                found[index] = [0.0, *(EXCLUDED if one.otherwise and one.against else 0.0 for one in every)]
    return found


def declared_readings(formula: Encoded, declared: Declarations) -> Prior:
    """What was declared of letters: one that is declared to be a macro is only that, any other is no macro at all."""
    found: dict[int, list[float]] = {}
    begun = declared.vocabulary.letters if declared.vocabulary is not None else frozenset()
    for index, place in enumerate(formula.at):
        label = place.row.elements[place.position].label
        declaration = declared.get(label)
        if declaration is None:
            if label in begun:  # a notation of the user's own begins here
                found[index] = [0.0, *(EXCLUDED if m.rule.pattern.items[0].hole < 0 else 0.0 for m in place.matches)]
            continue
        macro = declaration.macro
        starts = [match.rule.pattern.items[0].hole < 0 for match in place.matches]
        meant = [match.rule.name == macro for match in place.matches]
        own = [EXCLUDED if start and not right else 0.0 for start, right in zip(starts, meant, strict=True)]
        found[index] = [EXCLUDED if any(meant) else 0.0, *own]
    return found


def chosen(formula: Encoded, prefer: Prefer | None, choices: Choices) -> Prior:
    """What the caller prefers, and chooses at spans of the source."""
    found: dict[int, list[float]] = {}
    for index, place in enumerate(formula.at):
        element = place.row.elements[place.position]
        names = ["", *(match.rule.name for match in place.matches)]
        own = [prefer(element.label, name) for name in names] if prefer is not None else [0.0] * len(names)
        for (start, end), macro in choices.items():
            if start <= element.start < end and macro in names and _starts(place, start):
                own = [value if name == macro else value + EXCLUDED for value, name in zip(own, names, strict=True)]
        if any(own):
            found[index] = own
    return found


def _starts(place: Place, start: int) -> bool:
    """Whether a place is the first of what starts at a source position, dissolved braces aside."""
    element = place.row.elements[place.position]
    before = place.row.elements[place.position - 1].end if place.position else place.row.start
    return before <= start <= element.start
