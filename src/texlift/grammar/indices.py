"""Letters that are indices: the i of `a_{i}`, `\\epsilon_{ijk}` and `\\sum_{i=1}^{n}` is no imaginary unit."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from texlift.latex.canonical import Element, Row

if TYPE_CHECKING:
    from texlift.grammar.admission import Holder

__all__ = ["bound_letters", "is_index"]

_SCRIPTS: Final = frozenset("_'^")
_UPRIGHT: Final = frozenset({"rm", "op", "text"})
_USUAL: Final = frozenset("abcdefghijklmnpqrsuvw") | {r"\ell", r"\imath", r"\jmath"}
_BETWEEN: Final = frozenset([",", ";", "+", "-", "=", r"\neq", "<", ">", r"\leq", r"\geq", r"\in", r"\pm", r"\ne", ":"])
_NEVER_NUMBERED: Final = frozenset("abcdefghlmnopqrstuvwxyz")  # no function of a complex order is called so
_RAISED: Final = frozenset(["e", "i", r"\mathrm{e}", "exp"])
_BINDERS: Final = frozenset(
    [r"\sum", r"\prod", r"\bigcup", r"\bigcap", r"\coprod", r"\bigoplus", r"\max", r"\min", "max", "min"]
)


def bound_letters(rows: list[Row], labels: set[str]) -> frozenset[str]:
    """The letters over which the sums and products of a formula go, by all of its rows and all of its labels."""
    if _BINDERS.isdisjoint(labels):
        return frozenset()
    found: set[str] = set()
    for row in rows:
        for element, script in pairwise(row.elements):
            if element.label in _BINDERS and script.label == "_" and script.rows[0].elements:
                first = script.rows[0].elements[0]
                if first.style not in _UPRIGHT:
                    found.add(first.label)
    return frozenset(found)


def is_index(row: Row, at: int, holder: Holder | None, bound: frozenset[str]) -> bool:
    """Whether the letter at element `at` is an index where it stands; an upright one never is."""
    element = row.elements[at]
    if element.style in _UPRIGHT:
        return False
    if element.label in bound:
        return True
    if at + 1 < len(row.elements) and row.elements[at + 1].label == "^":
        return False  # e^{x}, i^{n}
    inner = holder
    while inner is not None and inner.label not in _SCRIPTS:
        inner = inner.above  # a fraction or bracket inside a script
    if inner is None:
        return False
    if inner.label == "_":
        return _stands_as_index(row, at) or _carrier(inner).label in _NEVER_NUMBERED
    return _is_raised_index(row, inner)


def _stands_as_index(row: Row, at: int) -> bool:
    """Whether its neighbours are indices, signs, or nothing: an imaginary unit multiplies something else there."""
    elements = [element for element in row.elements if element.label not in _SCRIPTS]
    place = elements.index(row.elements[at])
    around = [elements[k] for k in (place - 1, place + 1) if 0 <= k < len(elements)]
    return all(_beside_index(element) for element in around)


def _beside_index(element: Element) -> bool:
    return element.label in _BETWEEN or element.label in _USUAL or element.label.isdigit()


def _is_raised_index(row: Row, script: Holder) -> bool:
    """Whether a superscript is of indices only: `\\Gamma^{i}_{jk}`, `g^{ij}`, `x^{i}`."""
    elements = row.elements
    if not all(element.label in _USUAL for element in elements):
        return False
    below = [e for e in _scripts(script) if e.label == "_"]
    if below:
        return all(element.label in _USUAL for element in below[0].rows[0].elements)
    if len(elements) > 1:
        return all(element.label in "ijklmn" for element in elements)
    return _carrier(script).label not in _RAISED


def _carrier(script: Holder) -> Element:
    """What carries a script."""
    at = script.at
    while at > 0 and script.row.elements[at].label in _SCRIPTS:
        at -= 1
    return script.row.elements[at]


def _scripts(script: Holder) -> list[Element]:
    """All scripts of what carries one."""
    elements = script.row.elements
    first = last = script.at
    while first > 0 and elements[first - 1].label in _SCRIPTS:
        first -= 1
    while last + 1 < len(elements) and elements[last + 1].label in _SCRIPTS:
        last += 1
    return [element for element in elements[first : last + 1] if element.rows]
