"""The translator: generic LaTeX in, certified semantic LaTeX out.

The way of a formula: it is parsed and read with all rules (`preparation`), its readings are scored (`scores`), the best
derivation is found (`decoding`), written as semantic LaTeX (`rendering`), expanded again and compared with the formula
(`texlift.grammar.certificate`), and explained (`answer`) with its confidence (`confidence`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from texlift.context.cues import declared_by
from texlift.context.memory import DocumentMemory, Symbols, formula_keys
from texlift.context.passage import Context
from texlift.errors import FormulaError, internal_error
from texlift.grammar.grammar import Grammar
from texlift.grammar.matching import RELATIONS
from texlift.meaning.declarations import Declarations
from texlift.remembered import passed
from texlift.scorer.encoding import Encoded
from texlift.translate.answer import (
    Alternative,
    Decision,
    Translation,
    explained,
    mentions,
    obeyed,
    traps,
    with_declared,
)
from texlift.translate.confidence import is_markup, is_symbol, likelihood, no_decision, topics_of, weigh, without_markup
from texlift.translate.decoding import Choice, Derivation, Probabilities, decode, flipped, symbols_alike
from texlift.translate.model import Model, packaged_model
from texlift.translate.neutral import NeutralOdds
from texlift.translate.preparation import MAX_FORMULA, Preparation, Work
from texlift.translate.rendering import Renderer
from texlift.translate.scores import (
    Choices,
    Prefer,
    Scorer,
    Scores,
    caution,
    chosen,
    declared_readings,
    namesakes,
    said_otherwise,
    with_priors,
)
from texlift.translate.unspoken import unspoken

__all__ = ["MAX_FORMULA", "Choices", "Context", "Prefer", "Translator", "load"]

_BATCH: Final = 512  # formulae that are scored at a time
_DOCUMENT: Final = 2048  # formulae of a document that share style and memory
_CHARACTERS: Final = 200_000  # of them, about: those of the DLMF have half as many; formulae of no document half of it
_TRIES: Final = 6  # derivations tried until one expands back to the input
_SETTLED: Final = math.log(0.99)  # a formula whose decisions are all likelier is not scored again with its document


@dataclass(frozen=True, slots=True)
class _Options:
    alternatives: int
    constants: bool
    prefer: Prefer | None
    choices: Choices
    raw: bool
    bare: bool
    declared: Declarations
    cautious: bool


class _Decoded(NamedTuple):
    """A formula with its likeliest derivations."""

    scores: Scores
    probabilities: Probabilities
    derivations: list[Derivation]


_Certified: TypeAlias = tuple[Derivation, str, Renderer]
"""A derivation whose semantic LaTeX expands back, that LaTeX, and what wrote it."""

_Answer: TypeAlias = Translation | FormulaError


class Translator:
    """Translates formulae with one model. Not tied to a thread; holds no state but caches."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._preparation = Preparation(model)
        self._scorer = Scorer(model.weights, model.config, model.slots, model.tuning)
        self._heads = _heads(model.grammar)
        self._certifier = self._preparation.certifier
        self._neutral = NeutralOdds(self._preparation, self._scorer, model.memory)

    def translate(
        self,
        latex: str,
        context: Context = None,
        alternatives: int = 3,
        constants: bool = False,
        prefer: Prefer | None = None,
        choices: Choices | None = None,
        declare: Mapping[str, str] | Declarations | None = None,
    ) -> Translation:
        """The most likely meaning of a formula.

        `context` is whatever is known about it: a text, or an object of titles and the sentence around it.
        `constants` marks every e, i, pi, ... that is the constant, also where the DLMF leaves the plain letter.
        `prefer(symbol, macro)` adds to the log-score of a reading, `choices` fixes the macro at a span of the
        source ("" for the literal reading), `declare` says what letters are: `{"n": "integer", "f": "function"}`.
        Raises FormulaError, with the place, if the formula does not parse or a choice cannot be followed.
        """
        result = next(
            self.translate_many([(latex, context)], alternatives, constants, prefer, choices, declare=declare)
        )
        if isinstance(result, FormulaError):
            raise result
        return replace(result, around=_words(context)) if context else result

    def translate_many(
        self,
        formulae: Iterable[tuple[str, Context]],
        alternatives: int = 0,
        constants: bool = False,
        prefer: Prefer | None = None,
        choices: Choices | None = None,
        raw: bool = False,
        bare: bool = False,
        document: bool = False,
        declare: Mapping[str, str] | Declarations | None = None,
        cautious: bool = True,
    ) -> Iterator[Translation | FormulaError]:
        """Translations in order, one for each formula; a formula that does not parse gives its error.

        Each formula is translated independently of the others, unless they are of one `document`: then its author's
        style and what its symbols mean elsewhere in it count (up to some 2,000 formulae at a time).

        Dollars, display environments, labels and a full stop around a formula are taken off, unless it is `bare`.
        `cautious` leaves letters alone that nothing speaks for; who asks the whole text about them needs it not.
        `raw` leaves the confidence as the scorer has it, before calibration, and skips the decisions.
        """
        queue = iter(formulae)
        declared = Declarations.of(declare)
        options = _Options(alternatives, constants, prefer, choices or {}, raw, bare or raw, declared, cautious)
        size = _DOCUMENT if document else _BATCH
        run = self._document if document else self._independent
        characters = _CHARACTERS if document else _CHARACTERS // 2
        while some := _few(queue, size, characters):
            if passed(sum([len(latex) + _length(context) for latex, context in some])):
                self._preparation.forget()
            for answer in _answer_each(lambda few: run(few, options), some):
                if options.choices and not raw:
                    answer = obeyed(answer, options.choices)
                yield with_declared(answer, declared) if declared else answer

    # -- the pipeline --------------------------------------------------------------------------------------------

    def _independent(self, asked: Sequence[tuple[str, Context]], options: _Options) -> list[_Answer]:
        """The answers to formulae that have nothing to do with each other."""
        answers: list[_Answer] = []
        for works in self._preparation.portions(asked, options.constants, options.bare):
            decoded = self._decoded(works, options, lambda symbols, _: self.model.memory.columns(symbols))
            answers += self._answers(works, decoded, options)
        return answers

    def _document(self, asked: Sequence[tuple[str, Context]], options: _Options) -> list[_Answer]:
        """The answers to formulae of one document."""
        answers: list[_Answer] = []
        for works in self._preparation.portions(asked, options.constants, options.bare, document=True):
            answers += self._together(works, options)
        return answers

    def _together(self, works: Sequence[Work | FormulaError], options: _Options) -> list[_Answer]:
        """The answers to formulae of one document: what the clear ones mean is remembered for the others."""
        from texlift.meaning.structure.document import DocumentUses  # only documents need it

        if len({work.latex for work in works if isinstance(work, Work)}) > 1:
            options = replace(options, cautious=False)  # the other formulae of a document speak too
        decoded = self._decoded(works, options, lambda symbols, _: self.model.memory.columns(symbols))
        numbers: dict[str, int] = {}  # equal formulae have the same number
        number = {
            at: numbers.setdefault(work.latex, len(numbers)) for at in decoded if isinstance(work := works[at], Work)
        }
        if len(numbers) > 1:
            least = self.model.tuning.document_memory
            found = [(number[at], _remembered(works[at], one, least)) for at, one in decoded.items()]
            memory = DocumentMemory(self.model.memory, found)
            open_ = [at for at, one in decoded.items() if _least(one.derivations[0]) < _SETTLED]
            again = self._decoded(
                works, options, lambda symbols, at: memory.columns(symbols, [number[k] for k in at]), open_
            )
            decoded.update(again)
        answers = self._answers(works, decoded, options)
        latex = tuple(work.latex for work in works if isinstance(work, Work))
        if len(latex) < 2 or options.raw:
            return answers
        uses = DocumentUses(latex)
        return [replace(one, document=uses) if isinstance(one, Translation) else one for one in answers]

    def _decoded(
        self,
        works: Sequence[Work | FormulaError],
        options: _Options,
        columns: Callable[[Sequence[Symbols], Sequence[int]], NDArray[np.int32]],
        only: Sequence[int] | None = None,
    ) -> dict[int, _Decoded]:
        """The likeliest derivations of formulae that have something to decide, by their numbers in `works`.

        `columns` gives what memory says of the readings of some formulae, given also their numbers.
        """
        numbers = range(len(works)) if only is None else only
        open_ = [(at, work, work.encoded) for at in numbers if isinstance(work := works[at], Work) and work.encoded]
        found: dict[int, _Decoded] = {}
        for start in range(0, len(open_), _BATCH):
            some = open_[start : start + _BATCH]
            encoded = [formula for _, _, formula in some]
            memory = columns([formula.symbols for formula in encoded], [at for at, _, _ in some])
            for (at, work, formula), scores in zip(some, self._scorer(encoded, memory), strict=True):
                found[at] = self._derivations(work, formula, scores, options)
        return found

    def _derivations(self, work: Work, formula: Encoded, scores: Scores, options: _Options) -> _Decoded:
        tuning = self.model.tuning
        priors = [caution(formula, tuning.caution), namesakes(formula, work.latex, work.forest.labels, work.context)]
        priors.append(said_otherwise(formula, work.latex, work.context))
        if options.cautious:
            priors.append(unspoken(formula, work.latex, work.context, scores, tuning, self._neutral))
        if options.declared:
            priors.append(declared_readings(formula, options.declared))
        if options.prefer is not None or options.choices:
            priors.append(chosen(formula, options.prefer, options.choices))
        scores = with_priors(scores, priors)
        probabilities: Probabilities = dict(zip(formula.where, scores.all, strict=True))
        count, faint = max(0, options.alternatives), math.log(tuning.faint)
        derivations = decode(work.forest, probabilities, 1 + count, -faint, tuning)
        if count:
            derivations += flipped(work.forest, formula, probabilities, derivations[0], count, faint)
        return _Decoded(scores, probabilities, derivations)

    def _answers(
        self, works: Sequence[Work | FormulaError], decoded: Mapping[int, _Decoded], options: _Options
    ) -> list[_Answer]:
        certified = {
            at: self._certified(work, one.derivations)
            for at, one in decoded.items()
            if isinstance(work := works[at], Work)
        }
        answers: list[_Answer] = []
        for at, work in enumerate(works):
            if isinstance(work, FormulaError):
                answers.append(work)
            elif work.encoded is None:
                answers.append(self._unchanged(work, options))
            else:
                answers.append(self._answer(work, work.encoded, decoded[at], certified[at], options))
        return answers

    # -- answers -------------------------------------------------------------------------------------------------

    def _unchanged(self, work: Work, options: _Options) -> Translation:
        """The answer to a formula with nothing to decide."""
        alone = is_symbol(work.forest.root)
        head = alone and not self._heads.isdisjoint(work.forest.labels)
        evidence = no_decision(alone, head, bool(work.context))
        topics = topics_of(work.forest.labels, None, alone, work.context)
        confidence = 1.0 if options.raw else self.model.calibration(evidence.values, topics)
        warnings = (*self._preparation.unknown(work.forest), *mentions(work.latex, work.context))
        return Translation(
            work.latex,
            work.latex,
            confidence,
            warnings=warnings,
            evidence=evidence.values,
            topics=tuple(topics),
            declared=declared_by(work.context),
        )

    def _answer(
        self, work: Work, formula: Encoded, decoded: _Decoded, answer: _Certified | None, options: _Options
    ) -> Translation:
        derivations = decoded.derivations
        if answer is None:
            derivations = decode(work.forest, decoded.probabilities, _TRIES + options.alternatives)
            answer = self._certified(work, derivations)
        warnings = [*self._preparation.unknown(work.forest)]
        if work.forest.capped:
            warnings.append("very ambiguous: not all readings were considered")
        if answer is None:
            warnings.append("no reading expands back to the input; left as it is")
            return Translation(work.latex, work.latex, 0.0, warnings=tuple(warnings))
        derivation, semantic, renderer = answer
        alone = is_symbol(work.forest.root)
        head = alone and not self._heads.isdisjoint(work.forest.labels)
        evidence = weigh(formula, derivation, decoded.scores, head)
        topics = topics_of(work.forest.labels, derivation, alone, work.context)
        if options.raw:
            return Translation(
                work.latex, semantic, evidence.probability, evidence=evidence.values, topics=tuple(topics)
            )
        # whether a constant is marked up is no doubt about what is meant
        calibration = self.model.calibration
        confidence = calibration(evidence.values, topics)
        marked = {choice.key for choice in derivation.choices if is_markup(formula, choice)}
        if marked:
            meant = weigh(formula, derivation, decoded.scores, head, decoded.probabilities)
            confidence = max(confidence, calibration(meant.values, without_markup(topics)))
        decisions = self._decisions(work, derivation, decoded.probabilities, renderer)
        warnings += self._doubts([d for choice, d in decisions if choice.key not in marked], confidence)
        warnings += traps(derivation, work.latex) + mentions(semantic, work.context)
        other = [one for one in derivations if one is not derivation]
        others = self._alternatives(work, formula, other, semantic, confidence, options.alternatives)
        return Translation(
            work.latex,
            semantic,
            confidence,
            tuple([decision for _, decision in decisions]),
            others,
            tuple(warnings),
            evidence.values,
            tuple(topics),
            declared_by(work.context),
        )

    def _decisions(
        self, work: Work, derivation: Derivation, probabilities: Probabilities, renderer: Renderer
    ) -> list[tuple[Choice, Decision]]:
        """The decisions worth showing, in the order of the source."""
        settled, faint = math.log(self.model.tuning.settled_literal), math.log(self.model.tuning.faint)
        shown = [
            (choice, explained(work.forest, work.latex, choice, probabilities, renderer, faint))
            for choice in derivation.choices
            if choice.match is not None or choice.log_probability < settled
        ]
        return sorted(shown, key=lambda pair: pair[1].span)

    def _doubts(self, decisions: Sequence[Decision], confidence: float) -> list[str]:
        """Warnings about decisions, or an answer as a whole, that may well be wrong."""
        unsure = [
            f"unsure about {d.source}: {d.macro or 'left as it is'} ({d.probability:.0%})"
            for d in decisions
            if d.probability < self.model.tuning.doubtful_decision
        ]
        if confidence < self.model.tuning.doubtful_answer and not unsure:
            return [f"unsure on the whole ({confidence:.0%}): a context may help"]
        return unsure

    def _certified(self, work: Work, derivations: list[Derivation]) -> _Certified | None:
        """The first derivation whose semantic LaTeX expands back to the presentation of the input."""
        for derivation in derivations:
            renderer = _renderer(work, derivation)
            semantic = renderer.formula(work.forest.root)
            if self._certifies(work, semantic):
                return derivation, semantic, renderer
        return None

    def _certifies(self, work: Work, semantic: str) -> bool:
        """Whether an answer expands to what was asked; a formula without macros is its own expansion."""
        own = work.key == work.forest.root.key
        if own and semantic == work.latex:
            return True
        return self._certifier.certifies(semantic, work.key, work.latex if own else None)

    def _alternatives(
        self,
        work: Work,
        formula: Encoded,
        derivations: list[Derivation],
        answer: str,
        confidence: float,
        count: int,
    ) -> tuple[Alternative, ...]:
        """Other answers that expand back, the likeliest first; none that reads one symbol in two ways."""
        found: dict[str, float] = {}
        for derivation in derivations if count > 0 else ():
            if symbols_alike(derivation, formula):
                text = _renderer(work, derivation).formula(work.forest.root)
                if text != answer:
                    found[text] = max(found.get(text, 0.0), likelihood(formula, derivation))
        others: list[Alternative] = []
        for text, probability in sorted(found.items(), key=lambda item: -item[1]):
            if self._certifies(work, text):
                others.append(Alternative(text, min(probability, confidence)))
                if len(others) == count:
                    break
        return tuple(others)


def _remembered(work: Work | FormulaError, decoded: _Decoded, least: float) -> NDArray[np.int64]:
    """What a document remembers of a formula: its clear decisions, relations aside, which depend on their sides."""
    assert isinstance(work, Work) and work.encoded is not None
    formula = work.encoded
    decided = np.full(len(formula.at), -1, np.int32)
    for choice in decoded.derivations[0].choices:
        label = choice.row.elements[choice.position].label
        if choice.log_probability >= math.log(least) and label not in RELATIONS:
            at = formula.where[id(choice.row), choice.position]
            matches = formula.at[at].matches
            decided[at] = (
                0
                if choice.match is None
                else next((number for number, match in enumerate(matches, 1) if match is choice.match), -1)
            )
    return formula_keys(formula.symbols, decided, document=True)


def _least(derivation: Derivation) -> float:
    """The log-probability of the least likely decision."""
    return min([choice.log_probability for choice in derivation.choices], default=0.0)


def _asked(latex: object, context: object) -> tuple[str, Context]:
    """What was asked for; what is no text is a mistake in the caller's program, not in a formula."""
    if not isinstance(latex, str):
        raise TypeError(f"a formula must be a str, not {type(latex).__name__}")
    if isinstance(context, Mapping):
        if not all(isinstance(key, str) and isinstance(text, str) for key, text in context.items()):
            raise TypeError("titles and sentences in a context must be str")
    elif context is not None and not isinstance(context, str):
        raise TypeError(f"a context must be a str or a mapping of str, not {type(context).__name__}")
    return latex, context


def _few(queue: Iterator[tuple[str, Context]], most: int, longest: int) -> list[tuple[str, Context]]:
    """The next formulae, whose answers fit into memory together: each place of a long formula may be a decision."""
    some: list[tuple[str, Context]] = []
    characters = 0
    while len(some) < most and characters < longest and (item := next(queue, None)) is not None:
        some.append(_asked(*item))
        characters += len(item[0])
    return some


def _words(context: Context) -> str:
    """A context as one text."""
    return context if isinstance(context, str) else ". ".join(map(str, (context or {}).values()))


def _length(context: Context) -> int:
    """The characters of a context."""
    if isinstance(context, Mapping):
        return sum([len(text) for text in context.values()])
    return len(context or "")


def _answer_each(
    run: Callable[[Sequence[tuple[str, Context]]], list[_Answer]], asked: Sequence[tuple[str, Context]]
) -> list[_Answer]:
    """Answers in order. What `run` fails on gets an error of its own; the others are run again without it."""
    try:
        return run(asked)
    except Exception as error:  # noqa: BLE001  found out below which formula it was
        if len(asked) == 1:
            return [internal_error(error, asked[0][0], "translating")]
    alone = [_answer_each(run, [one])[0] for one in asked]
    sound = [index for index, answer in enumerate(alone) if not isinstance(answer, FormulaError)]
    try:
        together = run([asked[index] for index in sound])
    except Exception:  # noqa: BLE001  each succeeds alone
        return alone
    for index, answer in zip(sound, together, strict=True):
        alone[index] = answer
    return alone


def _heads(grammar: Grammar) -> frozenset[str]:
    """The symbols with which calls with arguments start."""
    rules = zip(grammar.rules, grammar.needs, strict=True)
    return frozenset(needs.first for rule, needs in rules if needs and rule.count and "@" in rule.call)


def _renderer(work: Work, derivation: Derivation) -> Renderer:
    matches = {choice.key: choice.match for choice in derivation.choices if choice.match is not None}
    return Renderer(work.latex, matches, work.forest.quiet)


@lru_cache(maxsize=4)
def load(model: str | Path | None = None) -> Translator:
    """The translator of a model folder, by default of the model that ships with texlift."""
    return Translator(packaged_model() if model is None else Model.load(Path(model)))
