"""Several encoded formulae as one batch: trees side by side, levels for the recursive passes, crossed features."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from texlift.translate.encoding import MENTION_COLUMNS, PLACE_FEATURES, SENTENCE_COLUMNS, TITLE_COLUMN, Encoded

__all__ = ["FEATURE_BITS", "Batch", "Indices", "Level", "collate"]

Indices = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Level:
    """Nodes `start:end`; their children, first the left ones, then the right ones, are the next level."""

    start: int
    end: int
    left: Indices  # (end - start,) child's place in the next level, its size if there is none
    right: Indices
    parents: Indices  # for each node of the next level, its parent's place in this one
    above: Indices  # the same, times two, plus one if it is the parent's right child


@dataclass(slots=True)
class Batch:
    """F formulae with N nodes, P places and C readings in all.

    Nodes are numbered level by level: the children of a level are exactly the next level, first the left ones, then
    the right ones, so a pass over the trees is a pass over slices. Node N stands for a missing one: a row of zeros.
    """

    formulae: int
    labels: Indices  # (N,)
    styles: Indices  # (N,)
    left: Indices  # (N,) number of the left child, N if none
    right: Indices  # (N,)
    levels: list[Level]
    place_node: Indices  # (P,)
    place_formula: Indices  # (P,)
    reading_place: Indices  # (C,)
    reading_rule: Indices  # (C,)
    reading_macro: Indices  # (C,)
    reading_shape: Indices  # (C,)
    reading_nodes: Indices  # (C, 1 + holes)
    place_features: Indices  # (P, ..) hashed, 0 for nothing
    reading_features: Indices  # (C, ..)
    tied: Indices  # readings in order of their ties: those of one tie are the same reading of the same symbol
    tie_offsets: Indices  # (T,)
    tie_weights: NDArray[np.float32]  # (C,) one over the number of readings in the tie
    reading_tie: Indices  # (C,)
    crossed: Indices  # features crossed with rule and macro, all readings one after the other
    crossed_offsets: Indices  # (C,)
    crossed_weights: NDArray[np.float32]
    titles: Indices
    title_offsets: Indices  # (F,)
    title_weights: NDArray[np.float32]
    sentence: Indices
    sentence_offsets: Indices  # (F,)
    sentence_weights: NDArray[np.float32]


def collate(
    formulae: Sequence[Encoded],
    table_bits: int,
    titles: Sequence[bool] | None = None,
    sentences: Sequence[bool] | None = None,
    plain: Sequence[bool] | None = None,
    forget: Callable[[Indices, Indices, Indices], tuple[Indices, Indices]] | None = None,
) -> Batch:
    """One batch.

    In training `titles`, `sentences` say whose context is shown, `plain` whose styles are hidden, and
    `forget(formula, rule, macro)` replaces numbers of rules and macros as if they had never been seen.
    """
    count = len(formulae)
    sizes = np.array([len(f.labels) for f in formulae], np.int64)
    node_offset = _starts(sizes)
    total = int(sizes.sum())
    labels = np.concatenate([f.labels for f in formulae]).astype(np.int64)
    styles = np.concatenate(
        [np.zeros_like(f.styles) if plain is not None and plain[i] else f.styles for i, f in enumerate(formulae)]
    ).astype(np.int64)
    left = _shift([f.left for f in formulae], node_offset, total)
    right = _shift([f.right for f in formulae], node_offset, total)
    number, levels = _levels(left, right, total, node_offset)
    order = np.argsort(number[:total])
    labels, styles = labels[order], styles[order]
    left, right = number[left[order]], number[right[order]]
    place_counts = np.array([len(f.place_node) for f in formulae], np.int64)
    place_offset = _starts(place_counts)
    place_formula = np.repeat(np.arange(count), place_counts)
    place_node = number[np.concatenate([f.place_node for f in formulae]) + node_offset[place_formula]]
    reading_counts = np.array([len(f.reading_place) for f in formulae], np.int64)
    reading_formula = np.repeat(np.arange(count), reading_counts)
    reading_place = np.concatenate([f.reading_place for f in formulae]).astype(np.int64) + place_offset[reading_formula]
    reading_rule = np.concatenate([f.reading_rule for f in formulae]).astype(np.int64)
    reading_macro = np.concatenate([f.reading_macro for f in formulae]).astype(np.int64)
    reading_shape = np.concatenate([f.reading_shape for f in formulae]).astype(np.int64)
    if forget is not None:
        reading_rule, reading_macro = forget(reading_formula, reading_rule, reading_macro)
    nodes = np.concatenate([f.reading_nodes for f in formulae]).astype(np.int64)
    reading_nodes = number[np.where(nodes < 0, total, nodes + node_offset[reading_formula][:, None])]

    place_features = _numbered(np.concatenate([f.place_features for f in formulae]), 1)
    reading_features = _numbered(np.concatenate([f.reading_features for f in formulae]), 1 + PLACE_FEATURES)
    shown_titles = [f.titles if titles is None or titles[i] else f.titles[:0] for i, f in enumerate(formulae)]
    shown_sentences = [
        f.sentence if sentences is None or sentences[i] else f.sentence[:0] for i, f in enumerate(formulae)
    ]
    shown_near = [f.near if sentences is None or sentences[i] else f.near[:0] for i, f in enumerate(formulae)]
    shown_math = [f.math if sentences is None or sentences[i] else f.math[:0] for i, f in enumerate(formulae)]
    if titles is not None:
        reading_features[~np.asarray(titles, bool)[reading_formula], TITLE_COLUMN] = 0
    if sentences is not None:
        unseen = ~np.asarray(sentences, bool)
        for column in SENTENCE_COLUMNS:
            reading_features[unseen[reading_formula], column] = 0
        for column in MENTION_COLUMNS:
            place_features[unseen[place_formula], column] = 0
    if plain is not None:
        hidden = np.asarray(plain, bool)
        for column in _STYLE_COLUMNS:
            place_features[hidden[place_formula], column] = 0
        reading_features[hidden[reading_formula], _EXACT_COLUMN] = 0
    bag_features = [_BAG + f.bag.astype(np.int64) for f in formulae]
    title_features = [_TITLE + words.astype(np.int64) for words in shown_titles]
    sentence_features = [_SENTENCE + words.astype(np.int64) for words in shown_sentences]
    near_features = [_NEAR + words.astype(np.int64) for words in shown_near]
    math_features = [_MATH + words.astype(np.int64) for words in shown_math]
    crossed, offsets, weights = _cross(
        place_features[reading_place] if len(reading_place) else place_features[:0],
        reading_features,
        reading_formula,
        [bag_features, title_features, sentence_features, near_features, math_features],
        (reading_rule, reading_macro + 100_003, reading_shape + 200_003),
        table_bits,
    )
    ties = _ties(formulae, reading_place, place_offset, place_counts)
    title_flat, title_offsets, title_weights = _ragged(shown_titles)
    sentence_flat, sentence_offsets, sentence_weights = _ragged(shown_sentences)
    return Batch(
        count, labels, styles, left, right, levels,
        place_node, place_formula, reading_place, reading_rule, reading_macro, reading_shape, reading_nodes,
        _hashed(place_features), _hashed(reading_features), *ties, crossed, offsets, weights,
        title_flat, title_offsets, title_weights, sentence_flat, sentence_offsets, sentence_weights,
    )  # fmt: skip


def _numbered(values: NDArray[np.int32], first: int) -> Indices:
    """Values as numbers of features: those of column c are (first + c) * 2**_SLOT_BITS + value, 0 for 0."""
    slots = np.arange(first, first + values.shape[1], dtype=np.int64) << _SLOT_BITS
    return np.where(values, values + slots, 0)


_SLOT_BITS = 21

FEATURE_BITS = 14
"""Of the numbers under which the network knows what is seen at a place."""


def _hashed(features: Indices) -> Indices:
    return np.where(features == 0, 0, 1 + _mix(features * 0x9E3779B97F4A7C1) % ((1 << FEATURE_BITS) - 1))


_STYLE_COLUMNS = (1, 16, 20, 23, 27, 30)  # place features that tell how a thing was written
_EXACT_COLUMN = 14  # the reading feature that does
_BAG = 60 << _SLOT_BITS
_TITLE = 61 << _SLOT_BITS
_SENTENCE = 62 << _SLOT_BITS
_NEAR = 63 << _SLOT_BITS
_MATH = 64 << _SLOT_BITS


def _starts(sizes: Indices) -> Indices:
    """Where each part starts if parts of these sizes stand one after the other."""
    return np.cumsum(sizes) - sizes


def _shift(parts: list[NDArray[np.int32]], offsets: Indices, total: int) -> Indices:
    return np.concatenate(
        [np.where(part < 0, total, part + offset) for part, offset in zip(parts, offsets, strict=True)]
    ).astype(np.int64)


def _levels(left: Indices, right: Indices, total: int, roots: Indices) -> tuple[Indices, list[Level]]:
    """New numbers of the nodes (total + 1 of them, the last for a missing node), and the levels."""
    number = np.full(total + 1, total, np.int64)
    levels: list[Level] = []
    level = roots
    start = 0
    while len(level):
        end = start + len(level)
        number[level] = np.arange(start, end)
        has_left = left[level] < total
        has_right = right[level] < total
        lefts = int(has_left.sum())
        size = lefts + int(has_right.sum())
        left_place = np.where(has_left, np.cumsum(has_left) - 1, size)
        right_place = np.where(has_right, lefts + np.cumsum(has_right) - 1, size)
        parents = np.concatenate((np.flatnonzero(has_left), np.flatnonzero(has_right)))
        above = 2 * parents + (np.arange(size) >= lefts)
        levels.append(Level(start, end, left_place, right_place, parents, above))
        level = np.concatenate((left[level][has_left], right[level][has_right]))
        start = end
    return number, levels


def _ties(
    formulae: Sequence[Encoded], reading_place: Indices, place_offset: Indices, place_counts: Indices
) -> tuple[Indices, Indices, NDArray[np.float32], Indices]:
    """Which readings are decided together: the k-th of all places of one group."""
    group = np.concatenate([f.place_group + offset for f, offset in zip(formulae, place_offset, strict=True)])
    first = np.searchsorted(reading_place, np.arange(int(place_counts.sum())))
    within = np.arange(len(reading_place)) - first[reading_place]
    keys = group[reading_place].astype(np.int64) * _MOST_READINGS + within
    _, tie, counts = np.unique(keys, return_inverse=True, return_counts=True)
    order = np.argsort(tie, kind="stable")
    return order, _starts(counts), (1.0 / counts[tie[order]]).astype(np.float32), tie


_MOST_READINGS = 1024  # at one place, more than there can be


def _ragged(parts: Sequence[NDArray[np.int32]]) -> tuple[Indices, Indices, NDArray[np.float32]]:
    """Concatenated parts, where each starts, and weights that make a bag the mean of its members."""
    lengths = np.array([len(part) for part in parts], np.int64)
    flat = np.concatenate(parts).astype(np.int64) if len(parts) else np.zeros(0, np.int64)
    offsets = _starts(lengths)
    weights = np.repeat(1.0 / np.maximum(lengths, 1), lengths).astype(np.float32)
    return flat, offsets, weights


def _cross(
    at_place: Indices,
    of_reading: Indices,
    formula: Indices,
    groups: list[list[Indices]],
    owners: tuple[Indices, ...],
    bits: int,
) -> tuple[Indices, Indices, NDArray[np.float32]]:
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
    offsets = _starts(lengths)
    total = int(lengths.sum())
    features = np.empty(total, np.int64)
    weights = np.ones(total, np.float32)
    at = offsets.copy()
    if readings:
        features[(at[:, None] + np.arange(width)).ravel()] = local.ravel()
        weights[(at[:, None] + np.arange(width)).ravel()] = local.ravel() != 0
    at += width
    for group, sizes in zip(groups, group_lengths, strict=True):
        flat = np.concatenate(group) if group else np.zeros(0, np.int64)
        starts = _starts(sizes)
        per = sizes[formula]
        inside = np.arange(int(per.sum())) - np.repeat(_starts(per), per)
        target = np.repeat(at, per) + inside
        features[target] = flat[np.repeat(starts[formula], per) + inside]
        weights[target] = np.repeat(1.0 / np.sqrt(np.maximum(per, 1)), per)
        at += per
    mask = (1 << bits) - 1
    mixed = features * 0x9E3779B97F4A7C1
    crossed = [_mix(mixed ^ (np.repeat(owner, lengths) * 0xC2B2AE3D27D4EB)) & mask for owner in owners]
    return np.stack(crossed, axis=1).ravel(), len(owners) * offsets, np.repeat(weights, len(owners))


def _mix(values: Indices) -> Indices:
    values = values ^ (values >> 29)
    values = values * 0x1B873593CC9E2D5
    return (values ^ (values >> 32)) & 0x7FFFFFFFFFFFFFFF
