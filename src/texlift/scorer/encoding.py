"""A formula's forest as arrays: the tree, the places, the competing readings and what is seen around them.

Every reading of a place carries the numbers of its rule and macro, the nodes where its holes start and where it ends,
and features; the scorer crosses features with rule and macro. What does not depend on the context is a `Sketch`, made
once however often the formula comes up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from struct import Struct
from typing import Any, Final, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from texlift.context.memory import Symbols, scope_keys, symbol_shown
from texlift.context.passage import Context, Overlap, Passage, overlap, passage
from texlift.context.style import BRACES, EXACT, LEFT_AROUND_SYMBOL, bare_print, brackets_in, print_level
from texlift.grammar.match import Match
from texlift.grammar.readings import Forest
from texlift.grammar.rule import Rule
from texlift.latex.canonical import Row
from texlift.latex.invisible import frame
from texlift.macros.conventions import judged_like
from texlift.scorer.features import FormulaTree, PlaceFeatures, ReadingFeatures, elsewhere
from texlift.scorer.schema import HOLE_SLOTS, PLACE, READING
from texlift.scorer.vocabulary import RuleNumbers, Vocabulary, shape_number

__all__ = [
    "Encoded",
    "Encoder",
    "Place",
    "Places",
    "ReadingTable",
    "Readings",
    "Sketch",
    "Tree",
    "Words",
    "print_levels",
]

Ints = NDArray[np.int32]

_PRINT: Final = READING.column("print")
_BEST_PRINT: Final = PLACE.column("best print")
_SPACES: Final = PLACE.column("spaces")
_WRAPPED: Final = 4  # added to the number of the spaces around a place
_HABITS: Final = 16  # how many there are, with brackets around symbols
_MENTIONED, _AUTHOR_PRINT = PLACE.column("in the sentence"), PLACE.column("best print and author's brackets")
_TITLES, _BESIDE_SYMBOL = (
    READING.column("overlap with titles"),
    READING.column("overlap with words beside the symbol"),
)
_AROUND_SYMBOL: Final = 8  # added to the author's habits: `\\left` stands even around a symbol
_AT_PLACE, _OF_READING = len(PLACE), len(READING)
_NODES: Final = 1 + HOLE_SLOTS  # of a reading: behind its end, where its holes start
_COVERED: Final = _NODES + _PRINT  # the features before its print depend on what it covers alone
_NUMBERS: Final = 7  # of a reading: place, rule, macro, shape, name, what it covers, print
_SAID: Final = 3  # kinds of words that are compared with meanings: titles, sentence, beside
_SCRIPTS: Final = frozenset("_'^")


def _packed(values: Sequence[int], dtype: type[np.integer[Any]] = np.int32) -> NDArray[Any]:
    """Numbers as an array, which is not to be written to: `np.array` takes twice as long for a hundred of them."""
    return np.frombuffer(_packer(len(values), "i" if dtype is np.int32 else "I")(*values), dtype)


@lru_cache(maxsize=4096)
def _packer(count: int, code: str) -> Callable[..., bytes]:
    return Struct(f"{count}{code}").pack


@lru_cache(maxsize=4096)
def _keys_of_symbol(label: str, carried: int) -> tuple[int, int]:
    """Numbers of a symbol with what it carries, and without."""
    return _crc(f"{label} {carried}"), _crc(label)


_UNTYPED: Final = 2


@lru_cache(maxsize=4096)
def _frame_kind(template: str) -> int:
    """What a template prints around itself unseen: 0 nothing, 1 braces, 2 spacing or a command, as few people type."""
    around = "".join(frame(template))
    return _UNTYPED if "\\" in around else int(bool(around))


def print_levels(readings: Readings) -> tuple[Ints, Ints]:
    """(C,) (C,) how nearly each reading prints the source; what it prints around itself there, see `_frame_kind`."""
    printed: Ints = readings.numbers[:, _NUMBERS - 1] - 1
    return printed % (EXACT + 1), printed // ((EXACT + 1) * _HABITS)


class Place(NamedTuple):
    """A place with a choice: its readings are the literal one, then `matches` in order."""

    row: Row
    position: int
    matches: list[Match]
    levels: list[int]  # how nearly each match prints the source, see `texlift.context.style`


class Tree(NamedTuple):
    """The N nodes of a formula's tree."""

    nodes: Ints  # (5, N): label, style, numbers of the left and the right child or -1, steps from the root

    @property
    def labels(self) -> Ints:
        labels: Ints = self.nodes[0]
        return labels


class Places(NamedTuple):
    """The P places of a formula."""

    numbers: Ints  # (2, P): node; group: places of one group have the same symbol and readings, so are decided once
    features: Ints  # (P, PLACE), 0 for an absent one

    @property
    def group(self) -> Ints:
        group: Ints = self.numbers[1]
        return group


class Readings(NamedTuple):
    """The C readings of all places, one after the other.

    What readings have in common, by what they cover or by their macro, stands once; `ReadingTable` puts it together.
    """

    numbers: Ints  # (C, 7): place, rule, macro, shape, row of `said`, row of `covered`, print
    covered: Ints  # (.., 1 + HOLE_SLOTS + features before the print): node behind the end, nodes where the holes start
    said: Ints  # (1 + M, 3): overlap of words with the meanings of no macro, and of M macros
    beside: Mapping[int, int]  # reading -> overlap with the words beside its symbol
    memory: NDArray[np.int32] | None = None  # (C, MEMORY) what other formulae say, in training

    @property
    def place(self) -> Ints:
        return self.numbers[:, 0]

    @property
    def macro(self) -> Ints:
        return self.numbers[:, 2]


class ReadingTable:
    """The readings of some formulae, one after the other."""

    __slots__ = ("features", "macro", "nodes", "place", "rule", "shape")

    def __init__(self, formulae: Sequence[Readings]) -> None:
        counts = [len(readings.numbers) for readings in formulae]
        numbers = np.concatenate([readings.numbers for readings in formulae])
        self.place, self.rule, self.macro, self.shape, name, seen, printed = numbers.T.astype(np.int64, order="C")
        covered = np.concatenate([readings.covered for readings in formulae])
        seen += _starts([len(readings.covered) for readings in formulae]).repeat(counts)
        name += _starts([len(readings.said) for readings in formulae]).repeat(counts)
        shown = covered.take(seen, 0)
        self.nodes = shown[:, :_NODES].astype(np.int64)  # of their own formula, -1 for none
        self.features = np.zeros((len(numbers), _OF_READING), np.int32)  # 0 for an absent one
        self.features[:, :_PRINT] = shown[:, _NODES:]
        self.features[:, _PRINT] = printed
        self.features[:, _TITLES : _TITLES + _SAID] = np.concatenate([r.said for r in formulae]).take(name, 0)
        first = 0
        for readings, count in zip(formulae, counts, strict=True):
            for reading, level in readings.beside.items():
                self.features[first + reading, _BESIDE_SYMBOL] = level
            first += count


def _starts(sizes: list[int]) -> NDArray[np.int64]:
    """Where each part starts if parts of these sizes stand one after the other."""
    every = np.array(sizes, np.int64)
    return every.cumsum() - every


class Words(NamedTuple):
    """The words of a formula's passage, as numbers."""

    titles: Ints  # words of the titles
    whole: Ints  # entire titles
    sentence: Ints
    near: Ints  # words next to the formula, hashed
    math: Ints  # symbols of the sentence's other formulae, hashed


_NOWHERE: Final[Mapping[tuple[int, int], int]] = {}
_NO_WORDS: Final = Words(*(np.zeros(0, np.int32),) * 5)


class Encoded(NamedTuple):
    """One formula as arrays."""

    tree: Tree
    places: Places
    readings: Readings
    symbols: Symbols
    words: Words = _NO_WORDS
    at: Sequence[Place] = ()  # the places themselves; training does not keep them
    where: Mapping[tuple[int, int], int] = _NOWHERE  # (id(row), position) -> the place

    @property
    def has_context(self) -> bool:
        return bool(len(self.words.titles) or len(self.words.sentence))


class Sketch(NamedTuple):
    """A formula without a context."""

    formula: Encoded
    names: list[str]  # macros of its readings
    written: list[int]  # how the symbol of each place is written, see `elsewhere`
    best_print: list[int]  # how nearly a macro would print what stands at each place


@dataclass(frozen=True, slots=True)
class _Known:
    """What is looked up of a rule again and again; the rule is kept, so that its id stays its own."""

    rule: Rule
    number: int
    macro: int
    shape: int
    call: bytes
    name: bytes
    print: str  # of a rule without holes and scripts


class _Columns:
    """Numbers of a sketch under way."""

    __slots__ = ("best", "covered", "groups", "keys", "nodes", "of_place", "place_keys", "places", "readings")

    def __init__(self) -> None:
        self.places: list[Place] = []
        self.nodes: list[int] = []
        self.of_place: list[int] = []  # PLACE for each place, one after the other
        self.readings: list[int] = []  # _NUMBERS for each reading
        self.covered: list[int] = [*_LITERAL]  # _COVERED for what readings cover, each once
        self.best: list[int] = []
        self.groups: list[int] = []
        self.place_keys: list[int] = []
        self.keys: list[int] = []


_LITERAL: Final = (*[-1] * _NODES, *[0] * (_COVERED - _NODES))


class Encoder:
    """Encodes forests with a fixed vocabulary and numbering of rules and macros.

    `with_frames`: what rules print around themselves unseen (spacing, wrappers) is looked for in the source.
    """

    def __init__(self, vocabulary: Vocabulary, numbers: RuleNumbers, with_frames: bool = False) -> None:
        self.vocabulary = vocabulary
        self.numbers = numbers
        self._with_frames = with_frames
        self._rules: dict[int, _Known] = {}
        self._numbered = lru_cache(maxsize=1024)(self._word_numbers)
        self._at_place = PlaceFeatures(vocabulary)
        self._of_reading = ReadingFeatures(vocabulary)

    def forget(self) -> None:
        """Let go of what is remembered of words."""
        self._numbered.cache_clear()

    def encode(self, forest: Forest, latex: str, context: Context = None, constants: bool = False) -> Encoded:
        """All numbers of one formula with the source `latex`.

        `constants` asks for every constant to be marked, whatever the DLMF does.
        """
        return self.placed(self.sketch(forest, latex, constants), latex, context)

    # -- without a context -----------------------------------------------------------------------------------

    def sketch(self, forest: Forest, latex: str, constants: bool = False) -> Sketch:
        """The numbers of a formula without a context."""
        tree = FormulaTree(self.vocabulary)
        tree.add(forest.root)
        habit = tree.habit + _AROUND_SYMBOL * (brackets_in(latex) == LEFT_AROUND_SYMBOL)
        columns = _Columns()
        names: dict[str, int] = {}
        known_groups: dict[tuple[int, ...], int] = {}
        for row in forest.rows:
            if id(row) in forest.quiet:
                continue
            for position, matches in enumerate(forest.places[id(row)]):
                if matches:
                    place = Place(row, position, matches, [])
                    group = self._place(place, tree, latex, habit, constants, columns, names)
                    columns.groups.append(known_groups.setdefault(group, len(known_groups)))
        labels = [place.row.elements[place.position].label for place in columns.places]
        written = elsewhere(labels, columns.of_place)
        return self._assembled(tree, columns, list(names), written)

    def _place(
        self,
        place: Place,
        tree: FormulaTree,
        latex: str,
        habit: int,
        constants: bool,
        columns: _Columns,
        names: dict[str, int],
    ) -> tuple[int, ...]:
        """Add a place and its readings; what places share that are decided together."""
        row, position, matches, level_of = place
        numbers = tree.numbers[id(row)]
        index = len(columns.places)
        columns.places.append(place)
        columns.nodes.append(tree.first[id(row)] + position)
        columns.of_place += self._at_place(row, position, numbers, tree, constants, habit)
        literal = self.numbers.unknown_rule + 1 + numbers[position]
        readings, keys = columns.readings, columns.keys
        readings += (index, literal, 0, 0, 0, 0, 0)
        element = row.elements[position]
        label = element.label
        symbol = "" if row.dissolved else latex[element.start : element.end]
        carried, shown = symbol_shown(row, position, latex)
        with_scripts, alone = _keys_of_symbol(label, carried)
        with_fence = _crc(f"={shown}")
        columns.place_keys += (with_scripts, alone, with_fence)
        keys += (crc32(b"\n", with_scripts), crc32(b"\n", alone), crc32(b"\n", with_fence))
        rules = [literal]
        bare: list[int] = []  # what arguments without parentheses start with
        separators, best, wrapped = 1, 0, False
        printed = 1 + (EXACT + 1) * habit
        covered: dict[tuple[object, ...], int] = {}
        levels: dict[tuple[int, str], int] = {}
        for match in matches:
            rule = match.rule
            known = self._rules.get(id(rule)) or self._rule(rule)
            rules.append(known.number)
            # rules that show the same thing share what their holes are bound to
            end, holes = match.end, match.holes
            key = (end, id(holes), match.scripts, match.trailing)
            seen = covered.get(key)
            if seen is None:
                seen = covered[key] = len(columns.covered) // _COVERED
                self._of_reading.add(match, numbers, tree, columns.covered)
                if holes:
                    separators = max(separators, columns.covered[-2])
                    bare += [numbers[span.start] for span in holes.values() if span.row is row]
            level = levels.get((seen, rule.generic), 0)
            if not level:
                exact = end == position + 1 and known.print == symbol
                level = levels[seen, rule.generic] = EXACT if exact else print_level(match, latex, self._with_frames)
                if level > best:
                    best = level
            keys += (crc32(known.call, with_scripts), crc32(known.name, alone), crc32(known.call, with_fence))
            level_of.append(level)
            name = names.setdefault(rule.name, len(names) + 1)
            framed = _frame_kind(rule.generic) if self._with_frames and level >= BRACES else 0
            wrapped = wrapped or framed == _UNTYPED
            print_number = printed + level + (EXACT + 1) * _HABITS * framed
            readings += (index, known.number, known.macro, known.shape, name, seen, print_number)
        columns.of_place[_BEST_PRINT - _AT_PLACE] = printed + best
        if wrapped:
            columns.of_place[_SPACES - _AT_PLACE] += _WRAPPED
        columns.best.append(best)
        # where a reading can end at several places, equal rules are not equal readings; the d of `dt` is not that of
        # `d-t`, nor is a multinomial coefficient a binomial one
        if len(set(rules)) < len(rules):
            return (-1 - index,)
        return (*rules, self.vocabulary.style(element.style), -separators, *bare)

    def _assembled(self, tree: FormulaTree, columns: _Columns, names: list[str], written: list[int]) -> Sketch:
        readings = Readings(
            _packed(columns.readings).reshape(-1, _NUMBERS),
            _packed(columns.covered).reshape(-1, _COVERED),
            np.zeros((1 + len(names), _SAID), np.int32),
            _NOTHING_BESIDE,
        )
        symbols = Symbols(
            place_keys=_packed(columns.place_keys, np.uint32).reshape(-1, 3),
            reading_keys=_packed(columns.keys, np.uint32).reshape(-1, 3),
            reading_place=readings.place,
            labels=_packed(sorted(set(tree.labels))),
        )
        nodes = [*tree.labels, *tree.styles, *tree.left, *tree.right, *tree.depth]
        formula = Encoded(
            tree=Tree(_packed(nodes).reshape(5, -1)),
            places=Places(
                _packed(columns.nodes + columns.groups).reshape(2, -1), _packed(columns.of_place).reshape(-1, _AT_PLACE)
            ),
            readings=readings,
            symbols=symbols,
            at=columns.places,
            where={(id(place.row), place.position): index for index, place in enumerate(columns.places)},
        )
        return Sketch(formula, names, written, columns.best)

    def _rule(self, rule: Rule) -> _Known:
        numbers = self.numbers
        model = self._model(rule)
        known = self._rules[id(rule)] = _Known(
            rule,
            numbers.rules.get((model.call, model.generic), numbers.unknown_rule),
            numbers.macros.get(model.name, numbers.unknown_macro),
            shape_number(model),
            f"\n{model.call} {model.generic}".encode(),
            f"\n{model.name}".encode(),
            "\n" if rule.pattern.holes() else bare_print(rule.generic),
        )
        return known

    def _model(self, rule: Rule) -> Rule:
        """The rule that a rule is judged like: itself, unless it is read for its convention."""
        like = judged_like().get(rule.call)
        if like is None:
            return rule
        return next((Rule(call, generic) for call, generic in self.numbers.rules if call == like), rule)

    # -- in its context --------------------------------------------------------------------------------------

    def placed(self, sketch: Sketch, latex: str, context: Context, brackets: int = 0) -> Encoded:
        """The numbers of a formula in its context; `brackets` is how the rest of its document writes them."""
        if not context and not brackets:
            return sketch.formula
        formula = sketch.formula
        around = passage(latex, context, brackets)
        titles, whole = self._numbered(around.titles)
        sentence, _ = self._numbered(around.sentence)
        words = Words(titles, whole, sentence, _packed(around.near), _packed(around.math))
        places, readings = formula.places, formula.readings
        return Encoded(
            tree=formula.tree,
            places=Places(places.numbers, _place_features(sketch, around)),
            readings=Readings(
                readings.numbers, readings.covered, _said(sketch.names, around), _beside(formula.at, latex, around)
            ),
            symbols=formula.symbols.in_scope(scope_keys(context, around.sentence)),
            words=words,
            at=formula.at,
            where=formula.where,
        )

    def _word_numbers(self, words: tuple[str, ...]) -> tuple[Ints, Ints]:
        """Numbers of words, and of those among them that are whole titles."""
        known = [(self.vocabulary.word_ids[word], word) for word in words if word in self.vocabulary.word_ids]
        return _packed([number for number, _ in known]), _packed([number for number, word in known if word[0] == "="])


def _said(names: list[str], around: Passage) -> Ints:
    """How much of the macros' meanings is said in the titles, the sentence and beside the formula; of none first."""
    said: list[int] = []
    for words in (around.titles, around.sentence, around.beside):
        said.append(0)
        said += overlap(words).of_each(names)
    return _packed(said).reshape(_SAID, -1).T


def _beside(places: Sequence[Place], latex: str, around: Passage) -> Mapping[int, int]:
    """How much of the macros' meanings is said beside the same symbol elsewhere in the sentence, by reading."""
    if not around.named:
        return _NOTHING_BESIDE
    found: dict[int, int] = {}
    at = 0
    for place in places:
        naming = _named_at(place.row, place.position, latex, around.named)
        if naming is not None:
            for reading, match in enumerate(place.matches, at + 1):
                found[reading] = naming.of(match.rule.name)
        at += 1 + len(place.matches)
    return found


_NOTHING_BESIDE: Final[Mapping[int, int]] = {}


def _place_features(sketch: Sketch, around: Passage) -> Ints:
    """With how symbols occur in the sentence, and how its author writes brackets."""
    features = sketch.formula.places.features
    if not (around.present or around.brackets):
        return features
    features = features.copy()
    if around.present:
        features[:, _MENTIONED] = _mentions(sketch, around)
    if around.brackets:
        features[:, _AUTHOR_PRINT] = [best + 1 + (EXACT + 1) * around.brackets for best in sketch.best_print]
    return features


def _named_at(row: Row, position: int, latex: str, named: Mapping[str, list[str]]) -> Overlap | None:
    """What the sentence says next to the symbol at a place, with its scripts or without."""
    elements = row.elements
    start = elements[position].start
    end = position + 1
    while end < len(elements) and elements[end].label in _SCRIPTS:
        end += 1
    words = named.get(latex[start : elements[end - 1].end]) or named.get(latex[start : elements[position].end])
    return overlap(tuple(words)) if words else None


def _mentions(sketch: Sketch, around: Passage) -> list[int]:
    """How the symbol of each place occurs in the sentence."""
    values = []
    for place, written in zip(sketch.formula.at, sketch.written, strict=True):
        label = place.row.elements[place.position].label
        plain = label if len(label) == 1 else label.rpartition(":")[2].removeprefix("\\")
        values.append(1 + ((plain in around.present) + 2 * (plain in around.called)) * 3 + written)
    return values


def _crc(text: str) -> int:
    """A number for a text."""
    return crc32(b"\n" + text.encode("utf-8", "surrogatepass"))
