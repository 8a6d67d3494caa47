"""Caches that count what they are fed in characters, not only in entries.

A cache of a thousand entries is small if each is a word, and takes up the machine if each is a page. So everything that
is remembered by its text is forgotten together when a certain amount of input has passed, long before it becomes much.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import _lru_cache_wrapper, lru_cache
from typing import Final, TypeVar

__all__ = ["MOST_REMEMBERED", "forget", "passed", "remembered"]

MOST_REMEMBERED: Final = 3_000_000
"""Characters of input (formulae and the words around them) after which everything is forgotten."""

Result = TypeVar("Result")

_CACHES: Final[list[_lru_cache_wrapper[object]]] = []  # made while modules are imported
_seen = 0


def remembered(maxsize: int) -> Callable[[Callable[..., Result]], _lru_cache_wrapper[Result]]:
    """`functools.lru_cache` for a function of text that strangers write."""

    def decorated(function: Callable[..., Result]) -> _lru_cache_wrapper[Result]:
        cached = lru_cache(maxsize)(function)
        _CACHES.append(cached)
        return cached

    return decorated


def passed(characters: int) -> bool:
    """Count input that is about to be remembered; forget what came before if that was much, and say so."""
    global _seen
    _seen += characters
    if _seen <= MOST_REMEMBERED:
        return False
    _seen = characters
    forget()
    return True


def forget() -> None:
    """Empty all caches; answers stay the same, some are slower."""
    for cached in _CACHES:
        cached.cache_clear()
