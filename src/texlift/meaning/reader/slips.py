"""What people type that TeX prints otherwise: `10^32` for a power of two digits, `a != b`, braces as parentheses.

Nobody who means 10³·2 types `10^32`. What was meant is read, with a warning; where that is not clear, what is printed
is read, with a warning too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from texlift.latex.nodes import Group, Leaf, Node, Script, Scripted
from texlift.latex.nodes import Row as Nodes
from texlift.meaning.reader.notation import notation

if TYPE_CHECKING:
    from texlift.meaning.reader.scope import Scope

__all__ = ["corrected", "doubt_braces"]

_DIGITS = frozenset("0123456789")
_SIGNS = frozenset("+-")
_NAMES = {"^": "an exponent", "_": "a subscript"}


def corrected(scope: Scope, items: list[Node]) -> list[Node]:
    """The items of a row with scripts that lost their braces, and with `!=` as one sign."""
    if not _may_slip(items):
        return items
    found: list[Node] = []
    index = 0
    while index < len(items):
        node = items[index]
        index += 1
        if type(node) is Scripted and (more := _lost(scope, node, items, index)):
            found.append(_extended(scope, node, items[index : index + more]))
            index += more
        elif _is_unequal(scope, items, index - 1):
            scope.warn("!= was read as an inequality", (node.start, items[index].end))
            found.append(Leaf(r"\neq", node.start, items[index].end))
            index += 1
        else:
            found.append(node)
    return found


def _may_slip(items: list[Node]) -> bool:
    """Whether something may have to be corrected: quickly no for most."""
    before: Node | None = None
    for node in items:
        if type(node) is Leaf:
            if type(before) is Scripted:
                if node.text in _DIGITS:
                    return True
            elif node.text == "=" and type(before) is Leaf and before.text == "!":
                return True
        before = node
    return False


def _lost(scope: Scope, node: Scripted, items: list[Node], index: int) -> int:
    """How many digits from `index` on belong to the last script of the node before them."""
    script = node.scripts[-1]
    bare = script.argument
    if type(bare) is not Leaf or not (bare.text in _DIGITS or (bare.text in _SIGNS and script.kind == "^")):
        return 0
    signed = bare.text in _SIGNS
    if signed and not (type(node.base) is Leaf and (node.base.text in _DIGITS or node.base.text.isalpha())):
        return 0
    end, count = node.end, 0
    while index + count < len(items):
        item = items[index + count]
        if type(item) is not Leaf or item.text not in _DIGITS or item.start != end:
            break
        end, count = item.end, count + 1
    follows = items[index + count] if index + count < len(items) else None
    powered = type(follows) is Scripted and type(follows.base) is Leaf and follows.base.text in _DIGITS
    return 0 if powered and follows is not None and follows.start == end else count  # 2^23^2 is a product of powers


def _extended(scope: Scope, node: Scripted, digits: list[Node]) -> Scripted:
    script = node.scripts[-1]
    assert script.argument is not None
    whole = (script.argument.start, digits[-1].end)
    scope.warn(f"digits behind {_NAMES[script.kind]} without braces were read as part of it", (script.start, whole[1]))
    longer = Script(script.kind, Group([script.argument, *digits], *whole), script.start, whole[1])
    return Scripted(node.base, [*node.scripts[:-1], longer], node.start, whole[1])


def _is_unequal(scope: Scope, items: list[Node], index: int) -> bool:
    """`a != b` with a space before the two signs and none between them; `n!=6` is a factorial."""
    if index + 1 >= len(items) or index == 0:
        return False
    first, second = items[index], items[index + 1]
    signs = type(first) is Leaf and first.text == "!" and type(second) is Leaf and second.text == "="
    return signs and first.end == second.start and scope.source[first.start - 1 : first.start].isspace()


def doubt_braces(scope: Scope, nodes: Nodes) -> None:
    """Warn of `{a+b}c`: TeX prints a+bc, and that is read."""
    if len(nodes) < 2:
        return
    for index, node in enumerate(nodes):
        if type(node) is not Group or len(node.children) < 3:
            continue
        if not any(type(child) is Leaf and child.text in _SIGNS for child in node.children[1:]):
            continue
        neighbours = (nodes[index - 1] if index else None, nodes[index + 1] if index + 1 < len(nodes) else None)
        if any(_is_factor(neighbour) for neighbour in neighbours):
            scope.warn("braces are not printed: {a+b}c was read as a+bc", (node.start, node.end))


def _is_factor(node: Node | None) -> bool:
    if type(node) is Leaf:
        text = notation().synonyms.get(node.text, node.text)
        return text.isalnum() or text in notation().letters or text in ("(", ")", r"\cdot", r"\times", "*", "/")
    return node is not None
