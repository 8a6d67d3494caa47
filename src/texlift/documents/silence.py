r"""Readings that a document gives no reason for: its letters are left as they are.

In a text of some length, a function that is meant is also spoken of. What only a letter, a common sign or an accent
speaks for, and the text does not, is not read: a wrong meaning is worse than none. Nor is what the text itself calls
something else ("the temperature is $\theta(x)$").
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from texlift.context.familiarity import (
    evidence_kind,
    familiarity,
    is_known,
    is_unmistakable,
    macros_of_letter,
)
from texlift.context.subject import Subject
from texlift.documents.choices import symbol_of
from texlift.documents.context import plain_words
from texlift.errors import FormulaError
from texlift.translate.answer import Decision, Translation
from texlift.tuning import Tuning

__all__ = ["NEVER", "Silence", "Unfounded"]

Unfounded = dict[tuple[str, str], float]
"""What is taken from the log-score of a reading, by symbol and macro."""

NEVER = -40.0
"""What is taken from a reading that is not to be chosen."""

_FEWEST_WORDS = 25  # a shorter text need not name what everybody knows
_TITLE = re.compile(r"\\[A-Za-z]*title\s*\{([^{}]*)\}")
_ORDERS = frozenset({r"\bigO", r"\littleo"})
_EQUATES = re.compile(r"(?:\\[,;:! ]|[\s&:~]|\\q?quad)*=")
_COMMAND = re.compile(r"\\[A-Za-z]+")
_STRUCTURES = frozenset({"group", "subgroup", "graph", "ring", "module", "category", "semigroup", "monoid", "groupoid"})
_FOREIGN_INDEX = re.compile(r"\\[A-Za-z]+_")
_NO_ARGUMENT = re.compile(r"@\{\s*\\(?:angle|measuredangle|sphericalangle|triangle|nabla|partial)\s*\}")
_REGION = re.compile(
    r"\\partial\s*\{?\s*(?:[A-Z]|\\(?:Omega|Delta|Gamma|Sigma|Lambda|Pi|Phi|Psi)\b|\\(?:math|over|bar)[a-z]*)"
)


_BAR_OVER_CAPITAL = re.compile(
    r"\\(?:overline|bar)\s*\{?\s*(?:[A-Z]|\\(?:Gamma|Delta|Omega|Sigma|Lambda|Phi|Pi)|\\math[a-z]+\s*\{[A-Z]\})"
    r"(?:_\w|_\{[^{}]*\})?\s*\}?"
)
_OTHER_BARS = ("closure", "complement", "average", "sample mean", "negation", "midpoint", "segment")


_WHOLE_PRODUCT = re.compile(r"d\s*[^()]*\^[^()]*\(|.*(?:\\q?quad|[=<>])", re.DOTALL)
_POWER = re.compile(r"d\s*\{?\s*\\?[A-Za-z]+\s*\^\s*\{?\s*\d")
_INTEGRAL = re.compile(r"\\[io]*int(?![A-Za-z])|\\frac\s*\{\s*d|/\s*d")


class Silence:
    """What the texts and titles of a document say for and against readings."""

    def __init__(self, texts: Sequence[str], titles: Iterable[str], tuning: Tuning | None = None) -> None:
        self._tuning = tuning or Tuning()
        self._subject = Subject([*titles, *map(_prose, texts)])
        self._short = self._subject.length < _FEWEST_WORDS

    def unfounded(self, answers: Iterable[Translation | FormulaError]) -> Unfounded:
        """The readings of symbols that the document says nothing for, or something against, wherever they stand."""
        readings: dict[tuple[str, str], list[Decision]] = defaultdict(list)
        found: Unfounded = {}
        for answer in answers:
            for decision in _read(answer):
                reading = symbol_of(decision.source), decision.macro
                readings[reading].append(decision)
                if isinstance(answer, Translation) and self._means_another(decision, answer.latex):
                    found[reading] = NEVER
        for reading, decisions in readings.items():
            if all(self._is_against(decision) for decision in decisions):
                found[reading] = NEVER
        return found

    def said(self) -> dict[tuple[str, str], float]:
        """Readings that the words beside their symbols name, with what they gain: less where they name several."""
        tuning, often = self._tuning, Counter(symbol for symbol, _ in self._called)
        return {
            (symbol, macro): tuning.said_alone
            if often[symbol] == 1 and evidence_kind(macro) == "letter"
            else tuning.said
            for symbol, macro in self._called
        }

    @cached_property
    def _called(self) -> frozenset[tuple[str, str]]:
        # constants are not among them: an i may be an index as well, in the same text
        pairs = [(symbol, macro) for symbol in self._subject.symbols for macro in macros_of_letter(symbol)]
        return frozenset([(symbol, macro) for symbol, macro in pairs if self._subject.calls(symbol, macro)])

    def weighed(self, answer: Translation, fixed: Collection[str]) -> Translation:
        """The answer with the confidence that it has in this document.

        A letter has more than `unsaid_confidence` only where the words beside it, or its author, say what it is.
        Where they do, they count for more than the translator's doubts about rare notations.
        """
        letters = [d for d in answer.decisions if d.macro and not is_unmistakable(d.macro)]
        if not letters:
            return answer
        symbols = {(symbol_of(d.source), d.macro) for d in letters}
        if not all(symbol in fixed or self._subject.calls(symbol, macro) for symbol, macro in symbols):
            return replace(answer, confidence=min(answer.confidence, self._tuning.unsaid_confidence))
        least = min(decision.probability for decision in answer.decisions)
        return replace(answer, confidence=max(answer.confidence, self._tuning.said_confidence * least))

    def uncertain(self, answers: Iterable[Translation | FormulaError]) -> frozenset[tuple[str, str]]:
        """Readings of letters and signs that the document as a whole leaves in doubt: asserted nowhere."""
        likely: dict[tuple[str, str], list[float]] = defaultdict(list)
        for answer in answers:
            for decision in _read(answer):
                if not is_unmistakable(decision.macro):
                    likely[symbol_of(decision.source), decision.macro].append(decision.probability)
        least = self._tuning.document_symbol
        return frozenset([one for one, some in likely.items() if sum(some) < least * len(some)]) - self._called

    def unbelieved(
        self, answer: Translation | FormulaError, uncertain: Collection[tuple[str, str]] = ()
    ) -> list[Decision]:
        """The readings of single places of a formula that are not asserted."""
        if not isinstance(answer, Translation):
            return []
        return [
            d
            for d in _read(answer)
            if (symbol_of(d.source), d.macro) in uncertain
            or self._is_against(d)
            or self._is_bare(d)
            or self._is_odd(d, answer)
        ]

    def _is_bare(self, decision: Decision) -> bool:
        """Whether a letter without index and argument is read as what it is called with them: `P` beside `P_n(x)`."""
        bare = len(decision.source.strip(" {}")) == 1 or "{}" in decision.call
        return bare and "@" not in decision.call and (symbol_of(decision.source), decision.macro) in self._called

    def _is_odd(self, decision: Decision, answer: Translation) -> bool:
        r"""Whether a reading cannot be meant here: `E_1(x,k)` is not `E(x,k)`, `\partial\Omega` a boundary."""
        start, end = decision.span
        if decision.macro == r"\pdiff":
            quotient = "/" in (answer.latex[end:].lstrip()[:1], answer.latex[:start].rstrip()[-1:])
            return not quotient and _REGION.match(decision.source) is not None
        if decision.macro == r"\diff":
            alone = sum(other.macro == r"\diff" for other in answer.decisions) == 1
            factor = alone and self._subject.has_letter("d") and not _INTEGRAL.search(answer.latex)
            return factor or _is_odd_differential(decision.source)
        if _NO_ARGUMENT.search(decision.call):
            return True
        return _FOREIGN_INDEX.match(decision.call) is not None and evidence_kind(decision.macro) == "letter"

    def _is_against(self, decision: Decision) -> bool:
        if self._is_own_sign(decision):
            return True
        evidence = self._subject.evidence(symbol_of(decision.source), decision.macro, decision.source)
        if evidence.introduced or (decision.macro == r"\conj" and self._is_closure(decision.source)):
            return True
        if self._short and not evidence.otherwise and is_known(decision.macro, "@" in decision.call):
            return False
        return evidence.against

    def _is_own_sign(self, decision: Decision) -> bool:
        """Whether a reading shows itself by a sign or an accent that the text defines."""
        sign = _COMMAND.match(decision.source)
        if sign is None or is_unmistakable(decision.macro) or sign[0].removeprefix("\\") in familiarity().layout:
            return False
        return evidence_kind(decision.macro) in ("sign", "accent") and self._subject.defines(sign[0], decision.macro)

    def _is_closure(self, source: str) -> bool:
        """Whether a bar over a capital is rather that of a closure, a mean or a complement than a conjugate."""
        capital = _BAR_OVER_CAPITAL.fullmatch(source) is not None
        return capital and (not self._subject.has("conjugat") or any(map(self._subject.has, _OTHER_BARS)))

    def _means_another(self, decision: Decision, latex: str) -> bool:
        """Whether a place shows that its symbol means another thing in the whole document."""
        start, end = decision.span
        if decision.macro in _ORDERS:
            before, behind = latex[:start], latex[end:]
            alone = not before.strip(" &~") and _EQUATES.match(behind)
            return bool(alone) and not re.search(rf"{decision.source[0]}\s*(?:\\left\s*)?\(", behind)
        if evidence_kind(decision.macro) == "word" and decision.parts:
            argument = decision.parts[-1][1]
            symbol = re.match(r"[\s({~]*(\\?[A-Za-z]+)", latex[argument[0] : argument[1]])
            return symbol is not None and self._is_structure(symbol[1])
        return False

    def _is_structure(self, symbol: str) -> bool:
        """Whether the text introduces a symbol as a group or a similar thing, which is no number."""
        phrases = self._subject.introduced(symbol)
        return any(not _STRUCTURES.isdisjoint(phrase.split()[:6]) for phrase in phrases)


def _read(answer: Translation | FormulaError) -> Iterator[Decision]:
    return (d for d in answer.decisions if d.macro) if isinstance(answer, Translation) else iter(())


def _is_odd_differential(source: str) -> bool:
    r"""Whether a differential takes in too much: `dX^*(Af)` is a product, `dx^2` a square, `dx\quad(n=1)` more."""
    return _WHOLE_PRODUCT.match(source) is not None or _POWER.match(source) is not None


def _prose(text: str) -> str:
    """The words of a text: of a LaTeX file its body, and the titles that the preamble gives."""
    before, begin, body = text.partition(r"\begin{document}")
    return " ".join([*_TITLE.findall(before), plain_words(body)]) if begin else plain_words(text)
