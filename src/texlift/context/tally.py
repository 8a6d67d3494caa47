"""How often keys occur: a table that is asked for many keys at once.

The keys are hashes, so they are spread evenly, and the first bits of one tell nearly where it stands in the table. A
binary search, each step of which depends on the one before, takes two and a half times as long for the keys of a batch.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["KEY_BITS", "Tally"]

KEY_BITS = 32
"""Of a key that can be asked for."""


class Tally:
    """The counts of different keys of KEY_BITS, given in ascending order."""

    __slots__ = ("_counts", "_first", "_keys", "_shift")

    def __init__(self, keys: NDArray[np.int64], counts: NDArray[np.uint16]) -> None:
        bits = min(KEY_BITS, max(1, len(keys).bit_length()))  # about one key for each beginning
        self._shift = KEY_BITS - bits
        of_each = np.bincount(keys >> self._shift, minlength=1 << bits)
        self._first = (np.cumsum(of_each) - of_each).astype(np.int32)  # of the keys that begin so, or come behind
        self._keys = np.append(keys, 1 << KEY_BITS)  # a key that is behind all others
        self._counts = np.append(counts, 0).astype(np.int64)

    def __call__(self, keys: NDArray[np.int64]) -> NDArray[np.int64]:
        """The count of each key, 0 for one that is not known."""
        wanted = keys.ravel()
        found = np.zeros(len(wanted), np.int64)
        at = self._first.take(wanted >> self._shift)
        asked = np.arange(len(wanted))
        while len(asked):
            there = self._keys.take(at)
            same = np.flatnonzero(there == wanted)
            found[asked[same]] = self._counts[at[same]]
            further = np.flatnonzero(there < wanted)
            asked, wanted, at = asked[further], wanted[further], at[further] + 1
        return found.reshape(keys.shape)
