"""A whole document through the translator: every formula, consistently, with checks and code if asked."""

from __future__ import annotations

import math
import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from texlift.documents.choices import Choices, occurs, symbol_of
from texlift.documents.clashes import PREFIX
from texlift.documents.consistency import FIXED, Evidence, Preferences, consistent, disputed
from texlift.documents.context import LEVELS
from texlift.documents.crew import Crew, Progress, Work
from texlift.documents.defining import differing
from texlift.documents.document import Document
from texlift.documents.formula import Formula, Lifted
from texlift.documents.loading import loaded
from texlift.documents.silence import NEVER, Silence
from texlift.documents.spelling import Spelling, shape_of
from texlift.documents.weaving import traced_formula
from texlift.documents.writing import OPAQUE, Writer
from texlift.errors import FormulaError, TexliftError
from texlift.latex.definitions import Traced
from texlift.meaning.structure.document import DocumentUses
from texlift.translate.answer import Decision, Translation

__all__ = ["Options", "Outcome", "Progress", "lift"]

_ROUNDS = 4  # a reading that is left out may make room for another one without a reason
_RELATION = re.compile(r"[=<>]|\\(?:le|ge|leq|geq|lt|gt|neq|ne|equiv|leqslant|geqslant)(?![A-Za-z])")
_ADDRESS = re.compile(r"[a-z]+://\S+|\A\s*(?:doi|arxiv|isbn|issn)\s*:\s*\S+", re.IGNORECASE)


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
    prefix: str = PREFIX  # before names of macros that the document has taken
    patience: float = math.inf  # seconds for all checks; formulae whose turn does not come have no verdict
    compare: bool = True  # compute both sides of definitions, to see whether they are those of the macros


@dataclass(frozen=True, slots=True)
class Outcome:
    """A document and what became of its formulae, in order.

    `spellings` are those of the macros put in; `kept` are macros of the author's own that have a meaning: number of the
    formula, their use in it, the reading of what they print.
    """

    document: Document
    lifted: tuple[Lifted, ...]
    spellings: tuple[Spelling, ...] = ()
    kept: tuple[tuple[int, str, Decision], ...] = ()

    def texts(self) -> list[str]:
        """The new texts of the document's files."""
        changed = {index: item.written for index, item in enumerate(self.lifted) if item.state == "translated"}
        texts = self.document.written(changed)
        if self.document.kind == "tex" and changed:
            texts[0] = loaded(texts[0])
        return texts

    @property
    def renamed(self) -> dict[str, str]:
        """Macros whose own names the document has taken, with the names that they have in it."""
        own = {spelling.name: shape_of(spelling.form).name for spelling in self.spellings}
        return {meant: name for name, meant in own.items() if name != meant}

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
    sources = [_traced(formula, choices, options.longest) for formula in formulae]
    expanded = [source.text if isinstance(source, Traced) else source for source in sources]
    fixed: dict[tuple[str, str], float] = dict.fromkeys(choices.fixed.items(), FIXED)
    answers: dict[int, Translation | FormulaError] = {
        index: source for index, source in enumerate(expanded) if isinstance(source, FormulaError)
    }
    asked = [
        (index, source, formulae[index].context) for index, source in enumerate(expanded) if isinstance(source, str)
    ]
    silence = _silence(document)
    crew = Crew(options.jobs, options.model, options.alternatives, options.constants)
    answers.update(crew.translations(asked, fixed, tell))
    said = _said(silence, asked, answers, crew, fixed)
    left_alone = _silenced(silence, asked, answers, crew, {**said, **fixed})
    if options.compare:
        other = differing(answers.values())
        symbols = {symbol for symbol, _ in other}
        # what is called so and is not is none of them
        other |= {reading for reading in said if reading[0] in symbols}
        said = {reading: bonus for reading, bonus in said.items() if reading not in other}
        left_alone |= _silenced(silence, asked, answers, crew, {**said, **left_alone, **fixed}, other)
    for preferences, again in _second_round(formulae, answers):
        work = [(index, str(expanded[index]), formulae[index].context) for index in again]
        answers.update(crew.translations(work, {**preferences, **said, **left_alone, **fixed}))
    _silenced(silence, asked, answers, crew, {**said, **left_alone, **fixed})
    _refuse_choices_without_effect(choices, expanded, answers.values())
    against = _against(silence, formulae, answers, choices)
    ordered = [
        silence.weighed(answer, choices.fixed) if isinstance(answer, Translation) else answer
        for _, answer in sorted(answers.items(), key=lambda item: item[0])
    ]
    written = Writer(document, options.threshold, options.prefix, choices.macros).run(ordered, sources, against)
    lifted = _without_rejected(written.lifted, choices.rejected)
    if options.target:
        uses = DocumentUses(tuple(item.formula.latex for item in lifted))
        lifted = [_with_code(item, options.target, uses) for item in lifted]
    if options.check:
        lifted = _checked(lifted, options, tell)
    return Outcome(document, tuple(lifted), written.spellings, written.kept)


def _silence(document: Document) -> Silence:
    titles = {title for formula in document.formulae for level, title in formula.context.items() if level in LEVELS}
    return Silence(document.parts, sorted(titles))


def _said(
    silence: Silence,
    asked: Sequence[Work],
    answers: dict[int, Translation | FormulaError],
    crew: Crew,
    fixed: Preferences,
) -> Preferences:
    """Translate again with the readings that the text names beside the symbol; returns these."""
    decided = {symbol for symbol, _ in fixed}
    found = {reading: bonus for reading, bonus in silence.said().items() if reading[0] not in decided}
    if found:
        symbols = {symbol for symbol, _ in found}
        again = [work for work in asked if any(occurs(symbol, work[1]) for symbol in symbols)]
        answers.update(crew.translations(again, {**found, **fixed}))
    return found


def _silenced(
    silence: Silence,
    asked: Sequence[Work],
    answers: dict[int, Translation | FormulaError],
    crew: Crew,
    fixed: Preferences,
    known: Iterable[tuple[str, str]] = (),
) -> dict[tuple[str, str], float]:
    """Translate again without the readings that the document gives no reason for, and those `known` to be wrong."""
    decided = {symbol for (symbol, _), value in fixed.items() if value == FIXED}
    found: dict[tuple[str, str], float] = {}
    first: dict[tuple[str, str], float] = dict.fromkeys(known, NEVER)
    for _ in range(_ROUNDS):
        more = first | silence.unfounded(answers.values())
        new = {reading: malus for reading, malus in more.items() if reading[0] not in decided and reading not in found}
        if not new:
            break
        found.update(new)
        again = [work for work in asked if _has_reading(answers[work[0]], new)]
        answers.update(crew.translations(again, {**fixed, **found}))
    return found


def _against(
    silence: Silence,
    formulae: Sequence[Formula],
    answers: Mapping[int, Translation | FormulaError],
    choices: Choices,
) -> list[list[Decision]]:
    """For each formula the readings that are not asserted; what the author fixed always is."""
    fixed = choices.fixed
    elsewhere = disputed(_evidence(formulae, answers)) if not fixed else [[] for _ in formulae]
    uncertain = silence.uncertain(answers.values())
    return [
        [*some, *(d for d in silence.unbelieved(answers[index], uncertain) if symbol_of(d.source) not in fixed)]
        for index, some in enumerate(elsewhere)
    ]


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


def _traced(formula: Formula, choices: Choices, longest: int) -> Traced | FormulaError:
    if len(formula.latex) > longest:
        message = f"longer than {longest:,} characters"
        return FormulaError(message, formula.latex, (longest, longest + 1), "", "too-long")
    if address := _ADDRESS.search(formula.latex):
        return FormulaError("an address, not a formula", formula.latex, address.span(), "", "no-formula")
    known = {**choices.macros, **formula.definitions} if choices.macros else formula.definitions
    try:
        traced = traced_formula(formula.latex, known)
    except FormulaError as error:
        return error.detached()
    if traced is None:
        message = "a macro of the document takes in what stands behind it"
        return FormulaError(message, formula.latex, (0, len(formula.latex)), "", OPAQUE)
    return traced


def _second_round(
    formulae: Sequence[Formula], answers: Mapping[int, Translation | FormulaError]
) -> Iterator[tuple[Preferences, list[int]]]:
    """Formulae that contradict the rest of the document, grouped by what the document prefers there."""
    evidence = _evidence(formulae, answers)
    groups: dict[tuple[tuple[tuple[str, str], float], ...], list[int]] = {}
    for index, preferences in consistent(evidence).items():
        groups.setdefault(tuple(sorted(preferences.items())), []).append(index)
    for key, indices in groups.items():
        yield dict(key), indices


def _evidence(formulae: Sequence[Formula], answers: Mapping[int, Translation | FormulaError]) -> Evidence:
    evidence = []
    for index, formula in enumerate(formulae):
        answer = answers[index]
        decisions = answer.decisions if isinstance(answer, Translation) else ()
        evidence.append((decisions, formula.context.get("sentence", "")))
    return evidence


def _without_rejected(lifted: Sequence[Lifted], rejected: Mapping[str, str]) -> list[Lifted]:
    """The formulae, changes that the author does not want taken back."""
    if not rejected:
        return list(lifted)
    return [
        replace(
            item, state="rejected", written=item.formula.latex, asserted="", message=rejected[item.change] or "rejected"
        )
        if item.state == "translated" and item.change in rejected
        else item
        for item in lifted
    ]


def _with_code(item: Lifted, target: str, uses: DocumentUses) -> Lifted:
    from texlift.targets import convert

    if item.state == "broken":
        return item
    try:
        beside = uses.usage_beside(item.formula.latex)
        return replace(item, code=convert(item.semantic, target, document=beside).code)
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
    end = time.monotonic() + options.patience
    for done, (index, verdict) in enumerate(
        zip(claims, check_all(tasks, options.seconds, options.jobs), strict=False), 1
    ):
        checked[index] = replace(checked[index], verdict=verdict)
        tell("checking", done, len(claims))
        if time.monotonic() > end:
            break
    return checked
