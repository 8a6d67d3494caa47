"""Quantifiers before or behind a formula: `\\forall x\\in\\Reals: x^2\\geq 0`, `\\exists n\\in\\Integers: n^2=2`."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["Quantified", "unquantified"]

_QUANTIFIER = re.compile(r"\\(forall|exists)(?![A-Za-z])")
_SEPARATOR = re.compile(
    r"\s*(?:\\colon|\\q?quad|\\mid|\\[;,:! ]|:|,|~"
    r"|\\text\{\s*(?:such that|we have|it holds that|with|:|,|and)?\s*\})\s*"
)
_RELATION = re.compile(r"[<>=]|\\(?:in|notin|ge|le|geq|leq|ne|neq|geqslant|leqslant)(?![A-Za-z])")
_IN_PARENTHESES = re.compile(r"\((\\(?:forall|exists)[^()]*)\)\s*:?")
_MOST = 5


@dataclass(frozen=True, slots=True)
class Quantified:
    """A formula without its quantifiers: for all letters that satisfy `conditions`, or for one where it `exists`."""

    body: str
    conditions: tuple[str, ...]
    exists: bool


def unquantified(source: str) -> Quantified | None:
    """The formula without quantifiers; None where it has none, or some of both kinds."""
    if not _QUANTIFIER.search(source):
        return None
    kinds: set[str] = set()
    conditions: list[str] = []
    text = _IN_PARENTHESES.sub(lambda match: f"{match[1]}: ", source.strip())
    for _ in range(_MOST):
        match = _QUANTIFIER.match(text)
        if match is None:
            break
        kinds.add(match[1])
        found = _parted(text[match.end() :])
        if found is None:
            return None
        condition, text = found
        if _RELATION.search(condition):
            conditions.append(condition)
    else:
        return None
    behind = _QUANTIFIER.search(text)
    if behind is not None:
        if behind[1] != "forall" or kinds or "exists" in text[behind.end() :]:
            return None
        kinds.add("forall")
        condition = text[behind.end() :].strip(" .")
        text = text[: behind.start()]
        text = re.sub(r"(?:\s|\\q?quad|\\[;,:! ]|,|\($)+$", "", text)
        if "forall" in condition:
            return None
        if _RELATION.search(condition):
            conditions.append(condition)
    if len(kinds) != 1 or not text:
        return None
    return Quantified(_bare(text), tuple(conditions), "exists" in kinds)


def _parted(text: str) -> tuple[str, str] | None:
    """What a quantifier binds, and what stands behind it."""
    depth = place = 0
    while place < len(text):
        char = text[place]
        if char in "{([":
            if char == "(" and depth == 0 and text[:place].strip() and not re.search(r"\\in\s*$", text[:place]):
                return text[:place].strip(), text[place:].strip()
            depth += 1
        elif char in "})]":
            depth -= 1
        elif depth == 0:
            if place and _QUANTIFIER.match(text, place):
                return text[:place].strip(), text[place:].strip()
            match = _SEPARATOR.match(text, place)
            if match is not None and match[0].strip() and text[:place].strip():
                listed = match[0].strip() == "," and not _RELATION.search(text[:place])
                if not listed:
                    rest = text[match.end() :]
                    while (again := _SEPARATOR.match(rest)) is not None and again[0].strip():
                        rest = rest[again.end() :]
                    return text[:place].strip(), rest.strip()
        place += 2 if char == "\\" and place + 1 < len(text) and not text[place + 1].isalpha() else 1
    return None


def _bare(text: str) -> str:
    """Without parentheses or brackets around the whole."""
    text = text.strip()
    while len(text) > 1 and text[0] in "([" and text[-1] in ")]":
        depth = 0
        for place, char in enumerate(text):
            depth += (char in "([") - (char in ")]")
            if depth == 0 and place < len(text) - 1:
                return text
        text = text[1:-1].strip()
    return text
