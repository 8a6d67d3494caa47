"""Features of readings crossed with what they are features of, hashed into the linear table."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["FEATURE_BITS", "SLOT_BITS", "Indices", "cross", "cross_shared", "hashed", "starts"]

Indices = NDArray[np.int64]

FEATURE_BITS = 14
"""Of the numbers under which the network knows what is seen at a place."""

SLOT_BITS = 21
"""Of a feature's value; its column stands before them."""

_GROUPS = np.arange(80, 86, dtype=np.int64) << SLOT_BITS  # bag, titles, sentence, near, math, whole titles
_MOST_OWNERS = 1 << 20  # rules, macros and shapes together
_FEATURE_FACTOR = 0x9E3779B97F4A7C1
_OWNER_FACTOR = 0xC2B2AE3D27D4EB
_BLOCK = 8192


def starts(sizes: Indices) -> Indices:
    """Where each part starts if parts of these sizes stand one after the other."""
    return np.cumsum(sizes) - sizes


def hashed(features: Indices) -> Indices:
    """Features under the numbers that the network knows, 0 for 0."""
    return np.where(features == 0, 0, 1 + _mixed(features * _FEATURE_FACTOR, 63) % ((1 << FEATURE_BITS) - 1))


def cross(
    at_place: Indices,
    of_reading: Indices,
    formula: Indices,
    groups: list[list[NDArray[np.int32]]],
    owners: tuple[Indices, ...],
    bits: int,
) -> tuple[Indices, Indices, NDArray[np.float32], Indices | None]:
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
    for group, sizes, slot in zip(groups, group_lengths, _GROUPS, strict=True):
        flat = slot + np.concatenate(group) if group else np.zeros(0, np.int64)
        first = starts(sizes)
        per = sizes[formula]
        inside = np.arange(int(per.sum())) - np.repeat(starts(per), per)
        target = np.repeat(at, per) + inside
        features[target] = flat[np.repeat(first[formula], per) + inside]
        weights[target] = np.repeat(1.0 / np.sqrt(np.maximum(per, 1)), per)
        at += per
    crossed = [_crossed(features, np.repeat(owner, lengths), bits) for owner in owners]
    return np.stack(crossed, axis=1).ravel(), len(owners) * offsets, np.repeat(weights, len(owners)), None


def cross_shared(
    at_place: Indices,
    of_reading: Indices,
    formula: Indices,
    groups: list[list[NDArray[np.int32]]],
    owners: tuple[Indices, ...],
    bits: int,
) -> tuple[Indices, Indices, NDArray[np.float32], Indices | None]:
    """The same as `cross` in several bags: for each owner what is seen at the place, and what the formula shows.

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
    flat = np.concatenate(pieces) + np.tile(_GROUPS, len(groups[0])).repeat(lengths)
    weights = np.repeat((1.0 / np.sqrt(np.maximum(lengths, 1))).astype(np.float32), lengths)
    sizes = lengths.reshape(-1, len(groups)).sum(1)
    keys = np.concatenate([formula * _MOST_OWNERS + owner for owner in owners])
    pairs, bag = np.unique(keys, return_inverse=True)
    of_formula, owner = np.divmod(pairs, _MOST_OWNERS)
    per = sizes[of_formula]
    where = np.arange(int(per.sum())) + np.repeat(starts(sizes)[of_formula] - starts(per), per)
    flat *= _FEATURE_FACTOR
    count = len(owners)
    crossed = np.empty(count * len(seen) + len(where), np.int64)
    for k, of_reading_owner in enumerate(owners):
        own_part = crossed[k * len(seen) : (k + 1) * len(seen)]
        np.bitwise_xor(seen, np.repeat(of_reading_owner * _OWNER_FACTOR, width), out=own_part)
    np.bitwise_xor(flat[where], np.repeat(owner * _OWNER_FACTOR, per), out=crossed[count * len(seen) :])
    crossed_weights = np.ones(len(crossed), np.float32)
    crossed_weights[count * len(seen) :] = weights[where]
    offsets = [first + k * len(seen) for k in range(count)] + [starts(per) + count * len(seen)]
    own = np.arange(count * readings).reshape(count, readings)
    return (
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
