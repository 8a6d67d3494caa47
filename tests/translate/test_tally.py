"""Counts of keys are found, and 0 for keys that are not there."""

from __future__ import annotations

import numpy as np
import pytest

from texlift.context.tally import KEY_BITS, Tally


@pytest.mark.parametrize("size", [0, 1, 2, 1000, 50_000])
def test_counts_are_found(size: int) -> None:
    rng = np.random.default_rng(size)
    keys = np.unique(rng.integers(0, 1 << KEY_BITS, size))
    counts = rng.integers(1, 1 << 16, len(keys)).astype(np.uint16)
    tally = Tally(keys, counts)
    strange = np.setdiff1d(rng.integers(0, 1 << KEY_BITS, 500), keys)
    edges = np.setdiff1d([0, 1, (1 << KEY_BITS) - 1], keys)
    assert tally(keys).tolist() == counts.tolist()
    assert not tally(strange).any()
    assert not tally(edges).any()


def test_keys_that_begin_alike_and_arrays_of_any_shape() -> None:
    keys = np.arange(7, 2000, 3)
    tally = Tally(keys, np.arange(1, 1 + len(keys)).astype(np.uint16))
    asked = np.array([[7, 8, 10], [1999, 5, 1998]])
    assert tally(asked).tolist() == [[1, 0, 2], [665, 0, 0]]
    assert tally(asked[:0]).shape == (0, 3)
