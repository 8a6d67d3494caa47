"""What is seen at a place of a formula and next to it, as numbers of features."""

from __future__ import annotations

from typing import Final

from texlift.latex.canonical import Element, Row
from texlift.scorer.encoded import PLACE_FEATURES, Place
from texlift.scorer.nodenumbers import NodeNumbers
from texlift.scorer.vocabulary import END, Vocabulary

__all__ = ["PAIR", "PlaceFeatures", "elsewhere"]

PAIR: Final = 1447
"""Multiplies the first of two labels in a pair feature; larger than any label number."""

_FENCE_STYLE: Final = 16  # the feature that tells how the parentheses behind the symbol are written,
_ELSEWHERE: Final = 28  # and how the symbol occurs elsewhere in the formula
_SCRIPTS: Final = frozenset("_'^")
# how scripts are written, beside the number that `_braces` gives
_RAISED, _RAISED_FIRST, _PRIME_MARK, _PRIME_COMMAND = 4, 8, 16, 32


class PlaceFeatures:
    """Finds them with a fixed vocabulary."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._style = vocabulary.style
        self._comma, self._semicolon, self._bar = (vocabulary.label(sign) for sign in ",;|")

    def __call__(
        self, place: Place, numbers: list[int], tree: NodeNumbers, constants: bool, habit: int
    ) -> tuple[int, ...]:
        """What is seen at a place and next to it; 0 marks an absent feature."""
        row = place.row
        position = place.position
        elements = row.elements
        end = len(elements)
        element = elements[position]
        style = self._style(element.style)
        at = position + 1
        primes = sub = sub_length = sup = sup_length = sub_pair = writing = 0
        while at < end and elements[at].label in _SCRIPTS:
            script = elements[at]
            if script.label == "'":
                primes += 1
                writing |= _PRIME_MARK if script.start + 1 == script.end else _PRIME_COMMAND
            else:
                content = tree.numbers[id(script.rows[0])]
                first = content[0] if content else END
                if script.label == "_":
                    sub, sub_length = first + 1, len(content)
                    sub_pair = first * PAIR + (content[1] if len(content) > 1 else END)
                else:
                    sup, sup_length = first + 1, len(content)
                    writing |= _RAISED if script.start >= elements[at - 1].start else _RAISED | _RAISED_FIRST
            at += 1
        following = numbers[at] if at < end else END
        second = numbers[at + 1] if at + 1 < end else END
        previous = numbers[position - 1] if position else END
        before = numbers[position - 2] if position > 1 else END
        fence_style = commas = fence_first = fence_length = 0
        if at < end and elements[at].rows and " " in elements[at].label:
            fence = elements[at]
            inside = fence.rows[0]
            content = tree.numbers[id(inside)]
            fence_style = 1 + self._style(fence.style)
            commas = self._separators(content)
            fence_first = 1 + (content[0] if content else END)
            fence_length = 1 + min(len(content), 8)
        own_commas = own_first = own_second = 0
        if element.rows:
            inside = element.rows[0]
            content = tree.numbers[id(inside)]
            own_commas = self._separators(content)
            own_first = 1 + (content[0] if content else END)
            if len(element.rows) > 1:
                content = tree.numbers[id(element.rows[1])]
                own_second = 1 + (content[0] if content else END)
        parent, grandparent = tree.parents[id(row)]
        length = end if end < 15 else 15
        spaced = int(element.spaced) + 2 * int(at < end and elements[at].spaced)
        return (
            1,
            1 + style,
            1 + previous,
            1 + following,
            1 + before,
            1 + second,
            1 + previous * PAIR + following,
            1 + parent,
            1 + grandparent,
            1 + (position if position < 3 else 3) + 4 * length,
            sub,
            1 + (sub_length if sub_length < 6 else 6),
            sup,
            1 + (sup_length if sup_length < 6 else 6),
            1 + sub_pair,
            1 + (primes if primes < 3 else 3),
            fence_style,
            commas,
            fence_first,
            fence_length,
            1 + spaced,
            1 + parent * PAIR + previous,
            int(constants),
            1 + habit * 16 + fence_style,
            own_commas,
            own_first,
            own_second,
            1 + writing + (_braces(row, element, elements, at) if row.dissolved else 0),
            0,  # how the symbol occurs elsewhere in the formula: see `elsewhere`
            0,  # and in the sentence: see `in_context`
            0,  # how nearly a macro would print it
            0,  # the same, beside how formulae are written in the sentence: see `in_context`
            0,  # whether anything is said: see `collate`
        )

    def _separators(self, content: list[int]) -> int:
        """How many commas, semicolons and bars a row has, as one number."""
        commas, semicolons, bars = content.count(self._comma), content.count(self._semicolon), content.count(self._bar)
        if not (commas or semicolons or bars):
            return 1
        return 1 + min(commas, 5) + 6 * min(semicolons, 4) + 30 * min(bars, 2)


def elsewhere(places: list[Place], features: list[int]) -> list[int]:
    """Fill in how each symbol occurs elsewhere: `E` beside `E\\left(k\\right)` is rarely a mere letter.

    Returns how each is written itself: with nothing, plain parentheses or \\left( behind it.
    """
    labels = [place.row.elements[place.position].label for place in places]
    own = [fence if fence < 2 else 2 for fence in features[_FENCE_STYLE::PLACE_FEATURES]]
    kinds: dict[str, list[int]] = {}
    for label, kind in zip(labels, own, strict=True):
        kinds.setdefault(label, [0, 0, 0])[kind] += 1
    for index, (label, kind) in enumerate(zip(labels, own, strict=True)):
        counts = kinds[label]
        found = (counts[0] > (kind == 0)) + 2 * (counts[1] > (kind == 1)) + 4 * (counts[2] > (kind == 2))
        features[index * PLACE_FEATURES + _ELSEWHERE] = 1 + found * 3 + kind
    return own


def _braces(row: Row, element: Element, elements: list[Element], at: int) -> int:
    """Whether braces that only group open at an element, and where they close: macros print them, people do not."""
    for opening, closing in row.dissolved:
        if opening[1] == element.start:
            if closing[0] <= element.end:
                return 1
            return 2 if at >= len(elements) or closing[0] <= elements[at].start else 3
    return 0
