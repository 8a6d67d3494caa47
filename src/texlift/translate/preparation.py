"""Formulae made ready to be scored: parsed, read with all rules, encoded, put into their context."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np

from texlift.context.memory import SECTION, context_keys
from texlift.context.placing import Placing
from texlift.context.respelling import Respelled, respelled
from texlift.context.spelling import spelled_around
from texlift.context.style import NO_WRITING, Writing, writing_of
from texlift.errors import FormulaError, Span
from texlift.grammar.certificate import Certifier
from texlift.grammar.expansion import Expander
from texlift.grammar.readings import Forest, Reader
from texlift.latex.canonical import Row, canonical
from texlift.latex.definitions import expand_definitions
from texlift.latex.symbols import known_commands
from texlift.latex.wrapping import unwrapped
from texlift.macros.semantic import semantic_only
from texlift.scorer.encoding import Encoded, Encoder, Sketch
from texlift.translate.confidence import is_symbol
from texlift.translate.model import Model
from texlift.translate.rendering import Renderer
from texlift.translate.wrappers import left_out

__all__ = ["MAX_FORMULA", "Context", "Plain", "Preparation", "Work"]

Context: TypeAlias = str | Mapping[str, str] | None
"""Words about a formula: one text, or titles and the sentence around it by name."""

MAX_FORMULA = 10_000
"""Characters of a formula that is translated, user macros expanded; the longest of the DLMF has 1,990."""


@dataclass(slots=True)
class Work:
    """One formula on its way through the translator."""

    latex: str
    key: str  # what an answer must expand to
    forest: Forest
    encoded: Encoded
    left_out: list[Span]
    context: Context
    respelled: Respelled | None = None  # if its context spells it with other elements
    placed: bool = False  # nothing is said about it, and its titles are those of formulae that it looks like

    @property
    def judged(self) -> Encoded:
        """What is scored."""
        return self.encoded if self.respelled is None else self.respelled.encoded


@dataclass(frozen=True, slots=True)
class Plain:
    """A formula with nothing to decide."""

    latex: str
    semantic: str
    warnings: tuple[str, ...]
    labels: set[str]
    alone: bool  # it is a single symbol
    context: Context


class _Known:
    """What is known of a formula whatever is said about it; found step by step."""

    __slots__ = ("forest", "key", "latex", "left_out", "root", "sketches")

    def __init__(self, latex: str, key: str, root: Row, left_out: list[Span]) -> None:
        self.latex = latex
        self.key = key  # what an answer must expand to
        self.root = root
        self.left_out = left_out  # parts that the semantic side does without
        self.forest: Forest | None = None
        self.sketches: dict[bool, Sketch] = {}  # with constants marked, without


class Preparation:
    """Makes formulae ready for one model. What is known of a formula whatever its context is kept for a while."""

    def __init__(self, model: Model) -> None:
        self.certifier = Certifier(Expander(model.grammar))
        self._needless = model.needless
        self._reader = Reader(model.grammar)
        self._encoder = Encoder(model.vocabulary, model.numbers)
        self._placing = Placing(model.conventions.kindred, model.sections)
        self._commands = known_commands().union(model.vocabulary.labels)
        self._known_formula = lru_cache(maxsize=2048)(self._parsed)

    def _parsed(self, latex: str) -> _Known:
        root = canonical(latex)
        key = self.certifier.goal(latex, root)
        return _Known(latex, key, root, left_out(latex, root, self._needless) if self._needless else [])

    def ready(
        self, chunk: Sequence[tuple[str, Context]], constants: bool, together: bool = True, bare: bool = False
    ) -> list[Work | Plain | FormulaError]:
        """The formulae made ready to be scored.

        `together`: those under the same titles are by one writer; `bare`: nothing is wrapped around them.

        One step for all of them, then the next: so the processor's caches hold what a step needs, which saves a tenth.
        """
        parsed: list[_Known | FormulaError] = []
        for latex, _ in chunk:
            try:
                expanded = expand_definitions(latex)
                parsed.append(self._known_formula(_short(expanded if bare else unwrapped(expanded))))
            except FormulaError as error:
                parsed.append(error.within(latex).detached())
        read: list[tuple[_Known, Forest] | FormulaError] = [
            known if isinstance(known, FormulaError) else (known, self._forest(known)) for known in parsed
        ]
        for item in read:
            if not isinstance(item, FormulaError):
                known, forest = item
                if forest.ambiguous:
                    self._sketch(known, forest, constants)
        placed = self._places(read, [context for _, context in chunk], constants) if together else {}
        works: list[Work | Plain | FormulaError] = []
        for number, (item, (_, context)) in enumerate(zip(read, chunk, strict=True)):
            if isinstance(item, FormulaError):
                works.append(item)
                continue
            known, forest = item
            source = known.latex
            if forest.ambiguous:
                titles = placed.get(number)
                encoded, other = self._encoded(known, forest, titles or context, constants)
                works.append(
                    Work(source, known.key, forest, encoded, known.left_out, context, other, titles is not None)
                )
            else:
                works.append(self._plain(known, forest, context))
        if together:
            _share_writing(works)
        return works

    def _plain(self, known: _Known, forest: Forest, context: Context) -> Plain:
        semantic = Renderer(known.latex, {}, (), known.left_out).formula(known.root)
        if known.left_out and not self.certifier.certifies(semantic, known.key):
            semantic = known.latex
        return Plain(known.latex, semantic, self.unknown(forest), forest.labels, is_symbol(known.root), context)

    def _places(
        self,
        read: Sequence[tuple[_Known, Forest] | FormulaError],
        contexts: Sequence[Context],
        constants: bool,
    ) -> dict[int, Mapping[str, str]]:
        """The titles under which formulae seem to stand about which nothing is said, by their numbers."""
        untold = [
            (number, self._sketch(*item, constants).formula)
            for number, (item, context) in enumerate(zip(read, contexts, strict=True))
            if not context and not isinstance(item, FormulaError) and item[1].ambiguous
        ]
        found = self._placing.contexts([formula for _, formula in untold])
        return {number: titles for (number, _), titles in zip(untold, found, strict=True) if titles}

    def _forest(self, known: _Known) -> Forest:
        if known.forest is None:
            known.forest = self._reader.read(known.root)
        return known.forest

    def _sketch(self, known: _Known, forest: Forest, constants: bool) -> Sketch:
        sketch = known.sketches.get(constants)
        if sketch is None:
            sketch = known.sketches[constants] = self._encoder.sketch(forest, known.latex, constants)
        return sketch

    def _encoded(
        self, known: _Known, forest: Forest, context: Context, constants: bool
    ) -> tuple[Encoded, Respelled | None]:
        """The numbers of a formula in its context; as its context spells it, if it does otherwise."""
        sketch = self._sketch(known, forest, constants)
        spelled = spelled_around(known.latex, context)
        if spelled is None:
            return self._encoder.placed(sketch, known.latex, context), None
        encoded = self._encoder.placed(sketch, known.latex, context, spelled)
        other = self._known_formula(spelled)
        other_forest = self._forest(other)
        if not other_forest.ambiguous:  # `\\mathrm{ie}` has nothing to decide
            return encoded, None
        judged = self._encoder.placed(self._sketch(other, other_forest, constants), spelled, context)
        if np.array_equal(judged.reading_rule, encoded.reading_rule):
            judged.places, judged.where = encoded.places, encoded.where
            return judged, None
        return encoded, respelled(encoded.places, known.latex, judged, spelled)

    def unknown(self, forest: Forest) -> tuple[str, ...]:
        """Warnings about commands that neither LaTeX nor the model knows, and about macros of semantic LaTeX."""
        macros = semantic_only() & forest.labels
        unknown = forest.labels - self._commands - macros
        return (
            *[
                f"unknown command {label}: left as it is"
                for label in sorted(unknown)
                if label[0] == "\\" and label[1:].isalpha()
            ],
            *[f"{label} is taken for the macro of semantic LaTeX" for label in sorted(macros)],
        )


def _share_writing(works: Sequence[Work | Plain | FormulaError]) -> None:
    """Let formulae under the same titles know how the others are written: they are by one writer."""
    together: dict[int, Writing] = {}
    for work in works:
        if not isinstance(work, FormulaError) and (section := _section(work)):
            together[section] = together.get(section, NO_WRITING) | writing_of(work.latex)
    for work in works:
        if isinstance(work, Work):
            work.judged.typed = writing_of(work.latex)
            if section := _section(work):
                work.judged.elsewhere = together[section]


def _section(work: Work | Plain) -> int:
    """The section that a formula is said to stand in; where it seems to be from says nothing about its writer."""
    if isinstance(work, Plain):
        return context_keys(work.context)[SECTION]
    return 0 if work.placed else work.encoded.context_keys[SECTION]


def _short(source: str) -> str:
    """A formula that can be translated in a second or so; the semantic form may be several times as long."""
    if len(source) > MAX_FORMULA:
        message = f"formula of {len(source):,} characters is longer than the limit of {MAX_FORMULA:,}"
        raise FormulaError(
            message, source, (MAX_FORMULA, MAX_FORMULA + 1), "split the text into single formulae", "too-long"
        )
    return source
