"""What an encoded formula is: arrays of numbers for its tree, its places and their readings."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from struct import Struct
from typing import Final

import numpy as np
from numpy.typing import NDArray

from texlift.context.exactness import EXACT
from texlift.context.style import NO_WRITING, Writing
from texlift.grammar.match import Match
from texlift.latex.canonical import Row

__all__ = [
    "BEST_MATCH",
    "CONVENTION_COLUMNS",
    "EXACT_COLUMN",
    "HOLE_SLOTS",
    "LEFT_SYMBOL",
    "LETTER_COLUMN",
    "PLACE_FEATURES",
    "PRIMES",
    "READING_FEATURES",
    "SEPARATORS",
    "SEPARATOR_COLUMN",
    "SILENCE_COLUMN",
    "SUB",
    "SUPER",
    "Encoded",
    "Ints",
    "Place",
    "Sketch",
    "first_reading",
    "is_separated",
    "packed",
    "print_level",
]

Ints = NDArray[np.int32]

HOLE_SLOTS: Final = 3
"""Holes whose contents the network sees; later ones only through the features."""

PLACE_FEATURES: Final = 33
SUB, SUPER, PRIMES = 10, 12, 15  # place features: what the scripts start with, 0 for none; how many primes, from 1
BEST_MATCH: Final = 30  # the place feature that tells how nearly a macro would print what stands there
SILENCE_COLUMN: Final = 32  # the place feature that tells how long a formula is about which nothing is said
READING_FEATURES: Final = 35
SEPARATOR_COLUMN: Final = 12  # the reading feature that counts commas, bars and fences inside the arguments
SEPARATORS: Final = 12  # its values from 1: so many kinds of commas and bars, then fences
EXACT_COLUMN: Final = 14  # the reading feature that tells how nearly the macro would print what stands there
LEFT_SYMBOL: Final = 8  # in it, added to the writer's habit: `\\left` stands even around a symbol
LETTER_COLUMN: Final = 19  # whether the arguments are the letters that the macro is defined with
CONVENTION_COLUMNS: Final = slice(20, 35)  # what other formulae make of the symbol, see `conventions`


def packed(values: list[int]) -> Ints:
    """Numbers as an array, which is not to be written to: `np.array` takes twice as long for a hundred of them."""
    return np.frombuffer(_packer(len(values))(*values), np.int32)


@lru_cache(maxsize=2048)
def _packer(count: int) -> Callable[..., bytes]:
    return Struct(f"{count}i").pack


@dataclass(slots=True, eq=False)
class Place:
    """A place with a choice: its readings are the literal one, then `matches` in order."""

    row: Row
    position: int
    matches: list[Match]


@dataclass(slots=True)
class Encoded:
    """One formula as arrays. N nodes, P places, C readings."""

    labels: Ints  # (N,)
    styles: Ints  # (N,)
    left: Ints  # (N,) node number or -1
    right: Ints  # (N,)
    places: list[Place]
    place_node: Ints  # (P,)
    place_features: Ints  # (P, PLACE_FEATURES), 0 for an absent one
    reading_place: Ints  # (C,)
    reading_rule: Ints  # (C,)
    reading_macro: Ints  # (C,)
    reading_shape: Ints  # (C,)
    reading_nodes: Ints  # (C, 1 + HOLE_SLOTS): node behind the end, nodes where the holes start; -1 for none
    reading_features: Ints  # (C, READING_FEATURES)
    bag: Ints  # labels that occur in the formula
    titles: Ints  # words of the titles
    whole: Ints  # entire titles
    sentence: Ints  # words around
    near: Ints  # words next to the formula, hashed
    math: Ints  # symbols of the sentence's other formulae, hashed
    place_group: Ints  # (P,) places of one group have the same symbol and readings: one decision for all of them
    depth: Ints  # (N,) steps from the root
    where: dict[tuple[int, int], int]  # (id(row), position) -> the place
    place_keys: NDArray[np.int64]  # (P, 3) under which the table of conventions has a place's symbol
    reading_keys: NDArray[np.int64]  # (C, 3) and its readings
    reading_fenced: Ints  # (C,) what stands in plain parentheses where the macro prints `\\left(`; 0: it does not
    reading_words: list[tuple[int, str]]  # readings whose macro prints a word in a font that the source does not have
    writing: Writing  # how its writer writes, in the formula and in the sentence
    elsewhere: Writing = NO_WRITING  # and in other formulae under the same titles
    typed: Writing = NO_WRITING  # how the formula itself is typed, if formulae come together
    context_keys: tuple[int, int, int, int] = (
        0,
        0,
        0,
        0,
    )  # titles and sentence in the table of conventions; 0 for none
    agreeing: NDArray[np.float32] | None = None  # (C, 3) how many other formulae agree with a reading, see `agreement`


def first_reading(formula: Encoded, place: int) -> int:
    """The number of a place's first reading, the literal one."""
    return bisect_left(formula.reading_place, place)  # of the few readings of a formula: NumPy takes longer


def print_level(formula: Encoded, place: int, reading: int) -> int:
    """How nearly a reading of a place prints the source, see `exactness`."""
    at = first_reading(formula, place) + reading
    return (int(formula.reading_features[at, EXACT_COLUMN]) - 1) % (EXACT + 1)


def is_separated(*formulae: Encoded) -> NDArray[np.bool_]:
    """(C,): readings with a comma, semicolon or bar inside an argument; those of some formulae one after the other."""
    seen = np.concatenate([formula.reading_features[:, SEPARATOR_COLUMN] for formula in formulae])
    separated: NDArray[np.bool_] = (seen - 1) % SEPARATORS > 0
    return separated & (seen > 0)


@dataclass(frozen=True, slots=True)
class Sketch:
    """A formula without a context: most of the work, done once however often the formula comes up."""

    formula: Encoded
    names: list[str]  # macros of its readings
    reading_name: Ints  # (C,) number of the macro, -1 for the literal reading
    kinds: list[int]  # how the symbol of each place is written, see `_elsewhere`
    exact: Ints  # (P,) how nearly a macro would print what stands at each place
