"""The small corpus that ships with texlift: well-known identities, in mixed notation, for tests and demos."""

from __future__ import annotations

from functools import cache
from importlib.resources import as_file, files

from texlift.corpus.jsonl import read_pairs
from texlift.corpus.pair import Pair

__all__ = ["demo_pairs"]


@cache
def demo_pairs() -> tuple[Pair, ...]:
    """Some 300 pairs over many functions, each with a sentence of context.

    A third is written as the DLMF writes, a third in everyday notation, a third as in a textbook.
    """
    with as_file(files("texlift.corpus").joinpath("demo.jsonl")) as path:
        return tuple(read_pairs(path))
