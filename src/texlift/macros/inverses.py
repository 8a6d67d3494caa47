"""Functions and their inverses: `\\sin^{-1}`, which may be a power or the inverse function."""

from __future__ import annotations

from functools import cache

from texlift.macros.lexicon import lexicon

__all__ = ["inverse_of"]


@cache
def inverse_of(name: str) -> str:
    """The macro of a function's inverse, empty if there is none: of `\\sin` it is `\\asin`, of `\\erf` `\\inverf`."""
    known = lexicon()
    inverses = (f"\\a{name[1:]}", f"\\inv{name[1:]}")
    return next((inverse for inverse in inverses if known.lookup(inverse) is not None), "")
