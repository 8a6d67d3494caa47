"""Words typed as letters: `trace(P)`, `5\\,liter`, `x_{max}`. Nothing is read inside a word.

A run of letters is a word if it is in the list, or if it is long and looks like one. In a subscript, letters that make
a known label are one, and so is an upright word.
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.resources import files
from typing import Final

from texlift.latex.canonical import Element, Row
from texlift.remembered import remembered

__all__ = ["in_word", "is_label", "word_spans"]

_SHORTEST: Final = 3  # letters of a word
_CALLED: Final = 5  # letters of a word that is in no list, before its argument in parentheses
_LONG: Final = 7  # and elsewhere
_UPRIGHT: Final = frozenset({"rm", "rm-word", "op", "text", "it", "function"})
_FUNCTIONS: Final = ("sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "coth", "ln", "log", "lg", "exp",
                     "erf", "erfc", "max", "min", "det", "lim", "gcd", "arg", "sgn", "tg", "sh", "ch")  # fmt: skip
_DIFFERENTIAL: Final = re.compile(r"d[a-zA-Z](?:d[a-zA-Z])*$|^d[a-z]d")
_LETTERS: Final = re.compile("[A-Za-z]{3,}")
_LABEL: Final = re.compile("[A-Za-z]{2,}")
_VOWELS: Final = re.compile(r"[aeiouy]+")
_CLUSTER: Final = re.compile(r"[^aeiouy]{5}")
_ALPHABET: Final = "abcdefghijklmnopqrstuvwxyz"


@cache
def _listed(kind: str) -> frozenset[str]:
    table = json.loads(files("texlift.grammar").joinpath("word_list.json").read_text("utf-8"))
    return frozenset(" ".join(table[kind]).split())


def word_spans(row: Row, subscript: bool) -> list[tuple[int, int]]:
    """Where the words of a row are: (first element, element behind the last)."""
    elements = row.elements
    count = len(elements)
    if count < _SHORTEST and not subscript:
        return []
    found: list[tuple[int, int]] = []
    letters = "".join([element.label if len(element.label) == 1 else " " for element in elements])
    for run in (_LABEL if subscript else _LETTERS).finditer(letters):
        start, last = run.span()
        while start < last:
            end = start + 1
            while end < last and elements[end].start == elements[end - 1].end:
                end += 1
            word = letters[start:end]
            called = end < count and elements[end].label == "( )"
            if _is_word(word, called) or (subscript and end - start == count and word in _listed("labels")):
                found.append((start, end))
            start = end
    return found


def is_label(row: Row) -> bool:
    """Whether a script is a word that names something and no number: `T_{eff}`, `J_{\\text{max}}`."""
    elements = row.elements
    if len(elements) == 1:
        label, style = elements[0].label, elements[0].style
        if label.startswith("text:"):
            return True
        word = label.rpartition(":")[2]  # `sf:tr`
        return len(word) > 1 and word.isalpha() and (style in _UPRIGHT or ":" in label)
    return len(elements) > 1 and word_spans(row, subscript=True) == [(0, len(elements))]


def in_word(elements: list[Element], start: int, end: int) -> bool:
    """Whether letters go on: there is no tangent in `{\\rm constant}`, nor a logarithmic integral in `equality`.

    Upright letters are a word as far as they go; others may be factors before a word, or its argument behind it.
    """
    first, last = elements[start], elements[end - 1]
    before = elements[start - 1] if start else first
    behind = elements[end] if end < len(elements) else last
    if first.style == "rm":
        return (before.style == "rm" and before.end == first.start) or (
            behind.style == "rm" and behind.start == last.end
        )
    return _adjoin(before, first) and _adjoin(last, behind)


def _adjoin(one: Element, other: Element) -> bool:
    """Whether two letters stand side by side."""
    return one.end == other.start and len(one.label) == len(other.label) == 1 and (one.label + other.label).isalpha()


@remembered(maxsize=4096)
def _is_word(run: str, called: bool) -> bool:
    """Whether letters side by side are a word; `called`: a parenthesis follows."""
    if len(run) < _SHORTEST:
        return False
    if run.lower() in _listed("words"):
        return run.islower() or run.istitle() or run.isupper()
    if len(run) < (_CALLED if called else _LONG) or not (run.islower() or run.istitle()):
        return False
    return _looks_like_a_word(run.lower())


def _looks_like_a_word(run: str) -> bool:
    """Vowels between consonants; no alphabet (`abcde`), no differentials (`dxdydz`), no function last (`kxsin`)."""
    if run.endswith(_FUNCTIONS) or _DIFFERENTIAL.search(run) or _CLUSTER.search(run):
        return False
    if any(run[at : at + 3] in _ALPHABET for at in range(len(run) - 2)) or re.search(r"(.)\1\1", run):
        return False
    return len(_VOWELS.findall(run)) > 1
