"""The alternatives of an answer: each is a reading of the whole formula, mostly with one decision changed."""

from __future__ import annotations

import pytest

import texlift
from texlift.translate.translator import Translator

FORMULAE = [
    (r"P_n(x)+\psi(x)", None),
    (r"E_n(x)+H(x)+\gamma", None),
    (r"K(m)E(k)+\sigma(n)", None),
    (r"\langle x,y\rangle+B_n(x)", None),
]
SHARE = 0.005
"""Readings of a decision that are at least this likely are looked for."""


@pytest.fixture(scope="module")
def translator() -> Translator:
    return texlift.load()


def test_there_are_several_doubtful_decisions(translator: Translator) -> None:
    """Otherwise the tests below would say little."""
    answers = [translator.translate(latex, context, 50) for latex, context in FORMULAE]
    doubtful = [d for answer in answers for d in answer.decisions if d.competing and d.competing[0].probability > SHARE]
    assert len(doubtful) >= 3


@pytest.mark.parametrize(("latex", "context"), FORMULAE)
def test_each_likely_reading_of_a_decision_is_an_alternative(
    translator: Translator, latex: str, context: str | None
) -> None:
    """The other decisions stay as they are in the answer."""
    answer = translator.translate(latex, context, 50)
    texts = {other.semantic for other in answer.alternatives}
    for decision in answer.decisions:
        for reading in decision.competing:
            if reading.probability > SHARE and reading.macro:
                others = [d.call for d in answer.decisions if d is not decision and d.macro]
                fitting = [text for text in texts if reading.call in text and all(call in text for call in others)]
                assert fitting, (decision.source, reading.call)
                assert any(decision.call not in text or decision.call in reading.call for text in fitting)


@pytest.mark.parametrize(("latex", "context"), FORMULAE)
def test_alternatives_are_as_many_as_asked_for_and_the_likeliest(
    translator: Translator, latex: str, context: str | None
) -> None:
    many = translator.translate(latex, context, 50).alternatives
    assert len({other.semantic for other in many}) == len(many)
    for count in (1, 2):
        few = translator.translate(latex, context, count)
        assert len(few.alternatives) == min(count, len(many))
        assert few.semantic not in {other.semantic for other in few.alternatives}
    assert translator.translate(latex, context, 0).alternatives == ()
    confidences = [other.confidence for other in many]
    assert confidences == sorted(confidences, reverse=True)


def test_a_symbol_in_two_places_is_read_alike(translator: Translator) -> None:
    for latex, symbol in ((r"\psi(x)+\psi(y)", r"\digamma"), (r"\sigma(n)=\sigma(m)+1", r"\sumdivisors")):
        answer = translator.translate(latex, None, 50)
        for text in (answer.semantic, *(other.semantic for other in answer.alternatives)):
            assert text.count(symbol) in (0, 2), text


def test_a_constant_is_one_everywhere(translator: Translator) -> None:
    answer = translator.translate(r"e^{i\pi}+e^{-i\pi x}+\sqrt{\pi}", None, 50)
    assert len(answer.alternatives) >= 2
    for text in (answer.semantic, *(other.semantic for other in answer.alternatives)):
        assert text.count(r"\cpi") in (0, 3)
        assert text.count(r"\expe") in (0, 2)
        assert text.count(r"\iunit") in (0, 2)
