r"""What kind of thing each letter of a formula is: said for certain, or likely by how letters are used.

The likely kinds are learnt from a handbook. They are shown, with their probability, and assumed nowhere: code and
checks rely on what is certain (`texlift.meaning.letters`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from texlift.errors import TexliftError
from texlift.latex.parser import parse
from texlift.latex.signatures import generic_signatures
from texlift.meaning.letters import Letter
from texlift.meaning.structure.linear import packaged
from texlift.meaning.structure.uses import features_of, uses_of
from texlift.tuning import READER

__all__ = ["likely_kinds", "with_kinds"]

_LETTERS = frozenset({
    "prime", "set", "matrix", "vector", "polynomial", "sequence", "function", "nonnegative integer", "positive integer",
    "integer", "parameter", "positive", "complex", "real", "variable",
})  # fmt: skip
"""Kinds that a letter left in a formula may be; constants and operators have been recognised before."""

_BY_ROLE = {"index": "integer", "indexed": "sequence"}
_BY_TRAITS = (
    ({"prime"}, "prime"),
    ({"integer", "positive"}, "positive integer"),
    ({"integer", "nonnegative"}, "nonnegative integer"),
    ({"integer"}, "integer"),
    ({"positive"}, "positive"),
    ({"real"}, "real"),
    ({"complex"}, "complex"),
)


def likely_kinds(
    latex: str, context: str = "", beside: Mapping[str, Iterable[str]] | None = None
) -> dict[str, tuple[str, float]]:
    """For each letter of a formula as it is printed: the likeliest kind, and its probability.

    `beside` is how the other formulae of its document use its letters.
    """
    try:
        uses = uses_of(parse(latex, generic_signatures()))
    except TexliftError:
        return {}
    model = packaged("kinds")
    found: dict[str, tuple[str, float]] = {}
    for name in uses:
        shares = model.probabilities(features_of(name, uses, beside, context))
        total = sum(share for kind, share in shares.items() if kind in _LETTERS)
        kind = max(_LETTERS, key=lambda one: (shares.get(one, 0.0), one))
        found[name] = (kind, shares.get(kind, 0.0) / total if total else 0.0)
    return found


def with_kinds(
    letters: Iterable[Letter], latex: str, context: str = "", beside: Mapping[str, Iterable[str]] | None = None
) -> tuple[Letter, ...]:
    """The letters with their kinds: certain ones have the probability 1."""
    likely = likely_kinds(latex, context, beside)
    return tuple(_with_kind(letter, likely) for letter in letters)


def _with_kind(letter: Letter, likely: dict[str, tuple[str, float]]) -> Letter:
    certain = _certain(letter)
    if certain:
        return replace(letter, kind=certain, probability=1.0)
    base = letter.name if letter.name in likely else letter.name.partition("_")[0].rstrip("'")
    kind, share = likely.get(base, ("", 0.0))
    return replace(letter, kind=kind, probability=share) if share >= READER.likely_kind else letter


def _certain(letter: Letter) -> str:
    """The kind that a declaration, a condition or the place of a letter says; empty where they say none."""
    if letter.role not in ("variable", "parameter", "constant"):
        return _BY_ROLE.get(letter.role, letter.role)
    for traits, kind in _BY_TRAITS:
        if traits <= letter.traits:
            return kind
    return letter.role if letter.said.startswith("declared") else ""
