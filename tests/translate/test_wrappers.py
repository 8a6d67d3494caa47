"""Font commands that gold does without: which ones is learnt, and nothing else is left out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from texlift.translate.translator import Translator, load
from texlift.translate.wrappers import needless

PAIRS = [
    (r"\mathit{3j}", "3j"),
    (r"\mathit{9j}", "9j"),
    (r"\mathit{3j},\mathit{9j}", "3j,9j"),
    (r"\mathit{hs}_{n}", r"\mathit{hs}_{n}"),
    (r"\mathit{f}\left(z\right)", r"\EulerGamma@{z}"),  # has a call: the wrapper may belong to it
    (r"\mathbf{3j", "3j"),  # does not parse
]


def test_kinds_that_are_always_left_out_are_learnt() -> None:
    assert needless(PAIRS) == {r"\mathit{9a}"}
    assert needless(PAIRS[:1]) == frozenset()
    assert needless([*PAIRS, (r"\mathit{6j}", r"\mathit{6j}")]) == frozenset()


@pytest.fixture(scope="module")
def translator() -> Translator:
    return Translator(replace(load().model, needless=frozenset({r"\mathit{9a}"})))


@pytest.mark.parametrize(
    ("generic", "semantic"),
    [
        (r"\mathit{6j}", "6j"),
        (r"\mathit{12j}", "12j"),
        (r"\Gamma\left(\mathit{6j}\right)+\mathit{hs}", r"\EulerGamma@{6j}+\mathit{hs}"),
        (r"x^{\mathit{6j}}\mathit{e}", r"x^{6j}\mathit{e}"),
        (r"\mathbf{6j}", r"\mathbf{6j}"),
    ],
)
def test_they_are_left_out_wherever_they_stand(translator: Translator, generic: str, semantic: str) -> None:
    assert translator.translate(generic).semantic == semantic
