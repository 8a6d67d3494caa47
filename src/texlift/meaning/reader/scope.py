"""What the reader knows about a formula as a whole before it reads a part of it.

Some readings depend on the rest of the formula: whether `i` is an index or the imaginary unit, whether a letter
before parentheses is a function, which sign `\\pm` stands for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from texlift.errors import FormulaError, Span
from texlift.latex.nodes import Row
from texlift.latex.signatures import CallSignature
from texlift.macros.concepts import Concept
from texlift.meaning.declarations import NOTHING_DECLARED, Declarations
from texlift.meaning.reader.census import Census
from texlift.meaning.reader.pattern import NO_PATTERNS, Patterns
from texlift.meaning.reader.sentence import is_sentence
from texlift.meaning.structure.decision import NO_CHOICES, Choices, Decision, Option
from texlift.meaning.structure.places import Place, Usage, places_of

__all__ = ["MAX_NESTING", "Scope"]

MAX_NESTING = 65
"""Deepest nesting of parentheses and arguments that is read; the DLMF needs 14."""

_LOGIC = re.compile(
    r"\\(?:land|lor|wedge|vee|neg|lnot|Rightarrow|Leftarrow|Leftrightarrow|implies|impliedby|iff"
    r"|Longrightarrow|Longleftarrow|Longleftrightarrow|forall|exists|nexists)(?![A-Za-z])|[∧∨¬⇒⇔⇐⟹⟺]|\\operatorname\{(?:and|or)\}"
)
_ARROWS = re.compile(
    r"^(?!.*(?:vec|mathbf|\d|[<>=])).*\\(?:wedge|vee)(?![A-Za-z]).*\\(?:to|rightarrow|leftrightarrow)(?![A-Za-z])"
)
_DECIMAL_COMMA = re.compile(
    r"(?<![\d,.(\[\]{;])0,\d(?!\d*,)"  # 0,5
    r"|\d,\d+\\(?:overline|bar|conj|dot)\{\d"  # 1,1\overline{6}
    r"|\\log\s*_\{\d,\d+\}"  # \\log_{0,5}x
    r"|(?<![\d,(\[{])\d,\d+\s*:\s*\d+(?:,\d+)?(?![\d,])"  # 3,5:1,5
    r"|\d\\,\d{3}\b.*\{,\}"  # 12\,500 beside 1{,}035
    r"|(?:^|[-+=*/ ]|\\cdot ?)\d+,\d+(?=\s*(?:[A-Za-z]|\\cdot|\\times|[-+*/]))"  # 1,5x+2,5
)
_PROPOSITIONS = re.compile(
    r"\\(?:land|lor|neg|lnot)(?![A-Za-z])|[∧∨¬]"
    r"|\\(?:forall|exists).*[A-Z]\s*(?:\([^()]*\))?\s*\\(?:to|rightarrow|leftrightarrow)(?![A-Za-z])"  # P(x)\to Q(x)
)


@dataclass(slots=True)
class Scope:
    """The source, the warnings so far and the decisions that hold for the whole formula."""

    source: str
    calls: Mapping[str, CallSignature]
    sign: int = 1  # what \pm stands for in this reading
    warnings: dict[str, Span] = field(default_factory=dict)
    census: Census = field(default_factory=lambda: Census(()))
    logical: bool = False  # whether signs of logic stand in the formula
    propositional: bool = False  # whether an arrow between two parts is an implication
    sentence: bool = False  # whether it has nothing but propositions and connectives
    decimal_comma: bool = False  # whether a number such as 0,5 shows what commas in numbers are
    slots: bool = False  # whether #1 stands for an argument
    split: bool = False  # whether \pm or \mp was met
    depth: int = 0
    commas: tuple[str, int] = ("", 0)  # at a depth: "one" where only one number can stand, "several" where a list must
    operators: list[Span] = field(default_factory=list)  # derivative operators applied to what follows them
    fractions: int = 0  # depth of continued fractions
    differentials: list[list[object]] = field(default_factory=list)
    declared: Declarations = NOTHING_DECLARED
    choices: Choices = field(default_factory=lambda: NO_CHOICES)
    decisions: dict[tuple[str, int], Decision] = field(default_factory=dict)
    document: Usage | None = None  # how the other formulae of the document use letters
    nodes: Row = field(default_factory=list)
    places: dict[int, Place] | None = None  # by the start of their brackets; None until one is asked for
    concepts: Mapping[str, Concept] = field(default_factory=dict)  # concepts of the vocabulary by their macro
    patterns: Patterns = NO_PATTERNS  # its notations

    @classmethod
    def of(cls, source: str, nodes: Row, calls: Mapping[str, CallSignature], sign: int) -> Scope:
        """Look once over the formula for what decides readings elsewhere."""
        sentence = "\\" in source and is_sentence(source)
        logical = sentence or bool(_LOGIC.search(source))
        propositional = logical and bool(sentence or _PROPOSITIONS.search(source) or _ARROWS.search(source))
        decimal = "mod" not in source and bool(_DECIMAL_COMMA.search(source))
        return cls(source, calls, sign, {}, Census(nodes), logical, propositional, sentence, decimal, nodes=nodes)

    def role(self, name: str) -> str:
        """What a letter was declared to be; empty where nothing was said of it."""
        if self.declared is NOTHING_DECLARED:
            return ""
        declaration = self.declared.get(name)
        return declaration.role if declaration is not None else ""

    def place(self, bracket: int) -> Place | None:
        """What a model may know about the bracket that starts at a place of the source."""
        if self.places is None:
            self.places = {place.start: place for place in places_of(self.nodes, self.document)}
        return self.places.get(bracket)

    def decide(
        self,
        kind: str,
        span: Span,
        found: str,
        possible: tuple[str, ...],
        because: str,
        shares: Mapping[str, float] | None = None,
    ) -> str:
        """Note a decision and return what holds: what was `found`, or what the caller chose among the possible."""
        choice = self.choices.get(span[0])
        if choice in possible:
            found, because, shares = choice, "chosen", {choice: 1.0}
        known = shares or {}
        options = tuple(Option(meaning, known.get(meaning, 0.0 if known else None)) for meaning in possible)
        source = self.source[span[0] : span[1]]
        self.decisions[kind, span[0]] = Decision(kind, span, source, found, options, because)
        return found

    @contextmanager
    def expecting(self, numbers: str, deeper: int = 0) -> Iterator[None]:
        """Say that one number or several stand at this depth, or `deeper`."""
        before, self.commas = self.commas, (numbers, self.depth + deeper)
        yield
        self.commas = before

    def expects(self, numbers: str) -> bool:
        """Whether one number or several must stand at this depth."""
        return self.commas == (numbers, self.depth)

    def warn(self, message: str, span: Span) -> None:
        self.warnings.setdefault(message, span)

    def error(self, message: str, span: Span, hint: str = "", code: str = "meaning") -> FormulaError:
        return FormulaError(message, self.source, span, hint, code)

    def enter(self, span: Span) -> None:
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise self.error(f"nested more than {MAX_NESTING} levels deep", span, "simplify the formula", "too-deep")
