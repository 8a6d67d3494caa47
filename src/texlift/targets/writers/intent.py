"""Presentation MathML 4 with `intent` attributes and invisible operators.

The layout is the author's. What it means comes from the meaning tree, by the places of its nodes in the source: where
two neighbours are multiplied stands U+2062, between a function and its argument U+2061, between indices U+2063; a
fence or a script that means something has an intent. A semantic macro is shown by its template; its intent names the
concept of the W3C's lists where they have it, otherwise what the macro means.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cache

from texlift.grammar.expansion import Expander
from texlift.grammar.packaged import packaged_grammar
from texlift.grammar.pattern import HOLES
from texlift.latex.nodes import Call, Group, Leaf, Node, Row, Script
from texlift.latex.parser import parse
from texlift.macros.lexicon import lexicon
from texlift.macros.presentation import presented
from texlift.meaning.reader.reading import Reading, semantic_signatures
from texlift.meaning.tree import (
    Apply,
    Constant,
    Derivative,
    Expression,
    Indexed,
    Integral,
    Interval,
    Number,
    Sequence,
    Unknown,
    walk,
)
from texlift.targets.table import load_table
from texlift.targets.writers.conceptual import Concepts
from texlift.targets.writers.layout import Layout
from texlift.targets.writers.markup import Piece, attributed, single
from texlift.targets.writers.writer import Writer

__all__ = ["IntentPrinter", "concept"]

APPLIED, TIMES, SEPARATED = "<mo>\u2061</mo>", "<mo>\u2062</mo>", "<mo>\u2063</mo>"
_CONSTANTS = {"i": "imaginary-i", "e": "exponential-e", "gamma": "euler-mascheroni-constant", "pi": "pi",
              "infinity": "infinity", "reals": "set-of-reals", "integers": "set-of-integers",
              "complexes": "set-of-complex-numbers", "rationals": "set-of-rationals",
              "naturals": "set-of-natural-numbers", "nonnegative": "set-of-natural-numbers",
              "emptyset": "empty-set"}  # fmt: skip
_FENCES = {"abs": "absolute-value", "norm": "norm", "floor": "floor", "ceiling": "ceiling",
           "cardinality": "cardinality", "det": "determinant", "commutator": "commutator",
           "innerproduct": "inner-product", "expectation": "expected-value"}  # fmt: skip
_SCRIPTS = {"transpose": "transpose", "adjoint": "conjugate-transpose", "conjugate": "complex-conjugate",
            "inverse": "inverse", "complement": "complement"}  # fmt: skip
_SEQUENCES = {"tuple": "tuple", "set": "set", "list": "list"}
_ACCENTS = {"conjugate": "complex-conjugate", "mean": "mean"}
_HOLE = re.compile(r"#([1-9a-z'])")
_FIRST_HOLE, _FIRST_SCRIPT = 0xE000, 0xE100  # characters of the private use area stand for holes and scripts
_UNSAFE = re.compile(r"[\uE000-\uF8FF]|[^\u0009\u000a\u000d\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@cache
def _expander() -> Expander:
    return Expander(packaged_grammar())


@cache
def _template(generic: str) -> Row:
    return parse(generic)


@cache
def concept(name: str) -> str:
    """The intent's name for a macro: from the table, or the macro's meaning; empty for one that needs none."""
    entry = load_table("intent").entries.get(name)
    if entry is not None:
        return entry.code
    macro = lexicon().lookup(name)
    words = re.sub(r"\(.*?\)", "", macro.meaning.lower() if macro is not None else name[1:].lower())
    words = re.sub(r"['’]s\b|\bthe\b", "", words)
    slug = re.sub(r"[^a-z0-9]+", "-", words).strip("-")
    return slug if slug[:1].isalpha() else f"_{slug}"


class IntentPrinter(Writer):
    """Writes one `<math>` element for the whole formula; `\\pm` stays as it is."""

    target = "intent"

    def formula(self, reading: Reading) -> str:
        found = _UNSAFE.search(self.source)
        if found is not None:
            raise self.error("a character that XML or the layout cannot have", Number("", found.span()))
        for statement in reading.statements:
            for node in walk(statement):
                name = getattr(node, "name", None)
                if isinstance(name, str) and not isinstance(node, Constant):
                    self.symbols.setdefault(name, name)
        layout = _MeantLayout(self.source, reading.statements)
        return layout.concepts.settled(f"<math>{layout.row(parse(self.source, semantic_signatures()))}</math>")


class _MeantLayout(Layout):
    """The layout of a source with what its meaning tree says."""

    def __init__(self, source: str, statements: tuple[Expression, ...]) -> None:
        super().__init__(source)
        self.nodes: dict[tuple[int, int], list[Expression]] = {}
        marks: dict[tuple[int, int], str] = {}
        self.concepts = Concepts((node for one in statements for node in walk(one)), source, _FENCES)
        for statement in statements:
            for node in walk(statement):
                if node.span != (0, 0):
                    self.nodes.setdefault(node.span, []).append(node)
                    _mark(node, marks, source)
        self.marks = sorted((right, left, sign) for (left, right), sign in marks.items())
        self.depth = 0  # inside scripts
        self.template: bool | None = None  # whether the template shown is that of a function
        self.labels: dict[str, str] = {}  # names of arguments not shown yet, by the character that stands for them

    def at(self, start: int, end: int) -> list[Expression]:
        """The nodes that a part of the source stands for."""
        return [] if self.template is not None else self.nodes.get((start, end), [])

    def joined(self, pieces: list[Piece]) -> list[Piece]:
        found = super().joined(pieces)
        return found if self.template is not None else self.concepts.grouped(found)

    # -- between pieces --------------------------------------------------------------------------------

    def between(self, left: Piece, right: Piece) -> str:
        if self.template is not None:
            return APPLIED if self.template else ""
        place = bisect_left(self.marks, (right.start, -1, ""))
        while place < len(self.marks) and self.marks[place][0] < right.end:
            _, before, sign = self.marks[place]
            if left.start <= before < left.end:
                return sign
            place += 1
        if self.depth or (right.kind == "fence" and left.kind == "operand"):
            return ""
        return TIMES

    def closing_bar(self, nodes: list[Node], at: int) -> int:
        start = nodes[at].start
        for place in range(len(nodes) - 1, at, -1):
            node = nodes[place]
            end = node.base.end if not isinstance(node, Leaf) and getattr(node, "base", None) is not None else node.end  # type: ignore[union-attr]
            for found in self.nodes.get((start, end), ()):
                if isinstance(found, Apply) and found.head in _FENCES:
                    return place
        return -1

    # -- pieces with a meaning -------------------------------------------------------------------------

    def meant(self, piece: Piece) -> Piece:
        for node in self.at(piece.start, piece.end):
            if isinstance(node, Constant) and piece.xml.startswith("<mi") and node.name in _CONSTANTS:
                name = _CONSTANTS[node.name]
                if name not in ("pi", "infinity"):
                    return Piece(attributed(piece.xml, intent=name), piece.start, piece.end, piece.kind)
            elif isinstance(node, Apply) and node.head in _ACCENTS and piece.xml.startswith("<mover"):
                return Piece(
                    attributed(_labelled_first(piece.xml), intent=f"{_ACCENTS[node.head]}($a1)"),
                    piece.start, piece.end, piece.kind,
                )  # fmt: skip
        return piece

    def fence(self, left: str, inside: list[Piece], right: str, start: int, end: int) -> Piece:
        for node in self.at(start, end):
            name = ""
            if isinstance(node, Apply) and node.head in _FENCES:
                name = _FENCES[node.head]
            elif isinstance(node, Interval):
                ends = ("closed" if node.closed_lower else "open", "closed" if node.closed_upper else "open")
                name = f"{ends[0]}-interval" if ends[0] == ends[1] else f"{ends[0]}-{ends[1]}-interval"
            elif isinstance(node, Sequence):
                name = _SEQUENCES.get(node.kind, "")
            if name:
                body, count = _listed(inside)
                arguments = ",".join(f"$a{i + 1}" for i in range(count))
                return Piece(f'<mrow intent="{name}({arguments})">{left}{body}{right}</mrow>', start, end, "fence")
        return super().fence(left, inside, right, start, end)

    def raised(self, base: Piece, scripts: list[Script], end: int, limits: bool) -> Piece:
        for node in self.at(base.start, end) + self.at(base.start + 1, end):
            if isinstance(node, Apply) and node.head in _SCRIPTS and len(scripts) == 1:
                labelled = Piece(attributed(base.xml, arg="a1"), base.start, base.end, base.kind)
                shown = super().raised(labelled, scripts, end, limits)
                return Piece(attributed(shown.xml, intent=f"{_SCRIPTS[node.head]}($a1)"), base.start, end)
            if isinstance(node, Apply) and node.head == r"\Pochhammersym" and len(scripts) == 1:
                below = attributed(self.inner(scripts[0].argument), arg="a2")
                xml = f'<msub intent="pochhammer($a1,$a2)">{attributed(base.xml, arg="a1")}{below}</msub>'
                return Piece(xml, base.start, end)
            if isinstance(node, Constant) and node.name in _CONSTANTS:
                shown = super().raised(base, scripts, end, limits)
                return Piece(attributed(shown.xml, intent=_CONSTANTS[node.name]), base.start, end)
        return super().raised(base, scripts, end, limits)

    def inner(self, node: Node | None) -> str:
        """A script."""
        self.depth += 1
        shown = self.element(node)
        self.depth -= 1
        return shown

    def scripts(self, base: str, scripts: list[Script], limits: bool) -> str:
        lowered = any(script.kind == "_" for script in scripts)
        self.depth += lowered and not limits
        shown = super().scripts(base, scripts, limits)
        self.depth -= lowered and not limits
        return shown

    # -- macros ----------------------------------------------------------------------------------------

    def call(self, node: Call) -> Piece:
        rule = _expander().rule(self.source, node)
        if rule is None:
            raise self.refuse(node.name, node.start, node.end)
        kinds = {script.kind for script in node.scripts}
        generic = presented(rule.generic, kinds)
        filled: dict[str, str] = {}
        labels: dict[str, str] = {}
        named: list[str] = []
        for index, argument in enumerate(rule.shape.arguments):
            if isinstance(argument, int) and f"#{HOLES[argument]}" in generic:
                hole = chr(_FIRST_HOLE + argument)
                filled[hole] = self.plain(node.arguments[index])
                labels[hole] = f"a{index + 1}"
                named.append(f"$a{index + 1}")
            elif isinstance(argument, str) and re.fullmatch(r"[a-zA-Z]", argument.strip()):
                named.append(argument.strip())
        marks = ""
        for number, script in enumerate(node.scripts):
            if script.kind == "'":
                marks += "'"
            else:
                hole = chr(_FIRST_SCRIPT + number)
                filled[hole] = self.inner(script.argument)
                labels[hole] = f"s{number + 1}"
                marks += f"{script.kind}{{{hole}}}"

        def hole_of(found: re.Match[str]) -> str:
            return marks if found[1] == "'" else f"{chr(_FIRST_HOLE + HOLES.index(found[1]))} "

        text = _HOLE.sub(hole_of, generic)
        macro = lexicon().lookup(node.name)
        outer = (self.filled, self.labels, self.template, self.font)
        intent = self.intent(node, named)
        self.filled, self.labels, self.font = filled, labels if intent else {}, ""
        self.template = bool(macro is not None and macro.variables and node.segments)
        try:
            shown = self.row(_template(text))
        finally:
            self.filled, self.labels, self.template, self.font = outer
        kind = "space" if node.name in (r"\diff", r"\pdiff") else "operator" if shown.startswith("<mo>") else "operand"
        if intent:
            shown = attributed(shown, intent=intent)
        return Piece(shown, node.start, node.end, kind)

    def plain(self, node: Node) -> str:
        """An argument, outside of subscripts."""
        depth, self.depth = self.depth, 0
        shown = self.element(node)
        self.depth = depth
        return shown

    def intent(self, node: Call, named: list[str]) -> str:
        """The intent of a call, with the power or derivative that its scripts say; empty where it needs none."""
        name = concept(node.name)
        if not name:
            return ""
        if name in ("derivative", "partial-derivative"):
            return _derivative(name, node)
        value = f"{name}({','.join(named)})" if named else name
        if not node.scripts:
            return value
        for found in self.at(node.start, node.end):
            if isinstance(found, Apply) and found.head == "power" and len(node.scripts) == 1:
                return f"power({value},$s1)"
            primes = sum(script.kind == "'" for script in node.scripts)
            if isinstance(found, Derivative) and primes == len(node.scripts) and node.variables and named:
                return f"derivative({value},{named[-1]},{primes})"
        return ""

    def leaf(self, node: Leaf) -> Piece | None:
        if self.template is not None and node.text in self.filled:
            label = self.labels.pop(node.text, "")
            shown = self.filled[node.text]
            return Piece(attributed(shown, arg=label) if label else shown, node.start, node.end)
        piece = super().leaf(node)
        if piece is not None and self.template and piece.kind == "large" and piece.xml.startswith("<mi"):
            return Piece(piece.xml, piece.start, piece.end)  # the name of the function itself
        return piece


def _derivative(name: str, node: Call) -> str:
    """`derivative(f, x, order)`; none for an operator that stands before what it differentiates."""
    options = len(node.options)
    order = "$a1" if options and node.options[0].children else "1"
    body = node.parameters[0] if node.parameters else None
    if len(node.parameters) != 2 or node.scripts or (isinstance(body, Group) and not body.children):
        return ""
    return f"{name}($a{options + 1},$a{options + 2},{order})"


def _mark(node: Expression, marks: dict[tuple[int, int], str], source: str) -> None:
    """Where invisible operators stand: the last place before one, and the first behind it."""
    if isinstance(node, Apply) and node.head == "times":
        for left, right in zip(node.arguments, node.arguments[1:], strict=False):
            marks.setdefault((left.span[1] - 1, right.span[0]), TIMES)
    elif isinstance(node, Unknown) and node.arguments:
        marks[node.function.span[1] - 1, node.arguments[0].span[0]] = APPLIED
    elif isinstance(node, Indexed):
        for left, right in zip(node.indices, node.indices[1:], strict=False):
            marks.setdefault((left.span[1] - 1, right.span[0]), SEPARATED)
    elif isinstance(node, Integral | Derivative):
        variables = [node.variable] if isinstance(node, Integral) else [variable for variable, _ in node.variables]
        for variable in variables:
            start = variable.span[0]
            if start and source[start - 1] in "d\u2202":
                marks[start - 1, start] = ""  # dx is no product


def _listed(inside: list[Piece]) -> tuple[str, int]:
    """The pieces between two delimiters with a label on each item; how many there are."""
    items: list[list[str]] = [[]]
    signs: list[str] = []
    for piece in inside:
        if piece.kind == "operator" and piece.xml in ("<mo>,</mo>", "<mo>;</mo>"):
            signs.append(piece.xml)
            items.append([])
        else:
            items[-1].append(piece.xml)
    parts = [attributed(single(item) if item else "<mrow></mrow>", arg=f"a{i + 1}") for i, item in enumerate(items)]
    return parts[0] + "".join(sign + part for sign, part in zip(signs, parts[1:], strict=True)), len(parts)


def _labelled_first(xml: str) -> str:
    """An element whose first child is its first argument."""
    end = xml.index(">") + 1
    return xml[:end] + attributed(xml[end:], arg="a1")
