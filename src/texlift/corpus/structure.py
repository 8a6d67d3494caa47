"""Operator trees of formulae: gold for what is applied, what is multiplied, and what letters stand for.

Reads `dlmf_structure.jsonl`. A place of the source is matched with the tree by counting brackets; a formula whose
brackets cannot be matched is left out, and so is a place for which the tree says neither.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["APPLICATION", "PRODUCT", "Structured", "bare_gold", "bracket_gold", "letter_gold", "read_structured"]

APPLICATION, PRODUCT, COMMA = "\u2061", "\u2062", "\u2063"
_OPENERS = ("(", "[")


@dataclass(frozen=True, slots=True)
class Structured:
    """A formula with its tree as nested lists; see the data's own description."""

    section: str
    title: str
    generic: str
    tree: Any
    meanings: tuple[str, ...]
    section_fold: int


def read_structured(path: Path) -> list[Structured]:
    """The formulae of a file."""
    found = []
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
                )
            )
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
