"""Garbage and memory in a process that does nothing but translate.

Every formula makes thousands of small objects and drops them again, nearly all without cycles. Looking for cycles as
often as Python does by default takes a seventh of the time, a hundred times less often still a fiftieth.
"""

from __future__ import annotations

import gc
from functools import cache
from typing import Final

import numpy as np

__all__ = ["collect_rarely"]

_LARGEST: Final = 30 << 20  # bytes; glibc does not learn from blocks of more than 32 MB


@cache
def collect_rarely() -> None:
    """Leave what is loaded by now out of collections, look for cycles hundreds of times less often, keep freed memory.

    Once a process: later calls do nothing.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(600_000, 20, 20)  # a batch of formulae under way and all that is remembered are fewer objects
    # glibc keeps what is freed up to twice the largest block it has seen freed; what it gives back, the system clears
    # anew for the next batch of arrays. This block is never written to, so it takes no memory.
    np.empty(_LARGEST, np.uint8)
