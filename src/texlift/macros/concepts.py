r"""The vocabulary of ordinary mathematics: concepts, their macros and the notations people write them in.

A concept is data (`vocabulary/*.toml`): its name (that of the W3C's intent list where one exists), its area, words, a
semantic macro, what the meaning tree calls it (its shape, see `texlift.meaning.shape`), and notations: LaTeX with
holes `#1`.., tagged with where they are customary. A user adds entries in a file of the same format.

    >>> vocabulary().find("gradient").notations[0].latex
    '\\nabla #1'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

from texlift.errors import TexliftError
from texlift.latex.canonical import canonical
from texlift.latex.signatures import CallSignature
from texlift.macros.lexicon import Macro, lexicon

__all__ = [
    "EXTENTS",
    "LEVELS",
    "READINGS",
    "TAGS",
    "Concept",
    "ConceptNotation",
    "Vocabulary",
    "built",
    "packaged_calls",
    "vocabulary",
]

READINGS = ("template", "reader", "declared")
"""How a notation is read: by its template; by the rules of the reader; or, as it is ambiguous, only where declared."""

LEVELS = ("relation", "operation", "product")
"""How tightly an infix notation binds: like `=`, like `\\cup`, like `\\cdot`."""

EXTENTS = ("factor", "product", "sum", "statement")
"""How far the last hole of a notation reaches where nothing closes it."""

TAGS: Mapping[str, str] = {
    "dlmf": "Digital Library of Mathematical Functions",
    "abramowitz-stegun": "Abramowitz and Stegun, Handbook of Mathematical Functions",
    "gradshteyn-ryzhik": "Gradshteyn and Ryzhik, Table of Integrals, Series, and Products",
    "wikipedia": "English Wikipedia",
    "wolfram": "Wolfram MathWorld and Mathematica",
    "iso": "ISO 80000-2",
    "physics": "physics",
    "engineering": "engineering",
    "statistics": "statistics",
    "probabilist": "probability theory",
    "computing": "computer science",
    "logic": "logic",
    "russian": "Russian books",
    "french": "French books",
    "german": "German books",
    "modular-angle": "elliptic integrals by the modular angle",
}
"""Where the packaged notations are customary. A file of one's own may have further tags."""

_MACRO = re.compile(r"\\[A-Za-z]{1,80}")
_HOLE = re.compile(r"#([1-9])")
_MACRO_LINE = re.compile(r"^macro = '(\\[A-Za-z]{1,80})([^'\n]*)'$", re.MULTILINE)
_PRINTED = (  # macros of the DLMF in notations, as everybody writes them
    (re.compile(r"\\diff\{(#\d)\}"), r"\\,\\mathrm{d}\1"),
    (re.compile(r"\\deriv\[(#\d)\]\{(#\d)\}\{(#\d)\}"), r"\\frac{\\mathrm{d}^{\1}\2}{{\\mathrm{d}\3}^{\1}}"),
    (re.compile(r"\\deriv\{(#\d)\}\{(#\d)\}"), r"\\frac{\\mathrm{d}\1}{\\mathrm{d}\2}"),
    (re.compile(r"\\pvint"), r"\\mathrm{p.v.}\\!\\int"),
)


@dataclass(frozen=True, slots=True)
class ConceptNotation:
    """One way to write a concept; `tags` say where it is customary, `reading` how texlift reads it (READINGS)."""

    latex: str
    tags: tuple[str, ...] = ()
    reading: str = "template"

    @property
    def ambiguous(self) -> bool:
        """Whether it means this concept only where that is declared."""
        return self.reading == "declared"


@dataclass(frozen=True, slots=True)
class Concept:
    r"""One concept.

    `macro` is its call with holes, `\gradient{#1}` or one of the DLMF's, `\BesselJ{#1}@{#2}`; `shape` is its node in
    the meaning tree with the same holes. `level` is one of LEVELS for infix notations, `extent` one of EXTENTS,
    `example` has LaTeX for each part, to show the notations with.
    """

    name: str
    area: str
    words: str
    macro: str
    shape: str
    notations: tuple[ConceptNotation, ...]
    level: str = ""
    extent: str = "factor"
    example: tuple[str, ...] = ()

    @property
    def command(self) -> str:
        """The name of the macro."""
        found = _MACRO.match(self.macro)
        assert found is not None, self.macro
        return found[0]

    @property
    def arity(self) -> int:
        """How many parts it has."""
        return len(set(_HOLE.findall(self.macro)))

    @property
    def lists(self) -> frozenset[str]:
        """The holes that hold several things, as the DLMF's macro says: the parameters of a hypergeometric function."""
        macro = lexicon().lookup(self.command)
        return frozenset(str(number + 1) for number in macro.lists if number >= 0) if macro is not None else frozenset()

    def in_notation(self, tag: str) -> ConceptNotation | None:
        """The first notation with a tag."""
        return next((one for one in self.notations if tag in one.tags), None)

    def written(self, one: ConceptNotation | None = None, parts: Mapping[str, str] | None = None) -> str:
        """A notation, or the macro, with texts in its holes; without texts those of the example."""
        texts = parts or {str(number): text for number, text in enumerate(self.example, 1)}
        return _HOLE.sub(lambda hole: texts.get(hole[1], hole[0]), one.latex if one is not None else self.macro)

    def as_entry(self) -> dict[str, object]:
        """The entry as a vocabulary file has it."""
        entry: dict[str, object] = {"name": self.name, "area": self.area, "words": self.words, "macro": self.macro}
        entry |= {"shape": self.shape, "level": self.level, "extent": self.extent, "example": list(self.example)}
        entry["notations"] = [
            {"latex": one.latex, "tags": list(one.tags), "reading": one.reading} for one in self.notations
        ]
        return entry


class Vocabulary:
    """Concepts by name and by macro; immutable: `extended` and `speaking` make others."""

    __slots__ = ("__dict__", "_concepts", "own")

    def __init__(self, concepts: Iterable[Concept], own: frozenset[str] = frozenset()) -> None:
        self._concepts = {concept.name: concept for concept in concepts}
        self.own = own  # names of the concepts that are a user's

    def __iter__(self) -> Iterator[Concept]:
        return iter(self._concepts.values())

    def __len__(self) -> int:
        return len(self._concepts)

    def __contains__(self, name: object) -> bool:
        return name in self._concepts

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Vocabulary):
            return NotImplemented
        return self._key == other._key

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(self._key)

    def __reduce__(self) -> tuple[type[Vocabulary], tuple[tuple[Concept, ...], frozenset[str]]]:
        return Vocabulary, (tuple(self), self.own)

    @cached_property
    def _key(self) -> tuple[tuple[Concept, ...], frozenset[str]]:
        return tuple(self), self.own

    def find(self, name: str) -> Concept:
        """The concept of a name. Raises TexliftError for one that does not exist."""
        if name not in self._concepts:
            raise TexliftError(f"there is no concept {name!r}")
        return self._concepts[name]

    @cached_property
    def commands(self) -> Mapping[str, Concept]:
        """The concepts by the name of their macro."""
        return {concept.command: concept for concept in self}

    @cached_property
    def letters(self) -> frozenset[str]:
        """The labels of the signs that notations of the user's own begin with."""
        found = set()
        for name in self.own:
            for one in self._concepts[name].notations:
                elements = canonical(one.latex).elements if one.reading == "template" else ()
                if elements:
                    found.add(elements[0].label)
        return frozenset(found)

    @cached_property
    def tags(self) -> Mapping[str, int]:
        """Every tag, and how many notations have it."""
        found: dict[str, int] = {}
        for concept in self:
            for one in concept.notations:
                for tag in one.tags:
                    found[tag] = found.get(tag, 0) + 1
        return found

    @cached_property
    def macros(self) -> Mapping[str, Macro]:
        """The macros that the DLMF does not have, with their first notation, as a lexicon has them."""
        return {
            concept.command: _macro(concept)
            for concept in self
            if concept.command not in lexicon() and "@" not in concept.macro
        }

    @cached_property
    def call_signatures(self) -> Mapping[str, CallSignature]:
        """What the parser has to know to read the calls of `macros`."""
        return {name: macro.signature for name, macro in self.macros.items()}

    def extended(self, more: Vocabulary) -> Vocabulary:
        """This vocabulary with another one added: its notations come first, and a new concept of a name replaces."""
        merged = dict(self._concepts)
        for concept in more:
            merged[concept.name] = concept
        return Vocabulary(merged.values(), self.own | {concept.name for concept in more})

    def speaking(self, tag: str, of: Iterable[str]) -> Vocabulary:
        """This vocabulary, in which the ambiguous notations of some concepts that have the tag mean these."""
        if tag not in self.tags:
            raise TexliftError(f"there is no notation {tag!r}; known are {', '.join(sorted(self.tags))}")
        changed = dict(self._concepts)
        for name in of:
            concept = self.find(name)
            notations = tuple(
                replace(one, reading="template") if one.ambiguous and tag in one.tags else one
                for one in concept.notations
            )
            changed[name] = replace(concept, notations=notations)
        spoken = {name for name in changed if changed[name] != self._concepts[name]}
        return Vocabulary(changed.values(), self.own | spoken) if spoken else self

    def declared(self, name: str, latex: str) -> Vocabulary:
        """This vocabulary, in which a notation of a concept, not checked, is read as that concept."""
        concept = self.find(name)
        changed = replace(concept, notations=(ConceptNotation(latex), *concept.notations))
        concepts = [changed if other.name == name else other for other in self]
        return Vocabulary(concepts, self.own | {name})


def _macro(concept: Concept) -> Macro:
    """The macro as one of a lexicon: expanded, listed and defined for LaTeX like those of the DLMF."""
    shown = concept.notations[0].latex
    for written, printed in _PRINTED:
        shown = written.sub(printed, shown)
    return Macro(concept.command, concept.words, 0, concept.arity, 0, (0,), "", ((concept.macro, shown),), lift=False)


@cache
def vocabulary() -> Vocabulary:
    """The packaged vocabulary. It is checked by the tests, so loading only builds the objects."""
    import tomllib  # most processes never need it

    concepts: list[Concept] = []
    for text in _packaged_files():
        table = tomllib.loads(text)
        concepts += [built({"area": table["area"], **entry}) for entry in table["concept"]]
    return Vocabulary(concepts)


def _packaged_files() -> Iterator[str]:
    """The files of the packaged vocabulary."""
    folder = files("texlift.macros").joinpath("vocabulary")
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if file.name.endswith(".toml") and file.name != "conversions.toml":
            yield file.read_text("utf-8")


@cache
def packaged_calls() -> Mapping[str, CallSignature]:
    """The `call_signatures` of the packaged vocabulary, from the lines that name the macros: every translation needs
    them, and reading all entries would take a seventh of the time that a process needs to start.
    """
    found: dict[str, CallSignature] = {}
    known = lexicon()
    for text in _packaged_files():
        macros = _MACRO_LINE.findall(text)
        if len(macros) != text.count("[[concept]]"):
            return vocabulary().call_signatures  # written in another way
        for command, holes in macros:
            if command not in known and "@" not in holes:
                found[command] = CallSignature(parameters=len(set(_HOLE.findall(holes))))
    return found


def built(entry: Mapping[str, Any]) -> Concept:
    """The concept of a complete entry, not checked."""
    return Concept(
        entry["name"],
        entry["area"],
        entry["words"],
        entry["macro"],
        entry["shape"],
        tuple(
            ConceptNotation(one, ()) if isinstance(one, str)
            else ConceptNotation(one["latex"], tuple(one.get("tags", ())), one.get("reading", "template"))
            for one in entry["notations"]
        ),
        entry.get("level", ""),
        entry.get("extent", "factor"),
        tuple(entry.get("example", ())),
    )  # fmt: skip
