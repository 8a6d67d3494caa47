"""Formulae made ready to be scored: parsed, read with all rules, encoded, put into their context."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from threading import Lock
from typing import NamedTuple

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
from texlift.scorer.encoding import Encoded, Encoder, Sketch
from texlift.translate.model import Model

__all__ = ["MAX_FORMULA", "MOST_TOGETHER", "Preparation", "Work"]

MAX_FORMULA = 10_000
"""Characters of a formula that is translated, user macros expanded; the longest of the DLMF has 1,990."""

MOST_TOGETHER = 100_000
"""Size of the forests of formulae that are worked on together, and of those that are remembered: some 60 MB to keep,
some 300 MB to work on. Two thousand formulae of the DLMF have 65,000, one formula alone up to 70,000."""

_MOST_KNOWN = 2048
_OFTEN = 100  # characters of formulae that come up several times


class Work(NamedTuple):
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


class _Remembered:
    """What is known of the formulae that came last, up to a number of them and a size of their forests."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, _Known] = OrderedDict()
        self._sizes: dict[str, int] = {}
        self._size = 0
        self._lock = Lock()  # a service translates in several threads

    def get(self, latex: str) -> _Known | None:
        with self._lock:
            known = self._known.get(latex)
            if known is not None:
                self._known.move_to_end(latex)
            return known

    def add(self, known: _Known, size: int) -> None:
        """Remember a formula with the size of its forest, instead of those that were not asked for longest."""
        if size > MOST_TOGETHER // 10:
            return  # rarely asked for twice
        with self._lock:
            if known.latex not in self._known:
                self._known[known.latex] = known
                self._sizes[known.latex] = size
                self._size += size
            while self._size > MOST_TOGETHER or len(self._known) > _MOST_KNOWN:
                oldest, _ = self._known.popitem(last=False)
                self._size -= self._sizes.pop(oldest)

    def clear(self) -> None:
        with self._lock:
            self._known.clear()
            self._sizes.clear()
            self._size = 0


class Preparation:
    """Makes formulae ready for one model. What is known of a formula whatever its context is kept for a while."""

    def __init__(self, model: Model) -> None:
        self.certifier = Certifier(Expander(model.grammar))
        self._reader = Reader(model.grammar)
        self._encoder = Encoder(model.vocabulary, model.numbers, not model.grammar.language.with_lexicon)
        self._memory = model.memory
        self._commands = known_commands().union(model.vocabulary.labels)
        self._macros = model.grammar.language.only
        self._remembered = _Remembered()

    def _known(self, latex: str) -> _Known:
        known = self._remembered.get(latex)
        if known is None:
            root = canonical(latex)
            known = _Known(latex, self.certifier.goal(latex, root), root)
        return known

    def forget(self) -> None:
        """Let go of everything that is remembered of formulae and of the words around them."""
        self._remembered.clear()
        self._encoder.forget()

    def ready(
        self, asked: Sequence[tuple[str, Context]], constants: bool, bare: bool = False, document: bool = False
    ) -> list[Work | FormulaError]:
        """A few formulae made ready to be scored; see `portions`."""
        return [work for portion in self.portions(asked, constants, bare, document) for work in portion]

    def portions(
        self, asked: Sequence[tuple[str, Context]], constants: bool, bare: bool = False, document: bool = False
    ) -> Iterator[list[Work | FormulaError]]:
        """The formulae made ready to be scored, in order, in portions that fit into memory; nearly always it is one.

        `bare`: nothing is wrapped around them. `document`: they are of one document, so its other formulae show how
        their author writes, and what they are found to mean will be remembered.

        One step for all of them, then the next: so the processor's caches hold what a step needs, which saves a tenth.
        """
        same: dict[str, _Known] = {}
        parsed = [self._parsed(latex, bare, same) for latex, _ in asked]
        brackets = _author(parsed) if document else 0
        some: list[_Known | FormulaError] = []
        start = together = 0
        for at, known in enumerate(parsed):
            parsed[at] = _DONE  # what was worked on goes with its portion
            size = 0
            if not isinstance(known, FormulaError):
                size = known.forest(self._reader).size
                self._remembered.add(known, size)
            if some and together + size > MOST_TOGETHER:
                yield self._ready(some, asked[start:at], constants, brackets, document)
                some, start, together = [], at, 0
            some.append(known)
            together += size
        if some:
            yield self._ready(some, asked[start:], constants, brackets, document)

    def _ready(
        self,
        parsed: Sequence[_Known | FormulaError],
        asked: Sequence[tuple[str, Context]],
        constants: bool,
        brackets: int,
        document: bool,
    ) -> list[Work | FormulaError]:
        """Some formulae with their contexts, encoded."""
        sketches = [
            known.sketch(forest, self._encoder, constants)
            if not isinstance(known, FormulaError) and (forest := known.forest(self._reader)).ambiguous
            else None
            for known in parsed
        ]
        works: list[Work | FormulaError] = []
        for known, sketch, (_, context) in zip(parsed, sketches, asked, strict=True):
            if isinstance(known, FormulaError):
                works.append(known)
                continue
            encoded = None if sketch is None else self._encoder.placed(sketch, known.latex, context, brackets)
            if document and encoded is not None and not self._memory.knows(encoded.symbols.scope[1]):
                encoded = encoded._replace(symbols=encoded.symbols.in_document())
            works.append(Work(known.latex, known.key, known.forest(self._reader), context, encoded))
        return works

    def _parsed(self, latex: str, bare: bool, same: dict[str, _Known]) -> _Known | FormulaError:
        """What is known of a formula; of short ones that come up several times at once there is but one."""
        try:
            expanded = expand_definitions(latex)
            text = _short(expanded if bare else unwrapped(expanded))
            if len(text) > _OFTEN:
                return self._known(text)
            if text not in same:
                same[text] = self._known(text)
            return same[text]
        except FormulaError as error:
            return error.within(latex).detached()

    def unknown(self, forest: Forest) -> tuple[str, ...]:
        """Warnings about commands that neither LaTeX nor the model knows, and about macros of semantic LaTeX."""
        unknown = forest.labels - self._commands
        if not unknown and self._macros.isdisjoint(forest.labels):
            return ()
        macros = self._macros & forest.labels
        return (
            *(
                f"unknown command {label}: left as it is"
                for label in sorted(unknown - macros)
                if label[0] == "\\" and label[1:].isalpha()
            ),
            *(f"{label} is taken for the macro of semantic LaTeX" for label in sorted(macros)),
        )


_DONE = FormulaError("", "", (0, 0))


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
