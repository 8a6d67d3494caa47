"""Trees padded with `y_end`: to the hull of a cluster, and at random."""

from __future__ import annotations

import numpy as np
import torch

from texlift.latex.binary import parse_binary
from texlift_paper.batching.padding import grow, pad_to_hull, placed
from texlift_paper.batching.topology import hull
from texlift_paper.batching.trees import SubtreeTable, TreeArrays, TreeBatch
from texlift_paper.network.level_engine import LevelEngine
from texlift_paper.network.model import ModelConfig, TreeToTree
from texlift_paper.network.tree_engine import TreeEngine
from texlift_paper.network.vocabulary import END, Vocabulary

FORMULAE = [r"\frac{2a}{n+\sqrt{2}}+\sqrt{3}", "x", r"\Gamma\left(z+1\right)=z\Gamma\left(z\right)", "a+b"]
TABLE = SubtreeTable()
TREES = [parse_binary(formula) for formula in FORMULAE]
VOCABULARY = Vocabulary.of(TREES)
ARRAYS = [TreeArrays.of(VOCABULARY.numbers(tree), TABLE) for tree in TREES]


def is_tree(tree: TreeArrays) -> bool:
    """Every node but the root is the left or the right child of its parent, one level below it."""
    for node in range(1, len(tree)):
        parent = int(tree.parents[node])
        if node not in (parent + 1, int(tree.rights[parent])) or tree.depths[node] != tree.depths[parent] + 1:
            return False
    return True


def test_a_hull_holds_all_trees_and_nothing_else() -> None:
    outer = hull(frozenset(placed(tree)) for tree in ARRAYS)
    for tree, padded in zip(ARRAYS, pad_to_hull(ARRAYS, END), strict=True):
        assert len(padded) == len(outer)
        assert is_tree(padded)
        assert padded.values[padded.values != END].tolist() == tree.values.tolist()


def test_a_tree_alone_is_its_hull() -> None:
    (padded,) = pad_to_hull(ARRAYS[:1], END)
    assert padded.values.tolist() == ARRAYS[0].values.tolist()
    assert padded.rights.tolist() == ARRAYS[0].rights.tolist()
    assert padded.depths.tolist() == ARRAYS[0].depths.tolist()


def test_trees_grow_below_their_leaves_only() -> None:
    generator = np.random.default_rng(1)
    grown = [grow(tree, 0.3, generator, END) for tree in ARRAYS * 20]
    for tree, padded in zip(ARRAYS * 20, grown, strict=True):
        assert is_tree(padded)
        assert padded.values[padded.values != END].tolist() == tree.values.tolist()
        for node in np.flatnonzero(padded.values == END).tolist():
            assert padded.values[padded.parents[node]] != 0
    assert sum(map(len, grown)) > 1.3 * 20 * sum(map(len, ARRAYS))
    assert grow(ARRAYS[0], 0.0, generator, END).values.tolist() == ARRAYS[0].values.tolist()


def test_padding_does_not_change_what_is_predicted_at_the_nodes_of_a_tree() -> None:
    torch.manual_seed(1)
    model = TreeToTree(ModelConfig(state=12, embedding=8), len(VOCABULARY)).eval()
    source, target, padded = (TreeBatch.of(trees) for trees in (ARRAYS, ARRAYS, pad_to_hull(ARRAYS, END)))
    kept = torch.from_numpy(padded.values != END)
    with torch.no_grad():
        expected = model(source, target, LevelEngine(TABLE))
        for engine in (LevelEngine(TABLE), TreeEngine()):
            assert torch.allclose(model(source, padded, engine)[kept], expected, atol=1e-5)
