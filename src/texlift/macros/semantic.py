"""Semantic languages: which commands are calls, and the parser and printer that follow from it.

A call is written `\\name[opt]..{par}..'^{..}_{..}@@{var}..`: a command, brackets, braces, and where the language has it
an @ with further braces. How many of each a command takes is the language's: induced from pairs (see
`texlift.grammar.induction.callforms`) and saved with the grammar, or the packaged lexicon's, which is the DLMF's
language. A macro nobody knows is a call if an @ follows it. Everything else is LaTeX.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from types import MappingProxyType

from texlift.latex.canonical import Row as CanonicalRow
from texlift.latex.canonical import canonical_key, from_nodes
from texlift.latex.nodes import Row
from texlift.latex.parser import parse
from texlift.latex.printing import print_nodes
from texlift.latex.signatures import CallSignature, Signatures, generic_signatures
from texlift.latex.symbols import known_commands, symbols
from texlift.macros.concepts import packaged_calls
from texlift.macros.lexicon import lexicon
from texlift.remembered import remembered

__all__ = [
    "Language",
    "comparable",
    "packaged_language",
    "parse_semantic",
    "semantic_only",
    "semantic_row",
    "semantic_signatures",
]

_NO_CALLS: Mapping[str, CallSignature] = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class Language:
    """How calls are written: `calls` by the command, and all macros of the packaged lexicon if `with_lexicon`."""

    calls: Mapping[str, CallSignature] = field(default_factory=lambda: _NO_CALLS)
    with_lexicon: bool = False

    @cached_property
    def signatures(self) -> Signatures:
        """The table for the parser."""
        own = {**packaged_calls(), **lexicon().call_signatures()} if self.with_lexicon else {}
        return generic_signatures().with_calls({**self.calls, **own} if self.calls else own)

    @cached_property
    def only(self) -> frozenset[str]:
        """Macros that LaTeX does not know, and `\\digamma`, which is a letter there: the two print different things."""
        names = {*self.calls, *(macro.name for macro in lexicon())} if self.with_lexicon else set(self.calls)
        letters = {name for name in names & symbols() if canonical_key(name) == name}  # `\\sin` is the word sin in both
        return frozenset(names - known_commands() | letters)

    def of_lexicon(self, name: str) -> bool:
        """Whether what the packaged lexicon says of a macro holds in this language."""
        return self.with_lexicon and name not in self.calls

    def parse(self, source: str) -> Row:
        """Parse semantic LaTeX; raises FormulaError with the place where it is broken."""
        return parse(source, self.signatures)

    def row(self, source: str) -> CanonicalRow:
        """The canonical row of semantic LaTeX: literal parts as on the generic side, calls as CallElements."""
        return from_nodes(self.parse(source), source)

    def key(self, source: str) -> str:
        """The canonical key of semantic LaTeX."""
        return _key(source, self)

    def comparable(self, source: str) -> str:
        """The formula without white space and redundant braces: what exact match compares."""
        return _comparable(source, self)

    def completed(self) -> Language:
        """This language with the packaged lexicon's macros."""
        known = lexicon().call_signatures()
        return Language({name: form for name, form in self.calls.items() if name not in known}, True)


@remembered(maxsize=4096)
def _key(source: str, language: Language) -> str:
    return language.row(source).key


@remembered(maxsize=65536)
def _comparable(source: str, language: Language) -> str:
    return print_nodes(language.parse(source))


@cache
def packaged_language() -> Language:
    """The language of the packaged lexicon."""
    return Language(with_lexicon=True)


def semantic_signatures() -> Signatures:
    """The table of LaTeX commands and all macros of the packaged lexicon."""
    return packaged_language().signatures


def parse_semantic(source: str) -> Row:
    """Parse semantic LaTeX of the packaged language."""
    return packaged_language().parse(source)


def semantic_row(source: str) -> CanonicalRow:
    """The canonical row of semantic LaTeX of the packaged language."""
    return packaged_language().row(source)


def comparable(source: str) -> str:
    """What exact match compares, in the packaged language."""
    return packaged_language().comparable(source)


def semantic_only() -> frozenset[str]:
    """Macros of the packaged language that LaTeX does not know."""
    return packaged_language().only
