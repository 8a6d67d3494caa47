"""The syntaxes that a semantic side can be written in. A new one is a parser to terms, a printer, and a line here."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from texlift.errors import FormulaError, TexliftError
from texlift.macros.semantic import Language
from texlift.macros.syntaxes.mathematica import parse_mathematica, print_mathematica
from texlift.macros.syntaxes.spelling import read_term, spelled
from texlift.macros.syntaxes.term import MOST_TERMS, Term, normal

__all__ = ["SYNTAXES", "Syntax", "syntax"]

_DEEPEST = 80


@dataclass(frozen=True, slots=True)
class Syntax:
    """A syntax: its name, from text to a term and back."""

    name: str
    parse: Callable[[str], Term]
    print: Callable[[Term], str]

    def as_macros(self, text: str, generic: str) -> str:
        """A text in this syntax as macro LaTeX, for the generic formula it means."""
        return spelled(self.parse(text), generic)

    def write(self, semantic: str, language: Language) -> str:
        """Macro LaTeX in this syntax; FormulaError, with the place, for what it has no word for."""
        return self.print(read_term(semantic, language))

    def same(self, first: str, second: str) -> bool:
        """Whether two texts spell the same term, order of sums and products and ways to write powers aside."""
        try:
            return normal(self.parse(first)) == normal(self.parse(second))
        except FormulaError:
            return False


def _parse_json(text: str) -> Term:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormulaError(f"no JSON: {error}", text, (0, min(len(text), 1)), "", "syntax") from error
    counted = [0]

    def term(value: Any, depth: int) -> Term:
        counted[0] += 1
        if depth > _DEEPEST or counted[0] > MOST_TERMS:
            raise FormulaError("the expression is too large", text, (0, 1), "", "too-long")
        if isinstance(value, list) and value and isinstance(value[0], str):
            return Term(value[0], tuple([term(part, depth + 1) for part in value[1:]]))
        if isinstance(value, str) and value:
            return Term(value)
        if isinstance(value, int | float) and not isinstance(value, bool):
            number = Term(f"{abs(value)}")
            return Term("Minus", (number,)) if value < 0 else number
        raise FormulaError("a name, a number or a list that starts with a name is expected", text, (0, 1), "", "syntax")

    return term(value, 0)


def _json(term: Term) -> str:
    def value(term: Term) -> Any:
        if term.arguments is not None:
            return [term.head, *map(value, term.arguments)]
        if not term.is_number:
            return term.head
        return float(term.head) if "." in term.head else int(term.head)

    return json.dumps(value(term))


SYNTAXES = MappingProxyType(
    {
        one.name: one
        for one in (
            Syntax("mathematica", parse_mathematica, print_mathematica),
            Syntax("json", _parse_json, _json),
        )
    }
)
"""All of them, by name."""


def syntax(name: str) -> Syntax:
    """The syntax of a name; TexliftError if there is none."""
    if name not in SYNTAXES:
        raise TexliftError(f"no syntax {name!r}: choose one of {', '.join(SYNTAXES)}")
    return SYNTAXES[name]
