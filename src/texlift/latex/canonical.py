"""Canonical trees: one tree for all ways of writing the same presentation.

`\\Gamma(z)`, `\\Gamma\\left(z\\right)` and `\\Gamma\\!\\bigl( z \\bigr)` are one row of two elements, the atom
`\\Gamma` and a fence around `z`. A formula is a row of elements; an element has a label and rows below it:

    atom      `x`, `\\alpha`, `2.5`, `sin` (a word: `\\sin`, `\\mathrm{sin}`, `\\operatorname{sin}`), `bf:F`
    script    `_`, `'`, `^`: elements of their own behind what they are attached to, in this order
    fence     `( )`, `[ )`, ...: label is the two delimiters, one row
    command   `\\frac`, `\\sqrt`, `\\overline`, `env:matrix:2x2`, ...: their arguments as rows

Braces that only group are dissolved; how a thing was written stays behind in `Element.style` and in the
source spans, from which literal parts are copied. Equality of presentation is equality of `Row.key`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from texlift.latex.elements import CallElement, Element, FontElement, Row, spell
from texlift.latex.nodes import (
    Call,
    Command,
    Delimited,
    Environment,
    Group,
    Infix,
    Leaf,
    Node,
    Scripted,
    Text,
)
from texlift.latex.parser import parse
from texlift.latex.presentation import presentation
from texlift.latex.rowbuilder import RowBuilder, script_order

__all__ = ["CallElement", "Element", "FontElement", "Row", "canonical", "canonical_key", "from_nodes", "spell"]


def canonical(source: str) -> Row:
    """The canonical tree of a generic formula. Raises FormulaError where it does not parse."""
    return from_nodes(parse(source), source)


def canonical_key(source: str) -> str:
    """A text that is equal for all ways of writing the same presentation."""
    return canonical(source).key


def from_nodes(nodes: list[Node], source: str) -> Row:
    """The canonical tree of a parsed formula."""
    builder = _Builder(presentation(), source)
    builder.nodes(nodes, "")
    return builder.finish(0, len(source), True)


class _Builder(RowBuilder):
    """Adds the commands, environments and calls."""

    __slots__ = ()

    def build(self, node: Node, font: str) -> None:
        _BUILD[type(node)](self, node, font)

    def command(self, node: Command, font: str) -> None:
        table = self.table
        name = node.name
        if name in table.fonts:
            self.font(node, table.fonts[name])
        elif name in table.ignored:
            self.spaced = True
        elif name in table.texts:
            self.text_command(node)
        elif name in table.wrappers:
            self.wrapped(node, font)
        elif name in table.sized:
            delimiter = node.arguments[0]
            assert isinstance(delimiter, Leaf)
            text = table.synonyms.get(delimiter.text, delimiter.text)
            if text in table.brackets:
                self.bracket(text, node.start, node.end, "big")
            elif text != ".":
                self.add(text, node.start, node.end, "big")
        elif name in table.binomials:
            self.binomial(node.arguments, node.start, node.end, "( )")
        elif name == r"\genfrac":
            self.genfrac(node)
        elif name == r"\not":
            builder = self.row(node.arguments[0])
            label = table.synonyms.get("\\not" + "".join([e.label for e in builder.elements]))
            if label is not None:
                self.add(label, node.start, node.end)
            else:
                self.add(name, node.start, node.end, name, (builder,))
        else:
            rows = tuple([self.row(argument) for argument in (*node.arguments, *node.options)])
            self.add(table.synonyms.get(name, name), node.start, node.end, name, rows)

    def font(self, node: Command, font: str) -> None:
        """`\\mathrm{Ai}` is a word, `\\mathbf{F}` a bold letter; other content only carries the font."""
        argument = node.arguments[0]
        children = argument.children if type(argument) is Group else [argument]
        while len(children) == 1 and type(children[0]) is Group:
            children = children[0].children  # `\\boldsymbol{{\\Omega}}`
        letters = [c.text for c in children if type(c) is Leaf and len(c.text) == 1 and c.text.isalnum()]
        # `\\operatorname{atan2}` is one name; digits elsewhere are numbers
        named = font == "op" and letters and letters[0].isalpha()
        if letters and len(letters) == len(children) and (named or all(map(str.isalpha, letters))):
            word = "".join(letters)
            self.atom(self.table.word_synonyms.get(word, word), node.start, node.end, font)
            self.keep_inner(children)
            return
        child = children[0] if len(children) == 1 else None
        if type(child) is Leaf and child.text not in self.table.ignored and child.text not in self.table.font_switches:
            self.atom(self.table.synonyms.get(child.text, child.text), node.start, node.end, font)
            self.keep_inner(children)
            return
        self.wrapped(node, font)

    def keep_inner(self, leaves: list[Node]) -> None:
        """Keep what stands in a font that makes another symbol of it: a macro may put its argument there."""
        last = self.elements[-1]
        if ":" in last.label:
            inner = self.inner(last.start)
            inner.nodes(leaves, "")
            self.elements[-1] = FontElement(last, inner.finish(leaves[0].start, leaves[-1].end, True))

    def text_command(self, node: Command) -> None:
        argument = node.arguments[-1]
        assert isinstance(argument, Text)
        body = "".join(argument.body.split())
        if argument.math:
            self.add(self.mixed(argument), node.start, node.end, "text", self.dollars(argument))
        elif not body:
            self.spaced = True
        elif body.isalpha() and body.isascii():
            font = self.table.text_fonts.get(node.name)  # `\\textbf{F}` is not F
            label = self.table.font_prefix[font] + body if font else self.table.word_synonyms.get(body, body)
            self.add(label, node.start, node.end, "text")
        else:
            self.add(f"text:{body}", node.start, node.end, "text")

    def dollars(self, node: Text) -> tuple[Row, ...]:
        return tuple([self.span_row(math.children, (math.start + 1, math.end - 1)) for math in node.math])

    def mixed(self, node: Text) -> str:
        """The label of a text with math in it: a dollar for each formula."""
        parts = ["text:"]
        at = node.start + 1
        for math in node.math:
            parts += [self.source[at : math.start], "$"]
            at = math.end
        return "".join("".join([*parts, self.source[at : node.end - 1]]).split())

    def binomial(self, arguments: list[Node], start: int, end: int, fence: str) -> None:
        self.depth += 1  # the fence and the stack in it
        rows = tuple([self.row(argument) for argument in arguments])
        self.depth -= 1
        stack = Element("\\atop", rows, start, end, "binom")
        self.add(fence, start, end, "binom", (Row([stack], start, end),))

    def genfrac(self, node: Command) -> None:
        """amsmath's `\\genfrac{left}{right}{thickness}{style}{above}{below}`."""
        left, right, thickness = (a.body.strip() for a in node.arguments[:3] if isinstance(a, Text))
        thin = thickness[:1] == "0" and not thickness.strip("0.ptem")
        if thin and left and right:
            self.binomial(node.arguments[4:], node.start, node.end, f"{left} {right}")
            return
        rows = tuple([self.row(argument) for argument in node.arguments[4:]])
        label = "\\atop" if thin else "\\frac"
        if left or right:
            inside = Row([Element(label, rows, node.start, node.end, node.name)], node.start, node.end)
            self.add(f"{left or '.'} {right or '.'}", node.start, node.end, node.name, (inside,))
        else:
            self.add(label, node.start, node.end, node.name, rows)

    def infix(self, node: Infix, font: str) -> None:
        self.depth += 1
        rows = (self.span_row(node.above, node.above_span), self.span_row(node.below, node.below_span))
        self.depth -= 1
        if node.operator == "\\over":
            self.add("\\frac", node.start, node.end, node.operator, rows)
        elif node.operator == "\\atop":
            self.add("\\atop", node.start, node.end, node.operator, rows)
        else:
            stack = Element("\\atop", rows, node.start, node.end, node.operator)
            fence = self.table.infix_fences[node.operator]
            self.add(fence, node.start, node.end, node.operator, (Row([stack], node.start, node.end),))

    def environment(self, node: Environment, font: str) -> None:
        self.depth += 1
        cells = tuple([self.row_of_cell(cell) for row in node.rows for cell in row])
        self.depth -= 1
        rows = [row for row in node.rows if len(row) > 1 or row[0].children]
        shape = f"{len(rows)}x{max((len(row) for row in rows), default=0)}"
        if len(rows) < len(node.rows):
            cells = cells[: sum(map(len, rows))]  # a trailing `\\\\`
        kind, fence = self.table.environments.get(node.name, (node.name.rstrip("*"), ""))
        inner = Element(f"env:{kind}:{shape}", cells, node.start, node.end, node.name, self.spaced)
        if not fence:
            self.elements.append(inner)
            self.spaced = False
            return
        left, right = fence.split()
        if left in self.table.partners:
            self.add(fence, node.start, node.end, node.name, (Row([inner], node.start, node.end),))
        else:
            self.add(left, node.start, node.start, "left")
            self.elements.append(inner)
            self.add(right, node.end, node.end, "right")

    def row_of_cell(self, cell: Group) -> Row:
        return self.span_row(cell.children, (cell.start, cell.end))

    def text(self, node: Text, font: str) -> None:
        self.add(f"text:{node.body}", node.start, node.end)

    def call(self, node: Call, font: str) -> None:
        """Semantic macros have no presentation of their own; they stand in semantic rows as they are."""
        rows = tuple([self.row(argument) for argument in node.arguments])
        scripts: list[Element] = []
        if node.scripts:
            builder = self.inner(node.start)
            for script in node.scripts:
                builder.script(script)
            scripts = sorted(builder.elements, key=script_order)
        self.elements.append(CallElement(node, rows, scripts))
        self.spaced = False


_BUILD: dict[type, Callable[[_Builder, Any, str], None]] = {
    Leaf: _Builder.leaf,
    Group: _Builder.group,
    Scripted: _Builder.scripted,
    Command: _Builder.command,
    Text: _Builder.text,
    Delimited: _Builder.delimited,
    Infix: _Builder.infix,
    Environment: _Builder.environment,
    Call: _Builder.call,
}
