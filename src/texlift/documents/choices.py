r"""Choices that stick: `texlift.toml` beside the document.

[readings]              # what a symbol means in this document
"P_n" = "\\LegendrepolyP"
"K" = ""                # a plain symbol, not a function texlift knows

[macros]                # the author's own LaTeX macros that no \newcommand in the document defines
"\\bes" = "J_{#1}\\left(#2\\right)"

[functions]             # the author's own functions: never read as anything else
"f" = "the flux"

[[concept]]             # concepts and notations of one's own, as in a vocabulary file
name = "flux"
notations = ["\\\\Phi[#1]"]

[rejected]              # changes that are not wanted, by the name they have in the report
"3f9a01c2" = "a group, not the gamma function"
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from texlift.documents.source import write_atomically
from texlift.errors import FormulaError, TexliftError
from texlift.latex.canonical import canonical
from texlift.latex.definitions import Definition
from texlift.latex.lexer import tokenize
from texlift.macros.lexicon import lexicon
from texlift.macros.own_vocabulary import read_vocabulary

__all__ = [
    "FILE_NAME",
    "Choices",
    "choices_of",
    "choices_toml",
    "occurs",
    "read_choices",
    "reject",
    "remember",
    "symbol_of",
]

FILE_NAME = "texlift.toml"

_BEHIND = frozenset("_^'")  # what may stand behind the symbol of an entry, besides its arguments in brackets
_TABLES = ("readings", "macros", "functions", "rejected")
_LARGEST = 1_000_000


@dataclass(frozen=True, slots=True)
class Choices:
    """What an author fixed: readings by the label of the symbol, own macros, own functions by label."""

    readings: Mapping[str, str] = field(default_factory=dict)
    macros: Mapping[str, Definition] = field(default_factory=dict)
    functions: Mapping[str, str] = field(default_factory=dict)
    rejected: Mapping[str, str] = field(default_factory=dict)

    @property
    def fixed(self) -> dict[str, str]:
        """Label of a symbol -> its macro, "" for a plain symbol."""
        return {**dict.fromkeys(self.functions, ""), **self.readings}


@lru_cache(maxsize=8192)
def symbol_of(latex: str) -> str:
    r"""The label a reading is chosen by: of `P_n` it is `P`, of `\Gamma(z)` it is `\Gamma`; "" of what is none."""
    try:
        elements = canonical(latex).elements
    except FormulaError:  # half of a pair of delimiters
        return ""
    return elements[0].label if elements else ""


def occurs(symbol: str, latex: str) -> bool:
    """Whether a symbol, given by its label, stands anywhere in a formula."""
    try:
        rows = [canonical(latex)]
    except FormulaError:
        return False
    while rows:
        for element in rows.pop().elements:
            if element.label == symbol:
                return True
            rows += element.rows
    return False


def read_choices(path: Path) -> Choices:
    """The choices in a file; none if there is no such file. Raises TexliftError where the file is wrong."""
    if not path.exists():
        return Choices()
    try:
        if path.stat().st_size > _LARGEST:
            raise TexliftError(f"{path} is larger than {_LARGEST:,} bytes")
        data = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise TexliftError(f"{path}: {error}") from None
    if "concept" in data:  # entries of a vocabulary: `--vocabulary texlift.toml` uses them
        read_vocabulary(path)
        del data["concept"]
    return choices_of(data, path)


def choices_of(data: Mapping[str, Any], path: Path) -> Choices:
    """Choices from the tables of a file, which need not exist: errors name it. Raises TexliftError."""
    for name, table in data.items():
        if name not in _TABLES:
            raise TexliftError(f"{path}: unknown table [{name}]; known are {', '.join(_TABLES)}")
        if not isinstance(table, dict) or not all(isinstance(value, str) for value in table.values()):
            raise TexliftError(f"{path}: [{name}] must hold texts only")
    readings = {symbol: _macro(path, symbol, macro) for symbol, macro in data.get("readings", {}).items()}
    functions = data.get("functions", {})
    _refuse_two_meanings(path, [*readings.items(), *((symbol, "") for symbol in functions)])
    return Choices(
        {_symbol(path, symbol): macro for symbol, macro in readings.items()},
        {name: _definition(path, name, body) for name, body in data.get("macros", {}).items()},
        {_symbol(path, symbol): meaning for symbol, meaning in functions.items()},
        data.get("rejected", {}),
    )


def choices_toml(data: Mapping[str, Mapping[str, str]]) -> str:
    """Tables of choices as a file."""
    lines: list[str] = []
    for name, table in data.items():
        if table:
            written = [f"{_quoted(key)} = {_quoted(value)}" for key, value in table.items()]
            lines += [f"[{name}]", *written, ""]
    return "\n".join(lines)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def remember(path: Path, symbol: str, macro: str) -> None:
    """Write one reading into the file; the rest of it, comments too, stays as it is."""
    _set(path, "readings", symbol, macro)


def reject(path: Path, change: str, reason: str) -> None:
    """Write into the file that a change is not wanted."""
    _set(path, "rejected", change, reason)


def _set(path: Path, table: str, key: str, value: str) -> None:
    text = path.read_text("utf-8") if path.exists() else ""
    line = f"{_quoted(key)} = {_quoted(value)}"
    header = re.search(rf"^\[{table}\][^\n]*$", text, re.MULTILINE)
    if header is None:
        text = text + ("\n" if text and not text.endswith("\n") else "") + f"[{table}]\n{line}\n"
    else:
        table_end = re.compile(r"^\[", re.MULTILINE).search(text, header.end())
        end = table_end.start() if table_end else len(text)
        own = re.compile(rf"^{re.escape(_quoted(key))}\s*=[^\n]*$", re.MULTILINE)
        body, replaced = own.subn(lambda _: line, text[header.end() : end])
        text = text[: header.end()] + (body if replaced else f"\n{line}{body}") + text[end:]
    write_atomically(path, text.encode("utf-8"))


def _symbol(path: Path, latex: str) -> str:
    """The label of the one symbol that an entry names, with its scripts and arguments or without."""
    try:
        elements = canonical(latex).elements
    except FormulaError as error:
        raise TexliftError(f"{path}: {latex!r} is not a symbol: {error.message}") from None
    if not elements or not all(element.label in _BEHIND or " " in element.label for element in elements[1:]):
        raise TexliftError(f"{path}: {latex!r} is not one symbol")
    return elements[0].label


def _refuse_two_meanings(path: Path, entries: Iterable[tuple[str, str]]) -> None:
    """Readings hold for a symbol, whatever its scripts: two entries of one symbol must agree."""
    meanings: dict[str, tuple[str, str]] = {}
    for symbol, macro in entries:
        before, other = meanings.setdefault(_symbol(path, symbol), (symbol, macro))
        if other != macro:
            raise TexliftError(f"{path}: {before!r} and {symbol!r} are the same symbol and have different readings")


def _macro(path: Path, symbol: str, name: str) -> str:
    found = lexicon().lookup(name) if name else None
    if not name or (found is None and name == symbol):
        return ""
    if found is None:
        near = ", ".join(macro.name for macro in lexicon().near(name, 3))
        raise TexliftError(
            f"{path}: {symbol} = {name!r} names no known macro" + (f"; did you mean {near}?" if near else "")
        )
    return found.name


def _definition(path: Path, name: str, body: Any) -> Definition:
    if not re.fullmatch(r"\\[A-Za-z]+", name):
        raise TexliftError(f"{path}: {name!r} in [macros] is not the name of a macro")
    try:
        tokens = tokenize(body).texts
    except FormulaError as error:
        raise TexliftError(f"{path}: {name} in [macros]: {error.message}") from None
    if tokens.count("{") != tokens.count("}"):
        raise TexliftError(f"{path}: the braces of {name} in [macros] do not match")
    return Definition(name, max((int(n) for n in re.findall(r"#([1-9])", body)), default=0), body)
