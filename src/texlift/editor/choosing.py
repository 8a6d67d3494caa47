"""Writing a choice into `texlift.toml` beside a document: inside the workspace only, and only a valid file."""

from __future__ import annotations

import shutil
import tempfile
import tomllib
from collections.abc import Iterable
from pathlib import Path

from texlift.documents.choices import FILE_NAME, read_choices, remember, symbol_of
from texlift.errors import FormulaError, TexliftError
from texlift.macros.lexicon import lexicon

__all__ = ["choose"]

_LONGEST = 100  # characters of a symbol


def choose(document: Path, symbol: str, macro: str, folders: Iterable[Path]) -> Path:
    """Write that a symbol means a macro ("" for a plain symbol) into the file beside a document; returns that file.

    Raises TexliftError, and writes nothing, if the file is outside of all `folders`, if the symbol or the macro is not
    one, or if the choice contradicts what the file says.
    """
    _refuse_what_is_no_symbol(symbol)
    known = lexicon().lookup(macro) if macro else None
    if macro and known is None:
        raise TexliftError(f"{macro!r} is no known macro")
    file = document.parent / FILE_NAME
    _refuse_outside(file, folders)
    name = known.name if known is not None else ""
    with tempfile.TemporaryDirectory() as folder:
        rehearsal = Path(folder) / FILE_NAME
        if file.exists():
            read_choices(file)  # a file that is wrong already is not touched
            shutil.copyfile(file, rehearsal)
        key = _key(file, symbol)
        remember(rehearsal, key, name)
        if read_choices(rehearsal).fixed.get(symbol_of(symbol)) != name:
            raise TexliftError(f"{FILE_NAME} says something else about {symbol}; please change it there")
    try:
        remember(file, key, name)
    except OSError as error:
        raise TexliftError(f"cannot write {file}: {error.strerror or error}") from None
    return file


def _refuse_outside(file: Path, folders: Iterable[Path]) -> None:
    """Links are followed first: a link that leads out of the workspace is outside."""
    try:
        target = file.resolve()
        if any(target.is_relative_to(folder.resolve()) for folder in folders):
            if file.is_symlink() or (file.exists() and not file.is_file()):
                raise TexliftError(f"{file} is not a plain file: not written")
            return
    except (OSError, RuntimeError) as error:
        raise TexliftError(f"{file}: {error}") from None
    raise TexliftError(f"{file} is outside of the workspace: not written; open the document's folder first")


def _refuse_what_is_no_symbol(symbol: str) -> None:
    try:
        is_symbol = len(symbol) <= _LONGEST and symbol.isprintable() and symbol_of(symbol) == symbol
    except FormulaError:
        is_symbol = False
    if not symbol or not is_symbol:
        raise TexliftError(f"{symbol[:_LONGEST]!r} is not one symbol")


def _key(file: Path, symbol: str) -> str:
    """How the file spells the symbol: an entry for `P_n` is the entry for `P`."""
    if not file.exists():
        return symbol
    readings = tomllib.loads(file.read_text("utf-8")).get("readings", {})
    return next((written for written in readings if symbol_of(written) == symbol), symbol)
