"""Another reading of fractions in parentheses: Legendre and Jacobi symbols."""

from __future__ import annotations

import re
from dataclasses import replace

from texlift.meaning.tree import Apply, Expression, Number, Symbol, free_symbols, rebuild
from texlift.verify.statement import Claim

__all__ = ["with_residue_symbols"]

_BEFORE = re.compile(r"(?:\\(?:left|big|Big|bigg|Bigg)[lr]?\s*)?\(\s*$")
_BEHIND = re.compile(r"\s*(?:\\(?:right|big|Big|bigg|Bigg)[lr]?\s*)?\)")


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
