"""Rows of canonical trees from symbols, brackets, groups and scripts; for commands see `canonical`."""

from __future__ import annotations

from typing import Self

from texlift.errors import FormulaError, Span
from texlift.latex.cursor import MAX_DEPTH
from texlift.latex.elements import Element, Row
from texlift.latex.nodes import Command, Delimited, Group, Infix, Leaf, Node, Script, Scripted
from texlift.latex.presentation import Presentation
from texlift.latex.shifted import LOWERED, RAISED

__all__ = ["RowBuilder", "script_order"]

_SCRIPT_ORDER = {"_": 0, "'": 1, "^": 2}
_DIGITS = frozenset("0123456789")


class RowBuilder:
    """Collects the elements of one row; opening brackets wait on a stack until they are closed."""

    __slots__ = ("depth", "dissolved", "elements", "openers", "source", "spaced", "table")

    def __init__(self, table: Presentation, source: str, depth: int = 0) -> None:
        self.table = table
        self.source = source
        self.depth = depth  # rows around this one; plain brackets nest without the parser's knowing
        self.elements: list[Element] = []
        self.dissolved: list[tuple[Span, Span]] = []
        self.openers: list[int] = []  # positions in `elements` of brackets not closed yet
        self.spaced = False

    def build(self, node: Node, font: str) -> None:
        """Add the elements of a node."""
        raise NotImplementedError

    def finish(self, start: int, end: int, braced: bool) -> Row:
        return Row(self.elements, start, end, self.dissolved, braced)

    def add(self, label: str, start: int, end: int, style: str = "", rows: tuple[Row, ...] = ()) -> None:
        self.elements.append(Element(label, rows, start, end, style, self.spaced))
        self.spaced = False

    def nodes(self, nodes: list[Node], font: str) -> None:
        plain, switches = self.table.plain, self.table.font_switches
        elements = self.elements
        for node in nodes:
            if type(node) is Leaf:
                text = node.text
                if not font and text in plain:
                    label, style = plain[text]
                    elements.append(Element(label, (), node.start, node.end, style, self.spaced))
                    self.spaced = False
                elif text in _DIGITS:
                    self.digit(text, node.start, node.end)
                elif text in switches:
                    font = switches[text]  # `{\\rm Ec}`: it prints nothing and holds to the end of its group
                else:
                    self.leaf(node, font)
            elif type(node) is Scripted:
                if type(node.base) is Leaf:
                    font = switches.get(node.base.text) or font  # `\\rm^2`
                self.scripted(node, font)
            else:
                if type(node) is Command and node.name in self.table.wrappers:
                    inner = node.arguments[-1]
                    if type(inner) is Leaf:
                        font = switches.get(inner.text) or font  # `\\mathop\\rm Res`
                self.build(node, font)

    def inner(self, start: int) -> Self:
        """A builder for a row below the current element."""
        depth = self.depth + len(self.openers) + 1
        if depth > MAX_DEPTH:
            message = f"nested more than {MAX_DEPTH} levels deep"
            raise FormulaError(message, self.source, (start, start + 1), "simplify the formula", "too-deep")
        return type(self)(self.table, self.source, depth)

    def row(self, node: Node, font: str = "") -> Row:
        """An argument as a row of its own."""
        if type(node) is Group:
            children = node.children
            if len(children) == 1 and not font and self.depth + len(self.openers) < MAX_DEPTH:
                child = children[0]
                if type(child) is Leaf:  # `{n}`, `{2}`: every other argument
                    text = child.text
                    plain = (text, "") if text in _DIGITS else self.table.plain.get(text)
                    if plain is not None:
                        element = Element(plain[0], (), child.start, child.end, plain[1])
                        return Row([element], node.start + 1, node.end - 1)
            builder = self.inner(node.start)
            builder.nodes(children, font)
            return builder.finish(node.start + 1, node.end - 1, True)
        builder = self.inner(node.start)
        builder.nodes([node], font)
        return builder.finish(node.start, node.end, False)

    def span_row(self, nodes: list[Node], span: Span) -> Row:
        builder = self.inner(span[0])
        builder.nodes(nodes, "")
        return builder.finish(span[0], span[1], True)

    # -- leaves ----------------------------------------------------------------------------------------

    def leaf(self, node: Leaf, font: str) -> None:
        text = node.text
        table = self.table
        if text in _DIGITS:
            self.digit(text, node.start, node.end)
            return
        if text in table.ignored:
            self.spaced = True
            return
        if text in table.font_switches:
            return  # prints nothing; `nodes` applies it to what follows
        if (text := table.synonyms.get(text, text)) in table.brackets:
            self.bracket(text, node.start, node.end, "")
            return
        if len(text) == 1:
            if text in RAISED:
                self.shifted("^", RAISED[text], node)
                return
            if text in LOWERED:
                self.shifted("_", LOWERED[text], node)
                return
        elif text in table.words:
            self.add(table.words[text], node.start, node.end, "function")
            return
        if not font:
            style = "variant" if node.text in table.variants else ""
            self.add(text, node.start, node.end, style)
            return
        self.atom(text, node.start, node.end, font)

    def atom(self, label: str, start: int, end: int, font: str) -> None:
        prefix = self.table.font_prefix.get(font, "")
        if font == "rm" and len(label) > 1 and label.isalpha():
            font = "rm-word"
        if not (label.isalpha() or label[0] in "\\#"):
            prefix = ""
        self.add(prefix + label, start, end, font)

    def digit(self, text: str, start: int, end: int) -> None:
        """Digits run together into one number; a point between digits belongs to it."""
        elements = self.elements
        if elements:
            last = elements[-1]
            if last.label[-1].isdigit() and not last.rows and last.label[0].isdigit():
                elements[-1] = Element(last.label + text, (), last.start, end, "", last.spaced)
                return
            if (
                last.label == "."
                and len(elements) > 1
                and elements[-2].label.isdigit()
                and not elements[-2].rows
                and last.end == start
            ):
                whole = elements[-2]
                elements[-2:] = [Element(f"{whole.label}.{text}", (), whole.start, end, "", whole.spaced)]
                return
        self.add(text, start, end)

    def shifted(self, kind: str, text: str, node: Leaf) -> None:
        row = Row([Element(text, (), node.start, node.end)], node.start, node.end, None, False)
        self.add(kind, node.start, node.end, "unicode", (row,))

    # -- brackets --------------------------------------------------------------------------------------

    def bracket(self, text: str, start: int, end: int, style: str) -> None:
        """Pair plain brackets; one that has no partner stays an atom."""
        if text in self.table.closing:
            while self.openers:
                index = self.openers.pop()
                opener = self.elements[index]
                if text in self.table.partners[opener.label]:
                    inside = Row(self.elements[index + 1 :], opener.end, start, self._dissolved_in(opener.end, start))
                    label = f"{opener.label} {text}"
                    fence = Element(label, (inside,), opener.start, end, style or opener.style, opener.spaced)
                    self.elements[index:] = [fence]
                    self.spaced = False
                    return
        else:
            self.inner(start)  # refuses what is nested too deep
            self.openers.append(len(self.elements))
        self.add(text, start, end, style)

    def _dissolved_in(self, start: int, end: int) -> list[tuple[Span, Span]]:
        """Take out the dissolved braces between two positions: they belong to the row inside the brackets."""
        index = len(self.dissolved)
        while index and self.dissolved[index - 1][1][1] > start:
            index -= 1  # in the order in which they end: those behind the opening bracket are the last
        last = self.dissolved[index:]
        inside = [pair for pair in last if start <= pair[0][0] and pair[1][1] <= end]
        if inside:
            self.dissolved[index:] = [pair for pair in last if pair not in inside]
        return inside

    def delimited(self, node: Delimited, font: str) -> None:
        table = self.table
        left = table.synonyms.get(node.left, node.left)
        right = table.synonyms.get(node.right, node.right)
        if left in table.partners and right in table.closing:
            row = self.span_row(node.children, node.inner)
            self.add(f"{left} {right}", node.start, node.end, "left", (row,))
            return
        # `\\left|..\\right|`, `\\left.`: delimiters without direction are atoms, as when written plainly
        if left != ".":
            self.add(left, node.start, node.inner[0], "left")
        self.nodes(node.children, font)
        if right != ".":
            self.add(right, node.inner[1], node.end, "right")

    # -- groups and scripts ----------------------------------------------------------------------------

    def group(self, node: Group, font: str) -> None:
        first = len(self.elements)
        self.nodes(node.children, font)
        if len(node.children) == 1 and type(node.children[0]) is Infix:
            self.elements[-1].start, self.elements[-1].end = node.start, node.end  # `{a\\over b}` needs its braces
            return
        opening = (node.start, node.start + 1)
        if len(self.elements) > first and node.children:
            lead = node.children[0]
            if type(lead) is Leaf and lead.text in self.table.font_switches:
                opening = (node.start, self.elements[first].start)
        self.dissolved.append((opening, (node.end - 1, node.end)))

    def wrapped(self, node: Command, font: str) -> None:
        """`\\mathbin{|}`, `\\mathop{..}`, `\\mathrm{..}` with mixed content: only its content counts."""
        argument = node.arguments[-1]
        if type(argument) is Group:
            self.nodes(argument.children, font)
            self.dissolved.append(((node.start, argument.start + 1), (argument.end - 1, argument.end)))
        else:
            self.build(argument, font)

    def scripted(self, node: Scripted, font: str) -> None:
        elements = self.elements
        first = len(elements)
        last = elements[-1] if elements else None
        base = node.base
        if type(base) is Leaf and not font and base.text in self.table.plain:
            label, style = self.table.plain[base.text]
            elements.append(Element(label, (), base.start, base.end, style, self.spaced))
            self.spaced = False
        elif base is not None:
            self.build(base, font)
        if not elements or elements[-1] is last:
            self.add("{}", node.start, node.start if base is None else base.end)
        first = min(first, len(elements) - 1)  # a base that closes a bracket makes the row shorter
        for script in node.scripts:
            self.script(script)
        # scripts of a group follow scripts inside it: `{x^{2}}_{1}` reads like `x_{1}^{2}`
        index = len(elements)
        while index > first and elements[index - 1].label in _SCRIPT_ORDER:
            index -= 1
        if len(elements) - index > 1:
            elements[index:] = sorted(elements[index:], key=script_order)

    def script(self, script: Script) -> None:
        if script.argument is None:
            self.add("'", script.start, script.end)
            return
        row = self.row(script.argument)
        elements = row.elements
        if (
            script.kind == "^"
            and elements
            and elements[0].label == "\\prime"
            and all(element.label == "\\prime" for element in elements)
        ):
            self.add("'", script.start, script.end, "prime")
            for _ in elements[1:]:
                self.add("'", script.end, script.end, "prime")
            return
        self.elements.append(Element(script.kind, (row,), script.start, script.end, "", self.spaced))
        self.spaced = False


def script_order(element: Element) -> int:
    """The place of a script among those of one symbol."""
    return _SCRIPT_ORDER[element.label]
