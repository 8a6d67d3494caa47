"""What is the same presentation: synonyms, spaces, fonts, brackets, read from `presentation.json`."""

from __future__ import annotations

import json
import string
import unicodedata
from collections.abc import Mapping, Set
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from texlift.latex.shifted import LOWERED, RAISED
from texlift.latex.symbols import symbols

__all__ = ["Presentation", "presentation"]


@dataclass(frozen=True, slots=True)
class Presentation:
    """The tables the canonical form is built from; see `presentation.json` for their content."""

    synonyms: Mapping[str, str]  # names of the same sign, variants included
    variants: frozenset[str]  # shapes of a sign that authors choose between: `\\varphi`, which is a phi
    ignored: frozenset[str]
    words: Mapping[str, str]  # `\\sin` -> `sin`
    word_synonyms: Mapping[str, str]  # names of the same operator: `atan` -> `arctan`
    fonts: Mapping[str, str]  # font command -> font name
    font_switches: Mapping[str, str]  # `\\rm` -> font name
    font_prefix: Mapping[str, str]  # font name -> label prefix; fonts without one look like plain letters
    texts: frozenset[str]
    text_fonts: Mapping[str, str]  # text command -> font name, for those whose letters look like another symbol's
    wrappers: frozenset[str]
    sized: frozenset[str]
    binomials: frozenset[str]
    infix_fences: Mapping[str, str]
    environments: Mapping[str, tuple[str, str]]  # name -> (kind, fence around it)
    brackets: frozenset[str]
    closing: frozenset[str]
    partners: Mapping[str, frozenset[str]]
    plain: Mapping[str, tuple[str, str]]  # a token that is one symbol wherever no font is switched on: label and style


@cache
def presentation() -> Presentation:
    """The packaged tables."""
    table = json.loads(files("texlift.latex").joinpath("presentation.json").read_text("utf-8"))
    synonyms = {name: label for label, names in table["synonyms"].items() for name in names.split()}
    variants = {name: label for label, names in table["variants"].items() for name in names.split()}
    synonyms.update(variants)
    synonyms.update(_mathematical_letters())
    partners = {opener: frozenset(closers.split()) for opener, closers in table["brackets"].items()}
    closing = frozenset().union(*partners.values())
    brackets = closing | frozenset(partners)
    ignored = frozenset(table["ignored"].split()) | {"\\ ", "\\\n", "\\\t", "\u00a0"}
    words = {"\\" + word: word for word in table["words"].split()}
    structural = brackets | ignored | set(table["font_switches"]) | set(RAISED) | set(LOWERED)
    fonts = {name: font for font, names in table["fonts"].items() for name in names.split()}
    environments = {name: (kind, fence) for name, (kind, fence) in table["environments"].items()}
    return Presentation(
        synonyms=MappingProxyType(synonyms),
        variants=frozenset(variants),
        ignored=ignored,
        words=MappingProxyType(words),
        word_synonyms=MappingProxyType(table["word_synonyms"]),
        fonts=MappingProxyType(fonts),
        font_switches=MappingProxyType(table["font_switches"]),
        font_prefix=MappingProxyType(table["font_prefix"]),
        texts=frozenset(table["texts"].split()),
        text_fonts=MappingProxyType(table["text_fonts"]),
        wrappers=frozenset(table["wrappers"].split()),
        sized=frozenset(table["sized"].split()),
        binomials=frozenset(table["binomials"].split()),
        infix_fences=MappingProxyType(table["infix_fences"]),
        environments=MappingProxyType(environments),
        brackets=brackets,
        closing=closing,
        partners=MappingProxyType(partners),
        plain=MappingProxyType(_plain(synonyms, variants, words, structural)),
    )


def _plain(
    synonyms: Mapping[str, str], variants: Mapping[str, str], words: Mapping[str, str], structural: Set[str]
) -> dict[str, tuple[str, str]]:
    """Label and style of every token that is one symbol: looked up for most tokens of a formula."""
    plain: dict[str, tuple[str, str]] = {}
    for token in {*string.ascii_letters, *string.punctuation, *synonyms, *words, *symbols()}:
        label = synonyms.get(token, token)
        if token in structural or label in structural:
            continue
        if label in words:
            plain[token] = (words[label], "function")
        else:
            plain[token] = (label, "variant" if token in variants else "")
    return plain


def _mathematical_letters() -> dict[str, str]:
    """Unicode letters to what LaTeX calls them: Greek, and the mathematical italic alphabet.

    Bold and double-struck ones get the label of the font command (`𝐅` is `\\mathbf{F}`).
    """
    letters: dict[str, str] = {}
    for point in range(0x391, 0x3CA):
        name = unicodedata.name(chr(point), "")
        if name.startswith("GREEK") and "LETTER" in name:
            letter = name.rsplit(" ", 1)[1].lower()
            if "FINAL" in name:
                letter = "varsigma"
            letter = {"lamda": "lambda"}.get(letter, letter)
            if "CAPITAL" in name:
                # capitals that look like Latin letters have no command
                plain = {"alpha": "A", "beta": "B", "epsilon": "E", "zeta": "Z", "eta": "H", "iota": "I", "kappa": "K",
                         "mu": "M", "nu": "N", "omicron": "O", "rho": "P", "tau": "T", "chi": "X"}  # fmt: skip
                letters[chr(point)] = plain.get(letter) or "\\" + letter.capitalize()
            else:
                letters[chr(point)] = "o" if letter == "omicron" else "\\" + letter
    fonts = {"ITALIC": "", "BOLD": "bf:", "DOUBLE-STRUCK": "bb:", "SCRIPT": "scr:", "FRAKTUR": "frak:",
             "SANS-SERIF": "sf:"}  # fmt: skip
    for point in range(0x1D400, 0x1D7CC):
        name = unicodedata.name(chr(point), "")
        plain_letter = unicodedata.normalize("NFKC", chr(point))
        words = name.removeprefix("MATHEMATICAL ").split()
        if name and words[0] in fonts and len(plain_letter) == 1:
            base = letters.get(plain_letter, plain_letter)
            letters[chr(point)] = fonts[words[0]] + base if words[1] in ("CAPITAL", "SMALL") else base
    for char in "ℝℂℤℕℚℙℍ":
        letters[char] = "bb:" + unicodedata.normalize("NFKC", char)
    return letters
