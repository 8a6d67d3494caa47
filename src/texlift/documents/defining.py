r"""Definitions that a document gives, compared with those of the macros that its symbols are read as.

An author may define Laguerre polynomials without the factor 1/n!, or Hermite polynomials as probabilists do. Where a
formula is such a definition (`L_n(x):=e^x\frac{d^n}{dx^n}(x^ne^{-x})`), both sides are computed; if they differ, the
symbol is not the macro's function, whatever it is called.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from texlift.context.familiarity import evidence_kind
from texlift.documents.choices import symbol_of
from texlift.errors import FormulaError
from texlift.translate.answer import Decision, Translation

__all__ = ["definitions", "differing"]

_MOST = 8  # definitions of a document that are compared
_MOST_OF_ONE = 2  # of one symbol
_LONGEST = 400  # characters of a definition
_SECONDS = 10.0
_SPACES = re.compile(r"\\[,;:! ]|\\q?quad|[\s&~]")
_ARGUMENT = re.compile(r"[\s{]*(?:[A-Za-z]|\\[A-Za-z]+|\d+)[\s}]*")
_EQUALS = re.compile(r":?=|\\equiv|\\coloneqq|\\defeq|:\\Leftrightarrow")

_Definition = tuple[tuple[str, str], str]  # symbol and macro, the equation as semantic LaTeX


def definitions(answers: Iterable[Translation | FormulaError]) -> Iterator[_Definition]:
    """Equations that have nothing but a call of a letter's macro on the left, and not that macro on the right."""
    for answer in answers:
        if not isinstance(answer, Translation) or len(answer.semantic) > _LONGEST:
            continue
        equation = answer.semantic.replace("&", "").strip(" .,;")
        sign = _EQUALS.search(equation)
        decision = _first(answer)
        if sign is None or decision is None or evidence_kind(decision.macro) not in ("letter", "accent"):
            continue
        left, right = equation[: sign.start()], equation[sign.end() :]
        own = _plain(left) == _plain(decision.call) and "@" in left
        if own and decision.macro not in right and _has_plain_arguments(decision, answer.latex):
            yield (symbol_of(decision.source), decision.macro), f"{left}={right}"


def differing(answers: Iterable[Translation | FormulaError]) -> set[tuple[str, str]]:
    """Symbols with macros that the document defines otherwise than they are."""
    from texlift.verify import Task, check_all

    counts: Counter[tuple[str, str]] = Counter()
    asked: list[_Definition] = []
    for reading, equation in definitions(answers):
        counts[reading] += 1
        if counts[reading] <= _MOST_OF_ONE and len(asked) < _MOST and (reading, equation) not in asked:
            asked.append((reading, equation))
    if not asked:
        return set()
    verdicts = check_all([Task(equation, excerpt=True) for _, equation in asked], _SECONDS)
    balance: Counter[tuple[str, str]] = Counter()
    for (reading, _), verdict in zip(asked, verdicts, strict=True):
        balance[reading] += (verdict.verdict == "refuted") - (verdict.verdict in ("verified", "proved"))
    return {reading for reading, against in balance.items() if against > 0}


def _first(answer: Translation) -> Decision | None:
    """The outermost reading that the formula starts with."""
    read = [decision for decision in answer.decisions if decision.macro]
    return min(read, key=lambda decision: (decision.span[0], -decision.span[1]), default=None)


def _has_plain_arguments(decision: Decision, latex: str) -> bool:
    """Whether a call is one of letters and numbers, as in a definition: of `x`, not of `\\frac{p}{q}`."""
    return all(_ARGUMENT.fullmatch(latex[start:end]) for name, (start, end) in decision.parts if name != "'")


def _plain(semantic: str) -> str:
    return re.sub(r"\s", "", _SPACES.sub("", semantic))
