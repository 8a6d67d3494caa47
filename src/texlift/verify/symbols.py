"""Legendre symbols: the primes below them, and fractions in parentheses that may be some."""

from __future__ import annotations

import re
from dataclasses import replace

from texlift.meaning.tree import Apply, Expression, Number, Symbol, free_symbols, rebuild, walk
from texlift.verify.statement import Claim

__all__ = ["primes_below", "with_residue_symbols"]

_BEFORE = re.compile(r"(?:\\(?:left|big|Big|bigg|Bigg)[lr]?\s*)?\(\s*$")
_BEHIND = re.compile(r"\s*(?:\\(?:right|big|Big|bigg|Bigg)[lr]?\s*)?\)")


def primes_below(claim: Claim) -> list[str]:
    """The letters below Legendre symbols, which are odd primes, and different ones, if nobody says otherwise."""
    sides = (side for one in claim.comparisons for side in (one.left, one.right))
    symbols = (part for side in sides for part in walk(side) if isinstance(part, Apply) and part.head == "legendre")
    below = (part.arguments[1] for part in symbols)
    return list(dict.fromkeys(letter.name for letter in below if isinstance(letter, Symbol)))


def with_residue_symbols(claim: Claim, source: str) -> Claim | None:
    """The claim with its parenthesised fractions as Legendre symbols; None where there are none.

    Above and below must be letters or integers, at least one a letter: (p/q), (a/p), (-1/p), (2/p).
    """
    found = False

    def change(node: Expression) -> Expression:
        nonlocal found
        if isinstance(node, Apply) and node.head == "divide" and _parenthesised(node, source):
            above, below = node.arguments
            if _integral(above) and _integral(below) and isinstance(below, Symbol):
                found = True
                return Apply(r"\Legendresym", (above, below), node.span)
        return rebuild(node, change)

    comparisons = tuple(
        replace(comparison, left=change(comparison.left), right=change(comparison.right))
        for comparison in claim.comparisons
    )
    return replace(claim, comparisons=comparisons) if found else None


def _parenthesised(node: Apply, source: str) -> bool:
    start, end = node.span
    return bool(_BEFORE.search(source[:start]) and _BEHIND.match(source[end:]))


def _integral(node: Expression) -> bool:
    """Letters and integers, with signs, sums and products between them."""
    if isinstance(node, Number):
        return node.value.isdigit()
    if isinstance(node, Apply):
        return node.head in ("negate", "times", "plus") and all(_integral(part) for part in node.arguments)
    return isinstance(node, Symbol) and bool(free_symbols(node))
