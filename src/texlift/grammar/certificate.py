"""Proof that semantic LaTeX expands to a given presentation.

The semantic text is expanded as `texlift expand` does, and the result parsed again: what a user can check is what is
checked here, without a shortcut on trees that could come to another end.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from texlift.errors import FormulaError, TexliftError
from texlift.grammar.expansion import Expander
from texlift.grammar.grammar import Grammar
from texlift.grammar.induction.alignment import Aligner
from texlift.latex.canonical import Row, canonical, canonical_key

__all__ = ["Certifier"]

_SHORT: Final = 200  # characters of an answer that is remembered: what comes up again is short
_COMMAND: Final = re.compile(r"\\[A-Za-z]+")
_SEMANTIC: Final = "this looks like semantic LaTeX"


class Certifier:
    """Certifies answers with one expander."""

    def __init__(self, expander: Expander) -> None:
        self.expander = expander
        grammar = expander.grammar
        own = not grammar.language.with_lexicon and _prints_differently(grammar)
        self._aligner = Aligner(grammar.rules, 0, grammar.language) if own else None
        self._known = lru_cache(maxsize=2048)(self._certifies)  # one formula in five comes up again

    def goal(self, latex: str, root: Row) -> str:
        """The canonical key that every answer to a generic formula must expand to; `root` is its canonical row.

        A macro of semantic LaTeX that LaTeX does not know (`\\abs{x}`) stands for what it prints.
        Raises FormulaError where the formula has an @, or such a macro with arguments it cannot have.
        """
        if "@" in latex:
            _refuse_at(latex, root)
        if self.expander.language.only.isdisjoint(_COMMAND.findall(latex)):
            return root.key
        try:
            return canonical_key(self.expander.expand(latex))
        except FormulaError as error:
            hint = f"{error.hint}, or define your own with \\newcommand"
            raise FormulaError(f"{_SEMANTIC}: {error.message}", latex, error.span, hint, "semantic") from None

    def certifies(self, semantic: str, key: str, source: str | None = None) -> bool:
        """Whether `semantic` expands to the presentation with canonical key `key`.

        `source` is a formula with that key: an expansion to this very text need not be parsed again.
        """
        if len(semantic) <= _SHORT:
            return self._known(semantic, key, source)
        return self._certifies(semantic, key, source)

    def _certifies(self, semantic: str, key: str, source: str | None) -> bool:
        try:
            expanded = self.expander.expand(semantic)
            return expanded == source or canonical_key(expanded) == key or self._derives(semantic, source)
        except TexliftError:
            return False

    def _derives(self, semantic: str, source: str | None) -> bool:
        """Whether rules lead to the source, in a language in which a call is printed in several ways.

        Expansion takes one of them; the answer is read again and aligned with the source to see whether it is another.
        """
        if self._aligner is None or source is None:
            return False
        return self._aligner.align(self.expander.language.row(semantic), canonical(source)) is not None


def _prints_differently(grammar: Grammar) -> bool:
    """Whether a call of a grammar is printed in several ways."""
    return len({rule.call for rule in grammar.rules}) < len(grammar)


def _refuse_at(latex: str, root: Row) -> None:
    """Raise an error at the first @ that is not in a comment, a text, a command's name or the columns of a table."""
    rows = [root]
    found = []
    for row in rows:  # grows while it is gone through
        for element in row.elements:
            if "@" in element.label and not element.label.startswith(("text:", "\\", "env:")):
                found.append((element.start, element.end))
            rows += element.rows
    if found:
        hint = "--semantic reads it, and so do `texlift expand` and `texlift convert`; generic LaTeX has no @"
        raise FormulaError(f"{_SEMANTIC}: @", latex, min(found), hint, "semantic")
