"""From generic to semantic LaTeX.

The package can be called: `texlift.translate(r"J_\\nu(z)")` is the function of `texlift.translate.shortcut`.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from texlift.translate.answer import Translation


class _Package(ModuleType):
    """`texlift.translate` names this package as soon as a part of it is imported, and the function for users."""

    def __call__(self, latex: str, *arguments: Any, **options: Any) -> Translation:
        from texlift.translate.shortcut import translate

        return translate(latex, *arguments, **options)


sys.modules[__name__].__class__ = _Package
