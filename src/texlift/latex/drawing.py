"""Drawings of trees: lines of text for a terminal, SVG for a browser or a paper."""

from __future__ import annotations

from html import escape

from texlift.latex.tree import NaryTree

__all__ = ["tree_svg", "tree_text"]

_LEVEL = 46  # pixels between two levels
_GAP = 14  # pixels between two leaves
_CHARACTER = 8.4  # width of a character of the 14 px monospaced font


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
