"""The one entry to all targets: semantic LaTeX in, code, warnings and notes on conventions out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any

from texlift.errors import TexliftError, fenced
from texlift.latex.wrapping import unwrapped
from texlift.meaning.declarations import Declarations
from texlift.meaning.reader.reading import Reading, read
from texlift.meaning.tree import Expression

__all__ = ["TARGETS", "Conversion", "convert"]

TARGETS = ("sympy", "mpmath", "mathematica", "maple", "maxima", "mathml")
"""Names of the targets."""

_BUILDERS = {
    "sympy": ("texlift.targets.writers.sympy", "SympyBuilder"),
    "mpmath": ("texlift.targets.writers.mpmath", "MpmathBuilder"),
    "mathematica": ("texlift.targets.writers.mathematica", "MathematicaPrinter"),
    "maple": ("texlift.targets.writers.maple", "MaplePrinter"),
    "maxima": ("texlift.targets.writers.maxima", "MaximaPrinter"),
    "mathml": ("texlift.targets.writers.mathml", "MathmlPrinter"),
}


@dataclass(frozen=True, slots=True)
class Conversion:
    """Code in the target's language; several statements are separated as the target separates them.

    `warnings` say what was decided on the way, `notes` where conventions differ; `symbols` and `functions`
    map TeX names to the identifiers that stand for free variables and unknown functions; `reading` is what was written.
    """

    code: str
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    symbols: tuple[tuple[str, str], ...] = ()
    functions: tuple[tuple[str, str], ...] = ()
    reading: Reading | None = field(default=None, repr=False, compare=False)


@cache
def _builder(target: str) -> Callable[[str], Any]:
    module, name = _BUILDERS[target]
    return getattr(import_module(module), name)  # type: ignore[no-any-return]


def convert(semantic: str, target: str, declare: Mapping[str, str] | Declarations | None = None) -> Conversion:
    """Convert semantic LaTeX, with what is declared of its letters.

    Raises FormulaError where the formula or a macro has no counterpart.
    """
    if target not in TARGETS:
        raise TexliftError(f"unknown target {target!r}; choose one of {', '.join(TARGETS)}")
    semantic = unwrapped(semantic)
    declared = Declarations.of(declare)
    with fenced(semantic, f"converting to {target}"):
        return _convert(semantic, target, declared)


def _convert(semantic: str, target: str, declared: Declarations) -> Conversion:
    reading = read(semantic, declared=declared)
    builder = _builder(target)(semantic)
    pieces = [_write(builder, statement, target) for statement in reading.statements]
    functions = builder.functions
    symbols = tuple((tex, name) for tex, name in builder.symbols.items() if tex not in functions and tex != "t_")
    code = _join(pieces, target)
    return Conversion(
        code, (*reading.warnings, *builder.cautions), tuple(builder.notes), symbols, tuple(functions.items()), reading
    )


def _write(builder: Any, statement: Expression, target: str) -> str:
    if target in ("sympy", "mpmath"):
        from texlift.targets.writers.pycode import unparse

        return unparse(builder.build(statement))
    return builder.write(statement)  # type: ignore[no-any-return]


def _join(pieces: list[str], target: str) -> str:
    if len(pieces) == 1:
        return pieces[0]
    if target == "mathml":
        return "<apply><and/>" + "".join(pieces) + "</apply>"
    opener, closer = {"mathematica": ("{", "}"), "sympy": ("[", "]"), "mpmath": ("[", "]")}.get(target, ("[", "]"))
    return opener + ", ".join(pieces) + closer
