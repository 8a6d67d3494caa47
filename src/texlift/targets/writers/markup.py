"""Presentation MathML as text: pieces, elements, attributes, and letters in the alphabets of Unicode."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

__all__ = ["ALPHABETS", "Piece", "attributed", "escaped", "glyphs", "operator", "single", "styled"]

_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})
# Where the mathematical alphabets of Unicode begin: capitals, small letters, digits.
ALPHABETS = {
    r"\mathbf": (0x1D400, 0x1D41A, 0x1D7CE), r"\boldsymbol": (0x1D468, 0x1D482, 0x1D7CE),
    r"\mathcal": (0x1D49C, 0x1D4B6, 0),
    r"\mathscr": (0x1D49C, 0x1D4B6, 0), r"\mathfrak": (0x1D504, 0x1D51E, 0), r"\mathbb": (0x1D538, 0x1D552, 0x1D7D8),
    r"\mathsf": (0x1D5A0, 0x1D5BA, 0x1D7E2), r"\mathtt": (0x1D670, 0x1D68A, 0x1D7F6),
}  # fmt: skip
ALPHABETS |= dict.fromkeys((r"\bm", r"\pmb", r"\mathbold", r"\symbf"), ALPHABETS[r"\boldsymbol"])
ALPHABETS[r"\symbb"] = ALPHABETS[r"\mathbb"]
_MOVED = dict(zip((0x1D49D, 0x1D4A0, 0x1D4A1, 0x1D4A3, 0x1D4A4, 0x1D4A7, 0x1D4A8, 0x1D4AD, 0x1D4BA, 0x1D4BC, 0x1D4C4,
                   0x1D506, 0x1D50B, 0x1D50C, 0x1D515, 0x1D51D, 0x1D53A, 0x1D53F, 0x1D545, 0x1D547, 0x1D548, 0x1D549,
                   0x1D551), "ℬℰℱℋℐℒℳℛℯℊℴℭℌℑℜℨℂℍℕℙℚℝℤ", strict=True))  # fmt: skip  # letters that Unicode had before
_BOLD_GREEK = {char: chr(0x1D6A8 + i) for i, char in enumerate("ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡϴΣΤΥΦΧΨΩ∇αβγδεζηθικλμνξοπρςστυφχψω")}


@dataclass(frozen=True, slots=True)
class Piece:
    """One element and the part of the source it shows; `kind`: operand, operator, large, fence, prescript, space."""

    xml: str
    start: int
    end: int
    kind: str = "operand"


@cache
def glyphs() -> Mapping[str, Any]:
    """Characters for LaTeX commands, by what they are."""
    table: dict[str, Any] = json.loads(files("texlift.targets").joinpath("tables", "glyphs.json").read_text("utf-8"))
    table["limits"] = frozenset(table["limits"].split())
    return table


def escaped(text: str) -> str:
    """Text for an element or an attribute."""
    return text.translate(_ESCAPES)


def single(parts: list[str]) -> str:
    """One element for several."""
    return parts[0] if len(parts) == 1 else f"<mrow>{''.join(parts)}</mrow>"


def attributed(xml: str, **attributes: str) -> str:
    """The element with attributes added; one it has already is kept by a new element around it."""
    head = xml[: xml.index(">")]
    if any(f" {name}=" in head for name in attributes):
        xml = f"<mrow>{xml}</mrow>"
    name_end = next(i for i, char in enumerate(xml) if char in " />" and i)
    return xml[:name_end] + "".join(f' {k}="{escaped(v)}"' for k, v in attributes.items()) + xml[name_end:]


def operator(text: str, **attributes: str) -> str:
    extra = "".join(f' {k}="{v}"' for k, v in attributes.items())
    return f"<mo{extra}>{escaped(text)}</mo>"


def styled(text: str, font: str) -> str:
    """Letters in a font, as characters of that font."""
    capitals, small, digits = ALPHABETS[font]
    found = ""
    for char in text:
        code = ord(char)
        if "A" <= char <= "Z":
            code += capitals - 65
        elif "a" <= char <= "z":
            code += small - 97
        elif char.isdigit() and digits:
            code += digits - 48
        elif capitals == 0x1D468 or capitals == 0x1D400:
            code = ord(_BOLD_GREEK.get(char, char))
        found += _MOVED.get(code, chr(code))
    return found
