"""What a context says about a formula."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from texlift.context.passage import Passage, overlap, passage, words_of
from texlift.translate.translator import load

SENTENCE = (
    "With the Bohr radius $a_{0}$ and Stirling numbers $S\\left(n,k\\right)$ we find $E=mc^{2}$ for the energy"
    " (LABEL:eq:AB.C)."
)


def test_words_next_to_the_formula_and_to_other_symbols() -> None:
    around = passage("E=mc^{2}", {"chapter": "Gamma Function", "sentence": SENTENCE})
    assert around.titles == ("gamma", "function", "=gamma function")
    assert around.beside == ("and", "stirling", "numbers", "we", "find", "for", "the", "energy")
    assert around.named["a_{0}"][:4] == ["with", "the", "bohr", "radius"]
    assert around.called == {"S"}
    assert {"a", "S", "n", "k"} <= around.present
    assert "m" not in around.present, "the formula itself is not what is around it"
    assert "label" not in around.sentence


def test_without_context_nothing_is_said() -> None:
    assert passage("x", None) == passage("x", "") == passage("x", {}) == Passage()


@pytest.mark.parametrize("text", ["$" * 5000, "\\left(" * 2000, "$a" * 3000, "\ud800 $x$", "$" + "{" * 4000 + "$"])
def test_hostile_contexts_are_read_quickly(text: str, promptly: Callable[..., AbstractContextManager[None]]) -> None:
    with promptly(seconds=1.0):
        passage("x", {"sentence": text})


def test_words_beside_decide() -> None:
    """The same letter, named differently by the sentence."""
    constant = load().translate(r"\gamma", context={"sentence": r"where $\gamma$ is Euler's constant"})
    angle = load().translate(r"\gamma", context={"sentence": r"where $\gamma$ is an angle"})
    assert (constant.semantic, angle.semantic) == (r"\EulerConstant", r"\gamma")


def test_one_symbol_is_read_alike_throughout() -> None:
    """A sum of Bernoulli numbers does not half stay literal."""
    answer = (
        load()
        .translate(r"B_{j}B_{k}+B_{m+n}", context={"chapter": "Bernoulli and Euler Polynomials"}, alternatives=0)
        .semantic
    )
    assert answer.count(r"\BernoullinumberB") in (0, 3)


def test_a_letter_before_a_hyphen_is_part_of_the_word() -> None:
    title = "$q$-Gamma and $q$-Beta Functions of $x$"
    assert words_of(title) == ["q-gamma", "gamma", "and", "q-beta", "beta", "functions", "of"]
    said = overlap(tuple(words_of(title)))
    assert said.of(r"\qGamma") > said.of(r"\multivarEulerGamma")
    assert said.of(r"\qBeta") > said.of(r"\incBeta")
