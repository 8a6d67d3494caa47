"""The generic side of a rule, compiled: a row of literal elements and holes."""

from __future__ import annotations

from typing import Final

from texlift.latex.canonical import Element, Row

__all__ = ["HOLES", "Item", "Pattern"]

HOLES = "123456789abcdefghijklmnopqrstuvwxyz"
"""Names of holes in order: `#1` is the first argument."""

_SCRIPT_KINDS: Final = "_'^"


class Item:
    """One place of a pattern: a literal element or a hole, with the scripts it must carry.

    `hole` is the argument's index or -1; `point` marks the script point; `letters` spells a word, which also
    matches its letters written one by one.
    """

    __slots__ = ("hole", "label", "letters", "point", "rows", "scripts")

    def __init__(self, label: str, hole: int, rows: tuple[Pattern, ...]) -> None:
        self.label = label
        self.hole = hole
        self.rows = rows
        self.scripts: list[tuple[str, Pattern | None]] = []
        self.point = False
        self.letters = tuple(label) if len(label) > 1 and label.isalpha() and label.isascii() else ()


class Pattern:
    """A row of items; `source` is the canonical key, equal for equal patterns, `literals` counts what is no hole.

    `only` is the hole that is all there is, as in most arguments and scripts, or -1; `sole` tells whether it is one
    symbol, without rows and scripts of its own.
    """

    __slots__ = ("items", "literals", "only", "sole", "source")

    def __init__(self, row: Row) -> None:
        self.items: list[Item] = []
        self.source = row.key
        for element in row.elements:
            label = element.label
            if label == "#'":
                if self.items:
                    self.items[-1].point = True
            elif label in _SCRIPT_KINDS and self.items:
                argument = Pattern(element.rows[0]) if element.rows else None
                self.items[-1].scripts.append((label, argument))
            else:
                self.items.append(_item(element))
        self.literals = sum([_literals(item) for item in self.items])
        alone = len(self.items) == 1 and not self.items[0].scripts
        self.only = self.items[0].hole if alone else -1
        self.sole = alone and self.only < 0 and not self.items[0].rows

    def crowded(self) -> bool:
        """Whether three holes stand side by side: such a pattern matches nearly everything in too many ways."""
        run = 0
        for item in self.items:
            run = run + 1 if item.hole >= 0 else 0
            if run > 2 or any(row.crowded() for row in item.rows):
                return True
        return False

    def holes(self) -> set[int]:
        """All holes of the pattern."""
        found: set[int] = set()
        for item in self.items:
            if item.hole >= 0:
                found.add(item.hole)
            for row in (*item.rows, *(argument for _, argument in item.scripts if argument is not None)):
                found |= row.holes()
        return found


def _literals(item: Item) -> int:
    own = 1 if item.hole < 0 else 0
    scripts = [1 if argument is None else 1 + argument.literals for _, argument in item.scripts]
    return own + sum(scripts) + sum([row.literals for row in item.rows])


def _item(element: Element) -> Item:
    label = element.label
    if label[0] == "#" and len(label) == 2:
        return Item(label, HOLES.index(label[1]), ())
    return Item(label, -1, tuple([Pattern(row) for row in element.rows]))
