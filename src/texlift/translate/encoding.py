"""A formula's forest as numbers: the tree, the places, the competing readings and what is seen around them.

The tree is the paper's left-child right-sibling tree of the canonical form: an element's left child is its first
row, its right child the next element. Every reading of a place carries the numbers of its rule and macro, the
nodes where its holes start and where it ends, and features; the scorer crosses features with rule and macro.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from texlift.grammar.matching import Match
from texlift.grammar.readings import Forest
from texlift.latex.canonical import Element, Row
from texlift.translate.nodenumbers import NodeNumbers
from texlift.translate.overlap import Overlap, overlap
from texlift.translate.rulenumbers import RuleNumbers, shape_number
from texlift.translate.surroundings import Surroundings, surroundings
from texlift.translate.vocabulary import END, Vocabulary

__all__ = ["HOLE_SLOTS", "Encoded", "Encoder", "Place"]

Ints = NDArray[np.int32]

HOLE_SLOTS = 3
"""Holes whose contents the network sees; later ones only through the features."""

PLACE_FEATURES = 30
READING_FEATURES = 18
TITLE_COLUMN = 14  # reading features that compare the macro's meaning with the titles
SENTENCE_COLUMNS = (15, 16, 17)  # with the sentence, the words next to the formula, those next to the symbol
_FENCE_STYLE = 16  # place features: how the parentheses behind the symbol are written,
_ELSEWHERE = 28  # how the symbol occurs elsewhere in the formula,
MENTION_COLUMN = 29  # and in the sentence
_PAIR = 1447  # multiplies the first of two labels in a pair feature; larger than any label number
_NO_FEATURES = [0] * READING_FEATURES
_NO_NODES = [-1] * (1 + HOLE_SLOTS)
_SCRIPTS = frozenset("_'^")


@dataclass(frozen=True, slots=True)
class Place:
    """A place with a choice: its readings are the literal one, then `matches` in order."""

    row: Row
    position: int
    matches: list[Match]


@dataclass(slots=True)
class Encoded:
    """One formula as arrays. N nodes, P places, C readings."""

    labels: Ints  # (N,)
    styles: Ints  # (N,)
    left: Ints  # (N,) node number or -1
    right: Ints  # (N,)
    places: list[Place]
    place_node: Ints  # (P,)
    place_features: Ints  # (P, PLACE_FEATURES), 0 for an absent one
    reading_place: Ints  # (C,)
    reading_rule: Ints  # (C,)
    reading_macro: Ints  # (C,)
    reading_shape: Ints  # (C,)
    reading_nodes: Ints  # (C, 1 + HOLE_SLOTS): node behind the end, nodes where the holes start; -1 for none
    reading_features: Ints  # (C, READING_FEATURES)
    bag: Ints  # labels that occur in the formula
    titles: Ints  # words of the titles
    sentence: Ints  # words around
    near: Ints  # words next to the formula, hashed
    math: Ints  # symbols of the sentence's other formulae, hashed
    place_group: Ints  # (P,) places of one group have the same symbol and readings: one decision for all of them
    depth: Ints  # (N,) steps from the root


class Encoder:
    """Encodes forests with a fixed vocabulary and numbering of rules and macros."""

    def __init__(self, vocabulary: Vocabulary, numbers: RuleNumbers) -> None:
        self.vocabulary = vocabulary
        self.numbers = numbers
        self._shapes: dict[tuple[str, str], int] = {}
        self._comma, self._semicolon, self._bar = (vocabulary.label(sign) for sign in ",;|")
        self._fences = frozenset(vocabulary.label(label) for label in (*vocabulary.labels, "( )") if " " in label)

    def encode(
        self, forest: Forest, latex: str, context: str | Mapping[str, str] | None = None, constants: bool = False
    ) -> Encoded:
        """All numbers of one formula with the source `latex`.

        `constants` asks for every constant to be marked, whatever the DLMF does.
        """
        tree = NodeNumbers(self.vocabulary)
        tree.add(forest.root)
        places: list[Place] = []
        nodes: list[int] = []
        features: list[int] = []  # PLACE_FEATURES for each place, one after the other
        readings: list[int] = []  # place, rule, macro, shape of each reading
        reading_nodes: list[int] = []
        reading_features: list[int] = []
        around = surroundings(latex, context)
        of_titles = overlap(tuple(around.titles)).of
        of_sentence = overlap(tuple(around.sentence)).of
        of_words = overlap(tuple(around.beside)).of
        said: dict[str, tuple[int, int, int]] = {}
        groups: list[int] = []
        known_groups: dict[tuple[int, ...], int] = {}
        habit = tree.habit
        known_rules = self.numbers.rules
        known_macros = self.numbers.macros
        unknown_rule, unknown_macro = self.numbers.unknown_rule, self.numbers.unknown_macro
        for row in forest.rows:
            matches_at = forest.places[id(row)]
            numbers = tree.numbers[id(row)]
            for position, matches in enumerate(matches_at):
                if not matches:
                    continue
                index = len(places)
                place = Place(row, position, matches)
                places.append(place)
                nodes.append(tree.first[id(row)] + position)
                features += self._place(place, numbers, tree, constants, habit)
                naming = _named_at(row, position, latex, around.named) if around.named else None
                first = len(readings)
                readings += (index, unknown_rule + 1 + numbers[position], 0, 0)
                reading_nodes += _NO_NODES
                reading_features += _NO_FEATURES
                for match in matches:
                    rule = match.rule
                    key = (rule.call, rule.generic)
                    shape = self._shapes.get(key)
                    if shape is None:
                        shape = self._shapes[key] = shape_number(rule)
                    name = rule.name
                    number = known_rules.get(key, unknown_rule)
                    readings += (index, number, known_macros.get(name, unknown_macro), shape)
                    if name not in said:
                        said[name] = (of_titles(name), of_sentence(name), of_words(name))
                    self._reading(match, numbers, tree, reading_nodes, reading_features)
                    reading_features += said[name]
                    reading_features.append(naming.of(name) if naming else 0)
                # where a reading can end at several places, equal rules are not equal readings
                rules = readings[first + 1 :: 4]
                same = (*rules, self.vocabulary.style(row.elements[position].style))
                if len(set(rules)) < len(rules):
                    same = (-index,)
                groups.append(known_groups.setdefault(same, len(known_groups)))
        _mentions(places, features, around)
        known = self.vocabulary.word_ids
        quadruples = np.array(readings, np.int32).reshape(-1, 4)
        return Encoded(
            np.array(tree.labels, np.int32),
            np.array(tree.styles, np.int32),
            np.array(tree.left, np.int32),
            np.array(tree.right, np.int32),
            places,
            np.array(nodes, np.int32),
            np.array(features, np.int32).reshape(-1, PLACE_FEATURES),
            quadruples[:, 0],
            quadruples[:, 1],
            quadruples[:, 2],
            quadruples[:, 3],
            np.array(reading_nodes, np.int32).reshape(-1, 1 + HOLE_SLOTS),
            np.array(reading_features, np.int32).reshape(-1, READING_FEATURES),
            np.array(sorted(set(tree.labels)), np.int32),
            np.array([known[word] for word in around.titles if word in known], np.int32),
            np.array([known[word] for word in around.sentence if word in known], np.int32),
            np.array(around.near, np.int32),
            np.array(around.math, np.int32),
            np.array(groups, np.int32),
            np.array(tree.depth, np.int32),
        )

    def _place(
        self, place: Place, numbers: list[int], tree: NodeNumbers, constants: bool, habit: int
    ) -> tuple[int, ...]:
        """What is seen at a place and next to it; 0 marks an absent feature."""
        row = place.row
        position = place.position
        elements = row.elements
        end = len(elements)
        element = elements[position]
        style = self.vocabulary.style(element.style)
        at = position + 1
        primes = sub = sub_length = sup = sup_length = sub_pair = 0
        while at < end and elements[at].label in _SCRIPTS:
            script = elements[at]
            if script.label == "'":
                primes += 1
            else:
                content = tree.numbers[id(script.rows[0])]
                first = content[0] if content else END
                if script.label == "_":
                    sub, sub_length = first + 1, len(content)
                    sub_pair = first * _PAIR + (content[1] if len(content) > 1 else END)
                else:
                    sup, sup_length = first + 1, len(content)
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
            fence_style = 1 + self.vocabulary.style(fence.style)
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
        length = min(end, 15)
        spaced = int(element.spaced) + 2 * int(at < end and elements[at].spaced)
        return (
            1,
            1 + style,
            1 + previous,
            1 + following,
            1 + before,
            1 + second,
            1 + previous * _PAIR + following,
            1 + parent,
            1 + grandparent,
            1 + min(position, 3) + 4 * length,
            sub,
            1 + min(sub_length, 6),
            sup,
            1 + min(sup_length, 6),
            1 + sub_pair,
            1 + min(primes, 3),
            fence_style,
            commas,
            fence_first,
            fence_length,
            1 + spaced,
            1 + parent * _PAIR + previous,
            int(constants),
            1 + habit * 16 + fence_style,
            own_commas,
            own_first,
            own_second,
            1 + _braces(row, element, elements, at),
            0,  # how the symbol occurs elsewhere in the formula: see `_mentions`
            0,  # and in the sentence
        )

    def _separators(self, content: list[int]) -> int:
        """How many commas, semicolons and bars a row has, as one number."""
        commas, semicolons, bars = map(content.count, (self._comma, self._semicolon, self._bar))
        return 1 + min(commas, 5) + 6 * min(semicolons, 4) + 30 * min(bars, 2)

    def _reading(
        self,
        match: Match,
        numbers: list[int],
        tree: NodeNumbers,
        nodes: list[int],
        features: list[int],
    ) -> None:
        """Where a reading ends, where its holes start, and what stands there."""
        row = match.row
        end = match.end
        own = tree.first[id(row)]
        behind = numbers[end] if end < len(numbers) else END
        last = numbers[end - 1]
        values = [
            1 + behind,
            1 + last,
            1 + min(end - match.start, 10),
            1 + len(match.scripts) + 4 * len(match.trailing),
        ]
        node_list = [own + end if end < len(numbers) else -1]
        commas = bars = fences = 0
        for slot, (_, span) in enumerate(sorted(match.holes.items())):
            start, size = span.start, span.end - span.start
            inside = tree.numbers[id(span.row)]
            first = inside[start]
            if slot < HOLE_SLOTS:
                node_list.append(tree.first[id(span.row)] + start)
                values += (1 + first, 1 + min(size, 12))
            if size == 1:
                fences += first in self._fences
            else:
                some = inside[start : span.end]
                commas += some.count(self._comma)
                bars += some.count(self._semicolon) + some.count(self._bar)
        node_list += [-1] * (1 + HOLE_SLOTS - len(node_list))
        values += [0] * (10 - len(values))
        values.append(1 + last * _PAIR + behind)
        values.append(1 + len(match.holes))
        # separators inside the holes: `f(x;y,z)` is rarely a function of one argument
        values.append(1 + min(commas, 3) + 4 * min(bars, 2) + 12 * min(fences, 2))
        values.append(1 + min(len(match.scripts), 3) + 4 * int(bool(match.trailing)))
        nodes += node_list
        features += values


def _named_at(row: Row, position: int, latex: str, named: Mapping[str, list[str]]) -> Overlap | None:
    """What the sentence says next to the symbol at a place, with its scripts or without."""
    elements = row.elements
    start = elements[position].start
    end = position + 1
    while end < len(elements) and elements[end].label in _SCRIPTS:
        end += 1
    words = named.get(latex[start : elements[end - 1].end]) or named.get(latex[start : elements[position].end])
    return overlap(tuple(words)) if words else None


def _mentions(places: list[Place], features: list[int], around: Surroundings) -> None:
    """Fill in how each symbol occurs elsewhere: `E` beside `E\\left(k\\right)` is rarely a mere letter."""
    labels = [place.row.elements[place.position].label for place in places]
    kinds: dict[str, list[int]] = {}
    own: list[int] = []
    for label, fence in zip(labels, features[_FENCE_STYLE::PLACE_FEATURES], strict=True):
        own.append(min(fence, 2))  # nothing, plain parentheses, \left(
        kinds.setdefault(label, [0, 0, 0])[own[-1]] += 1
    for index, (label, kind) in enumerate(zip(labels, own, strict=True)):
        counts = kinds[label]
        elsewhere = sum([1 << k for k in range(3) if counts[k] > (k == kind)])
        features[index * PLACE_FEATURES + _ELSEWHERE] = 1 + elsewhere * 3 + kind
        if around.present:
            plain = label.rpartition(":")[2].removeprefix("\\")
            mentioned = (plain in around.present) + 2 * (plain in around.called)
            features[index * PLACE_FEATURES + MENTION_COLUMN] = 1 + mentioned * 3 + kind


def _braces(row: Row, element: Element, elements: list[Element], at: int) -> int:
    """Whether braces that only group open at an element, and where they close: macros print them, people do not."""
    for opening, closing in row.dissolved:
        if opening[1] == element.start:
            if closing[0] <= element.end:
                return 1
            return 2 if at >= len(elements) or closing[0] <= elements[at].start else 3
    return 0
