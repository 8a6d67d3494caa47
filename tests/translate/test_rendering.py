"""Semantic LaTeX written from a derivation: with the right derivation it must be the right text."""

from __future__ import annotations

import pytest

from texlift.grammar.induction.alignment import Aligner
from texlift.grammar.match import Match
from texlift.grammar.packaged import packaged_grammar
from texlift.latex.canonical import canonical
from texlift.macros.semantic import comparable, semantic_row
from texlift.translate.rendering import Renderer

PAIRS = [
    # a call takes the braces around it along, also if they are those of the argument it stands in
    (r"\cos{\theta_{\ell}}", r"\cos@@{\Coulombphasetheta{\ell}}"),
    (r"\frac{\partial{F_{1}}}{\partial y}", r"\pderiv{\AppellF{1}}{y}"),
    (r"\frac{{\partial}^{2}{F_{1}}}{{\partial x}^{2}}", r"\pderiv[2]{\AppellF{1}}{x}"),
    (r"{\left\langle f,\phi\right\rangle}", r"{\intinnerprod{f}{\phi}}"),
    # a command around it only if the macro prints it
    (r"\sum_{d\mathbin{|}n}1", r"\sum_{d\divides n}1"),
    (r"f\mathrel{\sim}g", r"f\mathrel{\asympexp}g"),
    (r"\mathrm{\overline{C}}", r"\mathrm{\conj{C}}"),
    # the font of an argument stays
    (r"\Gamma\left(a,\boldsymbol{{z^{-1}}}\right)", r"\incGamma@{a}{\boldsymbol{{z^{-1}}}}"),
    # primes of a call are part of it, those behind it are copied
    (r"J_{\nu}'\left(z\right)", r"\BesselJ{\nu}'@{z}"),
    (r"{\operatorname{sign}^{\prime}}", r"\sign^{\prime}"),
    (r"a^{\Gamma\left(z\right)}", r"a^{\EulerGamma@{z}}"),
    (r"{{\Gamma\left(z\right)}}^{2}", r"\EulerGamma@{z}^{2}"),
]


class _Chosen(dict[tuple[int, int], list[Match]]):
    """Matches by place; of several at one place the outer ones end further right."""

    def get(self, key: tuple[int, int, int], default: Match | None = None) -> Match | None:  # type: ignore[override]
        return next((match for match in super().get(key[:2], []) if match.end <= key[2]), default)


@pytest.mark.parametrize(("generic", "semantic"), PAIRS)
def test_the_gold_derivation_is_written_as_gold(generic: str, semantic: str) -> None:
    root = canonical(generic)
    alignment = Aligner(packaged_grammar().rules).align(semantic_row(semantic), root)
    assert alignment is not None
    chosen = _Chosen()
    for step in alignment.steps:
        if step.match is not None:
            chosen.setdefault((id(step.row), step.position), []).append(step.match)
    assert comparable(Renderer(generic, chosen).formula(root)) == comparable(semantic)  # type: ignore[arg-type]
