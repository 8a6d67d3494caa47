"""Drawings of trees: lines of text for a terminal, SVG for a browser or a paper."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from texlift.latex.tree import NaryTree

__all__ = ["Node", "node_svg", "tree_svg", "tree_text"]

_LEVEL = 46  # pixels between two levels
_GAP = 14  # pixels between two leaves
_CHARACTER = 8.4  # width of a character of the 14 px monospaced font


@dataclass(frozen=True, slots=True)
class Node:
    """A node of a drawing: its label, its children, what it is to its parent, and its kind (which has a colour)."""

    label: str
    children: tuple[Node, ...] = ()
    edge: str = ""
    kind: str = ""


def tree_text(tree: NaryTree) -> str:
    """The tree with box-drawing lines, the root at the top left; inner nodes are circles."""
    lines: list[str] = []
    # (tree, prefix of its own line, prefix of its children's lines)
    stack: list[tuple[NaryTree, str, str]] = [(tree, "", "")]
    while stack:
        node, own, below = stack.pop()
        if isinstance(node, str):
            lines.append(own + (node or "∅"))
            continue
        lines.append(own + "○")
        last = len(node) - 1
        for index in range(last, -1, -1):
            if index == last:
                stack.append((node[index], below + "└─ ", below + "   "))
            else:
                stack.append((node[index], below + "├─ ", below + "│  "))
    return "\n".join(lines)


def tree_svg(tree: NaryTree) -> str:
    """A stand-alone SVG picture: leaves from left to right, parents above the middle of their children."""
    places: list[tuple[float, int]] = []  # x, depth; in the order nodes are finished
    labels: list[str] = []
    edges: list[tuple[int, int]] = []
    right = float(_GAP)
    deepest = 0
    # a node waits under its children until they have their places
    stack: list[tuple[NaryTree, int, list[int], list[int] | None]] = [(tree, 0, [], None)]
    while stack:
        node, depth, siblings, children = stack.pop()
        if isinstance(node, str):
            width = max(1, len(node)) * _CHARACTER
            x = right + width / 2
            right += width + _GAP
            labels.append(node)
        elif children is None:
            own: list[int] = []
            stack.append((node, depth, siblings, own))
            stack.extend((child, depth + 1, own, None) for child in reversed(node))
            continue
        else:
            x = (places[children[0]][0] + places[children[-1]][0]) / 2
            labels.append("")
            edges += [(len(places), child) for child in children]
        deepest = max(deepest, depth)
        siblings.append(len(places))
        places.append((x, depth))
    width, height = right, (deepest + 1) * _LEVEL + 10
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" '
        f'viewBox="0 0 {width:.0f} {height}" font-family="monospace" font-size="14">',
        '<rect width="100%" height="100%" fill="white"/>',
    ]
    for parent, child in edges:
        (x1, d1), (x2, d2) = places[parent], places[child]
        parts.append(
            f'<line x1="{x1:.1f}" y1="{_y(d1)}" x2="{x2:.1f}" y2="{_y(d2) - 12}" stroke="#888" stroke-width="1.2"/>'
        )
    for (x, depth), label in zip(places, labels, strict=True):
        if label:
            parts.append(f'<text x="{x:.1f}" y="{_y(depth) + 4}" text-anchor="middle">{escape(label)}</text>')
        else:
            parts.append(f'<circle cx="{x:.1f}" cy="{_y(depth)}" r="6" fill="white" stroke="#333"/>')
    return "\n".join([*parts, "</svg>\n"])


def _y(depth: int) -> int:
    return 22 + depth * _LEVEL


# -- trees whose inner nodes have labels ---------------------------------------------------------------------

_ROW = 74  # pixels between two levels
_PADDING = 11  # pixels between a label and its box
_LETTER = 7.6  # width of a character at 14 px
_FILL = {"leaf": "#ffffff", "relation": "#e8d9f7", "function": "#d6ebd9", "": "#dbe7f8"}
_ROUND = {"leaf": 15}
_STROKE = {"leaf": "#b9c0cc", "relation": "#8a5fb8", "function": "#3f8a52", "": "#4a76b8"}


def node_svg(roots: tuple[Node, ...], caption: str = "") -> str:
    """A stand-alone SVG picture of trees beside each other: boxes with labels, and edges with names."""
    boxes: list[tuple[float, int, Node]] = []  # centre, depth, node; children before their parents
    edges: list[tuple[int, int]] = []
    right = 16.0
    for root in roots:
        widths: dict[int, float] = {}
        whole = _measure(root, widths)
        _place(root, right, 0, widths, boxes, edges)
        right += whole + 24
    shown = caption if len(caption) <= 100 else caption[:99] + "…"
    width = max(right, len(shown) * _CHARACTER + 40)
    top = 40 if caption else 0
    height = (max((one[1] for one in boxes), default=0) + 1) * _ROW + top
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" '
        f'viewBox="0 0 {width:.0f} {height}" font-family="system-ui, sans-serif" font-size="14">',
        '<rect width="100%" height="100%" fill="#fcfcfd" rx="8"/>',
    ]
    if caption:
        parts.append(f'<text x="16" y="26" fill="#5b6472" font-family="ui-monospace, monospace">{escape(shown)}</text>')
    for parent, child in edges:
        (x1, d1, _), (x2, d2, node) = boxes[parent], boxes[child]
        y1, y2 = top + d1 * _ROW + 45, top + d2 * _ROW + 15
        middle = (y1 + y2) / 2
        parts.append(
            f'<path d="M{x1:.1f} {y1} C{x1:.1f} {middle} {x2:.1f} {middle} {x2:.1f} {y2}" fill="none" stroke="#9aa4b2" '
            'stroke-width="1.4"/>'
        )
        if node.edge:
            parts.append(_edge_label(node.edge, x2, y2 - 6))
    for x, level, node in boxes:
        wide, y = _width(node.label), top + level * _ROW + 15
        parts.append(
            f'<rect x="{x - wide / 2:.1f}" y="{y}" width="{wide:.1f}" height="30" rx="{_ROUND.get(node.kind, 7)}" '
            f'fill="{_FILL[node.kind]}" stroke="{_STROKE[node.kind]}" stroke-width="1.3"/>'
            f'<text x="{x:.1f}" y="{y + 20}" text-anchor="middle" fill="#1d2430">{escape(_short(node.label))}</text>'
        )
    return "\n".join([*parts, "</svg>\n"])


def _measure(node: Node, widths: dict[int, float]) -> float:
    """The width of a tree: that of its label, or of its children beside each other."""
    below = sum(_measure(child, widths) + _GAP for child in node.children) - _GAP
    widths[id(node)] = max(_width(node.label), len(node.edge) * 6.0 + 8, below)
    return widths[id(node)]


def _place(
    node: Node,
    left: float,
    depth: int,
    widths: dict[int, float],
    boxes: list[tuple[float, int, Node]],
    edges: list[tuple[int, int]],
) -> int:
    """The index of the box of a tree that starts at `left`; a parent stands above the middle of its children."""
    below = sum(widths[id(child)] + _GAP for child in node.children) - _GAP
    start = left + (widths[id(node)] - below) / 2
    children: list[int] = []
    for child in node.children:
        children.append(_place(child, start, depth + 1, widths, boxes, edges))
        start += widths[id(child)] + _GAP
    middle = left + widths[id(node)] / 2
    if children:
        half = _width(node.label) / 2
        middle = (boxes[children[0]][0] + boxes[children[-1]][0]) / 2
        middle = min(max(middle, left + half), left + widths[id(node)] - half)
    edges += [(len(boxes), child) for child in children]
    boxes.append((middle, depth, node))
    return len(boxes) - 1


def _edge_label(text: str, x: float, y: float) -> str:
    wide = len(text) * 6.0 + 6
    return (
        f'<rect x="{x - wide / 2:.1f}" y="{y - 10}" width="{wide:.1f}" height="13" rx="4" fill="#fcfcfd"/>'
        f'<text x="{x:.1f}" y="{y}" text-anchor="middle" font-size="11" fill="#6b7482">{escape(text)}</text>'
    )


def _short(label: str) -> str:
    return label if len(label) <= 40 else label[:39] + "…"


def _width(label: str) -> float:
    return len(_short(label)) * _LETTER + 2 * _PADDING
