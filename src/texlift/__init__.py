r"""texlift lifts mathematical formulae from presentation to meaning.

    >>> import texlift
    >>> t = texlift.load()
    >>> r = t.translate(r"J_\nu(z)", context="Bessel functions")
    >>> r.semantic
    '\\BesselJ{\\nu}@{z}'

`r.confidence`, `r.decisions` and `r.alternatives` say how sure the answer is and why; `r.to("sympy")` goes on to code.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from texlift.errors import FormulaError, TexliftError

if TYPE_CHECKING:
    from texlift.grammar.expansion import expand
    from texlift.translate.answer import ConversionWarning, Translation
    from texlift.translate.translator import Translator, load

__all__ = [
    "ConversionWarning",
    "FormulaError",
    "TexliftError",
    "Translation",
    "Translator",
    "__version__",
    "expand",
    "load",
]

__version__ = "0.2.0.dev0"

_LAZY = {
    "load": "texlift.translate.translator",
    "Translator": "texlift.translate.translator",
    "Translation": "texlift.translate.answer",
    "ConversionWarning": "texlift.translate.answer",
    "expand": "texlift.grammar.expansion",
}


logging.getLogger(__name__).addHandler(logging.NullHandler())  # who uses the library decides where its log goes


def __getattr__(name: str) -> Any:
    """Import the translator when it is first asked for: `import texlift` alone costs nothing."""
    from importlib import import_module

    if name in _LAZY:
        return getattr(import_module(_LAZY[name]), name)
    raise AttributeError(f"module 'texlift' has no attribute {name!r}")
