"""What the commands and words of plain LaTeX mean to a reader: the tables of `notation.json`.

A command is a synonym of another one, a space, a letter, a relation, an operation, a named function, or it has no
meaning here. What is in none of the tables is an error: it never becomes a variable.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from texlift.latex.presentation import presentation

__all__ = ["Notation", "notation", "spelled_in"]

_BLACKBOARD = {"R": r"\Reals", "C": r"\Complexes", "Z": r"\Integers", "Q": r"\Rationals", "N": r"\natNumbers"}


@dataclass(frozen=True, slots=True)
class Notation:
    """The tables; see `notation.json` for their content."""

    synonyms: Mapping[str, str]
    ignored: frozenset[str]
    ignored_commands: frozenset[str]
    transparent: frozenset[str]
    letters: frozenset[str]
    relations: Mapping[str, str]
    sets: Mapping[str, str]
    functions: Mapping[str, str]  # upright words that name a function, and its head
    spelled: frozenset[str]  # words that are functions also when typed as plain letters
    labels: frozenset[str]  # subscripts that are words although all their letters may be indices
    refused: Mapping[str, str]  # commands with a meaning that no target has, and what it is


@cache
def notation() -> Notation:
    """The packaged tables."""
    table = json.loads(files("texlift.meaning.reader").joinpath("notation.json").read_text("utf-8"))
    relations = dict(table["relations"])
    relations.update({name: name for name in table["unsupported_relations"].split()})
    return Notation(
        synonyms=_letters() | {name: sign for sign, names in table["synonyms"].items() for name in names.split()},
        ignored=frozenset(table["ignored"].split()) | {"\\ ", "\\\n", "\\\t", "\u00a0"},
        ignored_commands=frozenset(table["ignored_commands"].split()),
        transparent=frozenset(table["transparent"].split()),
        letters=frozenset(table["letters"].split()),
        relations=relations,
        sets=table["sets"],
        functions=table["functions"],
        spelled=frozenset(table["words_of_letters"].split()),
        labels=frozenset(table["labels"].split()),
        refused=table["refused"],
    )


@lru_cache(maxsize=4096)
def spelled_in(run: str) -> str:
    """The function's name that a run of letters starts with; empty where it starts with none."""
    return next((word for word in sorted(notation().spelled) if run.startswith(word)), "")


def _letters() -> dict[str, str]:
    """Unicode letters as LaTeX writes them: Greek, mathematical italic and the sets of numbers."""
    letters: dict[str, str] = {}
    for sign, label in presentation().synonyms.items():
        if len(sign) == 1 and not sign.isascii():
            font, _, letter = label.rpartition(":")
            if font == "bb" and letter in _BLACKBOARD:
                letters[sign] = _BLACKBOARD[letter]
            elif not font:
                letters[sign] = label
    return letters
