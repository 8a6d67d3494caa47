"""Where no word speaks for it, a letter is not read as a function that only specialists know."""

from __future__ import annotations

import re

import pytest

import texlift
from texlift.context.familiarity import evidence_kind, is_known
from texlift.macros.lexicon import lexicon

_LETTERS = [
    *"abcdfghjklmnpqrstuvwyzABCDFGHIJKLMNOQRSTUVWXYZ",
    r"\alpha",
    r"\theta",
    r"\lambda",
    r"\Psi",
    r"\Phi",
    r"\tau",
]
_SHAPES = [
    "{}(x)",
    "{}_n(x)",
    "{}_k",
    "{}(n)",
    r"\hat{{{}}}",
    "{}'(t)",
    "{}^{{(k)}}_n(x)",
    r"{}\left(x\right)",
    r"{}_n\left(x\right)",
    r"{}\left(x,y\right)",
    r"{}'\left(t\right)",
    r"{}\!\left(x\right)",
    r"{}_n\!\left(x\right)",
]


def named(latex: str, context: str | None = None) -> set[str]:
    return {decision.macro for decision in texlift.load().translate(latex, context).decisions if decision.macro}


def test_letters_of_all_shapes_are_no_special_functions() -> None:
    sources = [shape.format(letter) for shape in _SHAPES for letter in _LETTERS]
    answers = texlift.load().translate_many((source, None) for source in sources)
    asserted = {
        (answer.latex, decision.macro)
        for answer in answers
        if isinstance(answer, texlift.Translation)
        for decision in answer.decisions
        if decision.macro and not is_known(decision.macro, "@" in decision.call)
    }
    assert asserted == set()


def test_no_probability_moves_to_the_next_special_function() -> None:
    """A reading that is not believed makes the letter likelier, not another function."""
    for latex in ("E_n(x)", "W_n(x)", "Q_k", "B_n(x)"):
        with_left = texlift.load().translate(re.sub(r"\((.)\)", r"\\left(\1\\right)", latex))
        plain = texlift.load().translate(latex)
        sure = {d.macro: d.probability for d in with_left.decisions if d.macro}
        for decision in plain.decisions:
            if decision.macro:
                assert decision.probability <= sure.get(decision.macro, 0.0) + 0.25, latex


@pytest.mark.parametrize(
    ("latex", "macro", "context"),
    [
        (r"\theta(x)", r"\Airyphasetheta", "the phase of the Airy functions is $\\theta(x)$"),
        (r"O_n(x)", r"\NeumannpolyO", "Neumann's polynomial $O_n(x)$"),
        (r"\operatorname{Ai}(x)=M(x)\cos\theta(x)", r"\AirymodM", None),
    ],
)
def test_a_word_or_the_company_of_a_relative_brings_it_back(latex: str, macro: str, context: str | None) -> None:
    assert macro in named(latex, context)


@pytest.mark.parametrize(
    ("telling", "neutral", "macro"),
    [
        (r"\lambda(\tau+2)", r"\lambda(x)", r"\modularlambdatau"),
        (r"\lambda\!\left(\tau\right)", r"\lambda\!\left(t\right)", r"\modularlambdatau"),
        (r"G\!\left(z+1\right)=\Gamma\!\left(z\right)G\!\left(z\right)", r"G\!\left(z\right)", r"\BarnesG"),
        (r"E\!\left(\phi,m\right)", r"E\!\left(\phi,x\right)", r"\incellintEm"),
    ],
)
def test_arguments_that_only_a_function_has_speak_for_it(telling: str, neutral: str, macro: str) -> None:
    assert macro in named(telling)
    assert macro not in named(neutral)


def test_a_relative_does_not_speak_for_a_rare_function_where_a_common_one_may_stand() -> None:
    r"""`N_\nu` is a Bessel function in many books, and hardly ever the modulus of a derivative of Hankel functions."""
    assert r"\HankelmodderivN" not in named(r"N_\nu(x)=\frac{J_\nu(x)\cos\nu\pi-J_{-\nu}(x)}{\sin\nu\pi}")


def test_a_word_in_the_print_needs_no_other() -> None:
    assert r"\AGM" in named(r"\operatorname{agm}(a,b)")
    assert r"\AGM" not in named("M(a,b)")


def test_functions_that_everybody_knows_need_no_word() -> None:
    for latex, macro in (
        (r"\Gamma(x+1)", r"\EulerGamma"),
        ("J_0(x)", r"\BesselJ"),
        (r"\zeta(2)", r"\Riemannzeta"),
        ("P_n(x)", r"\LegendrepolyP"),
    ):
        assert macro in named(latex)


def test_a_choice_is_obeyed_all_the_same() -> None:
    answer = texlift.load().translate("O_n(x)", choices={(0, 6): r"\NeumannpolyO"})
    assert r"\NeumannpolyO" in answer.semantic


def test_what_is_known_is_a_letter_of_the_lexicon() -> None:
    letters = [macro.name for macro in lexicon() if evidence_kind(macro.name) in ("letter", "accent")]
    known = [name for name in letters if is_known(name, True)]
    assert 40 < len(known) < len(letters) / 3
