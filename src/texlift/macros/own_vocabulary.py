"""Vocabulary of the user's own, checked: a file of concepts, and notations that are declared."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from texlift.errors import TexliftError
from texlift.latex.parser import parse
from texlift.latex.symbols import known_commands
from texlift.macros.concepts import EXTENTS, LEVELS, READINGS, Concept, ConceptNotation, Vocabulary, built
from texlift.macros.lexicon import lexicon

__all__ = ["MAX_ENTRIES", "check_notation", "read_vocabulary"]

MAX_ENTRIES = 10_000
"""Most entries of a vocabulary file."""

_NAME = re.compile(r"[a-z][a-zA-Z0-9-]{0,80}")
_MACRO = re.compile(r"\\[A-Za-z]{1,80}")
_TAG = re.compile(r"[a-z][a-z0-9-]{0,40}")
_HOLE = re.compile(r"#([1-9])")
_INFIX = re.compile(r"\s*\{?#\d\}?\s*[^_^'\s}].*#\d\s*")
_SPACE = re.compile(r"\\[,;:!> ]|(?<!\\)[{}\s]")
_KEYS = {"name": str, "area": str, "words": str, "macro": str, "shape": str, "notations": list, "level": str,
         "extent": str, "example": list}  # fmt: skip
_NOTATION_KEYS = {"latex": str, "tags": list, "reading": str}
_LONGEST = 400  # characters of a notation or shape


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
            concept = _from_entry({"area": area, **entry} if isinstance(entry, dict) else entry)
            if concept.name in concepts:
                raise TexliftError(f"{concept.name} stands there twice")
            if other := commands.get(concept.command):
                raise TexliftError(f"{concept.command} is the macro of {other} already")
        except TexliftError as error:
            raise TexliftError(f"{path}, entry {number}: {error}") from error
        concepts[concept.name] = concept
        commands[concept.command] = concept.name
    return Vocabulary(concepts.values(), own=frozenset(concepts))


def _from_entry(entry: object) -> Concept:
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
    concept = built(filled | entry)
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
        check_notation(concept, one)


def check_notation(concept: Concept, one: ConceptNotation) -> None:
    """Raise TexliftError for a notation that a concept cannot have."""
    where = f"{concept.name}: the notation {one.latex!r}"
    if not one.latex.strip() or len(one.latex) > _LONGEST:
        raise TexliftError(f"{where} must have 1 to {_LONGEST} characters")
    if one.reading not in READINGS:
        raise TexliftError(f"{where}: reading is one of {', '.join(READINGS)}")
    if not all(isinstance(tag, str) and _TAG.fullmatch(tag) for tag in one.tags):
        raise TexliftError(f"{where}: tags must be small letters, digits and hyphens")
    if set(_HOLE.findall(one.latex)) != set(_HOLE.findall(concept.macro)):
        raise TexliftError(f"{where} has other holes than {concept.macro}")
    try:
        parse(one.latex)
    except TexliftError as error:
        raise TexliftError(f"{where} is not LaTeX: {error}") from error
    if one.reading == "template" and not _SPACE.sub("", _HOLE.sub("", one.latex)):
        raise TexliftError(f"{where} has nothing but holes")
    if one.reading == "template" and concept.level == "" and _INFIX.fullmatch(one.latex):
        raise TexliftError(f"{where} stands between its parts: give its level, {', '.join(LEVELS)}")
