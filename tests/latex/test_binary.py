"""The adapted left-child right-sibling trees of the paper's figures, and large ones."""

from __future__ import annotations

import time

import pytest

from texlift.latex.binary import BinaryTree, binary_latex, parse_binary
from texlift.latex.tree import Heuristics, Tree

EXAMPLE = r"\frac{2a}{n+\sqrt{2}}+\sqrt{3}"
FIGURES = {
    r"[[\frac [[2 a] [n [+ [\sqrt 2]]]]] [+ [\sqrt 3]]]": Heuristics(),
    r"[[\frac [[[2 [a <2>]] [n [+ [[\sqrt [2 <1>]] <2>]]]] <1>]] [+ [\sqrt [3 <1>]]]]": Heuristics(True, True),
    r"[+ [[\frac [[2 a] [+ [n [\sqrt 2]]]]] [\sqrt 3]]]": Heuristics(prefix=True),
}


@pytest.mark.parametrize(("expected", "heuristics"), FIGURES.items())
def test_figures(expected: str, heuristics: Heuristics) -> None:
    tree = Tree(parse_binary(EXAMPLE, heuristics).nested())
    assert str(tree).replace("<COMMAND_END>", "<1>").replace("<CONCAT_END>", "<2>") == expected


def test_labels_stand_at_leaves_only() -> None:
    tree = parse_binary("a+b")
    assert tree.labels == ("", "a", "", "+", "b")


@pytest.mark.parametrize("labels", [(), ("",), ("a", "b"), ("", "a")])
def test_what_is_no_tree_is_refused(labels: tuple[str, ...]) -> None:
    with pytest.raises(ValueError):
        BinaryTree(labels)


def test_the_longest_formula_in_one_row() -> None:
    source = "a+" * 9_999 + "b"
    start = time.perf_counter()
    tree = parse_binary(source)
    assert len(tree) == 2 * 19_999 - 1
    assert binary_latex(tree) == source
    assert time.perf_counter() - start < 2


def test_deep_nesting() -> None:
    source = r"\sqrt{" * 100 + "x" + "}" * 100
    assert binary_latex(parse_binary(source, Heuristics(True, True)), Heuristics(True, True)) == source
