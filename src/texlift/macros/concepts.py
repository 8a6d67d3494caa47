r"""The vocabulary of ordinary mathematics: concepts, their macros and the notations people write them in.

A concept is data (`vocabulary/*.toml`): its name (that of the W3C's intent list where one exists), its area, words, a
semantic macro, what the meaning tree calls it (its shape, see `texlift.meaning.shape`), and notations: LaTeX with
holes `#1`.., tagged with where they are customary. A user adds entries in a file of the same format.

    >>> vocabulary().find("gradient").notations[0].latex
    '\\nabla #1'
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any

from texlift.errors import TexliftError
from texlift.latex.canonical import canonical
from texlift.latex.parser import parse
from texlift.latex.signatures import CallSignature
from texlift.latex.symbols import known_commands
from texlift.macros.lexicon import Macro, lexicon

__all__ = [
    "EXTENTS",
    "LEVELS",
    "MAX_ENTRIES",
    "READINGS",
    "TAGS",
    "Concept",
    "ConceptNotation",
    "Vocabulary",
    "packaged_calls",
    "read_vocabulary",
    "vocabulary",
]

MAX_ENTRIES = 10_000
"""Most entries of a vocabulary file."""

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

_NAME = re.compile(r"[a-z][a-zA-Z0-9-]{0,80}")
_MACRO = re.compile(r"\\[A-Za-z]{1,80}")
_TAG = re.compile(r"[a-z][a-z0-9-]{0,40}")
_HOLE = re.compile(r"#([1-9])")
_MACRO_LINE = re.compile(r"^macro = '(\\[A-Za-z]{1,80})([^'\n]*)'$", re.MULTILINE)
_INFIX = re.compile(r"\s*\{?#\d\}?\s*[^_^'\s}].*#\d\s*")
_SPACE = re.compile(r"\\[,;:!> ]|(?<!\\)[{}\s]")
_PRINTED = (  # macros of the DLMF in notations, as everybody writes them
    (re.compile(r"\\diff\{(#\d)\}"), r"\\,\\mathrm{d}\1"),
    (re.compile(r"\\deriv\[(#\d)\]\{(#\d)\}\{(#\d)\}"), r"\\frac{\\mathrm{d}^{\1}\2}{{\\mathrm{d}\3}^{\1}}"),
    (re.compile(r"\\deriv\{(#\d)\}\{(#\d)\}"), r"\\frac{\\mathrm{d}\1}{\\mathrm{d}\2}"),
    (re.compile(r"\\pvint"), r"\\mathrm{p.v.}\\!\\int"),
)
_KEYS = {"name": str, "area": str, "words": str, "macro": str, "shape": str, "notations": list, "level": str,
         "extent": str, "example": list}  # fmt: skip
_NOTATION_KEYS = {"latex": str, "tags": list, "reading": str}
_LONGEST = 400  # characters of a notation or shape


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
        """This vocabulary, in which a notation of a concept is read as that concept."""
        concept = self.find(name)
        one = ConceptNotation(latex, (), "template")
        _check_notation(name, concept.macro, one, concept.level)
        changed = replace(concept, notations=(one, *concept.notations))
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
        concepts += [_build({"area": table["area"], **entry}) for entry in table["concept"]]
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


def read_vocabulary(path: Path) -> Vocabulary:
    """A vocabulary of the user's own, in TOML or JSON; every entry is checked.

    Raises TexliftError with the file, the entry and what is wrong.
    """
    import tomllib

    try:
        text = path.read_text("utf-8")
        table = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except (OSError, UnicodeDecodeError, json.JSONDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise TexliftError(f"cannot read the vocabulary {path}: {error}") from error
    entries = table.get("concept") if isinstance(table, dict) else None
    if not isinstance(entries, list):
        raise TexliftError(f"{path} is not a vocabulary: expected entries [[concept]]")
    if len(entries) > MAX_ENTRIES:
        raise TexliftError(f"{path}: {len(entries):,} entries; at most {MAX_ENTRIES:,} are read")
    area = table.get("area", "own")
    concepts: dict[str, Concept] = {}
    commands: dict[str, str] = {}
    for number, entry in enumerate(entries, 1):
        try:
            concept = concept_from_entry({"area": area, **entry} if isinstance(entry, dict) else entry)
            if concept.name in concepts:
                raise TexliftError(f"{concept.name} stands there twice")
            if other := commands.get(concept.command):
                raise TexliftError(f"{concept.command} is the macro of {other} already")
        except TexliftError as error:
            raise TexliftError(f"{path}, entry {number}: {error}") from error
        concepts[concept.name] = concept
        commands[concept.command] = concept.name
    return Vocabulary(concepts.values(), own=frozenset(concepts))


def _build(entry: Mapping[str, Any]) -> Concept:
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


def concept_from_entry(entry: object) -> Concept:
    """Check one entry; what is left out is filled in from its name. Raises TexliftError."""
    if not isinstance(entry, dict):
        raise TexliftError("a concept is a table with " + ", ".join(_KEYS))
    name = entry.get("name")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise TexliftError(f"the name {name!r} is not made of small letters, digits and hyphens")
    _check_types(name, entry, _KEYS)
    if not entry.get("notations"):
        raise TexliftError(f"{name}: needs at least one of notations")
    for one in entry["notations"]:
        if not isinstance(one, str):
            if not isinstance(one, dict) or "latex" not in one:
                raise TexliftError(f"{name}: a notation is a text, or a table with latex, tags and reading")
            _check_types(f"{name}: a notation", one, _NOTATION_KEYS)
    first = entry["notations"][0]
    holes = sorted(set(_HOLE.findall(first if isinstance(first, str) else first["latex"])))
    marks = [f"#{hole}" for hole in holes]
    filled = {
        "words": name.replace("-", " "),
        "macro": "\\" + _camel(name) + "".join(f"{{{mark}}}" for mark in marks),
        "shape": f"{'relation:' * (entry.get('level') == 'relation')}{name}({','.join(marks)})",
    }
    concept = _build(filled | entry)
    _check(concept)
    return concept


def _camel(name: str) -> str:
    """The macro that a concept gets by default: `inner-product` is innerProduct, a single word gets `Of` behind it."""
    first, *rest = name.split("-") if "-" in name else (name, "of")
    digits = str.maketrans("0123456789", "OABCDEFGHI")
    return (first + "".join(word.capitalize() for word in rest)).translate(digits)


def _check_types(where: str, entry: Mapping[str, Any], kinds: Mapping[str, type]) -> None:
    for key, value in entry.items():
        if key not in kinds:
            raise TexliftError(f"{where}: unknown field {key!r}; known are {', '.join(kinds)}")
        if type(value) is not kinds[key]:
            raise TexliftError(f"{where}: {key} must be of type {kinds[key].__name__}")


def _check(concept: Concept) -> None:
    name = concept.name
    if not _MACRO.match(concept.macro):
        raise TexliftError(f"{name}: the macro {concept.macro!r} does not begin with a backslash and letters")
    command = concept.command
    if command in known_commands() and command not in lexicon():
        raise TexliftError(f"{name}: {command} is a command of LaTeX; choose another macro")
    marks = "".join(f"{{#{number}}}" for number in range(1, concept.arity + 1))
    if command not in lexicon() and concept.macro != command + marks:
        raise TexliftError(f"{name}: the macro must be written {command}{marks or ' with holes {#1}'}")
    if concept.level and concept.level not in LEVELS:
        raise TexliftError(f"{name}: level is one of {', '.join(LEVELS)}")
    if concept.extent not in EXTENTS:
        raise TexliftError(f"{name}: extent is one of {', '.join(EXTENTS)}")
    if len(concept.example) not in (0, concept.arity) or not all(isinstance(one, str) for one in concept.example):
        raise TexliftError(f"{name}: an example has a text for each of the {concept.arity} parts")
    if len(concept.shape) > _LONGEST:
        raise TexliftError(f"{name}: a shape of more than {_LONGEST} characters")
    if set(_HOLE.findall(concept.shape)) != set(_HOLE.findall(concept.macro)):
        raise TexliftError(f"{name}: macro and shape have different holes, {concept.macro} and {concept.shape}")
    for one in concept.notations:
        _check_notation(name, concept.macro, one, concept.level)


def _check_notation(name: str, macro: str, one: ConceptNotation, level: str) -> None:
    where = f"{name}: the notation {one.latex!r}"
    if not one.latex.strip() or len(one.latex) > _LONGEST:
        raise TexliftError(f"{where} must have 1 to {_LONGEST} characters")
    if one.reading not in READINGS:
        raise TexliftError(f"{where}: reading is one of {', '.join(READINGS)}")
    if not all(isinstance(tag, str) and _TAG.fullmatch(tag) for tag in one.tags):
        raise TexliftError(f"{where}: tags must be small letters, digits and hyphens")
    if set(_HOLE.findall(one.latex)) != set(_HOLE.findall(macro)):
        raise TexliftError(f"{where} has other holes than {macro}")
    try:
        parse(one.latex)
    except TexliftError as error:
        raise TexliftError(f"{where} is not LaTeX: {error}") from error
    if one.reading == "template" and not _SPACE.sub("", _HOLE.sub("", one.latex)):
        raise TexliftError(f"{where} has nothing but holes")
    if one.reading == "template" and level == "" and _INFIX.fullmatch(one.latex):
        raise TexliftError(f"{where} stands between its parts: give its level, {', '.join(LEVELS)}")
