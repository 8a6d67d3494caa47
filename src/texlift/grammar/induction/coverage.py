"""How much of some pairs a grammar explains: do calls expand to what is printed, and is gold among the readings?

Measured on pairs the grammar was not induced from, this says whether a language was learnt; on its own pairs, what of
them was left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from texlift.errors import TexliftError
from texlift.grammar.expansion import Expander
from texlift.grammar.grammar import Grammar
from texlift.grammar.induction.alignment import Aligner
from texlift.grammar.readings import Forest, Reader, identity
from texlift.latex.canonical import Row, canonical

__all__ = ["NO_LATEX", "NO_READING", "NO_RULE", "UNEXPLAINED", "Coverage", "Explained", "measure"]

Sides = tuple[str, str]
"""Generic and semantic side."""

NO_LATEX = "not LaTeX that can be parsed"
NO_RULE = "a call that no other pair has"
UNEXPLAINED = "the rules do not lead from one side to the other"
NO_READING = "explained, but not among the readings of the formula"

_COMMAND = re.compile(r"\\[A-Za-z]+")


@dataclass(frozen=True, slots=True)
class Explained:
    """What became of one pair; `reason` says why it is not explained, or is empty."""

    generic: str
    semantic: str
    expands: bool
    reads: bool
    reason: str
    unknown: tuple[str, ...] = ()  # its calls for which the grammar has no rule

    @property
    def trivial(self) -> bool:
        """Whether copying the input is right."""
        return self.generic == self.semantic


@dataclass(frozen=True, slots=True)
class Coverage:
    """All pairs that were measured."""

    pairs: Sequence[Explained]

    def share(self, name: str, nontrivial: bool = False, known: bool = False) -> float:
        """Per cent of pairs that expand (`expands`), whose gold is read (`reads`) or which are copied (`trivial`).

        `nontrivial`: of those that are not copied; `known`: of those all of whose calls have rules.
        """
        counted = [p for p in self.pairs if not (nontrivial and p.trivial) and not (known and p.unknown)]
        return 100 * sum([bool(getattr(pair, name)) for pair in counted]) / len(counted) if counted else 100.0

    @property
    def unknown(self) -> Counter[str]:
        """Calls without a rule, with the number of pairs they stand in."""
        return Counter([name for pair in self.pairs for name in pair.unknown])

    @property
    def reasons(self) -> Counter[str]:
        """Why pairs are not explained, with the number of pairs."""
        return Counter([pair.reason for pair in self.pairs if pair.reason])


def measure(grammar: Grammar, pairs: Iterable[Sides], calls: Iterable[str] = ()) -> Coverage:
    """Try a grammar on pairs; `calls` are the commands that are calls, whether or not the grammar knows them."""
    trial = _Trial(grammar, frozenset(calls))
    return Coverage([trial.run(generic, semantic) for generic, semantic in pairs])


class _Trial:
    """A grammar ready to be tried."""

    def __init__(self, grammar: Grammar, calls: frozenset[str]) -> None:
        self.language = grammar.language
        self.expander = Expander(grammar)
        self.reader = Reader(grammar)
        self.aligner = Aligner(grammar.rules, 0, grammar.language)
        self.missing = calls - set(grammar.by_name)

    def run(self, generic: str, semantic: str) -> Explained:
        unknown = tuple(sorted(self.missing.intersection(_COMMAND.findall(semantic))))
        try:
            row, meant = canonical(generic), self.language.row(semantic)
        except TexliftError:
            return Explained(generic, semantic, False, False, NO_LATEX, unknown)
        expands = self._expands(semantic, row)
        forest = self.reader.read(row)
        reads = self._reads(forest, meant)
        reason = "" if expands and reads else NO_RULE if unknown else UNEXPLAINED if reads is None else NO_READING
        return Explained(generic, semantic, expands, bool(reads), reason, unknown)

    def _expands(self, semantic: str, row: Row) -> bool:
        try:
            return canonical(self.expander.expand(semantic)).key == row.key
        except TexliftError:
            return False

    def _reads(self, forest: Forest, meant: Row) -> bool | None:
        """Whether gold is among the readings; None if the rules do not explain it at all."""
        alignment = self.aligner.align(meant, forest.root)
        if alignment is None:
            return None
        for step in alignment.steps:
            if step.match is not None:
                wanted = identity(step.match)
                if all(identity(match) != wanted for match in forest.at(step.row, step.position, step.match.end)):
                    return False
        return True
