"""The translator: generic LaTeX in, certified semantic LaTeX out."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from texlift.errors import FormulaError, Span
from texlift.grammar.grammar import Grammar
from texlift.grammar.matching import Match
from texlift.grammar.readings import Forest, Reader
from texlift.latex.canonical import Row, canonical
from texlift.latex.definitions import expand_definitions
from texlift.latex.symbols import known_commands
from texlift.macros.certificate import Certifier
from texlift.macros.expansion import Expander
from texlift.macros.lexicon import lexicon
from texlift.network.arrays import NumpyArrays
from texlift.network.scorer import combined, prepared, score_parts
from texlift.translate.batch import Indices, collate
from texlift.translate.confidence import certain, is_alone, is_symbol, judge, marks
from texlift.translate.decoding import Choice, Derivation, Probabilities, decode
from texlift.translate.encoding import Encoded, Encoder, Place, Sketch
from texlift.translate.merging import merged
from texlift.translate.model import Model, packaged_model
from texlift.translate.rendering import Renderer
from texlift.translate.translation import Alternative, Decision, Reading, Translation
from texlift.translate.variation import EXCLUDED, FAINT, flipped, symbols_alike
from texlift.translate.wrappers import left_out

__all__ = ["MAX_FORMULA", "Choices", "Context", "Prefer", "Translator", "load"]

Context: TypeAlias = str | Mapping[str, str] | None
"""Words about a formula: one text, or titles and the sentence around it by name."""

MAX_FORMULA = 10_000
"""Characters of a formula that is translated, user macros expanded; the longest of the DLMF has 1,990."""

_BATCH = 256
_TRIES = 6  # derivations tried until one expands back to the input
_DOUBT = math.log(0.98)  # literal readings less likely than this are reported as decisions too
_THRESHOLD = 0.6  # below it a decision, or the answer as a whole, is told to be unsure
_CAUTION = 2.0  # how much likelier, as a logarithm, a letter alone must be a name if nothing is said about it

Prefer: TypeAlias = Callable[[str, str], float]
"""(label of the symbol, macro or "") -> what to add to the log-score of that reading."""

Choices: TypeAlias = Mapping[Span, str]
"""Source span -> macro that must stand there, "" for the literal reading."""

_Scores: TypeAlias = list[list[list[float]]]
"""Scorer (first all together), place, reading -> log-probability."""


@dataclass(frozen=True, slots=True)
class _Options:
    alternatives: int
    constants: bool
    prefer: Prefer | None
    choices: Choices
    raw: bool


@dataclass(slots=True)
class _Work:
    """One formula on its way through the translator."""

    latex: str
    forest: Forest
    encoded: Encoded
    left_out: list[Span]
    context: Context


class _Known:
    """What is known of a formula whatever is said about it; found step by step."""

    __slots__ = ("forest", "latex", "left_out", "root", "sketches")

    def __init__(self, latex: str, root: Row, left_out: list[Span]) -> None:
        self.latex = latex
        self.root = root
        self.left_out = left_out  # parts that the semantic side does without
        self.forest: Forest | None = None
        self.sketches: dict[bool, Sketch] = {}  # with constants marked, without


@dataclass(slots=True)
class _Decoded:
    """A formula with its likeliest derivations."""

    work: _Work
    by_scorer: _Scores
    probabilities: Probabilities
    derivations: list[Derivation]


_Certified: TypeAlias = tuple[Derivation, str, Renderer]
"""A derivation whose semantic LaTeX expands back, that LaTeX, and what wrote it."""


@dataclass(frozen=True, slots=True)
class _Plain:
    """A formula with nothing to decide."""

    latex: str
    semantic: str
    warnings: tuple[str, ...]
    labels: set[str]
    alone: bool  # it is a single symbol


class Translator:
    """Translates formulae with one model. Not tied to a thread; holds no state but caches."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._reader = Reader(model.grammar)
        self._heads = _heads(model.grammar)
        self._encoder = Encoder(model.vocabulary, model.numbers)
        self._certifier = Certifier(Expander(model.grammar))
        self._arrays = NumpyArrays()
        self._weights = prepared(model.weights, model.config.state)
        self._commands = known_commands().union(model.vocabulary.labels)
        self._known_formula = lru_cache(maxsize=2048)(self._parsed)

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
        Raises FormulaError, with the place, if the formula does not parse.
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
    ) -> Iterator[Translation | FormulaError]:
        """Translations in order, one for each formula; a formula that does not parse gives its error.

        `raw` leaves the confidence as the scorer has it, before calibration, and skips the decisions.
        """
        queue = iter(formulae)
        options = _Options(alternatives, constants, prefer, choices or {}, raw)
        while chunk := list(islice(queue, _BATCH)):
            yield from self._chunk(chunk, options)

    def _parsed(self, latex: str) -> _Known:
        root = canonical(latex)
        return _Known(latex, root, left_out(latex, root, self.model.needless) if self.model.needless else [])

    def _chunk(self, chunk: Sequence[tuple[str, Context]], options: _Options) -> Iterator[Translation | FormulaError]:
        works = self._works(chunk, options.constants)
        asked = [work for work in works if isinstance(work, _Work)]
        scored = zip(asked, self._scores([work.encoded for work in asked]), strict=True)
        decoded = [self._decoded(work, by_scorer, options) for work, by_scorer in scored]
        certified = iter([(one, self._certified(one.work, one.derivations)) for one in decoded])
        for work, (_, context) in zip(works, chunk, strict=True):
            if isinstance(work, FormulaError):
                yield work
            elif isinstance(work, _Plain):
                judged = certain(work.alone, work.alone and not self._heads.isdisjoint(work.labels), bool(context))
                about = marks(work.labels, None, work.alone, context)
                confidence = 1.0 if options.raw else self.model.calibration(judged.signs, about)
                yield Translation(
                    work.latex, work.semantic, confidence, (), (), work.warnings, judged.signs, tuple(about)
                )
            else:
                yield self._answer(*next(certified), options)

    def _works(self, chunk: Sequence[tuple[str, Context]], constants: bool) -> list[_Work | _Plain | FormulaError]:
        """The formulae made ready to be scored.

        One step for all of them, then the next: so the processor's caches hold what a step needs, which saves a tenth.
        """
        parsed: list[_Known | FormulaError] = []
        for latex, _ in chunk:
            try:
                parsed.append(self._known_formula(_short(expand_definitions(latex))))
            except FormulaError as error:
                parsed.append(error)
        read: list[tuple[_Known, Forest] | FormulaError] = []
        for known in parsed:
            if isinstance(known, FormulaError):
                read.append(known)
                continue
            if known.forest is None:
                known.forest = self._reader.read(known.root)
            read.append((known, known.forest))
        for item in read:
            if not isinstance(item, FormulaError):
                known, forest = item
                if forest.ambiguous and constants not in known.sketches:
                    known.sketches[constants] = self._encoder.sketch(forest, known.latex, constants)
        works: list[_Work | _Plain | FormulaError] = []
        for item, (_, context) in zip(read, chunk, strict=True):
            if isinstance(item, FormulaError):
                works.append(item)
                continue
            known, forest = item
            source = known.latex
            if forest.ambiguous:
                encoded = self._encoder.placed(known.sketches[constants], source, context)
                works.append(_Work(source, forest, encoded, known.left_out, context))
            else:
                semantic = Renderer(source, {}, (), known.left_out).formula(known.root)
                works.append(_Plain(source, semantic, self._unknown(forest), forest.labels, is_symbol(known.root)))
        return works

    def _scores(self, encoded: list[Encoded]) -> Iterator[_Scores]:
        """For each formula, the log-probabilities of the readings of each place: by all, and by each scorer alone."""
        if not encoded:
            return
        bits = self.model.config.table_bits
        batch = merged(collate(encoded, bits, shared=True, conventions=self.model.conventions))
        parts = score_parts(self._weights, self.model.config, batch, self._arrays)
        starts = np.flatnonzero(np.diff(batch.reading_place, prepend=-1))
        bounds = [*starts.tolist(), len(batch.reading_place)]
        together = parts if len(parts) == 1 else [combined(parts), *parts]
        flat = [_log_softmax(values, starts, batch.reading_place).tolist() for values in together]
        at = 0
        for formula in encoded:
            places = range(at, at + len(formula.places))
            yield [[values[bounds[k] : bounds[k + 1]] for k in places] for values in flat]
            at += len(formula.places)

    def _decoded(self, work: _Work, by_scorer: _Scores, options: _Options) -> _Decoded:
        alternatives = options.alternatives
        if _nothing_is_said(work.encoded) and is_alone(work.encoded):
            by_scorer = [[_literal_favoured(own) for own in scores] for scores in by_scorer]
        scores = by_scorer[0]
        if options.prefer is not None or options.choices:
            scores = _steered(work, scores, options)
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
        warnings = [*self._unknown(work.forest)]
        if work.forest.capped:
            warnings.append("very ambiguous: not all readings were considered")
        if answer is None:
            warnings.append("no reading expands back to the input; left as it is")
            return Translation(work.latex, work.latex, 0.0, warnings=tuple(warnings))
        derivation, semantic, renderer = answer
        alone = is_alone(work.encoded)
        head = alone and not self._heads.isdisjoint(work.forest.labels)
        judged = judge(work.encoded, derivation, decoded.by_scorer[1:], head)
        about = marks(work.forest.labels, derivation, alone, work.context)
        if options.raw:
            return Translation(work.latex, semantic, judged.probability, signs=judged.signs, marks=tuple(about))
        confidence = self.model.calibration(judged.signs, about)
        decisions = tuple(
            sorted(
                (
                    self._decision(work, choice, probabilities, renderer)
                    for choice in derivation.choices
                    if choice.match is not None or choice.log_probability < _DOUBT
                ),
                key=lambda decision: decision.span,
            )
        )
        unsure = [
            f"unsure about {d.source}: {d.macro or 'left as it is'} ({d.probability:.0%})"
            for d in decisions
            if d.probability < _THRESHOLD
        ]
        if confidence < _THRESHOLD and not unsure:
            unsure = [f"unsure on the whole ({confidence:.0%}): a context may help"]
        warnings += unsure
        others = self._alternatives(work, derivations, semantic, confidence, alternatives) if alternatives > 0 else ()
        return Translation(
            work.latex, semantic, confidence, decisions, others, tuple(warnings), judged.signs, tuple(about)
        )

    def _unknown(self, forest: Forest) -> tuple[str, ...]:
        """Warnings about commands that neither LaTeX nor the model knows."""
        unknown = forest.labels - self._commands
        if not unknown:
            return ()
        return tuple(
            [
                f"unknown command {label}: left as it is"
                for label in sorted(unknown)
                if label[0] == "\\" and label[1:].isalpha()
            ]
        )

    def _certified(self, work: _Work, derivations: list[Derivation]) -> _Certified | None:
        """The first derivation whose semantic LaTeX expands back to the presentation of the input."""
        for derivation in derivations:
            renderer = _renderer(work, derivation)
            semantic = renderer.formula(work.forest.root)
            if semantic == work.latex or self._certifier.certifies(semantic, work.forest.root.key):
                return derivation, semantic, renderer
        return None

    def _alternatives(
        self, work: _Work, derivations: list[Derivation], answer: str, confidence: float, count: int
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
            if text == work.latex or self._certifier.certifies(text, work.forest.root.key):
                others.append(Alternative(text, min(probability, confidence)))
                if len(others) == count:
                    break
        return tuple(others)

    def _reading(self, match: Match, log_probability: float, renderer: Renderer) -> Reading:
        name = match.rule.name
        return Reading(name, renderer.call(match), _described(name)[0], math.exp(log_probability))

    def _decision(self, work: _Work, choice: Choice, probabilities: Probabilities, renderer: Renderer) -> Decision:
        row, position, match = choice.row, choice.position, choice.match
        scores = probabilities[id(row), position]
        matches = work.forest.places[id(row)][position]
        element = row.elements[position]
        span = renderer.spans.get(choice.key, (element.start, element.end))
        literal = Reading("", work.latex[element.start : element.end], "as it stands", math.exp(scores[0]))
        own = literal
        if match is not None:
            # a match cut short by the end of its span is not among those scored at the place
            own = self._reading(match, choice.log_probability, renderer)
        readings = [literal, own]
        for index, other in enumerate(matches, 1):
            if other is not match and scores[index] > FAINT:
                readings.append(self._reading(other, scores[index], renderer))
        competing = tuple(sorted((r for r in readings if r is not own), key=lambda r: -r.probability)[:8])
        return Decision(
            span,
            work.latex[span[0] : span[1]],
            own.macro,
            own.call,
            own.meaning,
            _described(own.macro)[1],
            math.exp(choice.log_probability),
            competing,
        )


def _heads(grammar: Grammar) -> frozenset[str]:
    """The symbols with which calls with arguments start."""
    rules = zip(grammar.rules, grammar.needs, strict=True)
    return frozenset(needs.first for rule, needs in rules if needs and rule.count and "@" in rule.call)


def _renderer(work: _Work, derivation: Derivation) -> Renderer:
    matches = {choice.key: choice.match for choice in derivation.choices if choice.match is not None}
    return Renderer(work.latex, matches, work.forest.quiet, work.left_out)


def _short(source: str) -> str:
    """A formula that can be translated in a second or so; the semantic form may be several times as long."""
    if len(source) > MAX_FORMULA:
        message = f"formula of {len(source):,} characters is longer than the limit of {MAX_FORMULA:,}"
        raise FormulaError(
            message, source, (MAX_FORMULA, MAX_FORMULA + 1), "split the text into single formulae", "too-long"
        )
    return source


def _log_softmax(values: NDArray[np.float32], starts: Indices, place: Indices) -> NDArray[np.float32]:
    """Log-probabilities of readings; the readings of a place stand together, from `starts` on."""
    values = values - np.maximum.reduceat(values, starts)[place]
    normalised: NDArray[np.float32] = values - np.log(np.add.reduceat(np.exp(values), starts))[place]
    return normalised


def _nothing_is_said(encoded: Encoded) -> bool:
    return not len(encoded.titles) and not len(encoded.sentence)


def _literal_favoured(scores: list[float]) -> list[float]:
    """The log-probabilities of a place with the literal reading more likely: a wrong guess is worse than none."""
    return _normalised([scores[0] + _CAUTION, *scores[1:]])


def _normalised(scores: list[float]) -> list[float]:
    top = max(scores)
    total = top + math.log(sum([math.exp(value - top) for value in scores]))
    return [value - total for value in scores]


def _steered(work: _Work, scores: list[list[float]], options: _Options) -> list[list[float]]:
    """Log-probabilities with the caller's preferences and choices applied, normalised again."""
    steered = []
    for place, own in zip(work.encoded.places, scores, strict=True):
        element = place.row.elements[place.position]
        names = ["", *(match.rule.name for match in place.matches)]
        if options.prefer is not None:
            own = [value + options.prefer(element.label, name) for value, name in zip(own, names, strict=True)]
        for (start, end), macro in options.choices.items():
            if start <= element.start < end and macro in names and _starts(place, start):
                own = [value if name == macro else EXCLUDED for value, name in zip(own, names, strict=True)]
        steered.append(_normalised(own))
    return steered


def _starts(place: Place, start: int) -> bool:
    """Whether a place is the first of what starts at a source position, dissolved braces aside."""
    element = place.row.elements[place.position]
    before = place.row.elements[place.position - 1].end if place.position else place.row.start
    return before <= start <= element.start


@cache
def _described(name: str) -> tuple[str, str]:
    """Meaning and address of a macro; both are empty for one that the lexicon does not know."""
    macro = lexicon().lookup(name) if name else None
    return (macro.meaning, macro.dlmf_url) if macro else ("", "")


@lru_cache(maxsize=4)
def load(model: str | Path | None = None) -> Translator:
    """The translator of a model folder, by default of the model that ships with texlift."""
    return Translator(packaged_model() if model is None else Model.load(Path(model)))
