"""What is seen at a place of a formula and in each of its readings, as numbers; `schema` names them."""

from __future__ import annotations

from typing import Final

from texlift.grammar.match import Match
from texlift.latex.canonical import Element, Row
from texlift.scorer.schema import HOLE_SLOTS, PLACE
from texlift.scorer.vocabulary import END, ROW, STYLES, Vocabulary

__all__ = ["PAIR", "FormulaTree", "PlaceFeatures", "ReadingFeatures", "elsewhere"]

PAIR: Final = 1447
"""Multiplies the first of two labels in a pair feature; larger than any label number."""

_LEFT, _OPERATOR, _UPRIGHT = (STYLES.index(style) for style in ("left", "op", "rm"))
_BRACKETS: Final = PLACE.column("brackets behind")
_ELSEWHERE: Final = PLACE.column("elsewhere in the formula")
_AT_PLACE: Final = len(PLACE)
_SCRIPTS: Final = frozenset("_'^")
# how scripts are written, beside the number that `_braces` gives
_RAISED, _RAISED_FIRST, _PRIME_MARK, _PRIME_COMMAND = 4, 8, 16, 32
_NO_HOLES: Final = (-1,) * HOLE_SLOTS
_NO_CONTENTS: Final = (0, 0) * HOLE_SLOTS
_SEPARATORS: Final = 12  # kinds of commas and bars inside holes; fences are counted above them


class FormulaTree:
    """The paper's left-child right-sibling tree of a formula's canonical form, as numbers.

    An element's left child is its first row, its right child the next element. Nodes are numbered row by row: the row,
    its elements in order, then their rows.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.labels: list[int] = []
        self.styles: list[int] = []
        self.left: list[int] = []
        self.right: list[int] = []
        self.depth: list[int] = []  # steps from the root
        self.first: dict[int, int] = {}  # id(row) -> node of its first element
        self.numbers: dict[int, list[int]] = {}  # id(row) -> label numbers of its elements
        self.parents: dict[int, tuple[int, int]] = {}  # id(row) -> labels of the element above, and above that

    @property
    def habit(self) -> int:
        """How the writer writes: whether \\left, operator names, upright letters occur anywhere."""
        styles = set(self.styles)
        return int(_LEFT in styles) + 2 * int(_OPERATOR in styles) + 4 * int(_UPRIGHT in styles)

    def add(self, root: Row) -> None:
        """Number the tree below a root row."""
        labels, styles, left, right, depth = self.labels, self.styles, self.left, self.right, self.depth
        vocabulary = self.vocabulary
        known = vocabulary.label_ids
        known_styles, other = vocabulary.style_ids, vocabulary.style("other")
        stack: list[tuple[Row, int, int, int]] = [(root, END, END, -1)]
        while stack:
            row, parent, grandparent, above = stack.pop()
            at = self._attach(above) if above >= 0 else 0
            node = len(labels)
            elements = row.elements
            count = len(elements)
            self.first[id(row)] = node + 1
            self.parents[id(row)] = (parent, grandparent)
            if count == 1:  # every other row: `{n}`
                element = elements[0]
                label = element.label
                number = known[label] if label in known else vocabulary.label(label)
                self.numbers[id(row)] = [number]
                labels += (ROW, number)
                styles += (0, known_styles.get(element.style, other))
                left += (node + 1, -1)
                right += (-1, -1)
                depth += (at, at + 1)
                if element.rows:
                    stack += [(child, number, parent, node + 1) for child in reversed(element.rows)]
                continue
            numbers = [
                known[label] if (label := element.label) in known else vocabulary.label(label) for element in elements
            ]
            labels.append(ROW)
            labels += numbers
            styles.append(0)
            styles += [known_styles.get(element.style, other) for element in elements]
            left.append(node + 1 if count else -1)
            right.append(-1)
            depth.append(at)
            if count:
                left += [-1] * count
                right += range(node + 2, node + 1 + count)
                right.append(-1)
                depth += range(at + 1, at + 1 + count)
            self.numbers[id(row)] = numbers
            for position in range(count - 1, -1, -1):
                children = elements[position].rows
                if children:
                    stack += [(child, numbers[position], parent, node + 1 + position) for child in reversed(children)]

    def _attach(self, above: int) -> int:
        """Hang the next row below its element, behind the element's earlier rows; its depth."""
        node = len(self.labels)
        if self.left[above] < 0:
            self.left[above] = node
            return self.depth[above] + 1
        last = self.left[above]
        while self.right[last] >= 0:
            last = self.right[last]
        self.right[last] = node
        return self.depth[last] + 1


class PlaceFeatures:
    """Finds them with a fixed vocabulary."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._styles, self._other = vocabulary.style_ids, vocabulary.style("other")
        self._comma, self._semicolon, self._bar = (vocabulary.label(sign) for sign in ",;|")

    def __call__(
        self, row: Row, position: int, numbers: list[int], tree: FormulaTree, constants: bool, habit: int
    ) -> tuple[int, ...]:
        """The features of PLACE, in its order; 0 for an absent one."""
        elements = row.elements
        end = len(elements)
        element = elements[position]
        style = self._styles.get(element.style, self._other)
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
            fence_style = 1 + self._styles.get(fence.style, self._other)
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
            0,  # elsewhere in the formula: see `elsewhere`
            0,  # in the sentence: see `Encoder.placed`
            0,  # best print: see `Encoder.sketch`
            0,  # best print and author's brackets: see `Encoder.placed`
            0,  # length without context: see `collate`
        )

    def _separators(self, content: list[int]) -> int:
        """How many commas, semicolons and bars a row has, as one number."""
        commas, semicolons, bars = content.count(self._comma), content.count(self._semicolon), content.count(self._bar)
        if not (commas or semicolons or bars):
            return 1
        return 1 + min(commas, 5) + 6 * min(semicolons, 4) + 30 * min(bars, 2)


class ReadingFeatures:
    """Finds what a reading covers, with a fixed vocabulary."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._comma, self._semicolon, self._bar = (vocabulary.label(sign) for sign in ",;|")
        self._fences = frozenset(vocabulary.label(label) for label in (*vocabulary.labels, "( )") if " " in label)

    def add(self, match: Match, numbers: list[int], tree: FormulaTree, covered: list[int]) -> None:
        """Add where a reading ends and where its holes start, as nodes, and what stands there, as features.

        The features are those of READING before its print, in its order.
        """
        end = match.end
        inside_row = end < len(numbers)
        behind = numbers[end] if inside_row else END
        last = numbers[end - 1]
        scripts, trailing = len(match.scripts), len(match.trailing)
        length = end - match.start
        nodes = [tree.first[id(match.row)] + end if inside_row else -1]
        ends = (1 + behind, 1 + last, 1 + (length if length < 10 else 10), 1 + scripts + 4 * trailing)
        carried = 1 + (scripts if scripts < 3 else 3) + 4 * (trailing > 0)
        holes = match.holes
        if not holes:
            covered += (*nodes, *_NO_HOLES, *ends, *_NO_CONTENTS, 1 + last * PAIR + behind, 1, 1, carried)
            return
        contents: list[int] = []
        commas = bars = fences = 0
        for slot, hole in enumerate(sorted(holes) if len(holes) > 1 else holes):
            span = holes[hole]
            start, size = span.start, span.end - span.start
            inside = tree.numbers[id(span.row)]
            first = inside[start]
            if slot < HOLE_SLOTS:
                nodes.append(tree.first[id(span.row)] + start)
                contents += (1 + first, 1 + (size if size < 12 else 12))
            if size == 1:
                fences += first in self._fences
            else:
                some = inside[start : span.end]
                commas += some.count(self._comma)
                bars += some.count(self._semicolon) + some.count(self._bar)
        # separators inside the holes: `f(x;y,z)` is rarely a function of one argument
        separators = min(commas, 3) + 4 * min(bars, 2) + _SEPARATORS * min(fences, 2)
        empty = len(holes)  # slots from here on
        covered += (*nodes, *_NO_HOLES[empty:], *ends, *contents, *_NO_CONTENTS[2 * empty :])
        covered += (1 + last * PAIR + behind, 1 + len(holes), 1 + separators, carried)


def elsewhere(labels: list[str], features: list[int]) -> list[int]:
    """Fill in how the symbols of all places occur elsewhere: `E` beside `E\\left(k\\right)` is rarely a mere letter.

    Returns how each is written itself: with nothing, plain parentheses or \\left( behind it.
    """
    own = [fence if fence < 2 else 2 for fence in features[_BRACKETS::_AT_PLACE]]
    kinds: dict[str, list[int]] = {}
    for label, kind in zip(labels, own, strict=True):
        kinds.setdefault(label, [0, 0, 0])[kind] += 1
    at = _ELSEWHERE
    for label, kind in zip(labels, own, strict=True):
        counts = kinds[label]
        found = (counts[0] > (kind == 0)) + 2 * (counts[1] > (kind == 1)) + 4 * (counts[2] > (kind == 2))
        features[at] = 1 + found * 3 + kind
        at += _AT_PLACE
    return own


def _braces(row: Row, element: Element, elements: list[Element], at: int) -> int:
    """Whether braces that only group open at an element, and where they close: macros print them, people do not."""
    for opening, closing in row.dissolved:
        if opening[1] == element.start:
            if closing[0] <= element.end:
                return 1
            return 2 if at >= len(elements) or closing[0] <= elements[at].start else 3
    return 0
