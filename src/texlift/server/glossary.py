"""Everything a symbol may be declared to mean: kinds of letters, macros of the DLMF, concepts."""

from __future__ import annotations

from functools import cache
from typing import Any

from texlift.macros.concepts import vocabulary
from texlift.macros.lexicon import Lexicon, lexicon

__all__ = ["KINDS", "found"]

KINDS = (
    "real", "complex", "integer", "positive integer", "natural", "rational", "positive", "nonnegative", "nonzero",
    "prime", "variable", "parameter", "constant", "index", "function", "operator", "vector", "matrix", "set", "event",
    "random variable", "proposition", "unit", "imaginary unit", "Euler's number", "pi", "Euler's constant",
)  # fmt: skip
"""Kinds of letters as they are declared; those that are asked for most come first."""


def found(words: str, limit: int) -> dict[str, Any]:
    """Entries in which every word occurs: kinds first, then concepts and macros by turns, the best first.

    `declare` is what the entry is declared as; `arity` how many arguments a concept has, None for other entries.
    """
    wanted = words.lower().split()
    kinds = [_entry("kind", kind, kind) for kind in KINDS if all(word in kind.lower() for word in wanted)]
    if not wanted:
        return {"total": len(kinds), "entries": kinds[:limit]}
    by_command = vocabulary().commands
    concepts = [by_command[macro.name] for macro in _concepts().search(wanted)]
    named = [_entry("concept", one.words, one.name, one.macro, one.arity) for one in concepts if one.arity]
    macros = [_entry("macro", one.meaning, one.name, one.call_form, None) for one in lexicon().search(wanted)]
    turns = [entry for pair in zip(named, macros, strict=False) for entry in pair]
    shorter = min(len(named), len(macros))
    entries = [*kinds, *turns, *named[shorter:], *macros[shorter:]]
    return {"total": len(entries), "entries": entries[:limit]}


def _entry(sort: str, meaning: str, declare: str, call: str = "", arity: int | None = None) -> dict[str, Any]:
    return {"sort": sort, "meaning": meaning, "declare": declare, "call": call, "arity": arity}


@cache
def _concepts() -> Lexicon:
    return Lexicon(vocabulary().macros.values())
