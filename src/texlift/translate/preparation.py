"""Formulae made ready to be scored: parsed, read with all rules, encoded, put into their context."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from texlift.context.passage import Context
from texlift.context.style import brackets_in
from texlift.errors import FormulaError
from texlift.grammar.certificate import Certifier
from texlift.grammar.expansion import Expander
from texlift.grammar.readings import Forest, Reader
from texlift.latex.canonical import Row, canonical
from texlift.latex.definitions import expand_definitions
from texlift.latex.symbols import known_commands
from texlift.latex.wrapping import unwrapped
from texlift.macros.semantic import semantic_only
from texlift.scorer.encoding import Encoded, Encoder, Sketch
from texlift.translate.model import Model

__all__ = ["MAX_FORMULA", "Preparation", "Work"]

MAX_FORMULA = 10_000
"""Characters of a formula that is translated, user macros expanded; the longest of the DLMF has 1,990."""


@dataclass(frozen=True, slots=True)
class Work:
    """One formula on its way through the translator; `encoded` is None if there is nothing to decide."""

    latex: str
    key: str  # what an answer must expand to
    forest: Forest
    context: Context
    encoded: Encoded | None


class _Known:
    """What is known of a formula whatever its context; found step by step."""

    __slots__ = ("_forest", "_sketches", "key", "latex", "root")

    def __init__(self, latex: str, key: str, root: Row) -> None:
        self.latex = latex
        self.key = key  # what an answer must expand to
        self.root = root
        self._forest: Forest | None = None
        self._sketches: dict[bool, Sketch] = {}  # with constants marked, without

    def forest(self, reader: Reader) -> Forest:
        if self._forest is None:
            self._forest = reader.read(self.root)
        return self._forest

    def sketch(self, forest: Forest, encoder: Encoder, constants: bool) -> Sketch:
        found = self._sketches.get(constants)
        if found is None:
            found = self._sketches[constants] = encoder.sketch(forest, self.latex, constants)
        return found


class Preparation:
    """Makes formulae ready for one model. What is known of a formula whatever its context is kept for a while."""

    def __init__(self, model: Model) -> None:
        self.certifier = Certifier(Expander(model.grammar))
        self._reader = Reader(model.grammar)
        self._encoder = Encoder(model.vocabulary, model.numbers)
        self._memory = model.memory
        self._commands = known_commands().union(model.vocabulary.labels)
        self._known = lru_cache(maxsize=2048)(self._new)

    def _new(self, latex: str) -> _Known:
        root = canonical(latex)
        return _Known(latex, self.certifier.goal(latex, root), root)

    def ready(
        self, asked: Sequence[tuple[str, Context]], constants: bool, bare: bool = False, document: bool = False
    ) -> list[Work | FormulaError]:
        """The formulae made ready to be scored.

        `bare`: nothing is wrapped around them. `document`: they are of one document, so its other formulae show how
        their author writes, and what they are found to mean will be remembered.

        One step for all of them, then the next: so the processor's caches hold what a step needs, which saves a tenth.
        """
        parsed = [self._parsed(latex, bare) for latex, _ in asked]
        forests = [known if isinstance(known, FormulaError) else known.forest(self._reader) for known in parsed]
        sketches = [
            known.sketch(forest, self._encoder, constants)
            if not isinstance(known, FormulaError) and not isinstance(forest, FormulaError) and forest.ambiguous
            else None
            for known, forest in zip(parsed, forests, strict=True)
        ]
        brackets = _author(parsed) if document else 0
        works: list[Work | FormulaError] = []
        for known, forest, sketch, (_, context) in zip(parsed, forests, sketches, asked, strict=True):
            if isinstance(known, FormulaError) or isinstance(forest, FormulaError):
                assert isinstance(known, FormulaError)
                works.append(known)
                continue
            encoded = None if sketch is None else self._encoder.placed(sketch, known.latex, context, brackets)
            if document and encoded is not None and not self._memory.knows(encoded.symbols.scope[1]):
                encoded = replace(encoded, symbols=encoded.symbols.in_document())
            works.append(Work(known.latex, known.key, forest, context, encoded))
        return works

    def _parsed(self, latex: str, bare: bool) -> _Known | FormulaError:
        try:
            expanded = expand_definitions(latex)
            return self._known(_short(expanded if bare else unwrapped(expanded)))
        except FormulaError as error:
            return error.within(latex).detached()

    def unknown(self, forest: Forest) -> tuple[str, ...]:
        """Warnings about commands that neither LaTeX nor the model knows, and about macros of semantic LaTeX."""
        unknown = forest.labels - self._commands
        if not unknown and semantic_only().isdisjoint(forest.labels):
            return ()
        macros = semantic_only() & forest.labels
        return (
            *(
                f"unknown command {label}: left as it is"
                for label in sorted(unknown - macros)
                if label[0] == "\\" and label[1:].isalpha()
            ),
            *(f"{label} is taken for the macro of semantic LaTeX" for label in sorted(macros)),
        )


def _author(parsed: Sequence[_Known | FormulaError]) -> int:
    """How the author of some formulae writes brackets: the way that comes closest to what macros print.

    0 if there is but one, however often: what a formula shows itself is known already.
    """
    written = {known.latex for known in parsed if not isinstance(known, FormulaError)}
    return max(map(brackets_in, written)) if len(written) > 1 else 0


def _short(source: str) -> str:
    """A formula that can be translated in a second or so; the semantic form may be several times as long."""
    if len(source) > MAX_FORMULA:
        message = f"formula of {len(source):,} characters is longer than the limit of {MAX_FORMULA:,}"
        raise FormulaError(
            message, source, (MAX_FORMULA, MAX_FORMULA + 1), "split the text into single formulae", "too-long"
        )
    return source
