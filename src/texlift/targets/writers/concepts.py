r"""Semantic LaTeX in which every concept of ordinary mathematics is a macro: `\gradientOf{f}`, `\divides{a}{b}`."""

from __future__ import annotations

from texlift.meaning.reader.reading import Reading
from texlift.meaning.rewriting import by_macros
from texlift.meaning.tree import Expression, free_symbols
from texlift.targets.writers.writer import Writer

__all__ = ["ConceptsPrinter"]


class ConceptsPrinter(Writer):
    """Writes a formula whose every concept is a macro, and which is read as the same tree."""

    target = "concepts"

    def formula(self, reading: Reading) -> str:
        for statement in reading.statements:
            for name in free_symbols(statement):
                self.symbols.setdefault(name, name)
        return by_macros(reading)

    def write(self, node: Expression) -> str:
        raise NotImplementedError
