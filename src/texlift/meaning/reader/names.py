"""TeX names as identifiers of a programming language: `\\alpha` is alpha, `k'` kprime, `z_{0}` z0."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container

from texlift.remembered import remembered

__all__ = ["distinct_identifier", "identifier", "spelled_words"]

_FONT = re.compile(r"\\(?:mathrm|mathit|operatorname|mathnormal)\{([^{}]*)\}")
_STYLED = re.compile(
    r"\\(mathsf|mathbf|boldsymbol|mathcal|mathscr|mathbb|mathfrak|hat|widehat|tilde|widetilde|bar|overline|vec|overrightarrow|dot|ddot|underline)\b"
)
_SHORT = {"mathsf": "sf", "mathbf": "bold", "boldsymbol": "bold", "mathcal": "cal", "mathscr": "scr", "mathbb": "bb",
          "widehat": "hat", "widetilde": "tilde", "overrightarrow": "vec", "overline": "bar",
          "mathfrak": "frak"}  # fmt: skip


@remembered(maxsize=4096)
def identifier(name: str, separator: str = "_", reserved: frozenset[str] = frozenset()) -> str:
    """An identifier of letters, digits and `separator`; never one of the reserved words."""
    words = spelled_words(name)
    result = words[0] + "".join((separator + word if not word[0].isdigit() else word) for word in words[1:])
    return _allowed(result, name, separator, reserved)


def distinct_identifier(name: str, separator: str, reserved: frozenset[str], taken: Container[str]) -> str:
    """An identifier that shows where words end, also between digits: `x_{1,0}` beside `x_{10}`. None of `taken`."""
    result = _allowed((separator or "$").join(spelled_words(name)), name, separator, reserved)
    while result in taken:
        result += separator or "$"
    return result


@remembered(maxsize=4096)
def spelled_words(name: str) -> tuple[str, ...]:
    """The words and numbers a name is spelled with: names with the same ones stand for the same."""
    text = _FONT.sub(r"\1", name)
    text = _STYLED.sub(lambda match: " " + _SHORT.get(match[1], match[1]) + " ", text)
    text = text.replace("''", " primeprime").replace("'", " prime").replace("^*", " star").replace("^ast", " star")
    text = text.replace("+", " plus ").replace("-", " minus ").replace("*", " star ")
    words = [word for word in re.split(r"[^A-Za-z0-9]+", text) if word]
    if not words:  # letters that are not Latin: by what Unicode calls them
        named = [unicodedata.name(char, "letter").split()[-1].lower() for char in text if char.isalpha()] or ["x"]
        words = [re.sub(r"[^a-z0-9]", "", word) for word in named]  # CJK IDEOGRAPH-96F6
    return tuple(words)


def _allowed(result: str, name: str, separator: str, reserved: frozenset[str]) -> str:
    if result[0].isdigit():
        result = "x" + result
    if name.endswith("_"):  # a variable bound by a definition: no formula may capture it
        result += separator or "$"
    while result in reserved:
        result += separator or "x"
    return result
