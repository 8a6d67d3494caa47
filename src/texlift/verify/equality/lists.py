"""Several things on either side: in order, or in any order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from texlift.verify.equality.result import Equality, different, equal_because, undecided

__all__ = ["MOST_ITEMS", "in_any_order", "in_order"]

MOST_ITEMS = 40
"""Longest list that is compared."""

Item = TypeVar("Item")
Same = Callable[[Item, Item], Equality]


def in_order(a: Sequence[Item], b: Sequence[Item], same: Same[Item]) -> Equality:
    """Equal entry by entry."""
    if len(a) != len(b):
        return different(f"{len(a)} and {len(b)} entries", {"a": len(a), "b": len(b)})
    open_reason = ""
    for index, (one, other) in enumerate(zip(a, b, strict=True)):
        found = same(one, other)
        if found.verdict == "different":
            return Equality("different", f"entry {index + 1}: {found.reason}", found.counterexample)
        open_reason = open_reason or (found.reason if found.verdict == "undecided" else "")
    return undecided(open_reason) if open_reason else equal_because("equal entry by entry")


def in_any_order(a: Sequence[Item], b: Sequence[Item], same: Same[Item]) -> Equality:
    """Each has an equal partner on the other side."""
    open_reason = ""
    for mine, others, which in ((a, b, "the first"), (b, a, "the second")):
        for index, one in enumerate(mine):
            results = []
            for other in others:
                results.append(same(one, other))
                if results[-1].is_equal:
                    break
            if any(found.is_equal for found in results):
                continue
            doubtful = next((found for found in results if found.verdict == "undecided"), None)
            if doubtful is None:
                example = next((found.counterexample for found in results if found.counterexample), None)
                sides = {"entry": index + 1, "in": which, "differs from": len(others)}
                return different(f"entry {index + 1} of {which} is missing in the other", example or sides)
            open_reason = open_reason or doubtful.reason
    return undecided(open_reason) if open_reason else equal_because("the same members")
