"""Positions of leaves."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from texlift.latex.leaves import leaf_starts
from texlift.latex.parser import parse
from texlift.latex.tree import Tree, row_tree


@pytest.mark.parametrize("source", [r"\frac{2a}{n+\sqrt[3]{2}}+x_{1}^{2}", r"\left(a\right){b\over c}\text{if}", ""])
def test_every_leaf_has_a_place(source: str) -> None:
    row = parse(source)
    starts = leaf_starts(row)
    leaves = list(Tree(row_tree(row)).leaves())
    assert len(starts) == len(leaves)
    for start, leaf in zip(starts, leaves, strict=True):
        if leaf.isalnum() and len(leaf) == 1:
            assert source[start] == leaf


@pytest.mark.skipif("TEXLIFT_DATA" not in os.environ, reason="TEXLIFT_DATA is not set: no corpus")
def test_corpus() -> None:
    for line in list((Path(os.environ["TEXLIFT_DATA"]) / "dlmf.jsonl").open())[::60]:
        row = parse(json.loads(line)["generic"])
        assert len(leaf_starts(row)) == len(list(Tree(row_tree(row)).leaves()))
