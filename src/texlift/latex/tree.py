"""The paper's n-ary tree (section 4.2): only leaves are labelled, braces that only make structure are gone.

A tree is a string (a leaf) or a tuple of trees (a node), because a corpus has millions of nodes. `Tree` wraps
one for people. What becomes what:

    \\frac{2a}{n}      (\\frac, ((2, a), n))      several arguments are one node, a single one stands directly
    \\sqrt[3]{x}       (\\sqrt, (([], 3), x))     an option is a node headed by []
    x^{2}'             x, (^, 2), '             scripts follow their base in the row; ^ and _ are commands
    \\left( x \\right)   (\\left(, x, \\right))
    \\BesselJ{n}@{z}    (\\BesselJ, n, @, z)       semantic calls are flat and keep their @s
    {}                 {}                       an empty row is a leaf
    a \\over b          (\\over, (a, b))
    \\begin{m}a&b\\end{m}  (\\begin{m}, a, &, b)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias, Union

from texlift.latex.cursor import MAX_DEPTH
from texlift.latex.nodes import (
    Call,
    Command,
    Delimited,
    Environment,
    Group,
    Infix,
    Leaf,
    Node,
    Row,
    Script,
    Scripted,
    Text,
)
from texlift.latex.parser import parse
from texlift.latex.signatures import Signatures

__all__ = [
    "CLOSERS",
    "COMMAND_END",
    "CONCAT_END",
    "EMPTY",
    "INFIX_OPERATORS",
    "INNER",
    "OPENERS",
    "OPTION",
    "PLAIN",
    "Heuristics",
    "NaryTree",
    "Tree",
    "is_closer",
    "is_opener",
    "parse_tree",
    "row_tree",
]

NaryTree: TypeAlias = Union[str, tuple["NaryTree", ...]]  # noqa: UP007 (a forward reference)

COMMAND_END = "<COMMAND_END>"
CONCAT_END = "<CONCAT_END>"
INNER = ""
"""The label of inner nodes in binary trees, the paper's zero."""
EMPTY = "{}"  # no token looks like this, the lexer splits it
OPTION = "[]"

INFIX_OPERATORS = frozenset(
    r"""+ - * / = < > \lt \gt \le \leq \leqslant \ge \geq \geqslant \ne \neq \equiv \sim \simeq \asymp \asympeq
    \approx \cong \propto \to \rightarrow \Rightarrow \leftarrow \leftrightarrow \mapsto \pm \mp \times \cdot \div
    \ast \in \notin \subset \subseteq \cup \cap \ll \gg \prec \succ \wedge \vee \circ \oplus \otimes""".split()  # noqa: SIM905
)
OPENERS = frozenset(r"( [ \{ \lbrace \langle \lfloor \lceil".split())  # noqa: SIM905
CLOSERS = frozenset(r") ] \} \rbrace \rangle \rfloor \rceil".split())  # noqa: SIM905
_SIZED_OPENERS = frozenset(r"\bigl \Bigl \biggl \Biggl".split())  # noqa: SIM905
_SIZED_CLOSERS = frozenset(r"\bigr \Bigr \biggr \Biggr".split())  # noqa: SIM905


@dataclass(frozen=True, slots=True)
class Heuristics:
    """Which of the paper's heuristics are active; its results use the first two."""

    command_end: bool = False
    concat_end: bool = False
    prefix: bool = False
    postfix: bool = False

    def __post_init__(self) -> None:
        if self.prefix and self.postfix:
            raise ValueError("prefix and postfix exclude each other")


PLAIN = Heuristics()


@dataclass(frozen=True, slots=True)
class Tree:
    """A tree for people: compare it, match on it, print it."""

    root: NaryTree

    @property
    def children(self) -> tuple[Tree, ...]:
        """The children; none for a leaf."""
        return () if isinstance(self.root, str) else tuple(map(Tree, self.root))

    @property
    def label(self) -> str:
        """The label of a leaf; empty for a node."""
        return self.root if isinstance(self.root, str) else ""

    def leaves(self) -> Iterator[str]:
        """The labels from left to right."""
        stack = [self.root]
        while stack:
            tree = stack.pop()
            if isinstance(tree, str):
                yield tree
            else:
                stack.extend(reversed(tree))

    def pretty(self) -> str:
        """One line a node, children indented; for a drawing see `texlift.latex.drawing`."""
        lines: list[str] = []
        stack = [(self.root, 0)]
        while stack:
            tree, depth = stack.pop()
            lines.append("  " * depth + (tree if isinstance(tree, str) else "o"))
            if not isinstance(tree, str):
                stack.extend((child, depth + 1) for child in reversed(tree))
        return "\n".join(lines)

    def __str__(self) -> str:
        """Nested brackets, as the paper's figures are written."""
        out: list[str] = []
        stack: list[NaryTree | None] = [self.root]
        while stack:
            tree = stack.pop()
            if tree is None:
                out.append("]")
            elif isinstance(tree, str):
                out.append(tree)
            else:
                out.append("[")
                stack.append(None)
                stack.extend(reversed(tree))
        return " ".join(out).replace("[ ", "[").replace(" ]", "]")


def parse_tree(source: str, heuristics: Heuristics = PLAIN, signatures: Signatures | None = None) -> NaryTree:
    """Text to n-ary tree."""
    return row_tree(parse(source, signatures), heuristics)


def row_tree(row: Row, heuristics: Heuristics = PLAIN) -> NaryTree:
    """The n-ary tree of a parsed formula. Its root is never closed by `<CONCAT_END>`, as in the paper's figure 4."""
    builder = _Builder(heuristics)
    tree = builder.node(builder.items(row), ())
    if heuristics.concat_end and not isinstance(tree, str) and tree[-1] == CONCAT_END:
        return tree[:-1]  # the formula was one group
    return tree


class _Builder:
    """Nodes of the concrete syntax tree to n-ary trees; recursion is bounded by the parser's MAX_DEPTH."""

    __slots__ = ("command_end", "concat_end", "depth", "moves", "prefix")

    def __init__(self, heuristics: Heuristics) -> None:
        self.command_end = (COMMAND_END,) if heuristics.command_end else ()
        self.concat_end = (CONCAT_END,) if heuristics.concat_end else ()
        self.moves = heuristics.prefix or heuristics.postfix
        self.prefix = heuristics.prefix
        self.depth = 0

    def items(self, row: Row) -> list[NaryTree]:
        items: list[NaryTree] = []
        for node in row:
            if type(node) is Leaf:
                items.append(node.text)
            elif type(node) is Scripted:
                if node.base is not None:
                    items.append(self.tree(node.base))
                self.scripts(node.scripts, items)
            else:
                items.append(self.tree(node))
        return items

    def scripts(self, scripts: list[Script], items: list[NaryTree]) -> None:
        for script in scripts:
            if script.argument is None:
                items.append(script.kind)
            else:
                items.append((script.kind, self.tree(script.argument), *self.command_end))

    def node(self, items: list[NaryTree], end: tuple[str, ...]) -> NaryTree:
        """A concatenation; one item alone needs no node."""
        if self.moves and len(items) > 1:
            items = self.moved(items)
        if len(items) > 1:
            return (*items, *end)
        return items[0] if items else EMPTY

    def row(self, row: Row) -> NaryTree:
        self.depth += 1
        node = self.node(self.items(row), self.concat_end)
        self.depth -= 1
        return node

    def arguments(self, name: str, trees: list[NaryTree]) -> NaryTree:
        argument = trees[0] if len(trees) == 1 else tuple(trees)
        return (name, argument, *self.command_end)

    def tree(self, node: Node) -> NaryTree:
        """One construct."""
        if type(node) is Leaf:
            return node.text
        if type(node) is Group:
            return self.row(node.children)
        if isinstance(node, Command):
            if not node.options and not node.arguments:
                return node.name
            trees: list[NaryTree] = [self.option(option) for option in node.options]
            trees.extend([self.tree(argument) for argument in node.arguments])
            return self.arguments(node.name, trees)
        if isinstance(node, Call):
            return self.call(node)
        if isinstance(node, Delimited):
            left, right = _delimiter(r"\left", node.left), _delimiter(r"\right", node.right)
            return (left, self.row(node.children), right, *self.command_end)
        if isinstance(node, Text):
            return node.body or EMPTY
        if isinstance(node, Scripted):  # only as the base of nothing else: the parser puts scripts into rows
            return self.row([node])
        if isinstance(node, Infix):
            return self.arguments(node.operator, [self.row(node.above), self.row(node.below)])
        assert isinstance(node, Environment)
        return self.environment(node)

    def option(self, option: Group) -> NaryTree:
        return (OPTION, self.row(option.children), *self.command_end)

    def call(self, call: Call) -> NaryTree:
        items: list[NaryTree] = [call.name]
        items.extend([self.option(option) for option in call.options])
        items.extend([self.tree(parameter) for parameter in call.parameters])
        self.scripts(call.scripts, items)
        for ats, variables in call.segments:
            items.append("@" * ats)
            items.extend([self.tree(variable) for variable in variables])
        return (*items, *self.command_end) if len(items) > 1 else call.name

    def environment(self, node: Environment) -> NaryTree:
        arguments = "".join(f"{{{argument.body}}}" for argument in node.arguments)
        items: list[NaryTree] = [f"\\begin{{{node.name}}}{arguments}"]
        for number, cells in enumerate(node.rows):
            if number:
                items.append("\\\\")
            for position, cell in enumerate(cells):
                if position:
                    items.append("&")
                items.append(self.row(cell.children))
        return (*items, *self.command_end)

    # -- infix to prefix or postfix ----------------------------------------------------------------------

    def moved(self, items: list[NaryTree]) -> list[NaryTree]:
        """Infix operators to one end of the row: `a + bc - d` gives + - a (b c) d.

        An operand of several items becomes a node, a missing one (before a sign) the leaf {}, so that the
        operators find their way back. Parts in parentheses are nodes of their own here, otherwise the
        operators inside would leave them.
        """
        items = self.bracketed(items)
        operators: list[NaryTree] = []
        segments: list[list[NaryTree]] = [[]]
        for item in items:
            if isinstance(item, str) and item in INFIX_OPERATORS:
                operators.append(item)
                segments.append([])
            else:
                segments[-1].append(item)
        if not operators:
            return items
        operands: list[NaryTree] = [
            (*segment, *self.concat_end) if len(segment) > 1 else segment[0] if segment else EMPTY
            for segment in segments
        ]
        return operators + operands if self.prefix else operands + operators

    def bracketed(self, items: list[NaryTree]) -> list[NaryTree]:
        stack: list[list[NaryTree]] = [[]]
        too_deep = 0  # openers that stay leaves, so that `((((...` cannot make a tree deeper than the parser allows
        for item in items:
            if is_opener(item):
                if self.depth + len(stack) > MAX_DEPTH:
                    too_deep += 1
                    stack[-1].append(item)
                else:
                    stack.append([item])
            elif is_closer(item) and too_deep:
                too_deep -= 1
                stack[-1].append(item)
            elif is_closer(item) and len(stack) > 1:
                opener, *inside = stack.pop()
                content = [self.node(inside, self.concat_end)] if inside else []
                stack[-1].append((opener, *content, item, *self.concat_end))
            else:
                stack[-1].append(item)
        while len(stack) > 1:  # openers that were never closed stay plain leaves
            tail = stack.pop()
            stack[-1].extend(tail)
        return stack[0]


def _delimiter(command: str, delimiter: str) -> str:
    return f"{command} {delimiter}" if delimiter.isalpha() else command + delimiter


def is_opener(item: NaryTree) -> bool:
    """Whether an item of a row is an opening delimiter, plain or sized."""
    if isinstance(item, str):
        return item in OPENERS
    return isinstance(item[0], str) and item[0] in _SIZED_OPENERS


def is_closer(item: NaryTree) -> bool:
    """Whether an item of a row is a closing delimiter, plain or sized."""
    if isinstance(item, str):
        return item in CLOSERS
    return isinstance(item[0], str) and item[0] in _SIZED_CLOSERS
