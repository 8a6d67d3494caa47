r"""LaTeX to presentation MathML, for pages: converted by math-core, then reduced to a list of harmless elements.

The converter is a native library without a limit of its own on nesting, so only formulae texlift's parser has
accepted (which has one) are given to it.
"""

from __future__ import annotations

import html
import re
from functools import cache, lru_cache
from typing import Any
from xml.etree import ElementTree

from texlift.errors import FormulaError
from texlift.latex.parser import parse

__all__ = ["render"]

_LONGEST = 20_000


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ELEMENTS = _names(
    "math mrow mi mn mo ms mtext mspace mfrac msqrt mroot msub msup msubsup munder mover munderover mmultiscripts "
    "mprescripts mtable mtr mtd mpadded mphantom mstyle menclose merror semantics"
)
_ATTRIBUTES = _names(
    "dir display displaystyle scriptlevel mathvariant stretchy symmetric fence separator lspace rspace minsize maxsize "
    "largeop movablelimits accent accentunder linethickness width height depth voffset form columnspan rowspan"
)
_HARMLESS = re.compile(r"[A-Za-z0-9.%+ -]*")
_ENTITY = re.compile(r"&(?!lt;|gt;|amp;|quot;|apos;|#)[A-Za-z]+;")
# Commands of amsmath and of the DLMF that the converter does not know.
_MACROS = {
    **dict.fromkeys(("mbox", "hbox", "textup"), r"\text{#1}"),
    **dict.fromkeys(("intertext", "shortintertext"), r"\quad\text{#1}\quad"),
    **dict.fromkeys(("dotsc", "dotso"), r"\ldots"),
    **dict.fromkeys(("dotsb", "dotsm", "dotsi"), r"\cdots"),
    "enskip": r"\enspace",
    "ifrac": r"#1/#2",
    "Residue": r"\operatorname{Res}",
}
_DROPPED = re.compile(
    r"\\\*|\\(?:limits|nolimits|displaylimits|nonumber|notag|allowbreak|nobreak|relax|null)(?![A-Za-z])"
    r"|\\label\s*\{[^{}]*\}"
)


@lru_cache(maxsize=2048)
def render(latex: str, display: bool = True) -> str:
    """MathML of a formula; what cannot be rendered is shown as the source it is, never an error."""
    mode = "block" if display else "inline"
    source = f'<math display="{mode}"><mtext>{html.escape(latex[:_LONGEST])}</mtext></math>'
    if len(latex) > _LONGEST:
        return source
    cleaned = _DROPPED.sub("", latex).strip()
    if "&" in cleaned or "\\\\" in cleaned:
        try:
            parse(cleaned)
        except FormulaError:
            return source
        if not re.search(r"\\begin\s*\{", cleaned):
            cleaned = f"\\begin{{aligned}}{cleaned}\\end{{aligned}}"
    converter, failure = _converter()
    try:
        parse(cleaned)
        converted: str = converter.convert_with_local_state(cleaned, displaystyle=display)
        tree = ElementTree.fromstring(_ENTITY.sub(lambda match: html.unescape(match[0]), converted))
    except (FormulaError, failure, ElementTree.ParseError):
        return source
    _clean(tree)
    return ElementTree.tostring(tree, encoding="unicode")


@cache
def _converter() -> tuple[Any, type[Exception]]:
    from math_core import LatexError, LatexToMathML

    return (
        LatexToMathML(macros=_MACROS, ignore_unknown_commands=True, allow_unreliable_rendering=True, fancy_error=False),
        LatexError,
    )


def _clean(element: ElementTree.Element) -> None:
    """Keep known elements and attributes; alignment, which comes as style, becomes a class."""
    if element.tag not in _ELEMENTS:
        element.tag = "mrow"
    style = element.attrib.get("style", "")
    for name in list(element.attrib):
        if name not in _ATTRIBUTES or not _HARMLESS.fullmatch(element.attrib[name]):
            del element.attrib[name]
    if element.tag == "mtd" and (side := re.search(r"text-align: (left|right)", style)):
        element.attrib["class"] = side[1]
    for child in element:
        _clean(child)
