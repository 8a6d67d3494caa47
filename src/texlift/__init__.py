r"""texlift lifts mathematical formulae from presentation to meaning.

    >>> import texlift
    >>> r = texlift.translate(r"J_\nu(z)", context="Bessel functions")
    >>> r.semantic
    '\\BesselJ{\\nu}@{z}'

`r.confidence`, `r.decisions` and `r.alternatives` say how sure the answer is and why. `r.sympy()` is a SymPy object,
`r.lambdify()` a NumPy function, `r.to("mathematica")` code, `r.tree` what the formula says. `texlift.check` asks
whether an equation is true, `texlift.equal` whether two answers are the same, `texlift.parse_latex` takes the place of
SymPy's.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from texlift.errors import FormulaError, TexliftError

if TYPE_CHECKING:
    from texlift.grammar.expansion import expand
    from texlift.jupyter import load_ipython_extension
    from texlift.targets.conversion import convert
    from texlift.translate.answer import ConversionWarning, Translation
    from texlift.translate.parsing import parse_latex
    from texlift.translate.shortcut import translate
    from texlift.translate.translator import Translator, load
    from texlift.verify.equality import equal  # type: ignore[import-not-found, unused-ignore]
    from texlift.verify.lifting import check
    from texlift.verify.plot import plot

__all__ = [
    "ConversionWarning",
    "FormulaError",
    "TexliftError",
    "Translation",
    "Translator",
    "__version__",
    "check",
    "convert",
    "equal",
    "expand",
    "load",
    "load_ipython_extension",
    "parse_latex",
    "plot",
    "translate",
]

__version__ = "0.2.0.dev0"

_LAZY = {
    "load": "texlift.translate.translator",
    "Translator": "texlift.translate.translator",
    "Translation": "texlift.translate.answer",
    "ConversionWarning": "texlift.translate.answer",
    "check": "texlift.verify.lifting",
    "convert": "texlift.targets.conversion",
    "equal": "texlift.verify.equality",
    "expand": "texlift.grammar.expansion",
    "parse_latex": "texlift.translate.parsing",
    "plot": "texlift.verify.plot",
    "load_ipython_extension": "texlift.jupyter",
    "unload_ipython_extension": "texlift.jupyter",
}


logging.getLogger(__name__).addHandler(logging.NullHandler())  # who uses the library decides where its log goes


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is first used: `import texlift` alone costs nothing."""
    from importlib import import_module

    if name == "translate":
        return import_module("texlift.translate")  # a package that can be called
    if name in _LAZY:
        return getattr(import_module(_LAZY[name]), name)
    raise AttributeError(f"module 'texlift' has no attribute {name!r}")


def __dir__() -> list[str]:
    from importlib.util import find_spec

    return sorted(name for name in __all__ if name not in _LAZY or find_spec(_LAZY[name]) is not None)
