r"""The formulae of a document as MathML 4 with `intent`, and with words as their alternative text.

A formula whose reading is likely enough gets its intents. Any other one is shown as it is written, and its words spell
its signs: nothing is asserted of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from xml.etree import ElementTree

from texlift.documents.formula import Lifted
from texlift.documents.mathml import render
from texlift.errors import FormulaError
from texlift.latex.definitions import expand_definitions
from texlift.meaning.reliability import reliability
from texlift.targets import convert
from texlift.targets.words.spelling import Speller
from texlift.targets.writers.markup import glyphs

__all__ = ["Shown", "mathematics", "table", "words_of"]

_STOP = re.compile(r"\s*([.,;])\s*$")
_ALIGNMENT = re.compile(r"(?<!\\)&")
_ASIDE = re.compile(r"\\(?:nonumber|notag)(?![A-Za-z])|\\(?:label|tag\*?)\s*\{[^{}]*\}")
_TALL = frozenset({"mfrac", "munder", "mover", "munderover", "mtable", "msqrt", "mroot"})
_FENCES = frozenset("()[]{}|‖⟨⟩⌊⌋⌈⌉")
_LONGEST_WORDS = 4_000


@dataclass(frozen=True, slots=True)
class Shown:
    """One formula: the elements inside `<math>`, its words, and whether it was understood."""

    elements: tuple[ElementTree.Element, ...]
    words: str
    understood: bool

    def math(self, display: bool) -> str:
        """The whole element."""
        root = ElementTree.Element("math", {"display": "block" if display else "inline", "alttext": self.words})
        root.extend(self.elements)
        return ElementTree.tostring(root, encoding="unicode")


def mathematics(item: Lifted, threshold: float) -> Shown:
    """A formula as it is shown and said."""
    source = _plain(item.asserted or item.formula.latex)
    if _is_sure(item, source, threshold):
        try:
            conversion, words = convert(source, "intent"), convert(source, "words").code
            return Shown(_elements(conversion.code, _STOP.search(source)), _cut(words), True)
        except (FormulaError, ElementTree.ParseError):
            pass
    return Shown(_elements(render(_generic(item), item.formula.display), None), _cut(_spelled(source)), False)


def _generic(item: Lifted) -> str:
    """The formula as its author wrote it, own macros expanded."""
    source = _plain(item.formula.latex)
    try:
        return expand_definitions(source, item.formula.definitions)
    except FormulaError:
        return source


def words_of(item: Lifted, threshold: float) -> str:
    """A formula as it is said."""
    source = _plain(item.asserted or item.formula.latex)
    if _is_sure(item, source, threshold):
        try:
            return _cut(convert(source, "words").code)
        except FormulaError:
            pass
    return _cut(_spelled(source))


def _is_sure(item: Lifted, source: str, threshold: float) -> bool:
    """Whether the reading of a formula is likely enough to be asserted."""
    if not item.asserted:
        return False
    try:
        conversion = convert(source, "words")
    except FormulaError:
        return False
    reading = conversion.reading
    return reading is not None and min(item.confidence, reliability(reading, conversion.warnings)) >= threshold


def _plain(latex: str) -> str:
    return _ASIDE.sub(" ", _ALIGNMENT.sub(" ", latex)).strip()


def _elements(xml: str, stop: re.Match[str] | None) -> tuple[ElementTree.Element, ...]:
    root = ElementTree.fromstring(xml)
    _settle(root)
    found = list(root)
    if len(found) == 1 and found[0].tag == "mrow" and not found[0].attrib:
        found = list(found[0])
    if stop is not None:
        mark = ElementTree.Element("mtext")
        mark.text = stop[1]
        found.append(mark)
    return tuple(found)


def _settle(root: ElementTree.Element) -> None:
    """As LaTeX prints it: capital Greek letters are upright, parentheses around one line keep their size.

    Browsers stretch every parenthesis, which sets even those of normal size too wide apart.
    """
    for element in root.iter():
        if element.tag == "mi" and element.text and "Α" <= element.text <= "Ω":
            element.attrib.setdefault("mathvariant", "normal")
        marks = [child for child in element if child.tag == "mo" and child.text and child.text in _FENCES]
        if marks and not any(inner.tag in _TALL for inner in element.iter()):
            for mark in marks:
                mark.attrib.setdefault("stretchy", "false")


def _spelled(source: str) -> str:
    """The signs of a formula as they are written; semantic macros in it are certain, so they are said."""
    source = _STOP.sub("", source)

    def known(start: int, end: int) -> str:
        try:
            return convert(source[start:end], "words").code
        except FormulaError:
            return ""

    try:
        return Speller(source, known, calls=True).words() or source
    except FormulaError:
        return source


def _cut(words: str) -> str:
    words = "".join(char if char.isprintable() else " " for char in words)
    return words if len(words) <= _LONGEST_WORDS else f"{words[:_LONGEST_WORDS]} and more"


def table(rows: list[tuple[Shown, str, str]], aligned: bool) -> str:
    """Rows of a display as one `<math>`; each comes with its number and its anchor, both may be empty.

    Rows that are aligned are cut before their first relation.
    """
    root = ElementTree.Element("math", {"display": "block", "alttext": "; ".join(row.words for row, _, _ in rows)})
    grid = ElementTree.SubElement(root, "mtable", {"displaystyle": "true", "intent": ":system-of-equations"})
    for shown, number, anchor in rows:
        line = ElementTree.SubElement(grid, "mtr", {"id": anchor} if anchor else {})
        at = _relation(shown.elements) if aligned else 0
        cells = (shown.elements[:at], shown.elements[at:]) if aligned else (shown.elements,)
        for side, cell in zip(("right", "left") if aligned else ("center",), cells, strict=True):
            ElementTree.SubElement(line, "mtd", {"class": side}).extend(cell)
        if any(number for _, number, _ in rows):
            label = ElementTree.SubElement(line, "mtd", {"class": "number", "intent": ":equation-label"})
            ElementTree.SubElement(label, "mtext").text = f"({number})" if number else ""
    return ElementTree.tostring(root, encoding="unicode")


def _relation(elements: tuple[ElementTree.Element, ...]) -> int:
    """The place of the first relation sign between elements; 0 if there is none."""
    for place, element in enumerate(elements):
        if element.tag == "mo" and (element.text or "") in _RELATIONS:
            return place
    return 0


_RELATIONS = frozenset("=<>≤≥≠≡∼≃≈≅∝∈∉⊂⊆→↦⇒⇔≪≫≔⩽⩾") | frozenset(
    glyphs()["operators"].get(name, "") for name in (r"\coloneqq", r"\asymp", r"\prec", r"\succ")
)
