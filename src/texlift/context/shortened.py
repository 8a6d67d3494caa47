"""Numbers of which most are small, in as few bytes as most of them need."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["restored", "shortened"]


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
