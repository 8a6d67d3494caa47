"""How well a translator does on pairs it has not seen.

A formula is right if the whole output equals gold, white space and redundant braces aside. Beside every figure
stands that of copying the input.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from texlift.context.style import alike
from texlift.corpus.habits import EVERYDAY, LETTERS, Habits
from texlift.corpus.notation import rewritten, rewritten_context
from texlift.corpus.pair import Context, Pair
from texlift.errors import FormulaError, TexliftError
from texlift.grammar.expansion import Expander
from texlift.latex.parser import parse
from texlift.latex.printing import print_nodes
from texlift.macros.semantic import Language
from texlift.macros.syntaxes.syntax import syntax
from texlift.train.calibrate import fit_calibration
from texlift.translate.answer import Translation
from texlift.translate.confidence import EVIDENCE, Calibration, log_odds, probability_of
from texlift.translate.translator import Translator

__all__ = [
    "SETTINGS",
    "Outcome",
    "Setting",
    "calibrated",
    "calibration_of",
    "coverage",
    "evaluate",
    "in_syntax",
    "share",
]


@dataclass(frozen=True, slots=True)
class Setting:
    """What the translator is shown: the context or none, the formula as printed or with other `habits`.

    With other habits the formulae in the context are written so too, unless only the question is `retyped`. Each
    formula is translated independently, or the formulae of a section as one `document`.
    """

    name: str
    context: bool
    habits: Habits | None = None
    document: bool = False
    retyped: bool = False


SETTINGS = (
    Setting("with context", True),
    Setting("without context", False),
    Setting("sections as documents", True, document=True),
    Setting("everyday notation", True, EVERYDAY),
    Setting("everyday notation, without context", False, EVERYDAY),
    Setting("everyday notation, letters for operators", True, LETTERS),
    Setting("everyday notation, context as printed", True, EVERYDAY, retyped=True),
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One formula evaluated."""

    id: str
    kind: str
    chapter: str
    length: int
    trivial: bool
    copied: bool  # whether copying the input would have been right
    right: bool
    probability: float  # before calibration
    generic: str
    gold: str
    answer: str
    evidence: tuple[float, ...] = ()  # what confidence rests on
    topics: tuple[str, ...] = ()
    first: bool = True  # no row before it has the same pair
    homograph: bool = False  # wrong, but by macros that print, sign by sign, what gold prints


def evaluate(
    translator: Translator, pairs: Sequence[Pair], setting: Setting, progress: Callable[[int], None] | None = None
) -> list[Outcome]:
    """Outcomes of all pairs, each with its own context; gold that does not parse counts as wrong."""
    sources = [_source(pair, setting) for pair in pairs]
    queries = [(source, _context(pair, setting)) for source, pair in zip(sources, pairs, strict=True)]
    outcomes = []
    seen: set[tuple[str, str]] = set()
    answers = _answers(translator, pairs, queries, setting)
    language = translator.model.grammar.language
    expander = Expander(translator.model.grammar)
    for number, (pair, source, result) in enumerate(zip(pairs, sources, answers, strict=True)):
        if progress and number % 50 == 0:
            progress(number)
        first = (pair.generic, pair.semantic) not in seen
        seen.add((pair.generic, pair.semantic))
        answer = "" if isinstance(result, FormulaError) else result.semantic
        probability = 0.0 if isinstance(result, FormulaError) else result.confidence
        evidence, about = ((), ()) if isinstance(result, FormulaError) else (result.evidence, result.topics)
        gold = _comparable(pair.semantic, language)
        if setting.habits and gold is not None:
            # literal parts are copied as written, so gold's literal parts are compared in the same notation
            gold, answer_key = _plain(pair.semantic, language), _plain(answer, language)
        else:
            answer_key = _comparable(answer, language)
        right = gold is not None and answer_key == gold
        outcomes.append(
            Outcome(
                pair.id,
                pair.kind,
                pair.chapter,
                len(pair.generic),
                pair.trivial,
                gold is not None and _comparable(pair.generic, language) == _comparable(pair.semantic, language),
                right,
                probability,
                source,
                pair.semantic,
                answer,
                evidence,
                about,
                first,
                not right and _print_alike(answer, pair.semantic, expander),
            )
        )
    return outcomes


def _print_alike(answer: str, gold: str, expander: Expander) -> bool:
    """Whether two answers print the same: then the formula does not say which of them was meant."""
    try:
        return alike(expander.expand(answer), expander.expand(gold))
    except TexliftError:
        return False


def in_syntax(outcomes: Sequence[Outcome], gold: Mapping[str, str], name: str, translator: Translator) -> list[Outcome]:
    """The outcomes as texts in another syntax, by the ids of gold: right is what spells the same term."""
    other = syntax(name)
    language = translator.model.grammar.language
    judged = []
    for outcome in outcomes:
        try:
            text = other.write(outcome.answer, language)
        except FormulaError:
            text = ""
        wanted = gold[outcome.id]
        judged.append(replace(outcome, gold=wanted, answer=text, right=bool(text) and other.same(text, wanted)))
    return judged


def _answers(
    translator: Translator, pairs: Sequence[Pair], queries: Sequence[tuple[str, Context | None]], setting: Setting
) -> Iterator[Translation | FormulaError]:
    if not setting.document:
        yield from translator.translate_many(queries, raw=True)
        return
    for _, group in groupby(zip(pairs, queries, strict=True), key=lambda both: both[0].section):
        yield from translator.translate_many([query for _, query in group], raw=True, document=True)


def _source(pair: Pair, setting: Setting) -> str:
    if setting.habits is None:
        return pair.generic
    try:
        return rewritten(pair.generic, setting.habits)
    except FormulaError:
        return pair.generic


def _context(pair: Pair, setting: Setting) -> Context | None:
    if not setting.context:
        return None
    if setting.habits is None or setting.retyped:
        return pair.context
    return rewritten_context(pair.context, setting.habits)


def _comparable(text: str, language: Language) -> str | None:
    try:
        return _SPACE.sub(_needed, language.comparable(text))
    except FormulaError:
        return None


_SPACE = re.compile(r"(\\[A-Za-z]+)\s+(?=[A-Za-z])|(?<!\\)\s+")


def _needed(space: re.Match[str]) -> str:
    """Of white space, in texts too, only what keeps a control word apart from a letter."""
    return f"{space[1]} " if space[1] else ""


def _plain(text: str, language: Language) -> str | None:
    """Semantic LaTeX with its literal parts in everyday notation."""
    try:
        return language.row(text).key
    except FormulaError:
        return None


def share(outcomes: Sequence[Outcome], only: Callable[[Outcome], bool] = lambda _: True) -> float:
    """Per cent right among those that pass `only`."""
    some = [outcome for outcome in outcomes if only(outcome)]
    return 100.0 * sum(outcome.right for outcome in some) / max(len(some), 1)


def calibrated(folds: Sequence[Sequence[Outcome]]) -> list[list[Outcome]]:
    """The folds with probabilities by the calibration of the other ones.

    With a single fold there is nothing to fit on: its probabilities stay as they are.
    """
    signed = [[replace(outcome, evidence=_evidence(outcome)) for outcome in fold] for fold in folds]
    if len(signed) == 1:
        return signed
    judged = []
    for number, fold in enumerate(signed):
        others = [outcome for other, some in enumerate(signed) if other != number for outcome in some]
        own = _fitted(others)
        judged.append([replace(o, probability=probability_of(own.score(o.evidence, o.topics))) for o in fold])
    return judged


def calibration_of(by_setting: Iterable[Sequence[Sequence[Outcome]]]) -> Calibration:
    """The calibration by the outcomes of all settings together: people ask with a context and without one."""
    every = [outcome for folds in by_setting for fold in folds for outcome in fold]
    return _fitted([replace(outcome, evidence=_evidence(outcome)) for outcome in every])


def _fitted(outcomes: Sequence[Outcome]) -> Calibration:
    return fit_calibration([o.evidence for o in outcomes], [o.right for o in outcomes], [o.topics for o in outcomes])


def _evidence(outcome: Outcome) -> tuple[float, ...]:
    """The evidence of an outcome; an answer without any (none expands back) is as unsure as can be."""
    return tuple(outcome.evidence) or (log_odds(outcome.probability),) * 4 + (0.0,) * (len(EVIDENCE) - 4)


def coverage(outcomes: Sequence[Outcome], precision: float) -> float:
    """Per cent of formulae answered if only the surest are, so that `precision` of the answers is right."""
    ranked = sorted(outcomes, key=lambda outcome: -outcome.probability)
    best = right = 0
    for count, outcome in enumerate(ranked, 1):
        right += outcome.right
        if right >= precision * count:
            best = count
    return 100.0 * best / max(len(ranked), 1)


def confusions(outcomes: Sequence[Outcome], most: int = 40) -> list[tuple[str, str, int]]:
    """(macro in gold, macro in the answer, times) of wrong answers: the first call in which they differ."""
    counts: Counter[tuple[str, str]] = Counter()
    for outcome in outcomes:
        if not outcome.right:
            counts[_first_difference(outcome.gold, outcome.answer)] += 1
    return [(gold, answer, count) for (gold, answer), count in counts.most_common(most)]


def _first_difference(gold: str, answer: str) -> tuple[str, str]:
    try:
        first, second = _tokens(gold), _tokens(answer)
    except FormulaError:
        return "(does not parse)", ""
    for one, other in zip(first, second, strict=False):
        if one != other:
            return one, other
    return "(extent)", "(extent)"


def _tokens(text: str) -> list[str]:
    from texlift.latex.lexer import tokenize

    return list(tokenize(print_nodes(parse(text))).texts)
