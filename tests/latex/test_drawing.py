"""Drawings a person looks at."""

from __future__ import annotations

from xml.etree import ElementTree

from texlift.latex.drawing import tree_svg, tree_text
from texlift.latex.tree import parse_tree

GOLDEN = r"""○
├─ ○
│  ├─ \frac
│  └─ ○
│     ├─ ○
│     │  ├─ 2
│     │  └─ a
│     └─ n
├─ +
└─ 1"""


def test_text() -> None:
    assert tree_text(parse_tree(r"\frac{2a}{n}+1")) == GOLDEN


def test_svg_has_every_leaf_from_left_to_right() -> None:
    root = ElementTree.fromstring(tree_svg(parse_tree(r"\frac{2a}{n}<1")))
    texts = [element for element in root if element.tag.endswith("text")]
    assert [element.text for element in texts] == [r"\frac", "2", "a", "n", "<", "1"]
    places = [float(element.attrib["x"]) for element in texts]
    assert places == sorted(places)
    assert sum(element.tag.endswith("circle") for element in root) == 4
    assert sum(element.tag.endswith("line") for element in root) == 9
