"""The handbook: pairs of common mathematics that every training sees beside its own pairs.

A corpus of one source knows one source's letters. The handbook has most macros of the lexicon in formulae as books have
them, and formulae of other sciences in which the same letters are letters: `\\psi(x,t)` is a wave function. Its parts
hold no formula of the DLMF's corpus; the pairs of the demo corpus, which are given with them, share some with it.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.resources import as_file, files

from texlift.corpus.demo import demo_pairs
from texlift.corpus.jsonl import read_pairs
from texlift.corpus.pair import Pair
from texlift.errors import FormulaError
from texlift.latex.canonical import canonical_key

__all__ = ["handbook_pairs"]

_PARTS = (
    "elementary",
    "gamma",
    "bessel",
    "hypergeometric",
    "polynomials",
    "elliptic",
    "numbers",
    "everyday",
    "statements",
    "arithmetic",
    "bessel_sections",
    "hypergeometric_sections",
    "polynomials_sections",
    "elliptic_sections",
    "gamma_sections",
    "numbers_sections",
    "methods_sections",
    "science_sections",
    "products",
)


@cache
def _all() -> tuple[Pair, ...]:
    found = [*demo_pairs()]
    for part in _PARTS:
        with as_file(files("texlift.corpus").joinpath("handbook_parts", f"{part}.jsonl")) as path:
            found += read_pairs(path)
    return tuple(found)


def handbook_pairs(unseen: Iterable[str] = ()) -> list[Pair]:
    """The pairs, those of the demo corpus among them, but none whose formula is one of the `unseen`."""
    held_out = {_key(generic) for generic in unseen}
    return [pair for pair in _all() if _key(pair.generic) not in held_out]


def _key(generic: str) -> str:
    try:
        return canonical_key(generic)
    except FormulaError:
        return generic
