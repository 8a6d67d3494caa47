"""Whether arguments are written with the letters the DLMF defines a macro with.

`J_{k}\\left(n\\right)` looks like Jordan's function, `\\JordanJ{k}@{n}`, and less like Bessel's, `\\BesselJ{\\nu}@{z}`:
also to a scorer that has never seen the former.
"""

from __future__ import annotations

from typing import Final

from texlift.grammar.rule import Rule
from texlift.macros.lexicon import lexicon

__all__ = ["LETTER_LEVELS", "kin", "letter_level", "usual_letters"]

LETTER_LEVELS = 5
"""Degrees of likeness: from 1, nothing alike, to 5, every argument is the letter itself."""

_KINDS: Final = (
    ("n", "m", "k", "j", "l", "\\ell", "h", "N", "M", "K", "r", "i"),
    ("x", "y", "t", "u", "v"),
    ("z", "w", "s", "\\zeta"),
    ("\\nu", "\\mu", "\\alpha", "\\beta", "\\gamma", "\\lambda", "\\kappa", "\\delta"),
    ("a", "b", "c", "d", "p"),
    ("\\theta", "\\phi", "\\psi", "\\varphi"),
    ("\\tau", "\\omega"),
)
_KIND_OF: Final = {letter: number for number, letters in enumerate(_KINDS, 1) for letter in letters}


def kin(label: str) -> int:
    """A number for the kind of quantity a letter usually is: integers, real or complex variables, ...; 0 for none."""
    return _KIND_OF.get(label, 0)


def usual_letters(rule: Rule) -> tuple[tuple[int, str], ...]:
    """Holes of a rule with the letters that the lexicon has for them."""
    macro = lexicon().lookup(rule.name)
    if macro is None or not macro.letters:
        return ()
    shown = rule.shape.arguments[rule.shape.layout[0] :]  # without options
    pairs = zip(shown, macro.letters, strict=False)
    return tuple([(hole, letter) for hole, letter in pairs if isinstance(hole, int) and letter])


def letter_level(points: int, holes: int) -> int:
    """One number for how alike `holes` arguments are that got `points`, three at most for each."""
    return 1 + (LETTER_LEVELS - 1) * points // (3 * holes) + LETTER_LEVELS * (min(holes, 3) - 1)
