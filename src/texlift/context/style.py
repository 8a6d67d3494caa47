"""How somebody writes, as far as it tells what no macro of theirs has printed.

A macro prints `\\left(` always, people put it around what is tall or long: a call in plain parentheses is no macro's
print where the writer puts `\\left` around something as simple elsewhere. Nor is `i` where the writer's imaginary unit
is `\\mathrm{i}`, or `\\mathrm{sn}` beside `\\operatorname{sn}`. Elsewhere is in the same formula, in the sentence, or
in formulae that are translated together with it and stand under the same titles.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from texlift.context.exactness import BRACES, FENCES, FENCES_AND_BRACES, FONTS
from texlift.grammar.match import Match
from texlift.grammar.rule import Rule
from texlift.latex.canonical import Element

__all__ = [
    "HOLLOW",
    "LIST",
    "NOTHING",
    "NO_WRITING",
    "PRINTED",
    "SOMETHING",
    "SYMBOL",
    "Writing",
    "contents",
    "is_hollow",
    "printed_word",
    "writing_of",
]

SYMBOL, LIST, SOMETHING, NOTHING = range(1, 5)
"""What stands in parentheses: a symbol, with scripts or not, several with signs between them, more; nothing does."""

HOLLOW: Final = 5
"""In place of it: a name that no pair uses, without two parameters or more, or without the braces it is printed in; or
one that prints what is nearly always something else (`RuleNumbers.outnumbered`).

`H` is not `\\HankelH{}{}`, which prints `{H}`, nor `M` Whittaker's `\\WhittakerconfhyperM{}{}`.
"""

PRINTED: Final = -1
"""As the macro prints it, though the symbol stands inside a command: `\\mathbin{|}`."""

_ONE: Final = r"\s*(?:\\(?!right|middle)[A-Za-z]+|[A-Za-z0-9])\s*"
_AROUND_SYMBOL = re.compile(rf"\\left\({_ONE}\\right\)")
_AROUND_LIST = re.compile(rf"\\left\({_ONE}(?:(?:[,;|]|\\middle\s*\|){_ONE})*\\right\)")
_DRAWN_IN = re.compile(r"\\!\s*\\left\(")
_WORD = re.compile(r"\\(?:mathrm|mathit|operatorname)\{[A-Za-z]+\}")
_COMMANDS = re.compile(r"(?:\\[a-z]+\{)+")
_SIGNS: Final = frozenset(",;|")
_SCRIPTS: Final = frozenset("_'^")


@dataclass(frozen=True, slots=True)
class Writing:
    """The simplest that `\\left(` stands around, and the words and letters that are set in a font, with the command."""

    plainest_left: int = NOTHING
    words: frozenset[str] = frozenset()

    def __or__(self, other: Writing) -> Writing:
        if other is NO_WRITING:
            return self
        return Writing(min(self.plainest_left, other.plainest_left), self.words | other.words)


NO_WRITING: Final = Writing()
"""Of whom nothing is known."""


@lru_cache(maxsize=4096)
def writing_of(text: str) -> Writing:
    """What a text tells.

    Whoever writes `f\\!\\left(x\\right)` draws it in by hand: no macro prints that, and his `\\left` is not a macro's.
    """
    words = frozenset(_WORD.findall(text))
    if r"\!" in text:
        text = _DRAWN_IN.sub("", text)
    plainest = _plainest_left(text) if r"\left(" in text else NOTHING
    return Writing(plainest, words) if words or plainest < NOTHING else NO_WRITING


def _plainest_left(text: str) -> int:
    """Symbols with scripts do not count as simple: they are tall."""
    if _AROUND_SYMBOL.search(text):
        return SYMBOL
    return LIST if _AROUND_LIST.search(text) else SOMETHING


def contents(match: Match, level: int, latex: str) -> int:
    """What stands in the plain parentheses of a call, or between its bars, if its macro prints `\\left` there; or 0.

    `HOLLOW` for a name without the braces it is printed in, `PRINTED` for what is inside the command it is printed in.
    """
    if level == BRACES:
        return HOLLOW if _is_unbraced(match.rule) else 0
    if level <= FONTS:
        lead = _leading_commands(match.rule.generic)
        return PRINTED if lead and latex.endswith(lead, 0, match.row.elements[match.start].start) else 0
    if not FENCES_AND_BRACES <= level <= FENCES:
        return 0
    for element in match.row.elements[match.start : match.end]:
        if element.rows and " " in element.label:
            return _kind(element.rows[0].elements)
    return _kind([element for span in match.holes.values() if span.row is match.row for element in span.elements])


def is_hollow(rule: Rule) -> bool:
    """Whether a rule is a name without two parameters or more that no pair uses."""
    return rule.call.count("{}") > 1 and not rule.count and not rule.shows_variables


def _is_unbraced(rule: Rule) -> bool:
    return rule.generic.startswith("{") and "{}" in rule.call and not rule.count and not rule.shows_variables


def _kind(elements: Iterable[Element]) -> int:
    symbols = signs = 0
    for element in elements:
        if element.label in _SCRIPTS:
            continue
        if element.label in _SIGNS:
            signs += 1
        elif element.rows or not element.label[-1].isalnum():
            return SOMETHING
        else:
            symbols += 1
    if symbols == 1:
        return SYMBOL
    return LIST if 1 < symbols <= signs + 1 else SOMETHING


@lru_cache(maxsize=8192)
def _leading_commands(generic: str) -> str:
    """The commands inside which a macro prints its first symbol."""
    found = _COMMANDS.match(generic)
    return found[0] if found else ""


def printed_word(match: Match, latex: str) -> str:
    """The word in its font with which a macro's print starts, if the source does not start with it; or ""."""
    word = _first_word(match.rule.generic)
    return "" if latex.startswith(word, match.row.elements[match.start].start) else word


@lru_cache(maxsize=8192)
def _first_word(generic: str) -> str:
    found = _WORD.match(generic)
    return found[0] if found else ""
