"""Intents for the concepts of the vocabulary: `\\mathbb{E}[X]` is `expected-value($a1)`, whatever it is written like.

A concept is a node of the meaning tree, and its parts are nodes below it. The row of pieces that stands for the node in
the source gets the intent, the pieces that stand for the parts their names. A concept whose parts cannot be pointed at
gets none.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from xml.etree import ElementTree

from texlift.meaning.concepts import meant
from texlift.meaning.tree import Apply, Expression
from texlift.targets.writers.markup import Piece, attributed, single

__all__ = ["Concepts"]

_DELIMITER = re.compile(r"[(\[|]|\\(?:left|[bB]igg?l?|[{|]|langle|lfloor|lceil|lvert|lVert|vert|Vert)(?![A-Za-z])")
_REFERENCE = re.compile(r"\$(c\d+)p\w+")
_INTENT = re.compile(r' intent="([^"]*\$(c\d+)p[^"]*)"')
_ARGUMENT = re.compile(r' arg="(c\d+)p(\w+)"')
_SPOKEN_WELL = frozenset({"plus", "minus", "times", "divided-by", "power", "square-root-of", "root", "factorial"})


class Concepts:
    """The concepts of one formula and where they stand."""

    def __init__(self, nodes: Iterable[Expression], source: str, fences: Container[str]) -> None:
        """`fences` are heads that have their intent from the delimiters, where delimiters are all that is written."""
        self._intents: dict[tuple[int, int], list[str]] = {}
        self._labels: dict[tuple[int, int], list[str]] = {}
        for number, node in enumerate(nodes):
            if not isinstance(node, Apply) or node.span == (0, 0) or node.head.startswith("\\"):
                continue
            if node.head not in fences or not _DELIMITER.match(source, node.span[0]):
                self._add(node, f"c{number}")
        self._spans = sorted({*self._intents, *self._labels}, key=lambda span: span[1] - span[0])

    def _add(self, node: Apply, name: str) -> None:
        found = meant(node)
        if found is None or not found.complete or found.concept.name in _SPOKEN_WELL or not found.parts:
            return
        spans = {hole: part.span for hole, part in found.parts.items()}
        inside = all(node.span[0] <= start < end <= node.span[1] for start, end in spans.values())
        infix = {min(spans.values())[0], max(spans.values())[1]} == {*node.span}
        if not inside or infix or len({*spans.values()}) < len(spans):
            return
        references = ",".join(f"${name}p{hole}" for hole in sorted(spans))
        self._intents.setdefault(node.span, []).append(f"{found.concept.name}({references})")
        for hole, span in spans.items():
            self._labels.setdefault(span, []).append(f"{name}p{hole}")

    def grouped(self, pieces: list[Piece]) -> list[Piece]:
        """The pieces of a row; those of a concept or of a part are one piece with an intent or a name."""
        if not self._spans or not pieces:
            return pieces
        for span in self._spans:
            if pieces[0].start <= span[0] and span[1] <= pieces[-1].end:
                pieces = self._group(pieces, span)
        return pieces

    def _group(self, pieces: list[Piece], span: tuple[int, int]) -> list[Piece]:
        shown = [at for at, piece in enumerate(pieces) if piece.start < piece.end]
        first = next((at for at in shown if pieces[at].start == span[0]), None)
        last = next((at for at in reversed(shown) if pieces[at].end == span[1]), None)
        if first is None or last is None or last < first:
            return pieces
        run = pieces[first : last + 1]
        xml = single([piece.xml for piece in run])
        for intent in self._intents.get(span, ()):
            if " intent=" not in xml[: xml.index(">")]:
                xml = attributed(xml, intent=intent)
        for label in self._labels.get(span, ()):
            xml = attributed(xml, arg=label)
        kind = run[0].kind if len(run) == 1 else "operand"
        return [*pieces[:first], Piece(xml, *span, kind), *pieces[last + 1 :]]

    def settled(self, xml: str) -> str:
        """The whole formula with the names that intents use; intents whose parts are not all found are left out."""
        if not self._spans:
            return xml
        good = {name for element in ElementTree.fromstring(xml).iter() for name in _resolved(element)}
        xml = _INTENT.sub(lambda found: _renamed(found[1]) if found[2] in good else "", xml)
        return _ARGUMENT.sub(lambda found: f' arg="a{found[2]}"' if found[1] in good else "", xml)


def _renamed(intent: str) -> str:
    return f' intent="{re.sub(r"[$]c[0-9]+p", "$a", intent)}"'


def _resolved(element: ElementTree.Element) -> Iterable[str]:
    """The name of the concept that an element has, if all its parts are found beneath it."""
    wanted = set(_REFERENCE.findall(element.get("intent", "")))
    references = set(re.findall(r"\$(c\d+p\w+)", element.get("intent", "")))
    return wanted if references and references <= _reachable(element) else ()


def _reachable(element: ElementTree.Element) -> set[str]:
    """The names of the parts that an intent can refer to: not those within other intents and parts."""
    found: set[str] = set()
    for child in element:
        if (name := child.get("arg")) is not None:
            found.add(name)
        elif child.get("intent") is None:
            found |= _reachable(child)
    return found
