"""What editors say of a letter, sorted into kinds: "Bessel function of the first kind" is a function."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from texlift.meaning.reader.notation import notation

__all__ = ["KINDS", "kind_of_meaning", "letter_name"]

_PATTERNS = (
    ("prime", r"\bprime numbers?|^(odd )?primes?$"),
    ("constant", r"ratio of the circumference|imaginary unit|base of natural log|euler’s constant|catalan’s constant"),
    ("operator", r"^(?!.*(?:eigenvalue|symbol|part of 𝑧)).*(?:differential|derivative of|real part|imaginary part"
                 r"|operator|wronskian|transform|^integral$|transpose|conjugate|order not exceeding|order less|residue"
                 r"|determinant|cyclic quantity|divergence|gradient|logarithm)"),
    ("set", r"\bsets?\b|complex plane|real line|\bplane\b|lattice$|\bregion|\bdomain|interval|\bspace|\bclass\b|\bgroup"
            r"|subset|neighbo|\bcurve|\bpath|contour|all integers|surface"),
    ("matrix", r"^(?!.*(?:function|polynomial|of matrix)).*\bmatri(?:x|ces)\b"),
    ("vector", r"^(?!.*norm).*\bvectors?\b|^column"),
    ("polynomial", r"^(?!.*coeff).*polynomial"),
    ("sequence", r"sequence|coeff?ic|bernoulli numbers|euler numbers|^numbers|\bterms?$|\bzeros? of|roots?$"
                 r"|^(?!.*equal to).*\bzeros?$|eigenvalues?|moments?$|weights?$|iterate"),
    ("function", r"function|integral|solution|mapping|character|symbol|symmetric elliptic|combination|approximant"
                 r"|distribution|potential|kernel|amplitude|phase|number of|totient|harmonic|kronecker|stirling"
                 r"|\(.*\)"),
    ("nonnegative integer", r"non-?negative integers?"),
    ("positive integer", r"positive integers?"),
    ("integer", r"\bintegers?\b|^index$|dimension$"),
    ("parameter", r"constant|contstant|parameter|\border\b|degree|modulus|\bnome\b|\bbase\b|invariant"
                  r"|lattice generator|exponent"),
    ("positive", r"^positive|nonnegative real|radius|length"),
    ("complex", r"complex"),
    ("real", r"\breal\b|part of 𝑧|coordinate|angle|\btime\b"),
    ("variable", r"variable|point|argument|element"),
)  # fmt: skip
_COMPILED = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _PATTERNS)
KINDS = tuple(kind for kind, _ in _PATTERNS)
"""Kinds of things that letters stand for."""

_STYLES = (("BOLD", r"\mathbf"), ("SCRIPT", r"\mathcal"), ("FRAKTUR", r"\mathfrak"), ("DOUBLE-STRUCK", r"\mathbb"),
           ("SANS-SERIF", r"\mathsf"))  # fmt: skip


@lru_cache(maxsize=4096)
def kind_of_meaning(meaning: str) -> str:
    """The kind that a meaning belongs to; empty for one that says nothing about kinds, such as another letter."""
    return next((kind for kind, pattern in _COMPILED if pattern.search(meaning)), "")


@lru_cache(maxsize=4096)
def letter_name(sign: str) -> str:
    r"""A letter of a tree as formulae write it: `\nu` for ν, `\mathbf{u}` for a bold u."""
    if len(sign) != 1 or not sign.isalpha():
        return ""
    if sign.isascii():
        return sign
    known = notation().synonyms.get(sign)
    if known:
        return known
    plain = unicodedata.normalize("NFKC", sign)
    title = unicodedata.name(sign, "")
    name = notation().synonyms.get(plain, plain)
    style = next((command for word, command in _STYLES if word in title), "")
    return f"{style}{{{name}}}" if style else name
