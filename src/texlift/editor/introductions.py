r"""Where a text introduces its letters: "let $n$ be a positive integer", "the kernel $K$".

What counts as an introduction is decided by `texlift.context.subject`, what a phrase says about role and type by
`texlift.meaning.declarations`; here they are asked place by place, so that the place is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from texlift.context.subject import Subject
from texlift.documents.formula import Formula
from texlift.errors import TexliftError
from texlift.meaning.declarations import Declaration, Declarations

__all__ = ["Introduction", "introduced", "introductions", "symbol_key"]

_BEFORE, _AFTER = 60, 100  # characters beside a formula that may say what it is
_LONGEST = 80  # characters of a formula that is just a symbol
_HEAD = re.compile(r"\s*(\\[A-Za-z]+\s*\{\s*\\?[A-Za-z]+\s*\}|\\[A-Za-z]+|[A-Za-z])")
_ONE = r"(?:\{[^{}]*\}|\\[A-Za-z]+|[^\s\\{}])"
_REST = re.compile(rf"(?:\s*(?:[_^]\s*{_ONE}|'|(?:\\left)?\([^()]*\)|[.,;]))*\s*")
_MAP = re.compile(r"\s*(?::|\\colon)")
_MATH_SIGN = re.compile(r"\$|\\[()\[\]]|\\begin\b|\\end\b|\n[ \t]*\r?\n")
_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*|,")
_DETERMINERS = frozenset({"a", "an", "the", "any", "some", "every", "each", "all", "our", "its"})
_OPENS = _DETERMINERS | {"fixed", "given", "arbitrary", "let", "for", "where", "with", "and", "be", "as", ","}
_RELATIVES = frozenset({"such", "that", "which", "whose", "where", "satisfying", "with"})
_CLOSES = _RELATIVES | {"and", "or", "in", "on", "at", "for", "from", "then", "if", "so", "not", ","}
_WITH_OF = frozenset({"set", "vector", "matrix", "function"})  # "a set of primes" is a set
_MOST_WORDS = 16


@dataclass(frozen=True, slots=True)
class Introduction:
    """A place that says what a symbol is: the words, and the role and type they name, if they name one."""

    symbol: str
    start: int
    phrase: str
    declared: Declaration | None


def symbol_key(written: str) -> str:
    r"""The spelling a symbol is looked up by: `\mathbf {x}` is `\mathbf{x}`."""
    return re.sub(r"\s+", "", written)


def introductions(text: str, formulae: Iterable[Formula]) -> Mapping[str, tuple[Introduction, ...]]:
    """All introductions of a text, by symbol, in the order of the text."""
    found: dict[str, list[Introduction]] = {}
    for formula in formulae:
        head = None if formula.display else _HEAD.match(formula.latex)
        if head is None or len(formula.latex) > _LONGEST:
            continue
        symbol = symbol_key(head[1])
        rest = formula.latex[head.end() :]
        before = _words_before(text, formula.start)
        if _MAP.match(rest):
            around = f"{before} ${formula.latex}$"
        else:
            alone = _REST.fullmatch(rest) is not None  # of `$f(x)=0$ is an equation` the words are not about f
            around = f"{before} ${head[1]}$ {_words_after(text, formula.end) if alone else ''}"
        phrases = [_trimmed(phrase) for phrase in Subject([around]).introduced(symbol)]
        if phrase := next(filter(None, phrases), ""):
            one = Introduction(symbol, formula.start, phrase, role_said(symbol, phrase))
            found.setdefault(symbol, []).append(one)
    return {symbol: tuple(places) for symbol, places in found.items()}


def introduced(places: Sequence[Introduction], offset: int) -> Introduction | None:
    """The introduction that holds at an offset: the last one before it, or else the first one behind it."""
    before = [place for place in places if place.start <= offset]
    return before[-1] if before else next(iter(places), None)


def role_said(symbol: str, phrase: str) -> Declaration | None:
    """Role and type that a phrase names; None where it speaks of anything else.

    "a positive integer with ..." names one, "the prime ideal" does not.
    """
    words = _WORD.findall(phrase.lower())[:_MOST_WORDS]
    for size in range(len(words), 0, -1):
        for first in range(len(words) - size + 1):
            last = first + size
            following = words[last] if last < len(words) else ""
            if (first and words[first - 1] not in _OPENS) or (following and following not in {*_CLOSES, "of"}):
                continue
            declared = _declared(symbol, words[first:last])
            if declared is not None and (following != "of" or declared.role in _WITH_OF):
                return declared
    return None


def _trimmed(phrase: str) -> str:
    """A phrase without a closing bracket that opens before it, and what follows that."""
    inside, bracket, _ = phrase.partition(")")
    return " ".join((inside if bracket and "(" not in inside else phrase).split()).strip(" ,").removeprefix("of ")


def _declared(symbol: str, words: list[str]) -> Declaration | None:
    if _DETERMINERS.issuperset(words):
        return None
    try:
        return next(iter(Declarations.of({symbol: " ".join(words)}).values()))
    except TexliftError:
        return None


def _words_before(text: str, start: int) -> str:
    r"""The words before a formula, back to the formula before it; its opening sign is taken off."""
    window = re.sub(r"(?:\$|\\\()\s*$", "", text[max(0, start - _BEFORE - 3) : start])
    signs = list(_MATH_SIGN.finditer(window))
    return window[signs[-1].end() :] if signs else window


def _words_after(text: str, end: int) -> str:
    window = re.sub(r"^\s*(?:\$|\\\))", "", text[end : end + _AFTER])
    sign = _MATH_SIGN.search(window)
    return window[: sign.start()] if sign else window
