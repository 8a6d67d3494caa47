"""Generic LaTeX for commands that compute: translated first."""

from __future__ import annotations

from texlift.errors import TexliftError

__all__ = ["lifted"]


def lifted(latex: str, context: str | None) -> tuple[str, float]:
    """Semantic LaTeX for generic LaTeX, and how sure that is."""
    from texlift.translate.translator import load

    result = load().translate(latex, context=context or None)
    if not result.semantic:
        raise TexliftError(f"no translation for {latex}")
    return result.semantic, result.confidence
