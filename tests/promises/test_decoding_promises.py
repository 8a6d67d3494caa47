"""The translator finds the likeliest readings of a formula: compared with all readings, counted out one by one."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from itertools import product
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from texlift.grammar.grammar import Grammar
from texlift.grammar.match import Match
from texlift.grammar.readings import Forest, Reader
from texlift.grammar.rule import Rule
from texlift.latex.canonical import Row, canonical
from texlift.scorer.encoding import Encoded
from texlift.translate.decoding import Derivation, Probabilities, decode, flipped, symbols_alike

RULES = [
    Rule(r"\BesselJ{#1}#'@{#2}", r"J_{#1}#'\left(#2\right)", 9),
    Rule(r"\BesselJ{#1}", "J_{#1}", 3),
    Rule(r"\AngerJ{#1}#'@{#2}", r"J_{#1}#'\left(#2\right)", 1),
    Rule(r"\sin#'@@{#1}", r"{\sin#'}#1", 9, 2),
    Rule(r"\transpose{#1}", r"#1^{\mathrm{T}}", 2, 1),
    Rule(r"\diff{#1}", r"\mathrm{d}#1", 9, 2),
    Rule(r"\adjoint{#1}", r"#1^{\ast}", 9, 4),
    Rule(r"\marked{#1}", r"\sharp #1^{\ast}", 9, 4),
    Rule(r"\cpi", r"\pi", 9),
    Rule(r"\Matrix", "A", 3),
    Rule(r"\MatrixA{#1}", "A_{#1}", 3),
]
FORMULAE = [
    "x",
    r"\pi",
    r"x\pi+\pi",
    r"J_{n}(z)w",
    r"J_{\pi}(\pi)",
    r"J_{n}'(z)^{\pi}+1",
    r"J_{J_{n}(x)}(x)",
    r"\sqrt{J_{\pi}}+\frac{\pi}{2}",
    r"\sin x y",
    r"\sin\pi x",
    r"\sin^{\pi}x",
    r"A^{\mathrm{T}}",
    r"A^{\mathrm{T}}A_{1}",
    r"\mathrm{d}A^{2}",
    r"\mathrm{d}A_{1}^{2}+\pi",
    r"\mathrm{d}x\,\mathrm{d}A",
    r"\sin A_{1}^{\mathrm{T}}",
    r"\sin x y^{\ast}",
    r"x^{\pi}_{A}+\{y\}",
]
Place = tuple[int, int, int]
Whole = tuple[float, frozenset[tuple[Place, int]]]
"""A reading of a formula: its log-probability, and the match (its id) at each place where there is a choice."""


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(Grammar(RULES, frozenset({"x", "y", "A", "sin", r"\pi"})))


def drawn(forest: Forest, seed: int) -> Probabilities:
    """Log-probabilities of the readings of each place, drawn at random; they add up to one."""
    draw = random.Random(seed)
    found: Probabilities = {}
    for row in forest.rows:
        for position, matches in enumerate(forest.places[id(row)]):
            if matches:
                weights = [draw.random() ** 3 + 1e-3 for _ in range(1 + len(matches))]
                found[id(row), position] = [math.log(weight / sum(weights)) for weight in weights]
    return found


class Counting:
    """All readings of a forest, by the definition: no sharing, no pruning."""

    def __init__(self, forest: Forest, probabilities: Probabilities) -> None:
        self.forest = forest
        self.probabilities = probabilities

    def all(self) -> list[Whole]:
        found = list(self.span(self.forest.root, 0, len(self.forest.root.elements)))
        return sorted(found, key=lambda whole: -whole[0])

    def span(self, row: Row, start: int, end: int) -> Iterator[Whole]:
        if start == end:
            yield 0.0, frozenset()
            return
        element = row.elements[start]
        inside = [list(self.span(child, 0, len(child.elements))) for child in element.rows]
        rest = list(self.span(row, start + 1, end))
        if not self.forest.places[id(row)][start]:
            yield from self.together(0.0, None, [*inside, rest])
            return
        matches, scores = self.readings(row, start, end)
        place = (id(row), start, end)
        yield from self.together(scores[0], (place, 0), [*inside, rest])
        for match, own in zip(matches, scores[1:], strict=True):
            parts = [list(self.span(hole.row, hole.start, hole.end)) for hole in match.holes.values()]
            for script in (*match.scripts, *match.trailing):
                parts += [list(self.span(child, 0, len(child.elements))) for child in row.elements[script].rows]
            parts.append(list(self.span(row, match.end, end)))
            yield from self.together(own, (place, id(match)), parts)

    def readings(self, row: Row, start: int, end: int) -> tuple[list[Match], list[float]]:
        """What may stand there: what reaches beyond the span is no choice, the others share its probability."""
        every, scores = self.forest.places[id(row)][start], self.probabilities[id(row), start]
        if end == len(row.elements):
            return every, scores
        fitting = self.forest.at(row, start, end)
        own = [scores[0], *(self.score(match, every, scores) for match in fitting)]
        total = math.log(sum(math.exp(value) for value in own))
        return fitting, [value - total for value in own]

    @staticmethod
    def score(match: Match, every: list[Match], scores: list[float]) -> float:
        same = [score for known, score in zip(every, scores[1:], strict=True) if known is match]
        alike = [score for known, score in zip(every, scores[1:], strict=True) if known.rule is match.rule]
        return max(same or alike or [scores[0] - 7.0])

    @staticmethod
    def together(own: float, choice: tuple[Place, int] | None, parts: list[list[Whole]]) -> Iterator[Whole]:
        for combination in product(*parts):
            chosen = frozenset().union(*(part[1] for part in combination), [choice] if choice else [])
            yield own + sum(part[0] for part in combination), chosen


def chosen(derivation: Derivation) -> frozenset[tuple[Place, int]]:
    return frozenset((choice.key, id(choice.match) if choice.match else 0) for choice in derivation.choices)


SEEDS = range(3)


@pytest.mark.parametrize("latex", FORMULAE)
def test_the_likeliest_readings_in_order(reader: Reader, latex: str) -> None:
    forest = reader.read(canonical(latex))
    for seed in SEEDS:
        probabilities = drawn(forest, seed)
        everything = Counting(forest, probabilities).all()
        (best,) = decode(forest, probabilities)
        assert chosen(best) == everything[0][1]
        for count in (1, 2, 5, 400):
            found = decode(forest, probabilities, count)
            assert [one.log_probability for one in found] == pytest.approx([total for total, _ in everything[:count]])
            assert {chosen(one) for one in found} <= {those for _, those in everything}
            assert len({chosen(one) for one in found}) == len(found) == min(count, len(everything))


@pytest.mark.parametrize("latex", FORMULAE)
def test_a_reading_is_as_likely_as_its_decisions(reader: Reader, latex: str) -> None:
    forest = reader.read(canonical(latex))
    for seed in SEEDS:
        for one in (*decode(forest, drawn(forest, seed)), *decode(forest, drawn(forest, seed), 4)):
            assert one.log_probability == pytest.approx(sum(choice.log_probability for choice in one.choices))
            places = [choice.key for choice in one.choices]
            assert len(set(places)) == len(places)


@pytest.mark.parametrize("latex", FORMULAE)
def test_none_is_much_less_likely_than_the_best(reader: Reader, latex: str) -> None:
    forest = reader.read(canonical(latex))
    for seed in SEEDS:
        probabilities = drawn(forest, seed)
        everything = Counting(forest, probabilities).all()
        for width in (0.0, 0.5, 2.0):
            wanted = [total for total, _ in everything if total >= everything[0][0] - width - 1e-12]
            found = decode(forest, probabilities, 400, width + 1e-12)
            assert [one.log_probability for one in found] == pytest.approx(wanted)


def test_equally_likely_readings_leave_the_formula_as_it_is(reader: Reader) -> None:
    """A macro must be likelier than the symbols as they stand, not only as likely."""
    forest = reader.read(canonical(r"\pi"))
    even = {place: [math.log(0.5)] * len(scores) for place, scores in drawn(forest, 1).items()}
    for count in (1, 2):
        assert decode(forest, even, count)[0].choices[0].match is None


def test_a_macro_that_is_as_likely_as_the_symbols_with_its_argument_leaves_them(reader: Reader) -> None:
    forest = reader.read(canonical(r"\sin\pi"))
    even = {
        place: [-3.0] * len(scores) if place[1] == 0 else [-1.0, -2.0] for place, scores in drawn(forest, 1).items()
    }
    for count in (1, 4):
        assert decode(forest, even, count)[0].choices[0].match is None


@pytest.mark.parametrize("latex", [r"\pi+\pi", r"\sqrt{\pi}\pi"])
def test_what_is_just_within_the_width_is_kept(reader: Reader, latex: str) -> None:
    forest = reader.read(canonical(latex))
    scores = {place: [-1.0, -3.0] for place in drawn(forest, 1)}
    found = decode(forest, scores, 9, 2.0)
    assert [one.log_probability for one in found] == [-2.0, -4.0, -4.0]


def test_what_is_inside_is_decided_once(reader: Reader, promptly: Callable[..., AbstractContextManager[None]]) -> None:
    """Three readings of each call, one inside the other: counted out, there would be millions."""
    latex = "x"
    for _ in range(14):
        latex = f"J_{{n}}({latex})"
    forest = reader.read(canonical(latex))
    for count in (1, 3):
        with promptly():
            decode(forest, drawn(forest, 2), count, 3.0)


def grouped(probabilities: Probabilities, same: bool = False) -> Encoded:
    """All that is asked of an encoded formula here: which places are decided together, none or all of them."""
    numbers = np.zeros(len(probabilities), int) if same else np.arange(len(probabilities))
    where = {place: number for number, place in enumerate(probabilities)}
    return cast(Encoded, SimpleNamespace(where=where, places=SimpleNamespace(group=numbers)))


@pytest.mark.parametrize("latex", [latex for latex in FORMULAE if "A" not in latex and "sin" not in latex])
def test_alternatives_change_one_decision(reader: Reader, latex: str) -> None:
    """Each is the likeliest reading with that change; the likeliest changes come first, none that is too unlikely."""
    forest = reader.read(canonical(latex))
    for seed in SEEDS:
        probabilities = drawn(forest, seed)
        everything = Counting(forest, probabilities).all()
        (best,) = decode(forest, probabilities)
        wanted: list[tuple[float, frozenset[tuple[Place, int]]]] = []
        for choice in best.choices:
            row, position, _ = choice.key
            ids = [0, *map(id, forest.places[row][position])]
            for reading, value in zip(ids, probabilities[row, position], strict=True):
                if reading != (id(choice.match) if choice.match else 0):
                    wanted.append((value, next(those for _, those in everything if (choice.key, reading) in those)))
        wanted.sort(key=lambda change: -change[0])
        for count in (1, 3, 99):
            found = flipped(forest, grouped(probabilities), probabilities, best, count, -math.inf)
            assert [chosen(one) for one in found] == [those for _, those in wanted[:count]]
            faint = wanted[0][0] if wanted else 0.0
            assert flipped(forest, grouped(probabilities), probabilities, best, count, faint) == []


def test_every_reading_of_a_place_is_offered_instead_of_one_cut_short(reader: Reader) -> None:
    """In the argument of `\\marked` the sine ends before its mark: none of the readings of its place is that one."""
    row = canonical(r"\sharp x\sin x y^{\ast}")
    forest = reader.read(row)
    around, sine = ([match.rule.name for match in forest.places[id(row)][at]] for at in (0, 2))
    scores = {place: [-9.0] * len(own) for place, own in drawn(forest, 1).items()}
    scores[id(row), 0][1 + around.index(r"\marked")] = -0.1
    for index, match in enumerate(forest.places[id(row)][2], 1):
        scores[id(row), 2][index] = -0.1 if match.rule.name == r"\sin" and match.end == 6 else -3.0
    (best,) = decode(forest, scores)
    (cut,) = [choice for choice in best.choices if choice.position == 2]
    assert cut.match is not None
    assert (cut.match.rule.name, cut.match.end) == (r"\sin", 5)
    only = {place: own if place[1] == 2 else [-99.0] * len(own) for place, own in scores.items()}
    changes = flipped(forest, grouped(scores), only, best, 99, -50.0)
    assert len(changes) == 1 + len(sine)


def test_places_that_are_decided_together_change_together(reader: Reader) -> None:
    forest = reader.read(canonical(r"\pi+\pi"))
    probabilities = {place: [-0.1, -2.0] for place in drawn(forest, 1)}
    (best,) = decode(forest, probabilities)
    (other,) = flipped(forest, grouped(probabilities, same=True), probabilities, best, 5, -9.0)
    assert [choice.match is None for choice in other.choices] == [False, False]
    apart = flipped(forest, grouped(probabilities), probabilities, best, 5, -9.0)
    assert sorted([choice.match is None for choice in one.choices] for one in apart) == [[False, True], [True, False]]


def test_one_symbol_is_read_in_one_way(reader: Reader) -> None:
    forest = reader.read(canonical(r"\pi+\pi"))
    probabilities = {place: [-0.5, -1.0] for place in drawn(forest, 1)}
    for one in decode(forest, probabilities, 9):
        alike = len({choice.match is None for choice in one.choices}) == 1
        for same in (True, False):  # a constant is one also where its readings differ
            assert symbols_alike(one, grouped(probabilities, same)) is alike


def test_a_function_and_its_letter_may_stand_side_by_side(reader: Reader) -> None:
    """Only where they are decided together, or as constants, must two places agree."""
    forest = reader.read(canonical("J_{n}(x)+J_{m}(y)"))
    probabilities = drawn(forest, 1)
    calls = set()
    for one in decode(forest, probabilities, 99):
        first, second = [choice.match.rule.call if choice.match else "" for choice in one.choices]
        calls.add((first, second))
        assert symbols_alike(one, grouped(probabilities)) is True
        assert symbols_alike(one, grouped(probabilities, same=True)) is (first == second)
    assert len(calls) == 16
