r"""Reading a formula with the notations of the vocabulary: one mechanism for all concepts and a user's own.

The reader asks here before it reads an operand (`at_cursor`), between two operands (`between`) and at scripts
(`on_script`). A notation that matches gives the nodes of its holes; the concept's shape builds the node.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from texlift.errors import FormulaError, Span
from texlift.latex.nodes import Call, Command, Delimited, Group, Leaf, Node, Script, Scripted, Text
from texlift.latex.nodes import Row as Nodes
from texlift.meaning.reader.cursor import CLOSE, OPEN, SEPARATORS
from texlift.meaning.reader.operand import rest_of_product
from texlift.meaning.reader.pattern import (
    OPERATORS,
    UPRIGHT,
    Bracket,
    Element,
    Hole,
    Part,
    Pattern,
    Raised,
    Sign,
    keys_of,
    script_keys,
    word_in,
)
from texlift.meaning.tree import Expression

if TYPE_CHECKING:
    from texlift.meaning.reader.row import Row

__all__ = ["at_cursor", "behind", "between", "joined", "on_script", "opens_infix", "raised"]

_Holes = dict[str, "Row"]


def at_cursor(row: Row) -> Expression | None:
    """The concept whose notation begins at the cursor, which moves behind it; None where there is none."""
    table = row.scope.patterns
    node = row.items[row.at]
    for key in keys_of(node):
        for pattern in table.starts.get(key, ()):
            start = row.at
            found = _Match(row, pattern)
            if found.run(start):
                return found.value(node.start)
            row.at = start
    return None


def between(row: Row, level: str) -> tuple[Pattern, _Holes] | None:
    """The infix notation of a level at the cursor, which moves behind its signs, and the holes inside these."""
    if row.at >= row.count:
        return None
    table = row.scope.patterns
    for key in keys_of(row.items[row.at]):
        for pattern in table.infix.get(key, ()):
            if level and pattern.concept.level != level:
                continue
            found = _Match(row, pattern)
            end = found.signs(pattern.elements[1:-1], row, row.at)
            if end is not None and end < row.count:
                row.at = end
                return pattern, found.holes
    return None


def behind(row: Row, value: Expression) -> Expression:
    """A value with the concepts that are written behind it: `50\\%`."""
    table = row.scope.patterns.suffix
    while row.at < row.count:
        node = row.items[row.at]
        fitting = [pattern for key in keys_of(node) for pattern in table.get(key, ())]
        for pattern in fitting:
            found = _Match(row, pattern)
            end = found.signs(pattern.elements[1:], row, row.at, top=True)
            if end is not None:
                row.at = end
                first = pattern.elements[0]
                assert isinstance(first, Hole)
                parts = {name: inner.expression() for name, inner in found.holes.items()}
                span = (value.span[0], row.items[end - 1].end)
                value = pattern.shape.build(parts | {first.name: value}, span)
                value = row.scripts(value, found.after) if found.after else value
                break
        else:
            return value
    return value


def opens_infix(row: Row) -> bool:
    """Whether an infix notation stands at the cursor."""
    at = row.at
    found = between(row, "") is not None
    row.at = at
    return found


def joined(pattern: Pattern, holes: _Holes, left: Expression, right: Expression) -> Expression:
    """The concept between two operands."""
    first, last = pattern.elements[0], pattern.elements[-1]
    assert isinstance(first, Hole) and isinstance(last, Hole)
    parts = {name: inner.expression() for name, inner in holes.items()}
    return pattern.shape.build(parts | {first.name: left, last.name: right}, (left.span[0], right.span[1]))


def on_script(row: Row, value: Expression, script: Script, span: Span) -> Expression | None:
    """The concept that a script makes of a value; None for other scripts."""
    table = row.scope.patterns.postfix
    for pattern in [one for key in script_keys(script) for one in table.get(key, ())]:
        holes = _script_holes(row, pattern, script)
        if holes is not None:
            only = pattern.elements[0]
            assert isinstance(only, Raised) and isinstance(only.base, Hole)
            parts = {name: inner.expression() for name, inner in holes.items()}
            return pattern.shape.build(parts | {only.base.name: value}, span)
    return None


def raised(row: Row) -> tuple[Scripted, Script] | None:
    """The item at the cursor and the first of its scripts that a concept is written with."""
    node = row.items[row.at]
    if type(node) is not Scripted or node.base is None or (type(node.base) is Group and not node.base.children):
        return None
    table = row.scope.patterns.postfix
    for script in node.scripts:
        for key in script_keys(script):
            for pattern in table.get(key, ()):
                if _script_holes(row, pattern, script) is not None:
                    return node, script
    return None


def _script_holes(row: Row, pattern: Pattern, script: Script) -> _Holes | None:
    only = pattern.elements[0]
    assert isinstance(only, Raised)
    if len(only.scripts) != 1 or only.scripts[0][0] != script.kind:
        return None
    found = _Match(row, pattern)
    content = only.scripts[0][1]
    if script.argument is None:
        return {} if not content else None
    return found.holes if found.inside(content, [script.argument], (script.start, script.end)) else None


class _Match:
    """One attempt to read a pattern in a row."""

    __slots__ = ("after", "end", "holes", "operand", "pattern", "row")

    def __init__(self, row: Row, pattern: Pattern) -> None:
        self.row = row
        self.pattern = pattern
        self.holes: _Holes = {}
        self.operand = ""  # the hole that is read by the reader's own rules
        self.after: list[Script] = []  # scripts that belong to the value
        self.end = 0

    def run(self, at: int) -> bool:
        """Match the pattern from `at`; the cursor moves behind it."""
        elements = self.pattern.elements
        last = elements[-1]
        behind = None
        if isinstance(last, Hole):
            self.operand, behind = last.name, last
            elements = elements[:-1]
        end = self.signs(elements, self.row, at, top=behind is None, behind=behind)
        if end is None:
            return False
        self.row.at = end
        self.end = self.row.items[end - 1].end
        if not self.operand:
            return True
        loose = self.pattern.concept.extent in ("sum", "statement") and end < self.row.count
        return loose or self._bracketed() or self.row.starts_factor()

    def value(self, start: int) -> Expression:
        """The node that was matched."""
        row, pattern = self.row, self.pattern
        parts: dict[str, Expression] = {}
        row.scope.enter((start, self.end))
        for name, inner in self.holes.items():
            parts[name] = inner.expression()
        after = self.after
        if self.operand:
            parts[self.operand], after = self._operand()
            self.end = max(self.end, parts[self.operand].span[1])
        row.scope.depth -= 1
        value = pattern.shape.build(parts, (start, self.end))
        return row.scripts(value, after) if after else value

    def _bracketed(self) -> bool:
        row = self.row
        if row.at >= row.count:
            return False
        node = row.items[row.at]
        base = node.base if type(node) is Scripted else node
        return row.texts[row.at] in ("(", "[") or type(base) is Delimited

    def _operand(self) -> tuple[Expression, list[Script]]:
        from texlift.meaning.reader import fence, words

        row, extent = self.row, self.pattern.concept.extent
        if extent == "statement":
            return row.relation(), []
        if extent == "sum":
            return row.sum(), []
        if extent == "product":
            return rest_of_product(row, self.pattern.concept.name), []
        return fence.argument(row) if self._bracketed() else words.argument(row, self.pattern.concept.name)

    def inside(self, elements: tuple[Element, ...], nodes: Nodes, span: Span) -> bool:
        """Whether elements match all of these nodes."""
        row = type(self.row)(self.row.scope, nodes, span)
        end = self.signs(elements, row, 0)
        return end == row.count

    def signs(
        self, elements: tuple[Element, ...], row: Row, at: int, top: bool = False, behind: Element | None = None
    ) -> int | None:
        """Where a row of elements ends that begins at `at`; None where it does not match."""
        for index, element in enumerate(elements):
            following = elements[index + 1] if index + 1 < len(elements) else behind
            if isinstance(element, Hole):
                end = self._hole_end(row, at, following)
                if end is None or not self._take(element.name, row, at, end):
                    return None
                at = end
                continue
            if at >= row.count:
                return None
            last = top and index + 1 == len(elements)
            step = self._one(element, row, at, last)
            if step is None:
                return None
            at = step
        return at

    def _hole_end(self, row: Row, at: int, following: Element | None) -> int | None:
        if at >= row.count:
            return None
        if following is None:
            return row.count
        if isinstance(following, Hole):
            return at + 1
        depth = 0
        for index in range(at, row.count):
            if index > at and depth == 0 and _may_be(following, row.items[index]):
                trial = _Match(row, self.pattern)
                if trial._one(following, row, index, True) is not None:
                    return index
            text = row.texts[index]
            depth += (text in OPEN) - (text in CLOSE)
            if depth < 0:
                return None
        return None

    def _take(self, name: str, row: Row, start: int, end: int) -> bool:
        """Keep what stands in a hole; a hole for one thing has no separator in it."""
        if end <= start or name in self.holes:
            return False
        if name not in self.pattern.lists:
            depth = 0
            for text in row.texts[start:end]:
                depth += (text in OPEN) - (text in CLOSE)
                if depth == 0 and text in SEPARATORS:
                    return False
        self.holes[name] = row.part(start, end)
        return True

    def _one(self, element: Element, row: Row, at: int, last: bool) -> int | None:
        """Match one element at `at`; scripts behind the last one belong to the value."""
        node = row.items[at]
        wanted: tuple[tuple[str, tuple[Element, ...]], ...] = ()
        base: Element | None = element
        if isinstance(element, Raised):
            wanted, base = element.scripts, element.base
        if isinstance(base, Bracket) and row.texts[at] == base.left and type(node) is Leaf:
            try:
                closing = row.closer(at)
            except FormulaError:
                return None
            if row.texts[closing] != base.right:
                return None
            inner = row.part(at + 1, closing)
            if self.signs(base.inside, inner, 0) != inner.count:
                return None
            return closing + 1 if self._scripts(row.items[closing], wanted, last) else None
        core = node.base if type(node) is Scripted else node
        if core is not None and type(core) is Group and not core.children:
            core = None
        if not self._core(base, core, row):
            return None
        return at + 1 if self._scripts(node, wanted, last) else None

    def _core(self, base: Element | None, node: Node | None, row: Row) -> bool:
        if base is None or node is None:
            return base is None and node is None
        if isinstance(base, Sign):
            if base.word:
                return (type(node) is Command and node.name in UPRIGHT and word_in(node) == base.text) or (
                    base.text in OPERATORS and type(node) is Leaf and node.text == "\\" + base.text
                )
            if type(node) is Text:
                return node.body.strip() == base.text
            return (type(node) is Leaf and row.known(node.text) == base.text) or (
                type(node) is Call and not node.arguments and row.known(node.name) == base.text
            )
        if isinstance(base, Bracket):
            return (
                type(node) is Delimited
                and (row.known(node.left), row.known(node.right)) == (base.left, base.right)
                and self.inside(base.inside, node.children, node.inner)
            )
        if not isinstance(base, Part) or not isinstance(node, Command | Call) or node.name != base.name:
            return False
        if isinstance(node, Call) and node.scripts:
            return False
        arguments = [*node.options, *node.arguments] if isinstance(node, Command) else node.arguments
        return len(arguments) == len(base.arguments) and all(
            self.inside(content, part.children if isinstance(part, Group) else [part], (part.start, part.end))
            for content, part in zip(base.arguments, arguments, strict=True)
        )

    def _scripts(self, node: Node, wanted: tuple[tuple[str, tuple[Element, ...]], ...], last: bool) -> bool:
        given = list(node.scripts) if type(node) is Scripted else []
        for kind, content in wanted:
            script = next((one for one in given if one.kind == kind), None)
            if script is None:
                return False
            given.remove(script)
            if script.argument is None:
                if content:
                    return False
            elif not self.inside(content, [script.argument], (script.start, script.end)):
                return False
        kinds = {kind for kind, _ in wanted}
        if not self.pattern.concept.arity:
            last = False  # what a power of a constant is, the reader decides
        if given and (not last or any(one.kind != "^" or one.kind in kinds for one in given)):
            return False
        self.after = given
        return True


def _may_be(element: Element, node: Node) -> bool:
    """A quick look: whether a node can be what an element asks for."""
    base = element.base if isinstance(element, Raised) else element
    key = (
        ("word " * base.word + base.text) if isinstance(base, Sign) else base.name if isinstance(base, Part)
        else base.left if isinstance(base, Bracket) else ""
    )  # fmt: skip
    return key in keys_of(node)
