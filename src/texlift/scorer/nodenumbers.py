"""Numbers for the nodes of a formula's tree.

The tree is the paper's left-child right-sibling tree of the canonical form: an element's left child is its first row,
its right child the next element.
"""

from __future__ import annotations

from texlift.latex.canonical import Row
from texlift.scorer.vocabulary import END, ROW, STYLES, Vocabulary

__all__ = ["NodeNumbers"]

_LEFT, _OPERATOR, _UPRIGHT = (STYLES.index(style) for style in ("left", "op", "rm"))


class NodeNumbers:
    """Numbers the nodes: each row, then its elements in order, then their rows."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.labels: list[int] = []
        self.styles: list[int] = []
        self.left: list[int] = []
        self.right: list[int] = []
        self.depth: list[int] = []  # steps from the root
        self.first: dict[int, int] = {}  # id(row) -> node of its first element
        self.numbers: dict[int, list[int]] = {}  # id(row) -> label numbers of its elements
        self.parents: dict[int, tuple[int, int]] = {}  # id(row) -> labels of the element above, and above that

    @property
    def habit(self) -> int:
        """How the writer writes: whether \\left, operator names, upright letters occur anywhere."""
        styles = set(self.styles)
        return int(_LEFT in styles) + 2 * int(_OPERATOR in styles) + 4 * int(_UPRIGHT in styles)

    def add(self, root: Row) -> None:
        """Number the tree below a root row."""
        labels, styles, left, right, depth = self.labels, self.styles, self.left, self.right, self.depth
        vocabulary = self.vocabulary
        known = vocabulary.label_ids
        known_styles, other = vocabulary.style_ids, vocabulary.style("other")
        stack: list[tuple[Row, int, int, int]] = [(root, END, END, -1)]
        while stack:
            row, parent, grandparent, above = stack.pop()
            at = self._attach(above) if above >= 0 else 0
            node = len(labels)
            elements = row.elements
            count = len(elements)
            numbers = [
                known[label] if (label := element.label) in known else vocabulary.label(label) for element in elements
            ]
            labels.append(ROW)
            labels += numbers
            styles.append(0)
            styles += [known_styles.get(element.style, other) for element in elements]
            left.append(node + 1 if count else -1)
            right.append(-1)
            depth.append(at)
            if count == 1:  # every other row: `{n}`
                left.append(-1)
                right.append(-1)
                depth.append(at + 1)
            elif count:
                left += [-1] * count
                right += range(node + 2, node + 1 + count)
                right.append(-1)
                depth += range(at + 1, at + 1 + count)
            self.first[id(row)] = node + 1
            self.numbers[id(row)] = numbers
            self.parents[id(row)] = (parent, grandparent)
            for position in range(count - 1, -1, -1):
                children = elements[position].rows
                if children:
                    stack += [(child, numbers[position], parent, node + 1 + position) for child in reversed(children)]

    def _attach(self, above: int) -> int:
        """Hang the next row below its element, behind the element's earlier rows; its depth."""
        node = len(self.labels)
        if self.left[above] < 0:
            self.left[above] = node
            return self.depth[above] + 1
        last = self.left[above]
        while self.right[last] >= 0:
            last = self.right[last]
        self.right[last] = node
        return self.depth[last] + 1
