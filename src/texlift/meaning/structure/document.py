"""How the formulae of one document use their letters: what the others say of a letter in one of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from texlift.errors import TexliftError
from texlift.latex.nodes import Row
from texlift.latex.parser import parse
from texlift.latex.signatures import generic_signatures
from texlift.meaning.structure.places import Usage, usage_of
from texlift.meaning.structure.uses import uses_of

__all__ = ["DocumentUses"]

_MOST = 2000  # formulae that are counted


@dataclass(frozen=True)
class DocumentUses:
    """The formulae of a document, as they are printed; their letters are counted when this is first asked."""

    formulae: tuple[str, ...]

    def usage_beside(self, latex: str) -> Usage:
        """How often the other formulae apply each name of a formula of this document, and how often they do not."""
        own = self._usages.get(latex)
        if own is None:
            row = _parsed(latex)
            own = Usage.empty() if row is None else usage_of(row)
        return self._usage.without(own, {*own.before, *own.elsewhere})

    def uses_beside(self, latex: str) -> Mapping[str, set[str]]:
        """How the other formulae use the letters of a formula of this document."""
        own = _parsed(latex)
        found: dict[str, set[str]] = {}
        for name, features in uses_of(own).items() if own is not None else ():
            counted = self._uses.get(name, Counter())
            found[name] = {use for use, count in counted.items() if count > (use in features)}
        return found

    @cached_property
    def _rows(self) -> dict[str, Row]:
        counted = dict.fromkeys(self.formulae[:_MOST])
        return {latex: row for latex in counted if (row := _parsed(latex)) is not None}

    @cached_property
    def _usages(self) -> dict[str, Usage]:
        return {latex: usage_of(row) for latex, row in self._rows.items()}

    @cached_property
    def _usage(self) -> Usage:
        total = Usage.empty()
        for latex in self.formulae[:_MOST]:
            if (usage := self._usages.get(latex)) is not None:
                total.add(usage)
        return total

    @cached_property
    def _uses(self) -> dict[str, Counter[str]]:
        uses = {latex: uses_of(row) for latex, row in self._rows.items()}
        total: dict[str, Counter[str]] = {}
        for latex in self.formulae[:_MOST]:
            for name, features in uses.get(latex, {}).items():
                total.setdefault(name, Counter()).update(features)
        return total


def _parsed(latex: str) -> Row | None:
    try:
        return parse(latex, generic_signatures())
    except TexliftError:
        return None
