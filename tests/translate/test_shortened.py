"""Short numbers give back what they were made of."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from texlift.context.shortened import restored, shortened


@given(st.lists(st.integers(0, 2**32 - 1) | st.integers(0, 300)))
def test_every_number_comes_back(numbers: list[int]) -> None:
    values = np.array(numbers, np.int64)
    assert restored(*shortened(values, np.uint8)).tolist() == numbers
    assert restored(*shortened(values, np.uint16)).tolist() == numbers


def test_small_numbers_take_one_byte_each() -> None:
    short, long = shortened(np.array([0, 7, 254, 255]), np.uint8)
    assert (short.nbytes, long.tolist()) == (4, [255])


def test_what_does_not_belong_together_is_refused() -> None:
    with pytest.raises(ValueError, match="assign"):
        restored(np.array([1, 255], np.uint8), np.array([300, 400], np.uint32))
