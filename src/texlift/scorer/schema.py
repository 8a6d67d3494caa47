"""Every feature of the scorer by name, with the group it belongs to.

A feature of a place says what is seen there, one of a reading how a rule would read it. Columns are computed from the
order below. A model saves the names it was trained with; the number under which a feature's values are hashed is its
place in that list, so a feature may be dropped or added without disturbing the others. A model that was trained before
a feature was added is read with that feature switched off.

Groups are what training hides together: `writing` from a formula whose style it should not see, `titles` and `sentence`
where a context is hidden, `section` where a formula is shown as if its section were a new one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from texlift.context.memory import COLUMNS, LIKELY_COLUMNS
from texlift.errors import TexliftError

__all__ = ["HOLE_SLOTS", "LIKELY", "MEMORY", "PLACE", "READING", "Feature", "Schema", "Slots"]

HOLE_SLOTS: Final = 3
"""Holes whose contents the network sees; later ones only count."""


@dataclass(frozen=True, slots=True)
class Feature:
    """A feature: its name, and the group with which it is hidden in training ("" for never)."""

    name: str
    group: str = ""


class Schema:
    """Features in order."""

    __slots__ = ("_columns", "features")

    def __init__(self, features: Iterable[Feature]) -> None:
        self.features = tuple(features)
        self._columns = {feature.name: column for column, feature in enumerate(self.features)}
        if len(self._columns) != len(self.features):
            raise ValueError("two features of one name")

    def __len__(self) -> int:
        return len(self.features)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._columns)

    def column(self, name: str) -> int:
        """The column of a feature; KeyError if there is none of that name."""
        return self._columns[name]

    def columns(self, *groups: str) -> list[int]:
        """The columns of all features of some groups."""
        return [column for column, feature in enumerate(self.features) if feature.group in groups]

    def span(self, names: Sequence[str]) -> slice:
        """The columns of features that stand one after the other."""
        first = self.column(names[0])
        if self.names[first : first + len(names)] != tuple(names):
            raise ValueError("these features do not stand together")
        return slice(first, first + len(names))


PLACE: Final = Schema(
    (
        Feature("always"),
        Feature("style", "writing"),
        Feature("previous"),
        Feature("following"),
        Feature("before previous"),
        Feature("behind following"),
        Feature("previous and following"),
        Feature("parent"),
        Feature("grandparent"),
        Feature("position and length"),
        Feature("subscript starts with"),
        Feature("subscript length"),
        Feature("superscript starts with"),
        Feature("superscript length"),
        Feature("subscript's first two"),
        Feature("primes"),
        Feature("brackets behind", "writing"),
        Feature("separators in brackets"),
        Feature("brackets start with"),
        Feature("length of brackets"),
        Feature("spaces", "writing"),
        Feature("parent and previous"),
        Feature("constants asked for"),
        Feature("habits and brackets", "writing"),
        Feature("separators inside"),
        Feature("first row starts with"),
        Feature("second row starts with"),
        Feature("scripts as written", "writing"),
        Feature("elsewhere in the formula"),
        Feature("in the sentence", "sentence"),
        Feature("best print", "writing"),
        Feature("best print and author's brackets", "sentence"),
        Feature("length without context"),
    )
)
"""What is seen at a place."""


def _memory(name: str) -> Feature:
    scope = name.partition(",")[0]
    return Feature(name, scope if scope in ("chapter", "section", "titles", "sentence") else "")


READING: Final = Schema(
    (
        Feature("behind"),
        Feature("last"),
        Feature("length"),
        Feature("scripts and trailing"),
        *(Feature(f"hole {hole} {what}") for hole in range(HOLE_SLOTS) for what in ("starts with", "length")),
        Feature("last and behind"),
        Feature("holes"),
        Feature("separators in holes"),
        Feature("scripts"),
        Feature("print", "writing"),
        Feature("overlap with titles", "titles"),
        Feature("overlap with sentence", "sentence"),
        Feature("overlap with words beside", "sentence"),
        Feature("overlap with words beside the symbol", "sentence"),
        *map(_memory, COLUMNS),
    )
)
"""How a rule would read a place, and what the passage and memory say of it."""

MEMORY: Final = READING.span(COLUMNS)
LIKELY: Final = READING.span(LIKELY_COLUMNS)


@dataclass(frozen=True, slots=True, eq=False)
class Slots:
    """The numbers under which a model hashes the values of features; 0 for one that is switched off."""

    place: NDArray[np.int64]  # (PLACE,)
    reading: NDArray[np.int64]  # (READING,)
    place_names: tuple[str, ...]  # features that the model was trained with, also those dropped since, in its order
    reading_names: tuple[str, ...]

    @staticmethod
    def of(place: Sequence[str] = PLACE.names, reading: Sequence[str] = READING.names) -> Slots:
        """Those of a model that was trained with features of these names, in this order; newer ones are off."""
        known = {name: number for number, name in enumerate(place, 1)}
        further = {name: number for number, name in enumerate(reading, 1 + len(place))}
        return Slots(
            np.array([known.get(name, 0) for name in PLACE.names], np.int64),
            np.array([further.get(name, 0) for name in READING.names], np.int64),
            tuple(place),
            tuple(reading),
        )

    @property
    def untrained(self) -> tuple[str, ...]:
        """Features that the model was trained without."""
        known = (PLACE, self.place_names), (READING, self.reading_names)
        return tuple(name for schema, names in known for name in schema.names if name not in names)

    def without(self, *names: str) -> Slots:
        """The same with some features switched off, to see what they are worth."""
        if unknown := set(names) - {*PLACE.names, *READING.names}:
            raise TexliftError(f"no such features: {', '.join(sorted(unknown))}")
        off = [np.array([name in names for name in schema.names]) for schema in (PLACE, READING)]
        return replace(self, place=np.where(off[0], 0, self.place), reading=np.where(off[1], 0, self.reading))
