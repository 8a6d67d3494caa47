"""From the readings of all formulae to what stands in the output: which symbols are lifted, and how they are spelt."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from texlift.documents.clashes import PREFIX, chosen_names, taken_names
from texlift.documents.document import Document
from texlift.documents.formula import Formula, Lifted
from texlift.documents.restoring import Restorer
from texlift.documents.spelling import SPELT, Cut, Spelling, Spellings, choose_spellings
from texlift.documents.weaving import Woven, cuts_of, woven
from texlift.errors import FormulaError
from texlift.grammar.certificate import Certifier
from texlift.grammar.expansion import Expander
from texlift.grammar.packaged import packaged_grammar
from texlift.latex.canonical import canonical_key
from texlift.latex.definitions import Definition, Traced, expand_definitions, is_program
from texlift.translate.answer import Decision, Translation

__all__ = ["OPAQUE", "Writer", "Written", "sure_decisions"]

OPAQUE = "opaque"
"""Code of the error for a formula whose macros cannot be traced."""

_SURE = 0.9  # a symbol of a formula that is doubtful as a whole is lifted if its own reading is likelier

Answer = Translation | FormulaError


def sure_decisions(answer: Translation, threshold: float) -> list[Decision]:
    """The readings that are sure enough to be asserted.

    Of a formula with enough confidence these are all. Otherwise the doubtful symbols are left out, the least likely
    first, until what remains is sure: the doubt about the formula without the doubt about those.
    """
    read = [decision for decision in answer.decisions if decision.macro]
    if answer.confidence >= threshold:
        return read
    doubt = math.log(max(answer.confidence, 1e-9))
    doubt -= sum(math.log(max(d.probability, 1e-9)) for d in answer.decisions if not d.macro)
    read.sort(key=lambda decision: -decision.probability)
    while read and (doubt < math.log(threshold or 1e-9) or read[-1].probability < _SURE):
        doubt -= math.log(max(read.pop().probability, 1e-9))
    return read


@dataclass(frozen=True, slots=True)
class Written:
    """What became of all formulae, the spellings of the macros put in, and the author's own macros with a meaning."""

    lifted: tuple[Lifted, ...]
    spellings: tuple[Spelling, ...]
    kept: tuple[tuple[int, str, Decision], ...]


def _own_macro(latex: str, decision: Decision, source: Traced) -> str:
    """The use of the author's own macro that a decision is about as a whole; empty if there is none."""
    if not source.uses or (span := source.back(decision.span)) is None:
        return ""
    return latex[span[0] : span[1]] if any(use.span == span for use in source.uses) else ""


class Writer:
    """Writes the formulae of one document."""

    def __init__(
        self, document: Document, threshold: float, prefix: str = PREFIX, macros: Mapping[str, Definition] | None = None
    ) -> None:
        self.document = document
        self.threshold = threshold
        self.prefix = prefix
        self.macros = macros or {}  # of the author that the document does not define
        self._known: dict[int, frozenset[str]] = {}  # programs by the table of definitions
        self._done: dict[tuple[object, ...], tuple[Woven, str]] = {}  # what was written, and why it must not be
        self.certifier = Certifier(Expander(packaged_grammar()))

    def run(
        self,
        answers: Sequence[Answer],
        sources: Sequence[Traced | FormulaError],
        disputed: Sequence[Sequence[Decision]] = (),
    ) -> Written:
        """What becomes of each formula; decisions that are `disputed` are not asserted."""
        formulae = self.document.formulae
        cuts: list[list[Cut]] = []
        kept: list[tuple[int, str, Decision]] = []
        for index, (formula, answer, source) in enumerate(zip(formulae, answers, sources, strict=True)):
            found: list[Cut] = []
            if isinstance(answer, Translation) and isinstance(source, Traced) and answer.latex == source.text:
                against = {id(decision) for decision in disputed[index]} if disputed else set()
                sure = [d for d in sure_decisions(answer, self.threshold) if id(d) not in against]
                found = cuts_of(formula.latex, sure, source, self._programs(formula))
                kept += [(index, name, d) for d in sure if (name := _own_macro(formula.latex, d, source))]
            cuts.append(found)
        texts = [file.text for file in self.document.files]
        defined = {name for formula in formulae for name in formula.definitions}
        taken = taken_names(texts, defined | self.document.defined)
        names = chosen_names((place for some in cuts for place in some), taken, self.prefix)
        spellings = choose_spellings((place for some in cuts for place in some), names)
        if SPELT in taken:  # the document's own: other spellings than the standard ones cannot be named
            cuts = [[place for place in some if not spellings.of(place).variant] for some in cuts]
        restorer = Restorer(spellings.all())
        lifted = [
            self._judged(formula, answer, source, some, spellings, restorer)
            for formula, answer, source, some in zip(formulae, answers, sources, cuts, strict=True)
        ]
        used = {
            spellings.of(place)
            for item, some in zip(lifted, cuts, strict=True)
            if item.state == "translated"
            for place in some
        }
        return Written(tuple(lifted), tuple(s for s in spellings.all() if s in used), tuple(kept))

    def _programs(self, formula: Formula) -> Collection[str]:
        """The document's macros that cannot be understood by putting their arguments in."""
        own = self._known.get(id(formula.definitions))
        if own is None:
            table = formula.definitions
            programs = {name for name, definition in table.items() if is_program(definition)}
            own = self._known[id(table)] = frozenset(programs | (self.document.defined - table.keys()))
        return own

    def _judged(
        self,
        formula: Formula,
        answer: Answer,
        source: Traced | FormulaError,
        cuts: Sequence[Cut],
        spellings: Spellings,
        restorer: Restorer,
    ) -> Lifted:
        if isinstance(answer, FormulaError) or isinstance(source, FormulaError):
            error = answer if isinstance(answer, FormulaError) else source
            assert isinstance(error, FormulaError)
            message = f"{error.message} {error.hint}".strip()
            state = "conflict" if error.code == OPAQUE else "broken"
            return Lifted(formula, state, formula.latex, 0.0, message=message, written=formula.latex)
        known = {**self.macros, **formula.definitions}
        others = tuple((other.semantic, other.confidence) for other in answer.alternatives)
        fields: dict[str, Any] = {"decisions": answer.decisions, "alternatives": others, "written": formula.latex}
        fields["asserted"] = source.text
        read = [decision for decision in answer.decisions if decision.macro]
        if not read:
            return Lifted(formula, "plain", formula.latex, answer.confidence, **fields)
        if not cuts:
            sure = sure_decisions(answer, self.threshold)
            state = "plain" if sure else "uncertain"
            message = "" if sure else f"confidence {answer.confidence:.0%} is below {self.threshold:.0%}"
            return Lifted(formula, state, answer.semantic, answer.confidence, message=message, **fields)
        key = (
            formula.latex,
            id(formula.definitions),
            answer.semantic,
            *((cut.span, cut.form, cut.parts) for cut in cuts),
        )
        if key not in self._done:  # a book repeats itself
            written = woven(formula.latex, cuts, spellings)
            self._done[key] = written, self._refused(formula, answer, source, written, restorer)
        written, reason = self._done[key]
        if reason:
            return Lifted(formula, "conflict", answer.semantic, answer.confidence, message=reason, **fields)
        lifted = {id(place.decision) for place in cuts}
        left = tuple(decision for decision in read if id(decision) not in lifted)
        fields["written"] = written.text
        fields["asserted"] = expand_definitions(written.plain, known) if source.tokens else written.plain
        return Lifted(formula, "translated", answer.semantic, answer.confidence, left=left, **fields)

    def _refused(
        self, formula: Formula, answer: Translation, source: Traced, written: Woven, restorer: Restorer
    ) -> str:
        """Why a formula must not be changed after all; empty if it may."""
        try:
            if restorer.restored(written.text) != formula.latex:
                return "it could not be given back byte for byte"
            plain = (
                expand_definitions(written.plain, {**self.macros, **formula.definitions})
                if source.tokens
                else written.plain
            )
            certified = plain == answer.semantic and source.text == answer.latex  # by the translator
            if not certified and not self.certifier.certifies(plain, canonical_key(source.text), source.text):
                return "without its doubtful symbols it does not expand to the formula"
        except FormulaError as error:
            return error.message
        return ""
