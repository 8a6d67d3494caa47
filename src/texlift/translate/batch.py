"""Several encoded formulae as one batch: trees side by side, levels for the recursive passes, crossed features."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from texlift.translate.encoding import SENTENCE_COLUMN, TITLE_COLUMN, Encoded

__all__ = ["Batch", "Level", "collate"]

Indices = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Level:
    """Nodes `start:end`; their children are nodes `end:end + lefts` and `end + lefts:` of the next level."""

    start: int
    end: int
    left: Indices  # (end - start,) child's place in the next level, its size if there is none
    right: Indices
    lefts: int
    parents: Indices  # for each node of the next level, its parent's place in this one


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

    place_features = np.concatenate([f.place_features for f in formulae]).astype(np.int64)
    reading_features = np.concatenate([f.reading_features for f in formulae]).astype(np.int64)
    shown_titles = [f.titles if titles is None or titles[i] else f.titles[:0] for i, f in enumerate(formulae)]
    shown_sentences = [
        f.sentence if sentences is None or sentences[i] else f.sentence[:0] for i, f in enumerate(formulae)
    ]
    for column, shown in ((TITLE_COLUMN, titles), (SENTENCE_COLUMN, sentences)):
        if shown is not None:
            reading_features[~np.asarray(shown, bool)[reading_formula], column] = 0
    if plain is not None:
        hidden = np.asarray(plain, bool)[place_formula]
        for column in _STYLE_COLUMNS:
            place_features[hidden, column] = 0
    bag_features = [_BAG + f.bag.astype(np.int64) for f in formulae]
    title_features = [_TITLE + words.astype(np.int64) for words in shown_titles]
    sentence_features = [_SENTENCE + words.astype(np.int64) for words in shown_sentences]
    crossed, offsets, weights = _cross(
        place_features[reading_place] if len(reading_place) else place_features[:0],
        reading_features,
        reading_formula,
        [bag_features, title_features, sentence_features],
        (reading_rule, reading_macro + 100_003, reading_shape + 200_003),
        table_bits,
    )
    title_flat, title_offsets, title_weights = _ragged(shown_titles)
    sentence_flat, sentence_offsets, sentence_weights = _ragged(shown_sentences)
    return Batch(
        count, labels, styles, left, right, levels,
        place_node, place_formula, reading_place, reading_rule, reading_macro, reading_shape, reading_nodes,
        crossed, offsets, weights,
        title_flat, title_offsets, title_weights, sentence_flat, sentence_offsets, sentence_weights,
    )  # fmt: skip


_STYLE_COLUMNS = (1, 16, 20, 23, 27)  # place features that tell how a thing was written
_BAG = 60 << 21
_TITLE = 61 << 21
_SENTENCE = 62 << 21


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
        levels.append(Level(start, end, left_place, right_place, lefts, parents))
        level = np.concatenate((left[level][has_left], right[level][has_right]))
        start = end
    return number, levels


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
