"""Conventions told apart by letters: `K(k)` takes the modulus, `K(m)` the parameter.

`conventions.json` says which letters an argument has in each convention, which convention the arguments of a macro
follow, and which templates of the lexicon are read besides the grammar's rules. Each of these has a rule that it is
scored like: `K(m)` is the same function as `K(k)`, with another argument.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from texlift.macros.lexicon import lexicon

__all__ = ["Convention", "conventions_of", "judged_like", "notations"]


@dataclass(frozen=True, slots=True)
class Convention:
    """The number of an argument, options not counted; symbols it must have, and must not have unless it has others."""

    argument: int
    wanted: frozenset[str]
    unwanted: frozenset[str]
    unless: frozenset[str]

    def fits(self, symbols: frozenset[str]) -> bool:
        """Whether an argument with these symbols can be meant."""
        if self.wanted and self.wanted.isdisjoint(symbols):
            return False
        return self.unwanted.isdisjoint(symbols) or not self.unless.isdisjoint(symbols)


@cache
def _table() -> Mapping[str, Any]:
    table: Mapping[str, Any] = json.loads(files("texlift.macros").joinpath("conventions.json").read_text("utf-8"))
    return table


@cache
def conventions_of(name: str, call: str = "") -> tuple[Convention, ...]:
    """The conventions of a macro's arguments; a notation (the text of its call) may have its own instead."""
    own: Mapping[str, str] = next((rule[2] for rule in _table()["rules"] if rule[0] == call and len(rule) > 2), {})
    named = {**_table()["arguments"].get(name, {}), **own}
    return tuple(_convention(int(argument), _table()["conventions"][kind]) for argument, kind in named.items())


def _convention(argument: int, entry: Mapping[str, list[str]]) -> Convention:
    return Convention(
        argument,
        frozenset(entry.get("with", ())),
        frozenset(entry.get("without", ())),
        frozenset(entry.get("unless", ())),
    )


@cache
def notations() -> tuple[tuple[str, str], ...]:
    """(call, generic) of the templates that are read for their convention."""
    found = []
    for call, *_ in _table()["rules"]:
        name = call[: next(at for at, sign in enumerate(call) if at and not sign.isalpha())]
        macro = lexicon().lookup(name)
        assert macro is not None, name
        found.append((call, dict(macro.templates)[call]))
    return tuple(found)


@cache
def judged_like() -> Mapping[str, str]:
    """The call of each such template, and of the rule that it is scored like."""
    return {call: like for call, like, *_ in _table()["rules"]}
