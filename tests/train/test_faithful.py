"""Log-odds of what pairs print, and what they do to the answers of a small language."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch")

from texlift.corpus.pair import Pair
from texlift.grammar.induction.induce import induce
from texlift.scorer.encoding import Encoder
from texlift.scorer.fidelity import INEXACT, LITERAL, WRAPPED, kinds, offsets
from texlift.scorer.vocabulary import RuleNumbers, Vocabulary
from texlift.train.examples import Example, examples
from texlift.train.faithful import faithful
from texlift.train.fit import TranslatorSettings, fit
from texlift.translate.translator import Translator
from texlift.tuning import Tuning

# `\opp` prints a wrapper, `\inv` braces; `a^{-1}` and `f(x)` are typed by hand
FAITHFUL = [
    *((rf"\mathord{{{{{x}}}^{{-1}}}}=q", rf"\opp{{{x}}}=q") for x in "prstuvw"),
    *((rf"{{{x}}}^{{-1}}\circ g", rf"\inv{{{x}}}\circ g") for x in "efhk"),
    *((rf"{x}^{{-1}}+1", rf"{x}^{{-1}}+1") for x in "abcd"),
]
# the same, but people typed the prints themselves, now so and now so
TYPED = [
    (r"\mathord{{p}^{-1}}=q", r"\opp{p}=q"),
    *((rf"{x}^{{-1}}=q", rf"\opp{{{x}}}=q") for x in "rstuvw"),
    *((rf"{x}^{{-1}}\circ g", rf"\inv{{{x}}}\circ g") for x in "efh"),
    (r"{k}^{-1}\circ g", r"{k}^{-1}\circ g"),
]


def made(sides: list[tuple[str, str]]) -> tuple[list[Example], Tuning]:
    pairs = [Pair(f"p{number}", *both) for number, both in enumerate(sides)]
    grammar = induce(sides)
    encoder = Encoder(Vocabulary.of([], []), RuleNumbers.of(grammar), with_frames=True)
    found, _ = examples(pairs, grammar, encoder, notations=0, names=False)
    return found, faithful(found, Tuning())


def test_in_faithful_pairs_a_call_that_prints_otherwise_is_unlikely() -> None:
    found, tuning = made(FAITHFUL)
    assert tuning.inexact < -3.0
    assert tuning.wrapped > 1.0
    some = found[0].encoded.readings
    assert set(kinds(some)) == {LITERAL, WRAPPED, INEXACT}
    assert np.array_equal(offsets(some, Tuning()), np.zeros(len(some.place)))
    assert np.array_equal(offsets(some, tuning) == np.float32(tuning.inexact), kinds(some) == INEXACT)


def test_pairs_that_people_typed_say_little_about_prints() -> None:
    assert made(TYPED)[1].inexact > made(FAITHFUL)[1].inexact + 3.0


def test_answers_keep_to_what_macros_print() -> None:
    pairs = [Pair(f"p{number}", *both) for number, both in enumerate(FAITHFUL)]
    model, _ = fit(pairs, TranslatorSettings(epochs=2, network=False, table_bits=12))
    assert model.tuning.inexact < -3.0
    translator = Translator(model)
    assert translator.translate(r"y^{-1}").semantic == r"y^{-1}"
    assert translator.translate(r"\mathord{{y}^{-1}}").semantic == r"\opp{y}"
    assert translator.translate(r"{y}^{-1}").semantic == r"\inv{y}"
