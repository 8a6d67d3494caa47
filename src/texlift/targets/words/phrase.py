"""A piece of a spoken formula, and how it may stand inside another one.

Nobody hears brackets, so the rules are these. A phrase that ends with what it takes in (`the sine of x`, `x to the
power n`) takes in one short term only: letters and numbers side by side, squares, a minus before them. Anything longer
is closed by an end mark: `the quantity x plus y, end quantity`. Powers of such phrases stand before them (`the square
of the sine of x`), and a product with them says `times`. So `the sine of x squared` can only be that of the square.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum

__all__ = ["Level", "Phrase", "listed"]


_OPENING = ("the quantity ", "the fraction ")
_CLOSING = ("end quantity", "end fraction")


class Level(IntEnum):
    """How much of what stands beside it a phrase would draw in; the lower, the safer it stands anywhere."""

    ATOM = 0  # x, 3, x sub 1
    TIGHT = 1  # 2 x, x squared, one half
    APPLIED = 2  # the sine of x, x to the power n
    OVER = 3  # x over y
    PRODUCT = 4  # a times b
    SUM = 5  # a plus b, minus a
    SET = 6  # A union B
    RELATION = 7
    LOGIC = 8


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words with their level.

    `beside` says that letters may follow without `times`; `mark` is what closes the phrase if more follows (`end sum`),
    empty if it closes itself; `shut` that it ends with such a mark.
    """

    text: str
    level: Level = Level.APPLIED
    beside: bool = False
    mark: str = ""
    shut: bool = False

    @property
    def short(self) -> bool:
        """Whether the phrase can stand at the end of another one without an end mark."""
        return self.level <= Level.TIGHT or (self.level == Level.APPLIED and not self.mark)

    @property
    def balanced(self) -> bool:
        """Whether the phrase begins and ends with words that never stand alone: `the quantity`, `end quantity`."""
        return self.text.startswith(_OPENING) and self.text.endswith(_CLOSING)

    def closed(self) -> Phrase:
        """The phrase with its end mark, if it needs one."""
        if not self.mark:
            return self
        return replace(self, text=f"{self.text}, {self.mark}", mark="", shut=True)

    def ended(self, what: str) -> Phrase:
        """The phrase with an end mark of another one that ends here."""
        return Phrase(f"{self.text}, end {what}", Level.APPLIED, shut=True)

    def quantity(self) -> Phrase:
        """The phrase between words that stand for parentheses."""
        if self.shut and self.level <= Level.APPLIED:
            return self
        return Phrase(f"the quantity {self.text}, end quantity", Level.APPLIED, shut=True)


def listed(texts: list[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    if len(texts) < 2:
        return "".join(texts)
    return f"{', '.join(texts[:-1])} and {texts[-1]}"
