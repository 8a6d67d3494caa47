"""The best derivation alone is the first of several."""

from __future__ import annotations

import random

import pytest

from texlift.grammar.grammar import Grammar
from texlift.grammar.packaged import packaged_grammar
from texlift.grammar.readings import Reader
from texlift.grammar.rule import Rule
from texlift.latex.canonical import canonical
from texlift.translate.decoding import decode

FORMULAE = [
    r"\Gamma(z)\Gamma(1-z)=\frac{\pi}{\sin(\pi z)}",
    r"\frac{d^{2}w}{dz^{2}}+J_{\nu}^{2}(\sin x)W_{k}'(\ln\ln x)=0",
    r"\sum_{k=0}^{n}{n\choose k}P_{k}(x)|z|^{k}\sim K(k)E(k)+\gamma",
    r"\left(a\right)_{n}\operatorname{sn}(u+v)\int_{0}^{x}e^{-t}dt",
]


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(packaged_grammar())


@pytest.mark.parametrize("latex", FORMULAE)
@pytest.mark.parametrize("seed", range(5))
def test_one_is_the_first_of_several(reader: Reader, latex: str, seed: int) -> None:
    forest = reader.read(canonical(latex))
    draw = random.Random(seed)
    probabilities = {
        (id(row), position): [-draw.expovariate(1.0) for _ in range(1 + len(matches))]
        for row in forest.rows
        for position, matches in enumerate(forest.places[id(row)])
        if matches
    }
    (alone,) = decode(forest, probabilities, 1)
    several = decode(forest, probabilities, 5)
    assert {(choice.key, choice.match) for choice in alone.choices} == {
        (choice.key, choice.match) for choice in several[0].choices
    }
    assert len(several) == 5


def test_inside_an_argument_nothing_is_likelier_than_the_literal_reading_that_was_never_asked_about() -> None:
    """`A` in `A^{T}` is a match of its own, but `\\transpose` had all the probability there."""
    rules = [Rule(r"\transpose{#1}", r"#1^{\mathrm{T}}", 9, 1), Rule(r"\BesselAmat{}", "A", 1)]
    forest = Reader(Grammar(rules, frozenset("A"))).read(canonical(r"A^{\mathrm{T}}"))
    ((row, position),) = [
        (row, at) for row in forest.rows for at, matches in enumerate(forest.places[id(row)]) if matches
    ]
    names = [match.rule.name for match in forest.places[id(row)][position]]
    scores = {r"\transpose": -1e-4, r"\BesselAmat": -15.0}
    (best,) = decode(forest, {(id(row), position): [-9.0, *(scores[name] for name in names)]})
    assert [choice.match.rule.name if choice.match else "" for choice in best.choices] == [r"\transpose", ""]
