"""Operator trees of formulae: gold for what is applied, what is multiplied, and what letters stand for.

Reads `dlmf_structure.jsonl`. A place of the source is matched with the tree by counting brackets; a formula whose
brackets cannot be matched is left out, and so is a place for which the tree says neither.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from texlift.corpus.kinds import kind_of_meaning

__all__ = [
    "APPLICATION",
    "PRODUCT",
    "Structured",
    "bare_gold",
    "bracket_gold",
    "default_products",
    "letter_gold",
    "read_structured",
]

APPLICATION, PRODUCT, COMMA = "\u2061", "\u2062", "\u2063"
_OPENERS = ("(", "[")
_NUMBERS = frozenset({
    "prime", "constant", "nonnegative integer", "positive integer", "integer", "parameter", "positive", "complex",
    "real",
})  # fmt: skip
_SPACING = re.compile(r"[\s{}]")
_DRESSED = ("sup", "sub", "subsup", "multiscripts", "over", "under")


@dataclass(frozen=True, slots=True)
class Structured:
    """A formula with its tree as nested lists; see the data's own description."""

    section: str
    title: str
    generic: str
    tree: Any
    meanings: tuple[str, ...]
    section_fold: int
    sentence: str = ""  # the one around the formula, where the pairs have it


def read_structured(path: Path, pairs: Path | None = None) -> list[Structured]:
    """The formulae of a file, with the sentences of the file of pairs."""
    found = []
    sentences = {} if pairs is None else _sentences(pairs)
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            found.append(
                Structured(
                    record["section"],
                    record["title"],
                    record["generic"],
                    record["tree"],
                    tuple(record["meanings"]),
                    record["section_fold"],
                    sentences.get((record["section"], _SPACING.sub("", record["generic"])), ""),
                )
            )
    return found


def _sentences(path: Path) -> dict[tuple[str, str], str]:
    """By section and formula: the sentence that it stands in."""
    found: dict[tuple[str, str], str] = {}
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            key = record["section"], _SPACING.sub("", record["generic"])
            found.setdefault(key, record["context"].get("sentence", ""))
    return found


def _leaf(tree: Any) -> str | None:
    if isinstance(tree, str):
        return tree
    return tree[0] if len(tree) == 2 and isinstance(tree[1], int) else None


def bracket_gold(formula: Structured) -> list[str]:
    """For each opening bracket in reading order: the invisible sign before it, or an empty text."""
    signs: list[str] = []
    previous = ""
    for text in _leaves(formula.tree):
        if text in _OPENERS:
            signs.append(previous if previous in (APPLICATION, PRODUCT) else "")
        previous = text
    return signs


def default_products(formula: Structured) -> list[bool]:
    """For each opening bracket in reading order: whether it is a product only because the editors said nothing else.

    Their converter multiplies letters without a role: `f(z_0)` too. The tree shows it: a single sign or a list in the
    brackets, no script behind them, and before them a letter that the editors did not call a number of some kind.
    """
    found: list[bool] = []
    stack: list[tuple[Any, bool]] = [(formula.tree, False)]  # trees, and whether they stand behind such a product
    while stack:
        tree, default = stack.pop()
        text = _leaf(tree)
        if text is not None:
            if text in _OPENERS:
                found.append(default)
            continue
        parts = tree[1:]
        inner = [
            (
                part,
                index > 1
                and _leaf(parts[index - 1]) == PRODUCT
                and _is_idle(part)
                and _has_no_number(parts[index - 2], formula.meanings),
            )
            for index, part in enumerate(parts)
        ]
        if inner:
            inner[0] = (parts[0], default)
        stack.extend(reversed(inner))
    return found


def _is_idle(tree: Any) -> bool:
    """Whether brackets without a script hold a single sign or a list."""
    if _leaf(tree) is not None or tree[0].partition("=")[0] != "row" or len(tree) < 4:
        return False
    inside = tree[2:-1]
    if len(inside) == 1 and _leaf(inside[0]) is None and inside[0][0].partition("=")[0] == "row":
        inside = inside[0][1:]
    return (len(inside) == 1 and _leaf(inside[0]) is not None) or any(_leaf(part) in (",", ";") for part in inside)


def _has_no_number(tree: Any, meanings: tuple[str, ...]) -> bool:
    """Whether a tree is a letter, with or without scripts, that the editors did not call a number."""
    while _leaf(tree) is None:
        if tree[0].partition("=")[0] not in _DRESSED:
            return False
        tree = tree[1]
    said = meanings[tree[1]] if isinstance(tree, list) else ""
    return (_leaf(tree) or "").isalpha() and kind_of_meaning(said) not in _NUMBERS


def bare_gold(formula: Structured) -> list[tuple[str, str]]:
    """For each invisible sign that no bracket follows: the sign before it without its scripts, and which it is."""
    found: list[tuple[str, str]] = []
    stack = [formula.tree]
    while stack:
        tree = stack.pop()
        if _leaf(tree) is not None:
            continue
        parts = tree[1:]
        for index, part in enumerate(parts):
            sign = _leaf(part)
            if sign not in (APPLICATION, PRODUCT) or not 0 < index < len(parts) - 1:
                continue
            if next(_leaves(parts[index + 1]), "") not in _OPENERS:
                found.append((_base(parts[index - 1]), sign))
        stack.extend(parts)
    return found


def _base(tree: Any) -> str:
    """The sign that a part of a tree is, without scripts; empty for a row, a fraction and the like."""
    while (text := _leaf(tree)) is None:
        if tree[0].partition("=")[0] not in ("sup", "sub", "subsup", "over", "under", "underover"):
            return ""
        tree = tree[1]
    return text


def _leaves(tree: Any) -> Iterator[str]:
    text = _leaf(tree)
    if text is not None:
        yield text
        return
    for child in tree[1:]:
        yield from _leaves(child)


def letter_gold(formula: Structured) -> list[tuple[str, str]]:
    """Every sign that the editors gave a meaning, and that meaning, in reading order."""
    return list(_meanings(formula.tree, formula.meanings))


def _meanings(tree: Any, meanings: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    if isinstance(tree, str):
        return
    if _leaf(tree) is not None:
        yield tree[0], meanings[tree[1]]
        return
    for child in tree[1:]:
        yield from _meanings(child, meanings)
