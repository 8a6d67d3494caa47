"""A formula's forest as numbers: the tree, the places, the competing readings and what is seen around them.

The tree is the paper's left-child right-sibling tree of the canonical form: an element's left child is its first
row, its right child the next element. Every reading of a place carries the numbers of its rule and macro, the
nodes where its holes start and where it ends, and features; the scorer crosses features with rule and macro.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final
from zlib import crc32

import numpy as np

from texlift.context.exactness import EXACT, FONTS, bare_print, exactness
from texlift.context.memory import symbol_shown
from texlift.context.style import HOLLOW, SYMBOL, contents, is_hollow, printed_word, writing_of
from texlift.grammar.match import Match
from texlift.grammar.readings import Forest
from texlift.grammar.rule import Rule
from texlift.macros.conventions import judged_like
from texlift.scorer.encoded import (
    BEST_MATCH,
    EXACT_COLUMN,
    HOLE_SLOTS,
    LEFT_SYMBOL,
    LETTER_COLUMN,
    PLACE_FEATURES,
    READING_FEATURES,
    SEPARATOR_COLUMN,
    SEPARATORS,
    Encoded,
    Ints,
    Place,
    Sketch,
    packed,
)
from texlift.scorer.features import PAIR, PlaceFeatures, elsewhere
from texlift.scorer.letters import kin, letter_level, usual_letters
from texlift.scorer.nodenumbers import NodeNumbers
from texlift.scorer.placement import in_context
from texlift.scorer.rulenumbers import RuleNumbers, shape_number
from texlift.scorer.vocabulary import END, Vocabulary

__all__ = ["HOLE_SLOTS", "Encoded", "Encoder", "Place", "Sketch"]

_READING: Final = 9  # numbers of a reading, before its features
_NO_FEATURES: Final = [0] * READING_FEATURES
_NO_NODES: Final = [-1] * (1 + HOLE_SLOTS)
_MISSING_NODES: Final = [_NO_NODES[1 + holes :] for holes in range(HOLE_SLOTS)]
_NOTHING = np.zeros(0, np.int32)
_Letters = list[tuple[int, int, int]]  # hole, number of the letter usually there, its kind
_Known = tuple[Rule, int, int, int, _Letters, bytes, bytes, bool, str]


class Encoder:
    """Encodes forests with a fixed vocabulary and numbering of rules and macros."""

    def __init__(self, vocabulary: Vocabulary, numbers: RuleNumbers) -> None:
        self.vocabulary = vocabulary
        self.numbers = numbers
        self._rules: dict[int, _Known] = {}
        self._kinds = [kin(label) for label in vocabulary.labels]
        self._numbered = lru_cache(maxsize=1024)(self._word_numbers)
        self._seen = PlaceFeatures(vocabulary)
        self._comma, self._semicolon, self._bar = (vocabulary.label(sign) for sign in ",;|")
        self._fences = frozenset(vocabulary.label(label) for label in (*vocabulary.labels, "( )") if " " in label)

    def encode(
        self, forest: Forest, latex: str, context: str | Mapping[str, str] | None = None, constants: bool = False
    ) -> Encoded:
        """All numbers of one formula with the source `latex`.

        `constants` asks for every constant to be marked, whatever the DLMF does.
        """
        return self.placed(self.sketch(forest, latex, constants), latex, context)

    def placed(
        self, sketch: Sketch, latex: str, context: str | Mapping[str, str] | None, spelled: str | None = None
    ) -> Encoded:
        """The numbers of a formula in its context, which spells it so, if otherwise."""
        return in_context(sketch, latex, context, self._numbered, spelled) if context else sketch.formula

    def _word_numbers(self, words: tuple[str, ...]) -> Ints:
        known = self.vocabulary.word_ids
        return packed([known[word] for word in words if word in known])

    def sketch(self, forest: Forest, latex: str, constants: bool = False) -> Sketch:
        """The numbers of a formula without a context."""
        tree = NodeNumbers(self.vocabulary)
        tree.add(forest.root)
        places: list[Place] = []
        nodes: list[int] = []
        features: list[int] = []  # PLACE_FEATURES for each place, one after the other
        readings: list[int] = []  # of each: place, rule, macro, shape, name, what it shows, print, letters, fenced
        seen_nodes: list[int] = [*_NO_NODES]  # of what readings show, each once; first what the literal one does
        seen_features: list[int] = [*_NO_FEATURES]
        names: dict[str, int] = {}
        best_levels: list[int] = []
        groups: list[int] = []
        known_groups: dict[tuple[int, ...], int] = {}
        place_keys: list[int] = []
        reading_keys: list[int] = []
        writing = writing_of(latex)
        words: list[tuple[int, str]] = []
        habit = tree.habit + LEFT_SYMBOL * (writing.plainest_left == SYMBOL)
        unknown_rule = self.numbers.unknown_rule
        known_rules = self._rules
        for row in forest.rows:
            matches_at = forest.places[id(row)]
            if not any(matches_at):
                continue
            numbers = tree.numbers[id(row)]
            first_node = tree.first[id(row)]
            for position, matches in enumerate(matches_at):
                if not matches:
                    continue
                index = len(places)
                place = Place(row, position, matches)
                places.append(place)
                nodes.append(first_node + position)
                features += self._seen(place, numbers, tree, constants, habit)
                literal = unknown_rule + 1 + numbers[position]
                readings += (index, literal, 0, 0, -1, 0, 0, 0, 0)
                element = row.elements[position]
                label = element.label
                symbol = "" if row.dissolved else latex[element.start : element.end]
                carried, shown = symbol_shown(row, position, latex)
                own = (_crc(f"{label} {carried}"), _crc(label), _crc(f"={shown}"))
                place_keys += own
                with_scripts, alone, with_fence = own
                reading_keys += (crc32(b"\n", with_scripts), crc32(b"\n", alone), crc32(b"\n", with_fence))
                rules = [literal]
                bare: list[int] = []  # what arguments without parentheses start with
                best = 0
                known: dict[tuple[object, ...], int] = {}
                levels: dict[tuple[int, str], int] = {}
                for match in matches:
                    rule = match.rule
                    _, number, macro, shape, letters, call, macro_name, hollow, shown_alone = known_rules.get(
                        id(rule)
                    ) or self._rule(rule)
                    rules.append(number)
                    # rules that show the same thing share what their holes are bound to
                    key = (match.end, id(match.holes), match.scripts, match.trailing)
                    seen = known.get(key)
                    if seen is None:
                        seen = known[key] = len(seen_nodes) // len(_NO_NODES)
                        self._reading(match, numbers, tree, seen_nodes, seen_features)
                        bare += [numbers[span.start] for span in match.holes.values() if span.row is row]
                    name = names.setdefault(rule.name, len(names))
                    level = levels.get((seen, rule.generic), 0)
                    if not level:
                        exact = shown_alone == symbol and match.end == position + 1
                        level = EXACT if exact else exactness(match, latex)
                        levels[seen, rule.generic] = level
                        if level > best:
                            best = level
                    printed = 1 + level + (EXACT + 1) * habit
                    alike = self._alike(match, letters, tree) if letters else 0
                    reading_keys += (crc32(call, with_scripts), crc32(macro_name, alone), crc32(call, with_fence))
                    if level <= FONTS and (word := printed_word(match, latex)):
                        words.append((len(readings) // _READING, word))
                    fenced = HOLLOW if hollow else 0 if level == EXACT else contents(match, level, latex)
                    readings += (index, number, macro, shape, name, seen, printed, alike, fenced)
                features[BEST_MATCH - PLACE_FEATURES] = 1 + best + (EXACT + 1) * habit
                best_levels.append(best)
                # where a reading can end at several places, equal rules are not equal readings; the d of `dt` is not
                # that of `d-t`, nor is a multinomial coefficient a binomial one
                separators = max([seen_features[at * READING_FEATURES + SEPARATOR_COLUMN] for at in known.values()])
                same = (*rules, self.vocabulary.style(row.elements[position].style), -separators, *bare)
                if len(set(rules)) < len(rules):
                    same = (-index,)
                groups.append(known_groups.setdefault(same, len(known_groups)))
        kinds = elsewhere(places, features)
        labels, styles, left, right, depth = packed(
            [*tree.labels, *tree.styles, *tree.left, *tree.right, *tree.depth]
        ).reshape(5, -1)
        of_place, of_rule, of_macro, of_shape, of_name, of_seen, of_print, of_letters, of_fences = (
            packed(readings).reshape(-1, _READING).T
        )
        reading_features = packed(seen_features).reshape(-1, READING_FEATURES).take(of_seen, 0)
        reading_features[:, EXACT_COLUMN] = of_print
        reading_features[:, LETTER_COLUMN] = of_letters
        place_node, place_group = packed(nodes + groups).reshape(2, -1)
        formula = Encoded(
            labels,
            styles,
            left,
            right,
            places,
            place_node,
            packed(features).reshape(-1, PLACE_FEATURES),
            of_place,
            of_rule,
            of_macro,
            of_shape,
            packed(seen_nodes).reshape(-1, 1 + HOLE_SLOTS).take(of_seen, 0),
            reading_features,
            packed(sorted(set(tree.labels))),
            _NOTHING,
            _NOTHING,
            _NOTHING,
            _NOTHING,
            _NOTHING,
            place_group,
            depth,
            {(id(place.row), place.position): index for index, place in enumerate(places)},
            np.array(place_keys, np.int64).reshape(-1, 3),
            np.array(reading_keys, np.int64).reshape(-1, 3),
            of_fences,
            words,
            writing,
        )
        return Sketch(formula, list(names), of_name, kinds, packed(best_levels))

    def _rule(self, rule: Rule) -> _Known:
        """A rule, so that its id stays its own, with what is looked up of it again and again."""
        numbers = self.numbers
        label = self.vocabulary.label
        model = self._model(rule)
        known = self._rules[id(rule)] = (
            rule,
            numbers.rules.get((model.call, model.generic), numbers.unknown_rule),
            numbers.macros.get(model.name, numbers.unknown_macro),
            shape_number(model),
            [(hole, label(letter), kin(letter)) for hole, letter in usual_letters(rule)],
            f"\n{model.call} {model.generic}".encode(),
            f"\n{model.name}".encode(),
            is_hollow(rule) or (rule.call, rule.generic) in numbers.outnumbered,
            "\n" if rule.pattern.holes() else bare_print(rule.generic),
        )
        return known

    def _model(self, rule: Rule) -> Rule:
        """The rule that a rule is judged like: itself, unless it is read for its convention."""
        like = judged_like().get(rule.call)
        if like is None or (rule.call, rule.generic) in self.numbers.rules:
            return rule
        return next((Rule(call, generic) for call, generic in self.numbers.rules if call == like), rule)

    def _alike(self, match: Match, letters: _Letters, tree: NodeNumbers) -> int:
        """How much the arguments of a reading are written as in the macro's definition."""
        points = 0
        for hole, letter, kind in letters:
            span = match.holes[hole]
            first = tree.numbers[id(span.row)][span.start]
            alone = span.end - span.start == 1
            if first == letter:
                points += 3 if alone else 2
            elif alone and kind and self._kinds[first] == kind:
                points += 1
        return letter_level(points, len(letters))

    def _reading(
        self, match: Match, numbers: list[int], tree: NodeNumbers, nodes: list[int], features: list[int]
    ) -> None:
        """Add where a reading ends and where its holes start, as nodes, and what stands there, as features."""
        end = match.end
        inside_row = end < len(numbers)
        behind = numbers[end] if inside_row else END
        last = numbers[end - 1]
        scripts, trailing = len(match.scripts), len(match.trailing)
        length = end - match.start
        values = [1 + behind, 1 + last, 1 + (length if length < 10 else 10), 1 + scripts + 4 * trailing]
        nodes.append(tree.first[id(match.row)] + end if inside_row else -1)
        commas = bars = fences = 0
        holes = match.holes
        for slot, hole in enumerate(sorted(holes) if len(holes) > 1 else holes):
            span = holes[hole]
            start, size = span.start, span.end - span.start
            inside = tree.numbers[id(span.row)]
            first = inside[start]
            if slot < HOLE_SLOTS:
                nodes.append(tree.first[id(span.row)] + start)
                values += (1 + first, 1 + (size if size < 12 else 12))
            if size == 1:
                fences += first in self._fences
            else:
                some = inside[start : span.end]
                commas += some.count(self._comma)
                bars += some.count(self._semicolon) + some.count(self._bar)
        nodes += _MISSING_NODES[len(holes)] if len(holes) < HOLE_SLOTS else ()
        values += _NO_FEATURES[len(values) : 10]
        values += (
            1 + last * PAIR + behind,
            1 + len(holes),
            # separators inside the holes: `f(x;y,z)` is rarely a function of one argument
            1 + (min(commas, 3) + 4 * min(bars, 2) + SEPARATORS * min(fences, 2) if commas or bars or fences else 0),
            1 + (scripts if scripts < 3 else 3) + 4 * (trailing > 0),
            *_NO_FEATURES[EXACT_COLUMN:],
        )
        features += values


def _crc(text: str) -> int:
    """A number for a text."""
    return crc32(b"\n" + text.encode("utf-8", "surrogatepass"))
