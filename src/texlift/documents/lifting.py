"""A whole document through the translator: every formula, consistently, with checks and code if asked."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from texlift.documents.choices import Choices, occurs, symbol_of
from texlift.documents.consistency import FIXED, Preferences, consistent
from texlift.documents.context import LEVELS
from texlift.documents.document import Document
from texlift.documents.formula import Formula, Lifted
from texlift.documents.silence import unfounded
from texlift.errors import FormulaError, TexliftError
from texlift.latex.definitions import expand_definitions
from texlift.macros.semantic import semantic_row
from texlift.translate.answer import Translation

__all__ = ["Options", "Outcome", "Progress", "lift"]

Progress = Callable[[str, int, int], None]
"""Called with the step, how many formulae are done and how many there are."""

_CHUNK = 256
_ROUNDS = 4  # a reading that is left out may make room for another one without a reason
_ANCHORS = re.compile(r"\\(?:label|tag|ref|eqref|cite|nonumber|notag|intertext)(?![A-Za-z])|%[^\n]*")
_RELATION = re.compile(r"[=<>]|\\(?:le|ge|leq|geq|lt|gt|neq|ne|equiv|leqslant|geqslant)(?![A-Za-z])")
_NAME = re.compile(r"\\[A-Za-z]+")
_ADDRESS = re.compile(r"[a-z]+://\S+")
_DOUBLE_BRACES = re.compile(r"\{\{([^{}]*)\}\}")


@dataclass(frozen=True, slots=True)
class Options:
    """How to lift: formulae less likely than `threshold` are left alone; `target` adds code, `check` verdicts."""

    threshold: float = 0.7
    alternatives: int = 0
    constants: bool = False
    target: str = ""
    check: bool = False
    seconds: float = 5.0
    jobs: int = 1
    model: Path | None = None
    longest: int = 10_000  # characters; longer formulae are left alone


@dataclass(frozen=True, slots=True)
class Outcome:
    """A document and what became of its formulae, in order."""

    document: Document
    lifted: tuple[Lifted, ...]

    def texts(self) -> list[str]:
        """The new texts of the document's files."""
        return self.document.written(
            {index: item.written for index, item in enumerate(self.lifted) if item.state == "translated"}
        )

    @property
    def counts(self) -> dict[str, int]:
        """Number of formulae by state."""
        return dict(Counter(item.state for item in self.lifted))


def lift(
    document: Document, options: Options, choices: Choices | None = None, progress: Progress | None = None
) -> Outcome:
    """Translate all formulae of a document; symbols keep their meaning from formula to formula."""
    choices = choices or Choices()
    tell = progress or (lambda step, done, total: None)
    formulae = document.formulae
    _refuse_double_definitions(choices, formulae)
    expanded = [_expanded(formula, choices, options.longest) for formula in formulae]
    fixed: dict[tuple[str, str], float] = dict.fromkeys(choices.fixed.items(), FIXED)
    answers: dict[int, Translation | FormulaError] = {
        index: source for index, source in enumerate(expanded) if isinstance(source, FormulaError)
    }
    asked = [
        (index, source, formulae[index].context) for index, source in enumerate(expanded) if isinstance(source, str)
    ]
    answers.update(_translations(asked, options, fixed, tell, "translating"))
    left_alone = _silenced(document, asked, answers, options, fixed)
    for preferences, again in _second_round(formulae, answers):
        work = [(index, str(expanded[index]), formulae[index].context) for index in again]
        answers.update(_translations(work, options, {**preferences, **left_alone, **fixed}, None, ""))
    _silenced(document, asked, answers, options, {**left_alone, **fixed})
    _refuse_choices_without_effect(choices, expanded, answers.values())
    lifted = [_judged(formula, expanded[i], answers[i], options) for i, formula in enumerate(formulae)]
    if options.target:
        lifted = [_with_code(item, options.target) for item in lifted]
    if options.check:
        lifted = _checked(lifted, options, tell)
    return Outcome(document, tuple(lifted))


def _silenced(
    document: Document,
    asked: Sequence[_Work],
    answers: dict[int, Translation | FormulaError],
    options: Options,
    fixed: Preferences,
) -> Preferences:
    """Translate again without the readings that the document gives no reason for; returns these."""
    titles = {title for formula in document.formulae for level, title in formula.context.items() if level in LEVELS}
    decided = {symbol for (symbol, _), value in fixed.items() if value > 0}
    found: dict[tuple[str, str], float] = {}
    for _ in range(_ROUNDS):
        more = unfounded(document.parts, titles, answers.values())
        new = {reading: malus for reading, malus in more.items() if reading[0] not in decided and reading not in found}
        if not new:
            break
        found.update(new)
        again = [work for work in asked if _has_reading(answers[work[0]], new)]
        answers.update(_translations(again, options, {**found, **fixed}, None, ""))
    return found


def _has_reading(answer: Translation | FormulaError, readings: Mapping[tuple[str, str], float]) -> bool:
    return isinstance(answer, Translation) and any(
        (symbol_of(decision.source), decision.macro) in readings for decision in answer.decisions if decision.macro
    )


def _refuse_double_definitions(choices: Choices, formulae: Sequence[Formula]) -> None:
    """A macro that the document defines itself cannot be defined by the choices as well."""
    for name in choices.macros:
        if any(name in formula.definitions for formula in formulae):
            raise TexliftError(f"[macros] {name}: the document defines it itself; remove it from the choices")


def _refuse_choices_without_effect(
    choices: Choices, sources: Sequence[str | FormulaError], answers: Iterable[Translation | FormulaError]
) -> None:
    """A reading that no formula with its symbol can have is an error; a symbol that does not occur is not."""
    if not choices.readings:
        return
    found = {
        (symbol_of(decision.source), decision.macro)
        for answer in answers
        if isinstance(answer, Translation)
        for decision in answer.decisions
    }
    for symbol, macro in choices.readings.items():
        if macro and (symbol, macro) not in found and any(occurs(symbol, s) for s in sources if isinstance(s, str)):
            raise TexliftError(f"[readings] {symbol} = {macro}: no formula of the document can be read so")


def _expanded(formula: Formula, choices: Choices, longest: int) -> str | FormulaError:
    if len(formula.latex) > longest:
        message = f"longer than {longest:,} characters"
        return FormulaError(message, formula.latex, (longest, longest + 1), "", "too-long")
    if address := _ADDRESS.search(formula.latex):
        return FormulaError("an address, not a formula", formula.latex, address.span(), "", "no-formula")
    known = {**choices.macros, **formula.definitions}
    if not known or not any(name in known for name in _NAME.findall(formula.latex)):
        return formula.latex
    try:
        return expand_definitions(formula.latex, known)
    except FormulaError as error:
        return error.detached()


_Work = tuple[int, str, Mapping[str, str]]


def _translations(
    work: Sequence[_Work], options: Options, preferences: Preferences, tell: Progress | None, step: str
) -> Iterator[tuple[int, Translation | FormulaError]]:
    """Translations by index, in worker processes if there are enough formulae to be worth it."""
    queue = iter(work)
    chunks = iter(lambda: list(islice(queue, _CHUNK)), [])
    done = 0
    arguments = (options.model, options.alternatives, options.constants, dict(preferences))
    if options.jobs <= 1 or len(work) <= _CHUNK:
        results: Iterator[list[tuple[int, Translation | FormulaError]]] = (_translate(c, *arguments) for c in chunks)
        for result in results:
            done += len(result)
            if tell:
                tell(step, done, len(work))
            yield from result
        return
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(options.jobs) as pool:
        for future in [pool.submit(_translate, chunk, *arguments) for chunk in chunks]:
            part = future.result()
            done += len(part)
            if tell:
                tell(step, done, len(work))
            yield from part


def _translate(
    work: list[_Work], model: Path | None, alternatives: int, constants: bool, preferences: dict[tuple[str, str], float]
) -> list[tuple[int, Translation | FormulaError]]:
    from texlift.translate.translator import load

    def prefer(symbol: str, macro: str) -> float:
        return preferences.get((symbol, macro), 0.0)

    formulae = [(latex, context) for _, latex, context in work]
    results = load(model).translate_many(
        formulae, alternatives, constants, prefer if preferences else None, bare=True, document=True
    )
    return [(index, result) for (index, _, _), result in zip(work, results, strict=True)]


def _second_round(
    formulae: Sequence[Formula], answers: Mapping[int, Translation | FormulaError]
) -> Iterator[tuple[Preferences, list[int]]]:
    """Formulae that contradict the rest of the document, grouped by what the document prefers there."""
    evidence = []
    for index, formula in enumerate(formulae):
        answer = answers[index]
        decisions = answer.decisions if isinstance(answer, Translation) else ()
        evidence.append((decisions, formula.context.get("sentence", "")))
    groups: dict[tuple[tuple[tuple[str, str], float], ...], list[int]] = {}
    for index, preferences in consistent(evidence).items():
        groups.setdefault(tuple(sorted(preferences.items())), []).append(index)
    for key, indices in groups.items():
        yield dict(key), indices


def _judged(
    formula: Formula, expanded: str | FormulaError, answer: Translation | FormulaError, options: Options
) -> Lifted:
    if isinstance(answer, FormulaError):
        return Lifted(formula, "broken", formula.latex, 0.0, message=f"{answer.message} {answer.hint}".strip())
    others = tuple((other.semantic, other.confidence) for other in answer.alternatives)
    fields: dict[str, Any] = {"decisions": answer.decisions, "alternatives": others}
    if answer.semantic == answer.latex:
        return Lifted(formula, "plain", formula.latex, answer.confidence, **fields)
    if answer.confidence < options.threshold:
        message = f"confidence {answer.confidence:.0%} is below {options.threshold:.0%}"
        return Lifted(formula, "uncertain", answer.semantic, answer.confidence, message=message, **fields)
    used = {decision.macro for decision in answer.decisions if decision.macro}
    own = sorted(used & formula.definitions.keys())
    if own:
        message = f"the document defines {', '.join(own)} itself"
        return Lifted(formula, "conflict", answer.semantic, answer.confidence, message=message, **fields)
    if Counter(_ANCHORS.findall(answer.semantic)) != Counter(_ANCHORS.findall(str(expanded))):
        message = "a label or comment inside a function would be lost"
        return Lifted(formula, "conflict", answer.semantic, answer.confidence, message=message, **fields)
    semantic = answer.semantic if expanded == formula.latex else _contracted(answer.semantic, formula)
    return Lifted(formula, "translated", semantic, answer.confidence, **fields)


def _contracted(semantic: str, formula: Formula) -> str:
    """The author's own abbreviations put back where nothing in them was translated.

    Each step is kept only if expanding it gives the same formula again.
    """
    meaning = semantic_row(semantic).key
    tidy = _DOUBLE_BRACES.sub(r"{\1}", semantic)
    if tidy != semantic and semantic_row(tidy).key == meaning:
        semantic = tidy
    for name in dict.fromkeys(_NAME.findall(formula.latex)):
        definition = formula.definitions.get(name)
        if definition is None or definition.arguments or definition.body not in semantic:
            continue
        shorter = re.sub(re.escape(definition.body) + r"(?=([A-Za-z])?)", lambda m: name + " " * bool(m[1]), semantic)  # noqa: B023
        try:
            if semantic_row(expand_definitions(shorter, formula.definitions)).key == meaning:
                semantic = shorter
        except FormulaError:
            continue
    return semantic


def _with_code(item: Lifted, target: str) -> Lifted:
    from texlift.targets import convert

    if item.state == "broken":
        return item
    try:
        return replace(item, code=convert(item.semantic, target).code)
    except FormulaError as error:
        return replace(item, code_error=error.message)
    except TexliftError as error:
        return replace(item, code_error=str(error))


def _checked(lifted: list[Lifted], options: Options, tell: Progress) -> list[Lifted]:
    """Verdicts for all formulae that state something."""
    from texlift.verify import Task, check_all

    claims = [i for i, item in enumerate(lifted) if item.state != "broken" and _RELATION.search(item.semantic)]
    tasks = [Task(lifted[index].semantic.rstrip(" .,;&").replace("&", ""), excerpt=True) for index in claims]
    checked = list(lifted)
    for done, (index, verdict) in enumerate(
        zip(claims, check_all(tasks, options.seconds, options.jobs), strict=True), 1
    ):
        checked[index] = replace(checked[index], verdict=verdict)
        tell("checking", done, len(claims))
    return checked
