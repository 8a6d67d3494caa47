"""A formula is judged as the text around it spells it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from texlift.context.spelling import spelled_around
from texlift.translate.translator import Translator, load


@pytest.fixture(scope="module")
def translator() -> Translator:
    return load()


@pytest.mark.parametrize(
    ("latex", "sentence", "spelled"),
    [
        ("J_0(x)", r"We need $J_{0}\left(x\right)$ here.", r"J_{0}\left(x\right)"),
        ("e^{i x}", r"where $a=\mathrm{e}^{\mathrm{i}x}$ and", r"\mathrm{e}^{\mathrm{i}x}"),
        (r"\Gamma(z)", r"if $x=\Gamma\left(z\right)+1$, then", r"\Gamma\left(z\right)"),
        ("i", r"the imaginary unit $\mathrm{i}$", r"\mathrm{i}"),
        ("d", r"with $\mathrm{d}t$ and a degree", None),  # the d of something else
        ("J_0(x)", r"We need $J_0(x)$ and $J_{0}\left(x\right)$.", None),  # it is there as it was asked
        ("J_0(x)", r"We need $J_{1}\left(x\right)$.", None),
        (r"J_{0}\left(x\right)", "We need $J_0(x)$.", None),  # nothing more is told
        (r"2J_{0}\left(x\right)", r"We need $2\!J_{0}\left(x\right)$.", None),
        ("ab", "and ${ab$", None),
        ("J_0(x)", "no formula at all", None),
    ],
)
def test_the_spelling_of_a_sentence(latex: str, sentence: str, spelled: str | None) -> None:
    assert spelled_around(latex, {"chapter": "Any", "sentence": sentence}) == spelled
    assert spelled_around(latex, sentence) == spelled


def test_hostile_sentences_cost_little(promptly: Callable[..., AbstractContextManager[None]]) -> None:
    with promptly():
        assert spelled_around("abcd", f"${'{' * 1900}abcd{'}' * 1900}$") is None
        assert spelled_around("((((", f"${'(' * 3900}$") is None
        assert spelled_around("a^{b}c", f"${'a^bc{' * 600}$") is None


def test_a_retyped_formula_is_read_as_its_text_means_it(translator: Translator) -> None:
    """The writer has an upright imaginary unit, and the index in the sum is a letter."""
    sentence = r"Then $\sum_{i=1}^{n}a_{i}=1$ and $w=e^{\mathrm{i}\theta}$."
    context = {"chapter": "Complex numbers", "section": "Polar form", "sentence": sentence}
    assert translator.translate(r"w=e^{i\theta}", context).semantic == r"w=e^{\iunit\theta}"
    assert translator.translate(r"\sum_{i=1}^na_i=1", context).semantic == r"\sum_{i=1}^na_i=1"


def test_what_is_asked_is_what_is_answered(translator: Translator) -> None:
    """The spelling is borrowed for the judgement; literal parts are copied from the question."""
    context = r"The recurrence $x J_{\nu}\left(x\right)=\tfrac{1}{2}\left(a+b\right)$ is known of Bessel functions."
    assert translator.translate(r"xJ_\nu(x)=\tfrac12(a+b)", context).semantic == r"x\BesselJ{\nu}@{x}=\tfrac12(a+b)"


def test_letters_are_read_as_the_word_that_the_text_has(translator: Translator) -> None:
    """`Ai` are two letters, `\\mathrm{Ai}` is one element: the scores are carried over."""
    context = {
        "chapter": "Waves",
        "sentence": r"Near the caustic it is $a\,\mathrm{Ai}\left(x\right)+\mathrm{d}x$.",
    }
    result = translator.translate("a Ai(x)+dx", context)
    assert result.semantic == r"a \AiryAi@{x}+\diff{x}"
    assert [decision.source for decision in result.decisions] == ["Ai(x)", "dx"]
    assert all(decision.probability > 0.9 for decision in result.decisions)


@pytest.mark.parametrize("latex", ["ie", "Ec", "abKe", "2Ki=x"])
def test_a_word_that_is_nothing_in_the_text(translator: Translator, latex: str) -> None:
    """Letters with readings, spelled as a word that has none."""
    word = latex.lstrip("2").removesuffix("=x")
    sentence = r"that is $" + latex.replace(word, rf"\mathrm{{{word}}}") + "$ of the flow"
    assert translator.translate(latex, {"chapter": "Flow", "sentence": sentence}).semantic == latex
