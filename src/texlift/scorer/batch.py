"""Several encoded formulae as one batch: trees side by side, levels for the recursive passes, crossed features."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from texlift.context.memory import SENTENCE_CONVENTIONS, TITLE_CONVENTIONS
from texlift.scorer.crossing import SLOT_BITS, Indices, cross, cross_shared, hashed, starts
from texlift.scorer.encoded import CONVENTION_COLUMNS, EXACT_COLUMN, PLACE_FEATURES, SILENCE_COLUMN, Encoded
from texlift.scorer.placement import MENTION_COLUMNS, SENTENCE_COLUMNS, TITLE_COLUMN

__all__ = ["Batch", "Level", "SubtreeLevel", "Subtrees", "collate"]


@dataclass(slots=True, eq=False)
class Level:
    """Nodes `start:end`, children of the level before: `start:middle` its left ones, `middle:end` its right ones."""

    start: int
    middle: int
    end: int
    left_parents: Indices  # (middle - start,) the parents' places in the level before
    right_parents: Indices  # (end - middle,)
    parents: Indices  # (end - start,) both


@dataclass(slots=True, eq=False)
class SubtreeLevel:
    """Subtrees `start:end`; what is below them stands in later levels."""

    start: int
    end: int
    left_parents: Indices  # places in this level of those with a left child
    left: Indices  # the subtrees that are their left children
    right_parents: Indices
    right: Indices


@dataclass(slots=True, eq=False)
class Subtrees:
    """The S different subtrees of a batch, by their topmost nodes."""

    labels: Indices  # (S,)
    styles: Indices  # (S,)
    levels: list[SubtreeLevel]


@dataclass(slots=True)
class Batch:
    """F formulae with N nodes, P places and C readings in all.

    Nodes are numbered level by level: the children of a level are exactly the next level, first the left ones, then
    the right ones, so a pass over the trees is a pass over slices. Node N stands for a missing one: a row of zeros.
    The first level are the roots, in the order of the formulae.

    What is seen from below belongs to subtrees. Unless equal ones are merged, each node has its own, with its number.
    """

    formulae: int
    labels: Indices  # (N,)
    styles: Indices  # (N,)
    levels: list[Level]
    above: Indices  # (N - F,) for each node but the roots its parent times two, plus one if it is the right child
    hanging: tuple[Indices, Indices]  # left children whose parent has a right one (counted without roots), and that one
    following: tuple[Indices, Indices]  # right children whose parent has a left one, and that one
    place_node: Indices  # (P,)
    place_subtree: Indices  # (P,)
    place_formula: Indices  # (P,)
    reading_place: Indices  # (C,)
    reading_rule: Indices  # (C,)
    reading_macro: Indices  # (C,)
    reading_shape: Indices  # (C,)
    reading_subtrees: Indices  # (C, 1 + holes): behind the end, and where the holes start
    end_node: Indices  # (C,) behind the end
    place_features: Indices  # (P, ..) hashed, 0 for nothing
    reading_features: Indices  # (C, ..)
    tied: Indices  # readings in order of their ties: those of one tie are the same reading of the same symbol
    tie_offsets: Indices  # (T,)
    tie_weights: NDArray[np.float32]  # (C,) one over the number of readings in the tie
    reading_tie: Indices  # (C,)
    crossed: Indices  # features crossed with rule, macro and shape, in bags
    crossed_offsets: Indices  # (bags,)
    crossed_weights: NDArray[np.float32]
    reading_bags: Indices | None  # (C, ..) the bags of a reading; None: one bag for each reading
    titles: Indices
    title_offsets: Indices  # (F,)
    title_weights: NDArray[np.float32]
    sentence: Indices
    sentence_offsets: Indices  # (F,)
    sentence_weights: NDArray[np.float32]
    subtrees: Subtrees | None = None  # None: not merged, see `merging`


def collate(
    formulae: Sequence[Encoded],
    table_bits: int,
    titles: Sequence[bool] | None = None,
    sentences: Sequence[bool] | None = None,
    plain: Sequence[bool] | None = None,
    forget: Callable[[Indices, Indices, Indices], tuple[Indices, Indices]] | None = None,
    shared: bool = False,
    told: NDArray[np.int32] | None = None,
) -> Batch:
    """One batch.

    `shared`: what readings of one formula have in common is crossed once for all of them. It takes half the time, but
    training must be able to hide a feature from one reading alone.

    `told` is what other formulae make of the symbols, see `Conventions.columns`; without it, the formulae know already.

    In training `titles`, `sentences` say whose context is shown, `plain` whose styles are hidden, and
    `forget(formula, rule, macro)` replaces numbers of rules and macros as if they had never been seen.
    """
    count = len(formulae)
    sizes = np.array([len(f.labels) for f in formulae], np.int64)
    node_offset = starts(sizes)
    total = int(sizes.sum())
    labels = np.concatenate([f.labels for f in formulae]).astype(np.int64)
    styles = np.concatenate(
        [np.zeros_like(f.styles) if plain is not None and plain[i] else f.styles for i, f in enumerate(formulae)]
    ).astype(np.int64)
    number, order, levels, above, hanging, following = _levels(formulae, sizes, node_offset)
    labels, styles = labels[order], styles[order]
    place_counts = np.array([len(f.place_node) for f in formulae], np.int64)
    place_offset = starts(place_counts)
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
    seen = np.concatenate([f.reading_features for f in formulae])
    if told is not None:
        seen[:, CONVENTION_COLUMNS] = told
    reading_features = _numbered(seen, 1 + PLACE_FEATURES)
    shown_titles = [f.titles if titles is None or titles[i] else f.titles[:0] for i, f in enumerate(formulae)]
    shown_whole = [f.whole if titles is None or titles[i] else f.whole[:0] for i, f in enumerate(formulae)]
    shown_sentences = [
        f.sentence if sentences is None or sentences[i] else f.sentence[:0] for i, f in enumerate(formulae)
    ]
    # a letter that is all there is, with nothing said about it, is judged apart: names are learnt in their context
    silent = np.array([not len(t) and not len(s) for t, s in zip(shown_titles, shown_sentences, strict=True)], bool)
    of_size = ((1 + SILENCE_COLUMN) << SLOT_BITS) + 1 + np.minimum(sizes, 6)
    place_features[:, SILENCE_COLUMN] = np.where(silent, of_size, 0)[place_formula]
    shown_near = [f.near if sentences is None or sentences[i] else f.near[:0] for i, f in enumerate(formulae)]
    shown_math = [f.math if sentences is None or sentences[i] else f.math[:0] for i, f in enumerate(formulae)]
    if titles is not None:
        untitled = ~np.asarray(titles, bool)[reading_formula]
        for column in (TITLE_COLUMN, *TITLE_CONVENTIONS):
            reading_features[untitled, column] = 0
    if sentences is not None:
        unseen = ~np.asarray(sentences, bool)
        for column in (*SENTENCE_COLUMNS, *SENTENCE_CONVENTIONS):
            reading_features[unseen[reading_formula], column] = 0
        for column in MENTION_COLUMNS:
            place_features[unseen[place_formula], column] = 0
    if plain is not None:
        hidden = np.asarray(plain, bool)
        for column in _STYLE_COLUMNS:
            place_features[hidden[place_formula], column] = 0
        reading_features[hidden[reading_formula], EXACT_COLUMN] = 0
    crossed = (cross_shared if shared else cross)(
        place_features[reading_place] if len(reading_place) else place_features[:0],
        reading_features,
        reading_formula,
        [[f.bag for f in formulae], shown_titles, shown_sentences, shown_near, shown_math, shown_whole],
        (reading_rule, reading_macro + 100_003, reading_shape + 200_003),
        table_bits,
    )
    ties = _ties(formulae, reading_place, place_offset, place_counts)
    title_flat, title_offsets, title_weights = _ragged(shown_titles)
    sentence_flat, sentence_offsets, sentence_weights = _ragged(shown_sentences)
    return Batch(
        count, labels, styles, levels, above, hanging, following,
        place_node, place_node, place_formula, reading_place, reading_rule, reading_macro, reading_shape,
        reading_nodes, reading_nodes[:, 0],
        hashed(place_features), hashed(reading_features), *ties, *crossed,
        title_flat, title_offsets, title_weights, sentence_flat, sentence_offsets, sentence_weights,
    )  # fmt: skip


def _numbered(values: NDArray[np.int32], first: int) -> Indices:
    """Values as numbers of features: those of column c are (first + c) * 2**SLOT_BITS + value, 0 for 0."""
    slots = np.arange(first, first + values.shape[1], dtype=np.int64) << SLOT_BITS
    return np.where(values, values + slots, 0)


_STYLE_COLUMNS = (1, 16, 20, 23, 27, 30)  # place features that tell how a thing was written


def _levels(
    formulae: Sequence[Encoded], sizes: Indices, offsets: Indices
) -> tuple[Indices, Indices, list[Level], Indices, tuple[Indices, Indices], tuple[Indices, Indices]]:
    """New numbers of the nodes (N + 1, the last for a missing node), their order, and the fields of a Batch."""
    total = int(sizes.sum())
    shift = np.repeat(offsets, sizes)
    left = np.concatenate([f.left for f in formulae])
    right = np.concatenate([f.right for f in formulae])
    has_left, has_right = np.flatnonzero(left >= 0), np.flatnonzero(right >= 0)
    left_child, right_child = left[has_left] + shift[has_left], right[has_right] + shift[has_right]
    parent = np.zeros(total, np.int64)
    parent[left_child] = has_left
    parent[right_child] = has_right
    block = 2 * np.concatenate([f.depth for f in formulae]).astype(np.int64)
    block[right_child] += 1
    order = np.argsort(block, kind="stable")
    number = np.empty(total + 1, np.int64)
    number[order] = np.arange(total)
    number[total] = total
    counts = np.bincount(block)
    bounds = [0, *np.cumsum(counts).tolist()]
    if len(bounds) % 2 == 0:
        bounds.append(bounds[-1])  # no right children in the last level
    parents = number[parent[order]]
    levels: list[Level] = []
    before = 0
    for start, middle, end in zip(bounds[:-1:2], bounds[1::2], bounds[2::2], strict=True):
        own = parents[start:end] - before
        levels.append(Level(start, middle, end, own[: middle - start], own[middle - start :], own))
        before = start
    roots = len(formulae)
    above = (2 * parents + (block[order] & 1))[roots:]
    child = np.full((2, total), total, np.int64)
    child[0, number[has_left]] = number[left_child]
    child[1, number[has_right]] = number[right_child]
    other = child.T.ravel()[above ^ 1]  # the parent's other child
    having = np.flatnonzero(other < total)
    first = above[having] & 1 == 0
    hanging, following = having[first], having[~first]
    return number, order, levels, above, (hanging, other[hanging]), (following, other[following])


def _ties(
    formulae: Sequence[Encoded], reading_place: Indices, place_offset: Indices, place_counts: Indices
) -> tuple[Indices, Indices, NDArray[np.float32], Indices]:
    """Which readings are decided together: the k-th of all places of one group."""
    group = np.concatenate([f.place_group for f in formulae]) + np.repeat(place_offset, place_counts)
    first = np.searchsorted(reading_place, np.arange(int(place_counts.sum())))
    within = np.arange(len(reading_place)) - first[reading_place]
    keys = group[reading_place] * _MOST_READINGS + within
    _, tie, counts = np.unique(keys, return_inverse=True, return_counts=True)
    order = np.argsort(tie, kind="stable")
    return order, starts(counts), (1.0 / counts[tie[order]]).astype(np.float32), tie


_MOST_READINGS = 1024  # at one place, more than there can be


def _ragged(parts: Sequence[NDArray[np.int32]]) -> tuple[Indices, Indices, NDArray[np.float32]]:
    """Concatenated parts, where each starts, and weights that make a bag the mean of its members."""
    lengths = np.array([len(part) for part in parts], np.int64)
    flat = np.concatenate(parts).astype(np.int64) if len(parts) else np.zeros(0, np.int64)
    offsets = starts(lengths)
    weights = np.repeat(1.0 / np.maximum(lengths, 1), lengths).astype(np.float32)
    return flat, offsets, weights
