"""Counts of hashed keys: tables that are asked for many keys at once, and how they are saved in few bytes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["Keys", "Owned", "Tally", "mixed", "restored", "shortened"]

Keys = NDArray[np.int64]
"""Hashes of KEY_BITS bits."""

_KEY_BITS: Final = 32


def mixed(scopes: Keys, keys: Keys) -> Keys:
    """Keys within scopes."""
    found = keys * 0x9E3779B97F4A7C1 ^ scopes * 0xC2B2AE3D27D4EB
    found = (found ^ (found >> 29)) * 0x1B873593CC9E2D5
    return (found ^ (found >> 32)) & 0xFFFFFFFF


class Tally:
    """The counts of different keys, given in ascending order.

    The keys are hashes, so they are spread evenly, and the first bits of one tell nearly where it stands in the table.
    A binary search, each step of which depends on the one before, takes two and a half times as long for a batch.
    """

    __slots__ = ("_counts", "_first", "_keys", "_shift")

    def __init__(self, keys: Keys, counts: NDArray[np.uint16]) -> None:
        bits = min(_KEY_BITS, max(1, len(keys).bit_length()))  # about one key for each beginning
        self._shift = _KEY_BITS - bits
        of_each = np.bincount(keys >> self._shift, minlength=1 << bits)
        self._first = (np.cumsum(of_each) - of_each).astype(np.int32)  # of the keys that begin so, or come behind
        self._keys = np.append(keys, 1 << _KEY_BITS)  # a key that is behind all others
        self._counts = np.append(counts, 0).astype(np.int64)

    def __call__(self, keys: Keys) -> NDArray[np.int64]:
        """The count of each key, 0 for one that is not known."""
        wanted = keys.ravel()
        found = np.zeros(len(wanted), np.int64)
        at = self._first.take(wanted >> self._shift)
        asked = np.arange(len(wanted))
        while len(asked):
            there = self._keys.take(at)
            same = (there == wanted).nonzero()[0]
            found[asked[same]] = self._counts[at[same]]
            further = (there < wanted).nonzero()[0]
            asked, wanted, at = asked[further], wanted[further], at[further] + 1
        return found.reshape(keys.shape)


class Owned:
    """How many entries of one owner have a key: of a formula, of a section."""

    def __init__(self, entries: Iterable[tuple[int, Keys]]) -> None:
        parts = [keys | owner << _KEY_BITS for owner, keys in entries]
        # the last one is greater than any that is asked for
        self._keys, self._counts = np.unique(
            np.concatenate([*parts, np.array([np.iinfo(np.int64).max])]), return_counts=True
        )

    def count(self, keys: Keys, owner: Keys) -> NDArray[np.int64]:
        """For each key how many entries of an owner, a positive number, have it."""
        wanted = keys | owner << _KEY_BITS
        at = self._keys.searchsorted(wanted)
        return np.where(self._keys[at] == wanted, self._counts[at], 0)


def shortened(values: NDArray[Any], dtype: type[np.unsignedinteger[Any]]) -> tuple[NDArray[Any], NDArray[np.uint32]]:
    """The values in a short type, the greatest number of which stands for one that is too long, and the long ones."""
    most = np.iinfo(dtype).max
    long = values >= most
    return np.where(long, most, values).astype(dtype), values[long].astype(np.uint32)


def restored(short: NDArray[Any], long: NDArray[Any]) -> NDArray[np.int64]:
    """What was shortened; ValueError if it is something else."""
    values = short.astype(np.int64)
    values[short == np.iinfo(short.dtype).max] = long
    return values
