"""The right-child-biggest traversal, hulls and padding."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from texlift_paper.batching.topology import contains, exchange, hull, padded, positions, restore, values_at
from texlift_paper.network.vocabulary import END


def trees() -> st.SearchStrategy[np.ndarray]:
    leaves = st.integers(3, 9).map(lambda value: [value])
    nested = st.recursive(leaves, lambda kids: st.tuples(kids, kids).map(lambda pair: [0, *pair[0], *pair[1]]))
    return nested.map(lambda values: np.array(values, dtype=np.int32))


def test_exchange_puts_the_larger_child_right() -> None:
    values, flags = exchange(np.array([0, 0, 3, 4, 5], dtype=np.int32))  # ((3, 4), 5)
    assert values.tolist() == [0, 5, 0, 3, 4]
    assert flags.tolist() == [True, False, False, False, False]


@given(trees())
def test_exchange_and_back(values: np.ndarray) -> None:
    exchanged, flags = exchange(values)
    assert restore(exchanged, flags).tolist() == values.tolist()
    assert not exchange(exchanged)[1].any()


def test_positions_are_numbered_like_a_heap() -> None:
    assert positions(np.array([0, 3, 0, 4, 5], dtype=np.int32)) == [1, 2, 3, 6, 7]


@given(trees(), trees())
def test_padding_to_the_hull_and_back(first: np.ndarray, second: np.ndarray) -> None:
    own = frozenset(positions(first))
    outer = hull([own, frozenset(positions(second))])
    assert contains(outer, own)
    tree = padded(first, outer, END)
    assert len(tree.values) == len(outer)
    assert values_at(tree, END).tolist() == first.tolist()
    assert sum(value == END for value in tree.values) == len(outer - own)


def test_a_hull_that_is_too_small_is_refused() -> None:
    with pytest.raises(ValueError, match="does not contain"):
        padded(np.array([0, 3, 4], dtype=np.int32), frozenset({1}), END)
