"""Which engines there are: `engine = "NAME"` in the table [training] of an experiment file."""

from __future__ import annotations

from collections.abc import Callable

from texlift_paper.batching.trees import SubtreeTable
from texlift_paper.network.cluster_engine import ClusterEngine
from texlift_paper.network.engine import Engine
from texlift_paper.network.level_engine import LevelEngine
from texlift_paper.network.tree_engine import TreeEngine

__all__ = ["ENGINES"]

ENGINES: dict[str, Callable[[SubtreeTable], Engine]] = {
    "levels": LevelEngine,
    "clusters": ClusterEngine,
    "trees": TreeEngine,
}
"""Name -> engine, made with the table of subtrees that the trees were made with."""
