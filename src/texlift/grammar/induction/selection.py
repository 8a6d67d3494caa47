"""Of very many pairs those that teach something: time and memory stay bounded, however long the file is.

What a call prints is not learnt better from more than some hundred pairs. So of a long stream a pair is kept if it has
a command, with so many brackets and braces behind it, that few pairs before it have.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from texlift.errors import FormulaError
from texlift.grammar.induction.callforms import forms_of

__all__ = ["MANY", "Selection", "select"]

Sides = tuple[str, str]

MANY = 60_000
"""Different pairs up to which all are kept, and the most that are ever kept."""
_MOST_USES = 300  # pairs of one form of a command


@dataclass(frozen=True, slots=True)
class Selection:
    """Pairs to learn from, in their order, each once."""

    pairs: list[Sides]
    seen: int  # pairs of the stream, with those that stand there again
    thinned: bool  # whether different pairs were left out

    def __str__(self) -> str:
        if not self.thinned:
            return f"{self.seen:,} pairs, {len(self.pairs):,} of them different"
        return (
            f"{self.seen:,} pairs are many: learning from {len(self.pairs):,} of them, "
            f"up to {_MOST_USES} for each form of a command"
        )


def select(pairs: Iterable[Sides], many: int = MANY, most_uses: int = _MOST_USES) -> Selection:
    """All different pairs of a stream, or, if there are more than `many`, those that few others are like."""
    counted = _Counted(pairs)
    stream = iter(counted)
    kept: dict[Sides, None] = {}
    for pair in stream:
        kept[pair] = None
        if len(kept) > many:
            break
    else:
        return Selection(list(kept), counted.count, False)
    held = list(kept)
    kept.clear()
    uses: Counter[tuple[str, int, int, int]] = Counter()
    for pair in chain(held, stream):
        if pair in kept:
            continue
        try:
            forms = set(forms_of(pair[1]))
        except FormulaError:
            continue
        if any(uses[form] < most_uses for form in forms):
            uses.update(forms)
            kept[pair] = None
            if len(kept) == many:
                break
    for _ in stream:  # counted, no more
        pass
    return Selection(list(kept), counted.count, True)


class _Counted:
    """A stream that knows how many pairs were taken from it."""

    def __init__(self, pairs: Iterable[Sides]) -> None:
        self._pairs = pairs
        self.count = 0

    def __iter__(self) -> Iterator[Sides]:
        for pair in self._pairs:
            self.count += 1
            yield pair
