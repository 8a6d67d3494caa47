"""The translator: generic LaTeX in, certified semantic LaTeX out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import TypeAlias

from texlift.context.mentions import mentions
from texlift.errors import FormulaError
from texlift.grammar.grammar import Grammar
from texlift.translate.answer import Alternative, Translation
from texlift.translate.chosen import obeyed
from texlift.translate.confidence import certain, is_alone, is_markup, judge, marks, without_markup
from texlift.translate.decoding import Derivation, Probabilities, decode
from texlift.translate.explanation import decision, traps
from texlift.translate.fence import answer_each
from texlift.translate.model import Model, packaged_model
from texlift.translate.namesakes import without_namesakes
from texlift.translate.preparation import MAX_FORMULA, Context, Plain, Preparation, Work
from texlift.translate.rendering import Renderer
from texlift.translate.scoring import Choices, Prefer, Scores, Scoring, cautious, steered
from texlift.translate.variation import FAINT, flipped, symbols_alike

__all__ = ["MAX_FORMULA", "Choices", "Context", "Prefer", "Translator", "load"]

_BATCH = 256
_TRIES = 6  # derivations tried until one expands back to the input
_DOUBT = math.log(0.98)  # literal readings less likely than this are reported as decisions too
_THRESHOLD = 0.6  # below it a decision is reported as doubtful
_WHOLE_THRESHOLD = 0.9  # below it the answer as a whole is


@dataclass(frozen=True, slots=True)
class _Options:
    alternatives: int
    constants: bool
    prefer: Prefer | None
    choices: Choices
    raw: bool
    together: bool
    bare: bool


@dataclass(slots=True)
class _Decoded:
    """A formula with its likeliest derivations."""

    work: Work
    by_scorer: Scores
    probabilities: Probabilities
    derivations: list[Derivation]


_Certified: TypeAlias = tuple[Derivation, str, Renderer]
"""A derivation whose semantic LaTeX expands back, that LaTeX, and what wrote it."""


class Translator:
    """Translates formulae with one model. Not tied to a thread; holds no state but caches."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._preparation = Preparation(model)
        self._scores = Scoring(model)
        self._heads = _heads(model.grammar)
        self._certifier = self._preparation.certifier

    def translate(
        self,
        latex: str,
        context: Context = None,
        alternatives: int = 3,
        constants: bool = False,
        prefer: Prefer | None = None,
        choices: Choices | None = None,
    ) -> Translation:
        """The most likely meaning of a formula.

        `context` is whatever is known about it: a text, or an object of titles and the sentence around it.
        `constants` marks every e, i, pi, ... that is the constant, also where the DLMF leaves the plain letter.
        `prefer(symbol, macro)` adds to the log-score of a reading, `choices` fixes the macro at a span of the
        source ("" for the literal reading).
        Raises FormulaError, with the place, if the formula does not parse or a choice cannot be followed.
        """
        result = next(self.translate_many([(latex, context)], alternatives, constants, prefer, choices))
        if isinstance(result, FormulaError):
            raise result
        return result

    def translate_many(
        self,
        formulae: Iterable[tuple[str, Context]],
        alternatives: int = 0,
        constants: bool = False,
        prefer: Prefer | None = None,
        choices: Choices | None = None,
        raw: bool = False,
        together: bool = True,
        bare: bool = False,
    ) -> Iterator[Translation | FormulaError]:
        """Translations in order, one for each formula; a formula that does not parse gives its error.

        Formulae are read `together`, some hundreds at a time. Those whose contexts name the same section are by one
        writer, and a symbol mostly means the same in all of them; those without a context are put where all of them
        seem to be from, if they come in the order of a text. Without it, each is translated as if it were alone.

        Dollars, display environments, labels and a full stop around a formula are taken off, unless it is `bare`.

        `raw` leaves the confidence as the scorer has it, before calibration, and skips the decisions.
        """
        queue = iter(formulae)
        options = _Options(alternatives, constants, prefer, choices or {}, raw, together, bare or raw)
        while chunk := [_asked(latex, context) for latex, context in islice(queue, _BATCH)]:
            for answer in answer_each(lambda some: self._chunk(some, options), chunk, lambda asked: asked[0]):
                yield obeyed(answer, options.choices) if options.choices and not raw else answer

    def _chunk(self, chunk: Sequence[tuple[str, Context]], options: _Options) -> Iterator[Translation | FormulaError]:
        works = self._preparation.ready(chunk, options.constants, options.together, options.bare)
        asked = [work for work in works if isinstance(work, Work)]
        scored = zip(asked, self._scores([work.judged for work in asked], options.together), strict=True)
        decoded = [self._decoded(work, by_scorer, options) for work, by_scorer in scored]
        certified = iter([(one, self._certified(one.work, one.derivations)) for one in decoded])
        for work, (_, context) in zip(works, chunk, strict=True):
            if isinstance(work, FormulaError):
                yield work
            elif isinstance(work, Plain):
                judged = certain(work.alone, work.alone and not self._heads.isdisjoint(work.labels), bool(context))
                about = marks(work.labels, None, work.alone, context)
                confidence = 1.0 if options.raw else self.model.calibration(judged.signs, about)
                warnings = (*work.warnings, *mentions(work.semantic, context))
                yield Translation(work.latex, work.semantic, confidence, (), (), warnings, judged.signs, tuple(about))
            else:
                yield self._answer(*next(certified), options)

    def _decoded(self, work: Work, by_scorer: Scores, options: _Options) -> _Decoded:
        alternatives = options.alternatives
        if work.respelled is not None:
            by_scorer = [work.respelled.carried(scores) for scores in by_scorer]
        by_scorer = cautious(work.encoded, by_scorer)
        by_scorer = without_namesakes(work.encoded, by_scorer, work.latex, work.forest.labels, work.context)
        scores = by_scorer[0]
        if options.prefer is not None or options.choices:
            scores = steered(work.encoded, scores, options.prefer, options.choices)
        probabilities: Probabilities = dict(zip(work.encoded.where, scores, strict=True))
        derivations = decode(work.forest, probabilities, 1 + max(0, alternatives), -FAINT)
        if alternatives > 0:
            derivations += flipped(work.forest, work.encoded, probabilities, derivations[0], alternatives)
        return _Decoded(work, by_scorer, probabilities, derivations)

    def _answer(self, decoded: _Decoded, answer: _Certified | None, options: _Options) -> Translation:
        work, probabilities, derivations = decoded.work, decoded.probabilities, decoded.derivations
        alternatives = options.alternatives
        if answer is None:
            derivations = decode(work.forest, probabilities, _TRIES + alternatives)
            answer = self._certified(work, derivations)
        warnings = [*self._preparation.unknown(work.forest)]
        if work.forest.capped:
            warnings.append("very ambiguous: not all readings were considered")
        if answer is None:
            warnings.append("no reading expands back to the input; left as it is")
            return Translation(work.latex, work.latex, 0.0, warnings=tuple(warnings))
        derivation, semantic, renderer = answer
        alone = is_alone(work.encoded)
        head = alone and not self._heads.isdisjoint(work.forest.labels)
        judged = judge(work.encoded, derivation, decoded.by_scorer[1:], head, work.placed)
        about = marks(work.forest.labels, derivation, alone, work.context)
        if options.raw:
            return Translation(work.latex, semantic, judged.probability, signs=judged.signs, marks=tuple(about))
        # whether a constant is marked up is no doubt about what is meant
        calibration = self.model.calibration
        confidence = calibration(judged.signs, about)
        if any(is_markup(work.encoded, choice) for choice in derivation.choices):
            meant = judge(work.encoded, derivation, decoded.by_scorer[1:], head, work.placed, probabilities)
            confidence = max(confidence, calibration(meant.signs, without_markup(about)))
        told = sorted(
            (
                (decision(work, choice, probabilities, renderer), is_markup(work.encoded, choice))
                for choice in derivation.choices
                if choice.match is not None or choice.log_probability < _DOUBT
            ),
            key=lambda pair: pair[0].span,
        )
        decisions = tuple([one for one, _ in told])
        unsure = [
            f"unsure about {d.source}: {d.macro or 'left as it is'} ({d.probability:.0%})"
            for d, markup in told
            if d.probability < _THRESHOLD and not markup
        ]
        if confidence < _WHOLE_THRESHOLD and not unsure:
            unsure = [f"unsure on the whole ({confidence:.0%}): a context may help"]
        warnings += unsure + traps(derivation, work.latex) + mentions(semantic, work.context)
        others = self._alternatives(work, derivations, semantic, confidence, alternatives) if alternatives > 0 else ()
        return Translation(
            work.latex, semantic, confidence, decisions, others, tuple(warnings), judged.signs, tuple(about)
        )

    def _certified(self, work: Work, derivations: list[Derivation]) -> _Certified | None:
        """The first derivation whose semantic LaTeX expands back to the presentation of the input."""
        for derivation in derivations:
            renderer = _renderer(work, derivation)
            semantic = renderer.formula(work.forest.root)
            if self._certifier.certifies(semantic, work.key):
                return derivation, semantic, renderer
        return None

    def _alternatives(
        self, work: Work, derivations: list[Derivation], answer: str, confidence: float, count: int
    ) -> tuple[Alternative, ...]:
        """Other answers that expand back, the likeliest first; none that reads one symbol in two ways."""
        found: dict[str, float] = {}
        for derivation in derivations:
            if not symbols_alike(derivation, work.encoded):
                continue
            text = _renderer(work, derivation).formula(work.forest.root)
            if text != answer:
                found[text] = max(found.get(text, 0.0), judge(work.encoded, derivation, ()).probability)
        others: list[Alternative] = []
        for text, probability in sorted(found.items(), key=lambda item: -item[1]):
            if self._certifier.certifies(text, work.key):
                others.append(Alternative(text, min(probability, confidence)))
                if len(others) == count:
                    break
        return tuple(others)


def _asked(latex: object, context: object) -> tuple[str, Context]:
    """What was asked for; what is no text is a mistake in the caller's program, not in a formula."""
    if not isinstance(latex, str):
        raise TypeError(f"a formula must be a str, not {type(latex).__name__}")
    if isinstance(context, Mapping):
        if not all(isinstance(text, str) for pair in context.items() for text in pair):
            raise TypeError("titles and sentences in a context must be str")
    elif context is not None and not isinstance(context, str):
        raise TypeError(f"a context must be a str or a mapping of str, not {type(context).__name__}")
    return latex, context


def _heads(grammar: Grammar) -> frozenset[str]:
    """The symbols with which calls with arguments start."""
    rules = zip(grammar.rules, grammar.needs, strict=True)
    return frozenset(needs.first for rule, needs in rules if needs and rule.count and "@" in rule.call)


def _renderer(work: Work, derivation: Derivation) -> Renderer:
    matches = {choice.key: choice.match for choice in derivation.choices if choice.match is not None}
    return Renderer(work.latex, matches, work.forest.quiet, work.left_out)


@lru_cache(maxsize=4)
def load(model: str | Path | None = None) -> Translator:
    """The translator of a model folder, by default of the model that ships with texlift."""
    return Translator(packaged_model() if model is None else Model.load(Path(model)))
