"""The adapted left-child right-sibling binary tree (paper, section 4.2), and the way back.

The left child of a node is its first child, the right child the same node without it; labels stand at the
leaves only. A full binary tree is its labels in pre-order with a mark for inner nodes, so that is how one is
kept: a flat tuple, however long the right spine gets.
"""

from __future__ import annotations

from dataclasses import dataclass

from texlift.latex.naryreader import read_nary
from texlift.latex.parser import parse
from texlift.latex.signatures import Signatures, generic_signatures
from texlift.latex.tree import INNER, PLAIN, Heuristics, NaryTree, row_tree
from texlift.latex.treetext import tree_latex

__all__ = ["INNER", "BinaryTree", "binary_latex", "binary_tree", "parse_binary"]


@dataclass(frozen=True, slots=True)
class BinaryTree:
    """`labels` in pre-order, INNER for inner nodes; `len()` is the number of nodes."""

    labels: tuple[str, ...]

    def __post_init__(self) -> None:
        open_places = 1
        for position, label in enumerate(self.labels):
            if open_places == 0:
                raise ValueError(f"labels go on after the tree is complete, at {position}")
            open_places += 1 if label == INNER else -1
        if open_places:
            raise ValueError(f"{open_places} subtrees are missing")

    def __len__(self) -> int:
        return len(self.labels)

    def ends(self) -> list[int]:
        """For each node the position behind its subtree; the right child of `i` stands at `ends[i + 1]`."""
        ends = [0] * len(self.labels)
        for i in range(len(self.labels) - 1, -1, -1):
            ends[i] = i + 1 if self.labels[i] != INNER else ends[ends[i + 1]]
        return ends

    def nested(self) -> NaryTree:
        """The tree as nested pairs."""
        stack: list[NaryTree] = []
        for label in reversed(self.labels):
            stack.append(label if label != INNER else (stack.pop(), stack.pop()))
        return stack[0]

    def nary(self, heuristics: Heuristics = PLAIN, signatures: Signatures | None = None) -> NaryTree:
        """An n-ary tree whose binary tree this is.

        `a{bc}` and `abc` have one binary tree (unless `<CONCAT_END>` tells them apart); this gives the flat one.
        """
        return read_nary(self.labels, self.ends(), heuristics, signatures or generic_signatures())


def binary_tree(tree: NaryTree) -> BinaryTree:
    """N-ary to binary."""
    return _trusted(_preorder(tree))


def parse_binary(source: str, heuristics: Heuristics = PLAIN, signatures: Signatures | None = None) -> BinaryTree:
    """Text to binary tree."""
    return _trusted(_preorder(row_tree(parse(source, signatures), heuristics)))


def binary_latex(tree: BinaryTree, heuristics: Heuristics = PLAIN, signatures: Signatures | None = None) -> str:
    """LaTeX whose binary tree, with the same heuristics and signatures, is `tree`."""
    return tree_latex(tree.nary(heuristics, signatures), heuristics, signatures)


def _preorder(tree: NaryTree) -> tuple[str, ...]:
    out: list[str] = []
    stack = [tree]
    pop = stack.pop
    while stack:
        node = pop()
        if type(node) is str:
            out.append(node)
            continue
        last = len(node) - 1
        if last == 1:  # the most common case, worth two lines
            out.append(INNER)
            stack += (node[1], node[0])
            continue
        stack.append(node[last])
        for index in range(last - 1, -1, -1):
            stack += (node[index], INNER)
    return tuple(out)


def _trusted(labels: tuple[str, ...]) -> BinaryTree:
    tree = object.__new__(BinaryTree)
    object.__setattr__(tree, "labels", labels)
    return tree
