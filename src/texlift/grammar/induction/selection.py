"""Of very many pairs those that teach something: time and memory stay bounded, however long the file is.

What a call prints is not learnt better from more than some hundred pairs. So of a long stream a pair is kept if it has
a command, with so many brackets and braces behind it, that few pairs before it have.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

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
    most_uses: int | None = None  # of each form of a command; None if no pair was left out

    @property
    def thinned(self) -> bool:
        """Whether different pairs were left out."""
        return self.most_uses is not None

    def __str__(self) -> str:
        if not self.thinned:
            return f"{self.seen:,} pairs, {len(self.pairs):,} of them different"
        return (
            f"{self.seen:,} pairs are many: learning from {len(self.pairs):,} of them, "
            f"up to {self.most_uses} for each form of a command"
        )


def select(pairs: Iterable[Sides], many: int = MANY, most_uses: int = _MOST_USES) -> Selection:
    """All different pairs of a stream, or, if there are more than `many`, those that few others are like.

    If those are too many as well, fewer are kept of each form; at last one of each form, the first `many`.
    """
    every: dict[Sides, None] = {}
    some: _Thinned | None = None
    seen = 0
    for pair in pairs:
        seen += 1
        if some is not None:
            some.add(pair)
        else:
            every[pair] = None
            if len(every) > many:
                some = _Thinned(every, many, most_uses)
                every = {}
    return Selection(list(every), seen) if some is None else Selection(list(some.kept), seen, some.most_uses)


class _Thinned:
    """Pairs of which each has a form of a command that fewer than `most_uses` pairs before it have."""

    def __init__(self, pairs: Iterable[Sides], many: int, most_uses: int) -> None:
        self.many = many
        self.most_uses = most_uses
        self.kept: dict[Sides, None] = {}
        self.uses: Counter[tuple[str, int, int, int]] = Counter()
        for pair in pairs:
            self.add(pair)

    def add(self, pair: Sides) -> None:
        """Keep a pair, if it teaches something."""
        if pair in self.kept:
            return
        try:
            forms = set(forms_of(pair[1]))
        except FormulaError:
            return
        if all(self.uses[form] >= self.most_uses for form in forms):
            return
        if len(self.kept) == self.many:
            self._thin()
            if len(self.kept) == self.many or all(self.uses[form] >= self.most_uses for form in forms):
                return
        self.kept[pair] = None
        self.uses.update(forms)

    def _thin(self) -> None:
        """Fewer of each form."""
        while len(self.kept) == self.many and self.most_uses > 1:
            fewer = _Thinned(self.kept, self.many, self.most_uses // 2)
            self.kept, self.uses, self.most_uses = fewer.kept, fewer.uses, fewer.most_uses
