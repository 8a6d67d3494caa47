"""The one entry to all targets: semantic LaTeX in, code, warnings and notes on conventions out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any

from texlift.errors import FormulaError, TexliftError, fenced
from texlift.latex.wrapping import unwrapped
from texlift.meaning.declarations import Declarations
from texlift.meaning.reader.reading import Reading, read
from texlift.meaning.structure.decision import NO_CHOICES, Choices
from texlift.meaning.structure.places import Usage

__all__ = ["TARGETS", "Conversion", "convert"]

TARGETS = (
    "sympy", "mpmath", "numpy", "mathematica", "maple", "maxima", "julia", "mathjson", "mathml", "intent", "concepts",
    "words",
)  # fmt: skip
"""Names of the targets."""

_BUILDERS = {
    "sympy": ("texlift.targets.writers.sympy", "SympyBuilder"),
    "mpmath": ("texlift.targets.writers.mpmath", "MpmathBuilder"),
    "mathematica": ("texlift.targets.writers.mathematica", "MathematicaPrinter"),
    "maple": ("texlift.targets.writers.maple", "MaplePrinter"),
    "maxima": ("texlift.targets.writers.maxima", "MaximaPrinter"),
    "mathml": ("texlift.targets.writers.mathml", "MathmlPrinter"),
    "numpy": ("texlift.targets.writers.numpy", "NumpyBuilder"),
    "julia": ("texlift.targets.writers.julia", "JuliaPrinter"),
    "mathjson": ("texlift.targets.writers.mathjson", "MathjsonPrinter"),
    "intent": ("texlift.targets.writers.intent", "IntentPrinter"),
    "concepts": ("texlift.targets.writers.concepts", "ConceptsPrinter"),
    "words": ("texlift.targets.writers.words", "WordsPrinter"),
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


def convert(
    semantic: str,
    target: str,
    declare: Mapping[str, str] | Declarations | None = None,
    choices: Choices = NO_CHOICES,
    document: Usage | None = None,
) -> Conversion:
    """Convert semantic LaTeX, with what is declared of its letters and chosen for its ambiguous places.

    `document` says how the other formulae of its document use letters.
    Raises FormulaError where the formula or a macro has no counterpart.
    """
    if target not in TARGETS:
        raise TexliftError(f"unknown target {target!r}; choose one of {', '.join(TARGETS)}")
    semantic = unwrapped(semantic)
    declared = Declarations.of(declare)
    with fenced(semantic, f"converting to {target}"):
        return _convert(semantic, target, declared, choices, document)


def _convert(
    semantic: str, target: str, declared: Declarations, choices: Choices, document: Usage | None
) -> Conversion:
    builder = _builder(target)(semantic)
    try:
        reading = read(semantic, declared=declared, choices=choices, document=document)
    except FormulaError as error:
        if target != "words":
            raise
        return Conversion(builder.unread(error), tuple(builder.cautions))  # words can be spelled
    builder.look_for_arrays(reading)
    code = builder.formula(reading)
    functions = builder.functions
    symbols = tuple((tex, name) for tex, name in builder.symbols.items() if tex not in functions and tex != "t_")
    return Conversion(
        code, (*reading.warnings, *builder.cautions), tuple(builder.notes), symbols, tuple(functions.items()), reading
    )
