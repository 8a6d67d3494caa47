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

from texlift.errors import FormulaError, Span
from texlift.latex.nodes import (
    Call,
    Command,
    Delimited,
    Environment,
    Group,
    Infix,
    Leaf,
    Node,
    Script,
    Scripted,
    Text,
)
from texlift.latex.parser import MAX_DEPTH, parse
from texlift.latex.presentation import Presentation, presentation

__all__ = ["CallElement", "Element", "Row", "canonical", "canonical_key", "from_nodes", "spell"]

_SCRIPT_ORDER = {"_": 0, "'": 1, "^": 2}
_SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿⁱ", "0123456789+-ni", strict=True))
_SUBSCRIPTS = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋ₙₖ", "0123456789+-nk", strict=True))


class Element:
    """One element of a row; `start:end` is where it stands in the source."""

    __slots__ = ("end", "label", "rows", "spaced", "start", "style")

    def __init__(
        self, label: str, rows: tuple[Row, ...], start: int, end: int, style: str = "", spaced: bool = False
    ) -> None:
        self.label = label
        self.rows = rows
        self.start = start
        self.end = end
        self.style = style
        self.spaced = spaced  # a space command (`\\,`, `\\!`) stood before it

    def __repr__(self) -> str:
        return f"Element({self.key!r})"

    @property
    def key(self) -> str:
        """Canonical text: equal for two elements exactly if they present the same."""
        label = self.label
        if not self.rows:
            if len(label) > 1 and label[0] != "\\":
                return spell(label)
            return label
        return label + "{" + "}{".join([row.key for row in self.rows]) + "}"


class CallElement(Element):
    """A semantic macro in a semantic row; `rows` are its arguments, `scripts` what stands before the @."""

    __slots__ = ("node", "scripts")

    def __init__(self, node: Call, rows: tuple[Row, ...], scripts: list[Element]) -> None:
        super().__init__(node.name, rows, node.start, node.end, "call")
        self.node = node
        self.scripts = scripts

    @property
    def key(self) -> str:
        node = self.node
        shape = f"{node.name}[{len(node.options)}]({len(node.parameters)})"
        ats = "".join(f"@{count}({len(variables)})" for count, variables in node.segments)
        arguments = "}{".join([row.key for row in self.rows])
        return f"{shape}{ats}{{{arguments}}}{' '.join([script.key for script in self.scripts])}"


class Row:
    """A sequence of elements; `start:end` is its source without the braces around it.

    `dissolved` holds, for every pair of braces that only grouped, the spans of the opening and the closing
    one; `braced` tells whether the row itself stood in braces.
    """

    __slots__ = ("_key", "braced", "dissolved", "elements", "end", "start")

    def __init__(
        self,
        elements: list[Element],
        start: int,
        end: int,
        dissolved: list[tuple[Span, Span]] | None = None,
        braced: bool = True,
    ) -> None:
        self.elements = elements
        self.start = start
        self.end = end
        self.dissolved = dissolved or []
        self.braced = braced
        self._key: str | None = None

    def __repr__(self) -> str:
        return f"Row({self.key!r})"

    @property
    def key(self) -> str:
        """Canonical text of the row."""
        if self._key is None:
            self._key = " ".join([element.key for element in self.elements])
        return self._key


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


def spell(label: str) -> str:
    """A word or number letter by letter, so that `\\sin`, `\\mathrm{sin}` and `sin` are the same."""
    if label[0] in "#([{" or label.startswith(("text:", "env:")):
        return label
    style, colon, word = label.partition(":")
    if not colon or not word:
        return " ".join(label)
    if word[0] == "\\":
        return label
    return " ".join([f"{style}:{letter}" for letter in word])


class _Builder:
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

    def finish(self, start: int, end: int, braced: bool) -> Row:
        return Row(self.elements, start, end, self.dissolved, braced)

    def add(self, label: str, start: int, end: int, style: str = "", rows: tuple[Row, ...] = ()) -> None:
        self.elements.append(Element(label, rows, start, end, style, self.spaced))
        self.spaced = False

    def nodes(self, nodes: list[Node], font: str) -> None:
        for node in nodes:
            if type(node) is Leaf and node.text in self.table.font_switches:
                font = self.table.font_switches[node.text]  # `{\\rm Ec}`: it holds to the end of its group
                continue
            _BUILD[type(node)](self, node, font)

    def inner(self, start: int) -> _Builder:
        """A builder for a row below the current element."""
        depth = self.depth + len(self.openers) + 1
        if depth > MAX_DEPTH:
            message = f"nested more than {MAX_DEPTH} levels deep"
            raise FormulaError(message, self.source, (start, start + 1), "simplify the formula", "too-deep")
        return _Builder(self.table, self.source, depth)

    def row(self, node: Node, font: str = "") -> Row:
        """An argument as a row of its own."""
        builder = self.inner(node.start)
        if type(node) is Group:
            builder.nodes(node.children, font)
            return builder.finish(node.start + 1, node.end - 1, True)
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
        if text in table.ignored:
            self.spaced = True
            return
        if (text := table.synonyms.get(text, text)) in table.brackets:
            self.bracket(text, node.start, node.end, "")
            return
        if len(text) == 1:
            if text in "0123456789":
                self.digit(text, node.start, node.end)
                return
            if text in _SUPERSCRIPTS:
                self.shifted("^", _SUPERSCRIPTS[text], node)
                return
            if text in _SUBSCRIPTS:
                self.shifted("_", _SUBSCRIPTS[text], node)
                return
        elif text in table.words:
            self.add(table.words[text], node.start, node.end, "function")
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
            _BUILD[type(argument)](self, argument, font)

    def scripted(self, node: Scripted, font: str) -> None:
        elements = self.elements
        first = len(elements)
        last = elements[-1] if elements else None
        if node.base is not None:
            _BUILD[type(node.base)](self, node.base, font)
        if not elements or elements[-1] is last:
            self.add("{}", node.start, node.start if node.base is None else node.base.end)
        first = min(first, len(elements) - 1)  # a base that closes a bracket makes the row shorter
        for script in node.scripts:
            self.script(script)
        # scripts of a group follow scripts inside it: `{x^{2}}_{1}` reads like `x_{1}^{2}`
        index = len(elements)
        while index > first and elements[index - 1].label in _SCRIPT_ORDER:
            index -= 1
        if len(elements) - index > 1:
            elements[index:] = sorted(elements[index:], key=_script_order)

    def script(self, script: Script) -> None:
        if script.argument is None:
            self.add("'", script.start, script.end)
            return
        row = self.row(script.argument)
        if script.kind == "^" and row.elements and all(e.label == "\\prime" for e in row.elements):
            self.add("'", script.start, script.end, "prime")
            for _ in row.elements[1:]:
                self.add("'", script.end, script.end, "prime")
            return
        self.add(script.kind, script.start, script.end, "", (row,))

    # -- commands --------------------------------------------------------------------------------------

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
            label = "\\not" + "".join([e.label for e in builder.elements])
            self.add(table.synonyms.get(label, label), node.start, node.end)
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
            return
        if len(children) == 1 and type(children[0]) is Leaf and children[0].text not in self.table.ignored:
            child = children[0]
            self.atom(self.table.synonyms.get(child.text, child.text), node.start, node.end, font)
            return
        self.wrapped(node, font)

    def text_command(self, node: Command) -> None:
        argument = node.arguments[-1]
        assert isinstance(argument, Text)
        body = "".join(argument.body.split())
        if argument.math:
            self.add(self.mixed(argument), node.start, node.end, "text", self.dollars(argument))
        elif not body:
            self.spaced = True
        elif body.isalpha() and body.isascii():
            self.add(self.table.word_synonyms.get(body, body), node.start, node.end, "text")
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
        scripts = self.inner(node.start)
        for script in node.scripts:
            scripts.script(script)
        self.elements.append(CallElement(node, rows, sorted(scripts.elements, key=_script_order)))
        self.spaced = False


def _script_order(element: Element) -> int:
    return _SCRIPT_ORDER[element.label]


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
