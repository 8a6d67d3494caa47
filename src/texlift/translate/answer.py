"""The answer: semantic LaTeX, its confidence, what was decided where and why, and what else it may mean."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, overload

from texlift.context.cues import declared_by
from texlift.context.passage import Context
from texlift.errors import FormulaError, Span
from texlift.grammar.match import Match, SpanRef
from texlift.grammar.pattern import HOLES
from texlift.grammar.readings import Forest
from texlift.latex.slicing import piece
from texlift.macros.inverses import inverse_of
from texlift.macros.lexicon import lexicon
from texlift.meaning.declarations import NOTHING_DECLARED, Declarations
from texlift.meaning.structure.decision import Choices
from texlift.translate.decoding import Choice, Derivation, Probabilities
from texlift.translate.rendering import Renderer

if TYPE_CHECKING:
    from texlift.meaning.letters import Letter
    from texlift.meaning.reader.reading import Reading as Meaning
    from texlift.meaning.structure.decision import Decision as Structural
    from texlift.meaning.structure.document import DocumentUses
    from texlift.meaning.structure.places import Usage
    from texlift.targets import Conversion

__all__ = [
    "Alternative",
    "ConversionWarning",
    "Decision",
    "Reading",
    "Translation",
    "explained",
    "mentions",
    "obeyed",
    "traps",
]

_MOST_COMPETING = 8


class ConversionWarning(UserWarning):
    """Something was decided in converting a formula that its writer may have meant otherwise."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a place: a macro call, or (macro "") the symbols as they stand."""

    macro: str
    call: str
    meaning: str
    probability: float

    def as_dict(self) -> dict[str, Any]:
        return {"macro": self.macro, "call": self.call, "meaning": self.meaning, "probability": self.probability}


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided at one place of the source, and the readings that competed."""

    span: Span
    source: str
    macro: str
    call: str
    meaning: str
    url: str
    probability: float
    competing: tuple[Reading, ...] = ()
    form: str = ""  # the rule's call, `\\BesselJ{#1}#'@{#2}`; empty where the source cannot be cut into its parts
    parts: tuple[tuple[str, Span], ...] = ()  # where the arguments (`1`, `2`, ..) and scripts (`'`) of the call stand

    def as_dict(self) -> dict[str, Any]:
        return {
            "start": self.span[0],
            "end": self.span[1],
            "source": self.source,
            "macro": self.macro,
            "call": self.call,
            "meaning": self.meaning,
            "url": self.url,
            "probability": self.probability,
            "competing": [reading.as_dict() for reading in self.competing],
        }


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another reading of the whole formula."""

    semantic: str
    confidence: float

    def as_dict(self) -> dict[str, Any]:
        return {"semantic": self.semantic, "confidence": round(self.confidence, 6)}


@dataclass(frozen=True, slots=True)
class Translation:
    """A formula and what it means.

    `semantic` expands back to the presentation of `latex`: this was checked before it was returned.
    """

    latex: str
    semantic: str
    confidence: float
    decisions: tuple[Decision, ...] = ()
    alternatives: tuple[Alternative, ...] = ()
    warnings: tuple[str, ...] = field(default=())
    evidence: tuple[float, ...] = field(default=(), repr=False)  # what the confidence rests on: `confidence.EVIDENCE`
    topics: tuple[str, ...] = field(default=(), repr=False)  # and `confidence.topics_of`
    declared: Declarations = field(default=NOTHING_DECLARED, repr=False)
    around: str = field(default="", repr=False, compare=False)  # the words that were given with the formula
    chosen: tuple[tuple[int, str], ...] = field(default=(), repr=False)  # what `choose` said of ambiguous places
    document: DocumentUses | None = field(default=None, repr=False, compare=False)  # the formulae it belongs to

    @overload
    def to(self, target: str, /) -> str: ...

    @overload
    def to(self, target: str, /, *more: str) -> dict[str, str]: ...

    def to(self, target: str, /, *more: str) -> str | dict[str, str]:
        """Code for `target`: one of `texlift.targets.TARGETS`, for example sympy; by target if there are several.

        What was decided on the way is reported as a ConversionWarning; `converted` has it as data.
        Raises TexliftError, naming the place, where a target has no such function.
        """
        codes: dict[str, str] = {}
        for one in (target, *more):
            conversion = self.converted(one)
            _warn(one, conversion.warnings)
            codes[one] = conversion.code
        return codes if more else codes[target]

    def converted(self, target: str) -> Conversion:
        """Code for `target` with its warnings and with notes on conventions."""
        from texlift.targets import convert

        return convert(self.semantic, target, self.declared, dict(self.chosen), self._beside)

    def confidence_in(self, conversion: Conversion) -> float:
        """The probability that code for this answer says what was meant, whatever macros the handbook writes for it."""
        if conversion.reading is None:
            return self.confidence
        from texlift.meaning.reliability import reliability

        return reliability(conversion.reading, (*self.warnings, *conversion.warnings), self.by_meaning())

    def by_meaning(self) -> tuple[float, ...]:
        """How likely each decision about macros is, with all readings that mean the same."""
        from texlift.meaning.reliability import likely

        return tuple(
            likely(
                one.call, one.probability, [(o.call if o.macro else one.source, o.probability) for o in one.competing]
            )
            for one in self.decisions
        )

    def mathml(self) -> str:
        """Content MathML."""
        return self.to("mathml")

    def words(self) -> str:
        """The formula in plain English, to be read aloud; what is not understood is spelled as it is written."""
        return self.to("words")

    def sympy(self, assume: bool = True) -> Any:
        """The SymPy object; a list of objects for several statements.

        Symbols carry the assumptions that are declared or certain from the formula, unless `assume` is false.
        What was decided on the way is reported as a ConversionWarning. Raises TexliftError where SymPy has none.
        """
        from texlift.targets.objects import build

        objects = build(self.semantic, self.declared, assume, choices=dict(self.chosen), document=self._beside)
        _warn("sympy", objects.warnings)
        return objects.whole

    def lambdify(
        self, arguments: Sequence[str] | None = None, modules: str | Sequence[str] | None = None
    ) -> Callable[..., Any]:
        """A Python function that computes the formula with NumPy and SciPy; see `texlift.targets.functions`."""
        from texlift.targets.functions import function_of
        from texlift.targets.objects import build

        objects = build(self.semantic, self.declared, choices=dict(self.chosen), document=self._beside)
        _warn("lambdify", objects.warnings)
        return function_of(objects, arguments, modules)

    @property
    def tree(self) -> Meaning:
        """The meaning tree of the formula: `.statements`, `.pretty()`, `.as_dict()`."""
        from texlift.meaning.reader.reading import read

        return read(self.semantic, declared=self.declared, choices=dict(self.chosen), document=self._beside)

    @property
    def _beside(self) -> Usage | None:
        return None if self.document is None else self.document.usage_beside(self.latex)

    @property
    def structure(self) -> tuple[Structural, ...]:
        """Decisions beside those about macros: application or product, constants, bars, brackets, scripts."""
        return self.tree.decisions

    def choose(self, choices: Choices) -> Translation:
        """The answer with other meanings of ambiguous places, by where their decisions start: `{0: "product"}`.

        Places are those of `structure`, in `semantic`. Raises FormulaError for a choice that cannot be obeyed.
        """
        answer = replace(self, chosen=tuple({**dict(self.chosen), **choices}.items()))
        _ = answer.tree
        return answer

    @property
    def symbols(self) -> tuple[Letter, ...]:
        """The letters of the formula: what is certain about them, where that is said, and what kind they likely are."""
        from texlift.meaning.letters import letters_of
        from texlift.meaning.structure.kinds import with_kinds

        beside = None if self.document is None else self.document.uses_beside(self.latex)
        return with_kinds(letters_of(self.tree).values(), self.latex, self.around, beside)

    def as_dict(self) -> dict[str, Any]:
        """The JSON form of `texlift translate --jsonl`."""
        return {
            "semantic": self.semantic,
            "confidence": round(self.confidence, 6),
            "decisions": [decision.as_dict() for decision in self.decisions],
            "alternatives": [alternative.as_dict() for alternative in self.alternatives],
            "warnings": list(self.warnings),
        }

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex}$"

    def _repr_html_(self) -> str:
        import html

        rows = "".join(
            f"<tr><td><code>{html.escape(d.source)}</code></td><td><code>{html.escape(d.call)}</code></td>"
            f"<td>{_link(d)}</td><td>{d.probability:.1%}</td></tr>"
            for d in self.decisions
            if d.macro
        )
        return (
            f"<p><code>{html.escape(self.semantic)}</code> &nbsp; {self.confidence:.1%}</p>"
            f"<table><tr><th>in the source</th><th>read as</th><th>meaning</th><th>probability</th></tr>{rows}</table>"
        )


def _warn(target: str, texts: tuple[str, ...]) -> None:
    for text in texts:
        warnings.warn(f"{target}: {text}", ConversionWarning, stacklevel=3)


def _link(decision: Decision) -> str:
    from html import escape

    meaning = escape(decision.meaning)
    return f'<a href="{escape(decision.url)}">{meaning}</a>' if decision.url else meaning


def with_declared(answer: Translation | FormulaError, declared: Declarations) -> Translation | FormulaError:
    """The answer with what was declared; an error where a letter cannot be the macro that it was declared to be."""
    if isinstance(answer, FormulaError):
        return answer
    for declaration in declared.values():
        if not declaration.macro or any(decision.macro == declaration.macro for decision in answer.decisions):
            continue
        behind = "(?![A-Za-z])" if declaration.name.startswith("\\") else ""
        place = re.search(r"(?<![A-Za-z\\])" + re.escape(declaration.name) + behind, answer.latex)
        if place is not None:
            message = f"{declaration.name} is declared as {declaration.macro}, but cannot be read so here"
            return FormulaError(message, answer.latex, place.span(), code="declared")
    return replace(answer, declared=declared.over(answer.declared))


_HINT = "positions are those of the answer's `latex`, the formula without dollars, labels and definitions"


def obeyed(answer: Translation | FormulaError, choices: Mapping[Span, str]) -> Translation | FormulaError:
    """The answer if it follows every choice, otherwise an error at the place of the first that it does not."""
    if isinstance(answer, FormulaError):
        return answer
    for (start, end), macro in choices.items():
        if not 0 <= start < end <= len(answer.latex):
            message = f"the choice {macro or 'unchanged'!r} is for {start}:{end}, outside of the formula"
            return FormulaError(message, answer.latex, (0, len(answer.latex)), _HINT, "choice")
        if not _follows(answer, (start, end), macro):
            message = f"{answer.latex[start:end]} cannot be read as {macro}" if macro else "the choice cannot be kept"
            return FormulaError(message, answer.latex, (start, end), _possible(answer, (start, end)), "choice")
    return answer


def _follows(answer: Translation, span: Span, macro: str) -> bool:
    if macro:
        return any(d.macro == macro and span[0] <= d.span[0] < span[1] for d in answer.decisions)
    return not any(d.macro and d.span == span for d in answer.decisions)


def _possible(answer: Translation, span: Span) -> str:
    """The readings there are at a place, for the hint of the error."""
    found = dict.fromkeys(
        name
        for decision in answer.decisions
        if decision.span[0] == span[0]
        for name in (decision.macro, *(reading.macro for reading in decision.competing))
        if name
    )
    return f"possible there: {', '.join(found)}" if found else _HINT


# -- why ----------------------------------------------------------------------------------------------------------


def explained(
    forest: Forest, latex: str, choice: Choice, probabilities: Probabilities, renderer: Renderer, faint: float
) -> Decision:
    """The decision at one place: the span in the source, the macro, its meaning, the readings that compete.

    Readings with a log-probability below `faint` are left out.
    """
    row, position, match = choice.row, choice.position, choice.match
    scores = probabilities[id(row), position]
    matches = forest.places[id(row)][position]
    element = row.elements[position]
    span = renderer.spans.get(choice.key, (element.start, element.end))
    literal = Reading("", latex[element.start : element.end], "unchanged", math.exp(scores[0]))
    own = literal
    if match is not None:
        # a match cut short by the end of its span is not among those scored at the place
        own = _reading(match, choice.log_probability, renderer)
    readings = [literal, own]
    for index, other in enumerate(matches, 1):
        if other is not match and scores[index] > faint:
            readings.append(_reading(other, scores[index], renderer))
    competing = tuple(sorted((r for r in readings if r is not own), key=lambda r: -r.probability)[:_MOST_COMPETING])
    return Decision(
        span,
        latex[span[0] : span[1]],
        own.macro,
        own.call,
        own.meaning,
        _described(own.macro)[1],
        math.exp(choice.log_probability),
        competing,
        *_cut(match),
    )


@lru_cache(maxsize=4096)
def _repeats(generic: str, call: str) -> bool:
    """Whether a template shows an argument twice, options aside."""
    return any(generic.count(f"#{mark}") > 1 and f"[#{mark}]" not in call for mark in HOLES[:9])


def _cut(match: Match | None) -> tuple[str, tuple[tuple[str, Span], ...]]:
    """The call that a match stands for and the places of its arguments; nothing where these overlap with the rest."""
    if match is None or sorted(match.trailing) != list(range(match.end - len(match.trailing), match.end)):
        return "", ()  # scripts behind the call stay where they are, those inside it cannot
    if _repeats(match.rule.generic, match.rule.call):
        return "", ()  # only the order of a derivative is looked for at its second place
    parts: list[tuple[str, Span]] = []
    for hole, ref in match.holes.items():
        span, dropped = piece(ref.row, ref.start, ref.end)
        if dropped:
            return "", ()
        parts.append((HOLES[hole], span))
    elements = match.row.elements
    parts += [("'", (elements[at].start, elements[at].end)) for at in match.scripts]
    return match.rule.call, tuple(parts)


def traps(derivation: Derivation, latex: str) -> list[str]:
    """Warnings of readings that expand back but often are meant otherwise.

    `\\sin^{-1}x` may be the inverse function, `\\cos\\theta(a+b)` a product.
    """
    read = {(id(choice.row), choice.position) for choice in derivation.choices if choice.match is not None}
    found: list[str] = []
    for choice in derivation.choices:
        match = choice.match
        if match is None:
            continue
        name = match.rule.name
        if match.scripts and (inverse := _meant_as_inverse(match)):
            found.append(f"{name}^{{-1}} stays a power, which code takes for the inverse function; {inverse} says so")
        elif (span := _maybe_product(match, read)) is not None:
            argument = latex[span.elements[0].start : span.elements[-1].end]
            found.append(f"{name} is taken of {argument}; if that is a product, write the other factor first")
    return list(dict.fromkeys(found))


def _meant_as_inverse(match: Match) -> str:
    """The inverse of a function that is raised to the power -1, if there is one."""
    elements = match.row.elements
    raised = any(elements[at].label == "^" and elements[at].rows[0].key == "- 1" for at in match.scripts)
    return inverse_of(match.rule.name) if raised else ""


def _maybe_product(match: Match, read: Collection[tuple[int, int]]) -> SpanRef | None:
    """An argument without brackets around it that is a variable before a sum in brackets."""
    last = match.rule.pattern.items[-1].hole
    if last < 0 or not match.rule.has_ats:
        return None
    span = match.holes[last]
    elements = span.row.elements
    end = span.end - 1
    if end <= span.start or not elements[end].label.startswith("( "):
        return None
    if all(element.label not in _SIGNS for element in elements[end].rows[0].elements[1:]):
        return None
    before = end - 1
    while before > span.start and elements[before].label in _SCRIPTS:
        before -= 1
    label = elements[before].label
    is_variable = label[-1].isalpha() and label not in _FUNCTIONS and (id(span.row), before) not in read
    return span if is_variable else None


_SIGNS = frozenset({"+", "-", r"\pm", r"\mp"})
_SCRIPTS = frozenset("_'^")
_FUNCTIONS = frozenset([*"fghFGH", r"\phi", r"\psi", r"\Phi", r"\Psi", r"\Gamma"])  # letters of functions


def _reading(match: Match, log_probability: float, renderer: Renderer) -> Reading:
    name = match.rule.name
    return Reading(name, renderer.call(match), _described(name)[0], math.exp(log_probability))


@cache
def _described(name: str) -> tuple[str, str]:
    """Meaning and address of a macro; both are empty for one that the lexicon does not know."""
    macro = lexicon().lookup(name) if name else None
    return (macro.meaning, macro.dlmf_url) if macro else ("", "")


_LETTER = re.compile(
    r"(?<![A-Za-z\\])([A-Za-z])(?![A-Za-z])|\\(alpha|beta|gamma|delta|theta|phi|psi|chi|mu|sigma|Phi|Psi)\b"
)
_SAYS = (
    r"\s*\$?\s*(?:\([^()]{1,12}\)\s*)?\$?\s*"
    r"(?:is|are|denotes?|stands for|=|—|–|ist|bezeichnet|est|désigne|è|es|обозначает)\s+(.{3,60})"
)
_KIND = re.compile(
    r"\W*(?:an?|the|any|some|eine?|une?)?\W*(?:fixed |given |arbitrary |known )*"
    r"(?:real|complex|positive|negative|integer|natural|prime|odd|even|constant|parameter|variable|number|matrix|vector|function"
    r"|point|set|events?|random|square|angle|length|mass|time)",
    re.IGNORECASE,
)


@lru_cache(maxsize=256)
def _pattern(letter: str) -> re.Pattern[str]:
    return re.compile(r"(?<![A-Za-z\\])\$?\\?" + re.escape(letter) + r"(?![A-Za-z])" + _SAYS)


def mentions(semantic: str, context: Context) -> list[str]:
    """A warning for each letter of an answer that the text around gives a meaning of its own.

    That is not used yet: "where $C$ is Euler's constant" gives C a meaning. An answer that treats C as a variable is
    not what the text says, unless that only says what kind of number it is.
    """
    if not isinstance(context, str) or not context:
        return []
    found: list[str] = []
    declared = declared_by(context)
    for letter in dict.fromkeys(match[1] or match[2] for match in _LETTER.finditer(semantic)):
        said = _pattern(letter).search(context)
        if said and not _KIND.match(said[1]) and letter not in declared:
            found.append(f"the text says what {letter} is, which is not used: it was left as a letter")
    return found
