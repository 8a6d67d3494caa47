"""Semantic LaTeX: parser and printer.

A semantic macro is written `\\name[opt]..{par}..'^{..}_{..}@@{var}..`; its arity comes from the lexicon. A
macro the lexicon does not know is a call if an @ follows it. Everything else is LaTeX.
"""

from __future__ import annotations

from functools import cache, lru_cache

from texlift.latex.canonical import Row as CanonicalRow
from texlift.latex.canonical import canonical_key, from_nodes
from texlift.latex.nodes import Row
from texlift.latex.parser import parse
from texlift.latex.printing import print_nodes
from texlift.latex.signatures import Signatures, generic_signatures
from texlift.latex.symbols import known_commands, symbols
from texlift.macros.lexicon import lexicon

__all__ = ["comparable", "parse_semantic", "semantic_only", "semantic_row", "semantic_signatures"]


@cache
def semantic_signatures() -> Signatures:
    """The table of LaTeX commands and all macros of the packaged lexicon."""
    return generic_signatures().with_calls(lexicon().call_signatures())


def parse_semantic(source: str) -> Row:
    """Parse semantic LaTeX; raises FormulaError with the place where it is broken."""
    return parse(source, semantic_signatures())


def semantic_row(source: str) -> CanonicalRow:
    """The canonical row of semantic LaTeX: literal parts as on the generic side, calls as CallElements."""
    return from_nodes(parse_semantic(source), source)


@lru_cache(maxsize=65536)
def comparable(source: str) -> str:
    """The formula without white space and redundant braces: what exact match compares."""
    return print_nodes(parse_semantic(source))


@cache
def semantic_only() -> frozenset[str]:
    """Macros that LaTeX does not know, and `\\digamma`, which is a letter there: the two print different things."""
    names = {macro.name for macro in lexicon()}
    letters = {name for name in names & symbols() if canonical_key(name) == name}  # `\\sin` is the word sin in both
    return frozenset(names - known_commands() | letters)
