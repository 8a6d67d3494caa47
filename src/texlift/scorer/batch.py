"""Several encoded formulae as one batch: trees side by side, features hashed and crossed with rule, macro and shape."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from texlift.scorer.encoding import Encoded, ReadingTable
from texlift.scorer.levels import Indices, Trees, starts
from texlift.scorer.schema import MEMORY, PLACE, READING, Schema, Slots

__all__ = ["FEATURE_BITS", "Batch", "Hidden", "collate"]

FEATURE_BITS: Final = 14
"""Of the numbers under which the network knows what is seen at a place."""

_SLOT_BITS: Final = 21  # of a feature's value; the number of the feature stands before them
_BAGS: Final = np.arange(80, 86, dtype=np.int64) << _SLOT_BITS  # labels, titles, sentence, near, math, whole titles
_MOST_OWNERS: Final = 1 << 20  # rules, macros and shapes together
_MOST_READINGS: Final = 1024  # at one place, more than there can be
_FEATURE_FACTOR: Final = 0x9E3779B97F4A7C1
_OWNER_FACTOR: Final = 0xC2B2AE3D27D4EB
_BLOCK: Final = 8192
_SILENCE: Final = PLACE.column("length without context")
_LONG: Final = 6  # nodes from which on a formula without context is just long

Forget = Callable[[Indices, Indices, Indices], tuple[Indices, Indices]]
"""forget(formula, rule, macro): numbers of rules and macros, some of them as if they had never been seen."""


@dataclass(frozen=True, slots=True)
class Hidden:
    """What training hides from each formula: its titles, its sentence, how it is written; and what it forgets."""

    titles: NDArray[np.bool_]  # (F,)
    sentences: NDArray[np.bool_]  # (F,)
    writing: NDArray[np.bool_]  # (F,)
    forget: Forget


@dataclass(frozen=True, slots=True, eq=False)
class Bag:
    """The words of F formulae, with weights that make a bag the mean of its members."""

    words: Indices
    offsets: Indices  # (F,)
    weights: NDArray[np.float32]

    @staticmethod
    def of(parts: Sequence[NDArray[np.int32]]) -> Bag:
        lengths = np.array([len(part) for part in parts], np.int64)
        flat = np.concatenate(parts).astype(np.int64)
        return Bag(flat, starts(lengths), (1.0 / np.maximum(lengths, 1)).repeat(lengths).astype(np.float32))


@dataclass(frozen=True, slots=True, eq=False)
class Ties:
    """Readings that are decided together: the same reading of the same symbol at several places of a formula."""

    order: Indices  # (C,) readings, those of one tie together
    offsets: Indices  # (T,)
    weights: NDArray[np.float32]  # (C,) one over the number of readings in the tie
    of_reading: Indices  # (C,)


@dataclass(frozen=True, slots=True, eq=False)
class Crossed:
    """Features crossed with rule, macro and shape, hashed into the linear table, in bags."""

    features: Indices
    offsets: Indices  # (bags,)
    weights: NDArray[np.float32]
    of_reading: Indices | None  # (C, ..) the bags of a reading; None: one bag for each reading


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """F formulae with P places and C readings in all."""

    trees: Trees
    place_node: Indices  # (P,)
    place_subtree: Indices  # (P,)
    place_formula: Indices  # (P,)
    place_features: Indices  # (P, PLACE) hashed, 0 for nothing
    reading_place: Indices  # (C,)
    reading_rule: Indices  # (C,)
    reading_macro: Indices  # (C,)
    reading_shape: Indices  # (C,)
    reading_subtrees: Indices  # (C, 1 + holes): behind the end, and where the holes start
    reading_features: Indices  # (C, READING)
    end_node: Indices  # (C,) behind the end
    ties: Ties
    crossed: Crossed
    titles: Bag
    sentence: Bag

    def merged(self) -> Batch:
        """The same with equal subtrees computed once, and from above only what is asked for: for translating."""
        trees, number, row = self.trees.merged((self.place_node, self.end_node))
        return replace(
            self,
            trees=trees,
            place_node=number[self.place_node],
            end_node=number[self.end_node],
            place_subtree=row[self.place_subtree],
            reading_subtrees=row[self.reading_subtrees],
        )


def collate(
    formulae: Sequence[Encoded],
    slots: Slots,
    table_bits: int,
    memory: NDArray[np.int32] | None = None,
    hidden: Hidden | None = None,
) -> Batch:
    """One batch.

    `memory` is what other formulae make of the symbols, see `Memory.columns`; without it the formulae have it already.
    `hidden` is for training. There, each reading has a bag of features of its own, so that a feature can be hidden from
    one reading alone; otherwise what readings of a formula have in common is crossed once, in half the time.
    """
    count = len(formulae)
    sizes = np.array([f.tree.nodes.shape[1] for f in formulae], np.int64)
    styles = np.concatenate([f.tree.nodes[1] for f in formulae]).astype(np.int64)
    if hidden is not None:
        styles[np.repeat(hidden.writing, sizes)] = 0
    trees, number = Trees.of([f.tree for f in formulae], styles)
    place_counts = np.array([f.places.numbers.shape[1] for f in formulae], np.int64)
    place_offset = starts(place_counts)
    place_formula = np.arange(count).repeat(place_counts)
    place_node, group = np.concatenate([f.places.numbers for f in formulae], axis=1).astype(np.int64)
    place_node = number[place_node + starts(sizes)[place_formula]]
    readings = ReadingTable([f.readings for f in formulae])
    reading_formula = np.arange(count).repeat([len(f.readings.numbers) for f in formulae])
    reading_place = readings.place + place_offset[reading_formula]
    rule, macro, shape = readings.rule, readings.macro, readings.shape
    if hidden is not None:
        rule, macro = hidden.forget(reading_formula, rule, macro)
    nodes = readings.nodes
    nodes = number[np.where(nodes < 0, int(sizes.sum()), nodes + starts(sizes)[reading_formula][:, None])]
    place_seen = np.concatenate([f.places.features for f in formulae])
    reading_seen = readings.features
    if memory is None and all(f.readings.memory is not None for f in formulae):
        memory = np.concatenate([f.readings.memory for f in formulae])
    if memory is not None:
        reading_seen[:, MEMORY] = memory
    words = _Words(formulae, hidden)
    # a letter that is all there is, without any context, is judged apart: names are learnt in their context
    place_seen[:, _SILENCE] = np.where(words.silent, 1 + np.minimum(sizes, _LONG), 0)[place_formula]
    if hidden is not None:
        _hide(place_seen, place_formula, PLACE, hidden)
        _hide(reading_seen, reading_formula, READING, hidden)
    place_features = _numbered(place_seen, slots.place)
    reading_features = _numbered(reading_seen, slots.reading)
    crossed = (_cross_shared if hidden is None else _cross)(
        place_features[reading_place],
        reading_features,
        reading_formula,
        words.bags,
        (rule, macro + 100_003, shape + 200_003),
        table_bits,
    )
    return Batch(
        trees=trees,
        place_node=place_node,
        place_subtree=place_node,
        place_formula=place_formula,
        place_features=_hashed(place_features),
        reading_place=reading_place,
        reading_rule=rule,
        reading_macro=macro,
        reading_shape=shape,
        reading_subtrees=nodes,
        reading_features=_hashed(reading_features),
        end_node=nodes[:, 0],
        ties=_ties(group + place_offset[place_formula], reading_place),
        crossed=crossed,
        titles=Bag.of(words.titles),
        sentence=Bag.of(words.sentences),
    )


class _Words:
    """The words of some formulae, without those that training hides."""

    def __init__(self, formulae: Sequence[Encoded], hidden: Hidden | None) -> None:
        titled = [True] * len(formulae) if hidden is None else (~hidden.titles).tolist()
        said = [True] * len(formulae) if hidden is None else (~hidden.sentences).tolist()

        def shown(name: str, seen: list[bool]) -> list[NDArray[np.int32]]:
            return [
                getattr(f.words, name) if show else getattr(f.words, name)[:0]
                for f, show in zip(formulae, seen, strict=True)
            ]

        self.titles, self.sentences = shown("titles", titled), shown("sentence", said)
        self.silent = np.array([not len(t) and not len(s) for t, s in zip(self.titles, self.sentences, strict=True)])
        self.bags = [
            [f.symbols.labels for f in formulae],
            self.titles,
            self.sentences,
            shown("near", said),
            shown("math", said),
            shown("whole", titled),
        ]


def _hide(seen: NDArray[np.int32], of_formula: Indices, schema: Schema, hidden: Hidden) -> None:
    """Remove the features of what is hidden."""
    for some, groups in (
        (hidden.titles, ("titles", "chapter", "section")),
        (hidden.sentences, ("sentence",)),
        (hidden.writing, ("writing",)),
    ):
        rows = some[of_formula].nonzero()[0]
        for column in schema.columns(*groups):
            seen[rows, column] = 0


def _numbered(values: NDArray[np.int32], slots: Indices) -> Indices:
    """Values as numbers of features: those of a feature are its slot * 2**_SLOT_BITS + value, 0 for 0."""
    shown = values if slots.all() else values * (slots != 0)
    return np.where(shown, values + (slots << _SLOT_BITS), 0)


def _ties(group: Indices, reading_place: Indices) -> Ties:
    """Which readings are decided together: the k-th of all places of one group."""
    first = reading_place.searchsorted(np.arange(len(group)))
    within = np.arange(len(reading_place)) - first[reading_place]
    keys = group[reading_place] * _MOST_READINGS + within
    _, tie, counts = np.unique(keys, return_inverse=True, return_counts=True)
    order = tie.argsort(kind="stable")
    return Ties(order, starts(counts), (1.0 / counts[tie[order]]).astype(np.float32), tie)


def _hashed(features: Indices) -> Indices:
    """Features under the numbers that the network knows, 0 for 0."""
    return np.where(features == 0, 0, 1 + _mixed(features * _FEATURE_FACTOR, 63) % ((1 << FEATURE_BITS) - 1))


def _cross(
    at_place: Indices,
    of_reading: Indices,
    formula: Indices,
    groups: list[list[NDArray[np.int32]]],
    owners: tuple[Indices, ...],
    bits: int,
) -> Crossed:
    """Every feature of a reading, crossed with its rule, its macro and its shape, hashed into the table.

    Features of the formula (labels in it, words of the context) are weighted by one over the root of their number.
    """
    readings = len(formula)
    local = np.concatenate((at_place, of_reading), axis=1)  # (C, L)
    width = local.shape[1]
    lengths = np.full(readings, width, np.int64)
    group_lengths = []
    for group in groups:
        sizes = np.array([len(part) for part in group], np.int64)
        group_lengths.append(sizes)
        lengths += sizes[formula]
    offsets = starts(lengths)
    total = int(lengths.sum())
    features = np.empty(total, np.int64)
    weights = np.ones(total, np.float32)
    at = offsets.copy()
    if readings:
        features[(at[:, None] + np.arange(width)).ravel()] = local.ravel()
        weights[(at[:, None] + np.arange(width)).ravel()] = local.ravel() != 0
    at += width
    for group, sizes, slot in zip(groups, group_lengths, _BAGS, strict=True):
        flat = slot + np.concatenate(group) if group else np.zeros(0, np.int64)
        first = starts(sizes)
        per = sizes[formula]
        inside = np.arange(int(per.sum())) - np.repeat(starts(per), per)
        target = np.repeat(at, per) + inside
        features[target] = flat[np.repeat(first[formula], per) + inside]
        weights[target] = np.repeat(1.0 / np.sqrt(np.maximum(per, 1)), per)
        at += per
    crossed = [_crossed(features, np.repeat(owner, lengths), bits) for owner in owners]
    return Crossed(np.stack(crossed, axis=1).ravel(), len(owners) * offsets, np.repeat(weights, len(owners)), None)


def _cross_shared(
    at_place: Indices,
    of_reading: Indices,
    formula: Indices,
    groups: list[list[NDArray[np.int32]]],
    owners: tuple[Indices, ...],
    bits: int,
) -> Crossed:
    """The same as `_cross` in several bags: for each owner what is seen at the place, and what the formula shows.

    Several readings of a formula have the same macro or shape, and those of the same symbol the same rule.
    """
    readings = len(formula)
    local = np.concatenate((at_place, of_reading), axis=1)  # (C, L)
    shown = local != 0
    width = np.count_nonzero(shown, axis=1)
    seen = local[shown]
    seen *= _FEATURE_FACTOR
    first = starts(width)
    # features of each formula, all groups together, and the pairs of a formula and an owner
    pieces = [part for own in zip(*groups, strict=True) for part in own]
    lengths = np.array([len(part) for part in pieces], np.int64)
    flat = np.concatenate(pieces) + np.tile(_BAGS, len(groups[0])).repeat(lengths)
    weights = (1.0 / np.sqrt(np.maximum(lengths, 1))).astype(np.float32).repeat(lengths)
    sizes = lengths.reshape(-1, len(groups)).sum(1)
    keys = np.concatenate([formula * _MOST_OWNERS + owner for owner in owners])
    pairs, bag = np.unique(keys, return_inverse=True)
    of_formula, owner = np.divmod(pairs, _MOST_OWNERS)
    per = sizes[of_formula]
    where = np.arange(int(per.sum())) + (starts(sizes)[of_formula] - starts(per)).repeat(per)
    flat *= _FEATURE_FACTOR
    count = len(owners)
    crossed = np.empty(count * len(seen) + len(where), np.int64)
    for k, of_reading_owner in enumerate(owners):
        own_part = crossed[k * len(seen) : (k + 1) * len(seen)]
        np.bitwise_xor(seen, (of_reading_owner * _OWNER_FACTOR).repeat(width), out=own_part)
    np.bitwise_xor(flat[where], (owner * _OWNER_FACTOR).repeat(per), out=crossed[count * len(seen) :])
    crossed_weights = np.ones(len(crossed), np.float32)
    crossed_weights[count * len(seen) :] = weights[where]
    offsets = [first + k * len(seen) for k in range(count)] + [starts(per) + count * len(seen)]
    own = np.arange(count * readings).reshape(count, readings)
    return Crossed(
        _mixed(crossed, bits),
        np.concatenate(offsets),
        crossed_weights,
        np.concatenate((own, count * readings + bag.reshape(count, readings))).T,
    )


def _crossed(features: Indices, owner: Indices, bits: int) -> Indices:
    """Places in the linear table of features, each crossed with an owner."""
    return _mixed((features * _FEATURE_FACTOR) ^ (owner * _OWNER_FACTOR), bits)


def _mixed(values: Indices, bits: int) -> Indices:
    """The last `bits` of values after mixing, in place, and in blocks that fit into the processor's cache."""
    for at in range(0, len(values), _BLOCK):
        some = values[at : at + _BLOCK]
        some ^= some >> 29
        some *= 0x1B873593CC9E2D5
        some ^= some >> 32
        some &= (1 << bits) - 1
    return values
