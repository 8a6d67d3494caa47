"""The data tables of the targets: what each macro is called there.

An entry is a string of code with slots `{1}`, `{2}`, ... for the arguments in the order written (options,
parameters, variables), or an object with `code` and, where needed, `derivative` (code for derivatives by the
variable, order in `{n}`), `note` (where conventions differ) and `conditions`. A key may fix the first
parameter (`\\HankelH{1}`), and ends with `[]` where the optional argument is given (`\\FerrersP[]`).

`definitions.json` defines macros by others, in semantic LaTeX with slots `#1`, `#2`, ...; it serves all
targets that lack a function.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from texlift.meaning.tree import Apply, Number

__all__ = [
    "Definition",
    "Entry",
    "Table",
    "definition",
    "definitions",
    "fill",
    "load_table",
    "lookup",
    "systems_with",
]

_SLOT = re.compile(r"\{(\d+|n)\}")
_CALL = re.compile(r"[A-Za-z_][A-Za-z_0-9.`]*[\[(]")


@dataclass(frozen=True, slots=True)
class Entry:
    """One macro in one target. `parts` alternates literal text and slots; `closed` needs no parentheses around."""

    code: str
    parts: tuple[str, ...]
    closed: bool
    derivative: str = ""
    note: str = ""
    conditions: str = ""

    @property
    def slots(self) -> int:
        """How many arguments the code takes at least."""
        return max((int(slot) for slot in self.parts[1::2] if slot != "n"), default=0)


@dataclass(frozen=True, slots=True)
class Table:
    """A target's entries, and the words its symbols must avoid."""

    target: str
    entries: Mapping[str, Entry]
    reserved: frozenset[str]


@dataclass(frozen=True, slots=True)
class Definition:
    """A macro defined by others: the text in semantic LaTeX, conditions, and where it stands in the DLMF.

    `lattice` is the number of the argument that is a lattice, if there is one; the two slots behind those of the
    arguments are its half-periods.
    """

    text: str
    note: str = ""
    conditions: str = ""
    lattice: int = 0


def _closed(code: str) -> bool:
    """Whether the code is one call or one name, so that it can stand as an operand."""
    match = _CALL.match(code)
    if match is None:
        return code.replace("_", "").replace("%", "").isalnum()
    depth = 0
    for index, char in enumerate(code):
        if char in "([":
            depth += 1
        elif char in ")]":
            depth -= 1
            if depth == 0:
                return index == len(code) - 1
    return False


def _entry(value: str | dict[str, str]) -> Entry:
    data = {"code": value} if isinstance(value, str) else value
    code = data["code"]
    return Entry(
        code,
        tuple(_SLOT.split(code)),
        _closed(code),
        data.get("derivative", ""),
        data.get("note", ""),
        data.get("conditions", ""),
    )


def _read(name: str) -> dict[str, object]:
    data = json.loads(files("texlift.targets").joinpath("tables", f"{name}.json").read_text("utf-8"))
    if not isinstance(data, dict):
        raise TypeError(f"{name}.json is not an object")
    return data


@cache
def load_table(target: str) -> Table:
    """The table of a target, read once."""
    data = _read(target)
    macros = data["macros"]
    assert isinstance(macros, dict)
    reserved = data.get("reserved", "")
    assert isinstance(reserved, str)
    return Table(target, {key: _entry(value) for key, value in macros.items()}, frozenset(reserved.split()))


@cache
def definitions() -> Mapping[str, Definition]:
    """All definitions of macros by others."""
    data = _read("definitions")
    return {
        key: Definition(value) if isinstance(value, str) else Definition(**value)  # type: ignore[arg-type]
        for key, value in data.items()
    }


def keys(node: Apply) -> tuple[str, ...]:
    """The keys under which an application may stand, the most special first."""
    first = node.arguments[0] if node.arguments else None
    if isinstance(first, Number):
        return (f"{node.head}{{{first.value}}}", node.head)
    return (node.head,)


def lookup(table: Table, node: Apply) -> Entry | None:
    """The entry for an application."""
    for key in keys(node):
        entry = table.entries.get(key)
        if entry is not None and entry.slots <= len(node.arguments):
            return entry
    return None


def systems_with(node: Apply) -> list[str]:
    """The systems that have a function, for the hint of an error."""
    systems = {
        "sympy": "SymPy",
        "mpmath": "mpmath",
        "numpy": "NumPy",
        "mathematica": "Mathematica",
        "maple": "Maple",
        "maxima": "Maxima",
    }
    return [name for target, name in systems.items() if lookup(load_table(target), node) is not None]


def definition(node: Apply) -> Definition | None:
    """The definition for an application."""
    known = definitions()
    for key in keys(node):
        found = known.get(key)
        if found is not None:
            return found
    return None


def fill(entry: Entry, arguments: list[str]) -> str:
    """The entry's code with its slots filled."""
    parts = list(entry.parts)
    for index in range(1, len(parts), 2):
        parts[index] = arguments[int(parts[index]) - 1]
    return "".join(parts)
