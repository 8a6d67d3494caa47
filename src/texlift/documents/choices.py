r"""Choices that stick: `texlift.toml` beside the document.

[readings]              # what a symbol means in this document
"P_n" = "\\LegendrepolyP"
"K" = ""                # as it stands, not a function texlift knows

[macros]                # the author's own LaTeX macros that no \newcommand in the document defines
"\\bes" = "J_{#1}\\left(#2\\right)"

[functions]             # the author's own functions: never read as anything else
"f" = "the flux"
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from texlift.documents.source import write_atomically
from texlift.errors import FormulaError, TexliftError
from texlift.latex.canonical import canonical
from texlift.latex.definitions import Definition
from texlift.macros.lexicon import lexicon

__all__ = ["FILE_NAME", "Choices", "read_choices", "remember", "symbol_of"]

FILE_NAME = "texlift.toml"

_TABLES = ("readings", "macros", "functions")
_LARGEST = 1_000_000


@dataclass(frozen=True, slots=True)
class Choices:
    """What an author fixed: readings by the label of the symbol, own macros, own functions by label."""

    readings: Mapping[str, str] = field(default_factory=dict)
    macros: Mapping[str, Definition] = field(default_factory=dict)
    functions: Mapping[str, str] = field(default_factory=dict)

    @property
    def fixed(self) -> dict[str, str]:
        """Label of a symbol -> its macro, "" for as it stands."""
        return {**dict.fromkeys(self.functions, ""), **self.readings}


def symbol_of(latex: str) -> str:
    r"""The label a reading is chosen by: of `P_n` it is `P`, of `\Gamma(z)` it is `\Gamma`."""
    elements = canonical(latex).elements
    return elements[0].label if elements else ""


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
    for name, table in data.items():
        if name not in _TABLES:
            raise TexliftError(f"{path}: unknown table [{name}]; known are {', '.join(_TABLES)}")
        if not isinstance(table, dict) or not all(isinstance(value, str) for value in table.values()):
            raise TexliftError(f"{path}: [{name}] must hold texts only")
    return Choices(
        {_symbol(path, symbol): _macro(path, symbol, macro) for symbol, macro in data.get("readings", {}).items()},
        {name: _definition(path, name, body) for name, body in data.get("macros", {}).items()},
        {_symbol(path, symbol): meaning for symbol, meaning in data.get("functions", {}).items()},
    )


def remember(path: Path, symbol: str, macro: str) -> None:
    """Write one reading into the file; the rest of it, comments too, stays as it is."""
    text = path.read_text("utf-8") if path.exists() else ""
    line = f"{json.dumps(symbol, ensure_ascii=False)} = {json.dumps(macro, ensure_ascii=False)}"
    header = re.search(r"^\[readings\][^\n]*$", text, re.MULTILINE)
    if header is None:
        text = text + ("\n" if text and not text.endswith("\n") else "") + f"[readings]\n{line}\n"
    else:
        table_end = re.compile(r"^\[", re.MULTILINE).search(text, header.end())
        end = table_end.start() if table_end else len(text)
        own = re.compile(rf"^{re.escape(json.dumps(symbol, ensure_ascii=False))}\s*=[^\n]*$", re.MULTILINE)
        body, replaced = own.subn(lambda _: line, text[header.end() : end])
        text = text[: header.end()] + (body if replaced else f"\n{line}{body}") + text[end:]
    write_atomically(path, text.encode("utf-8"))


def _symbol(path: Path, latex: str) -> str:
    try:
        label = symbol_of(latex)
    except FormulaError as error:
        raise TexliftError(f"{path}: {latex!r} is not a symbol: {error.message}") from None
    if not label:
        raise TexliftError(f"{path}: {latex!r} is not a symbol")
    return label


def _macro(path: Path, symbol: str, name: str) -> str:
    if name in ("", symbol):
        return ""
    found = lexicon().lookup(name)
    if found is None:
        near = ", ".join(macro.name for macro in lexicon().near(name, 3))
        raise TexliftError(
            f"{path}: {symbol} = {name!r} names no known macro" + (f"; did you mean {near}?" if near else "")
        )
    return found.name


def _definition(path: Path, name: str, body: Any) -> Definition:
    if not re.fullmatch(r"\\[A-Za-z]+", name):
        raise TexliftError(f"{path}: {name!r} in [macros] is not the name of a macro")
    return Definition(name, max((int(n) for n in re.findall(r"#([1-9])", body)), default=0), body)
