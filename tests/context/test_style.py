"""Whether the source is written as a macro prints it."""

from __future__ import annotations

import pytest

from texlift.context.style import (
    BRACES,
    EXACT,
    FENCES,
    FENCES_AND_BRACES,
    FONTS,
    OTHERWISE,
    print_level,
)
from texlift.grammar.grammar import Grammar
from texlift.grammar.readings import Reader
from texlift.grammar.rule import Rule
from texlift.latex.canonical import canonical

RULES = Grammar(
    [
        Rule(r"\BesselJ{#1}#'@{#2}", r"J_{#1}#'\left(#2\right)", 9),
        Rule(r"\genhyperF{#1}{#2}#'@{#3}{#4}{#5}", r"{{}_{#1}F_{#2}}#'\left(#3;#4;#5\right)", 9),
        Rule(r"\genBernoullipolyB{#1}{#2}", r"B^{(#1)}_{#2}", 9),
        Rule(r"\sin#'@@{#1}", r"\sin#'#1", 9),
        Rule(r"\transpose{#1}", r"{#1}^{\mathrm{T}}", 9),
        Rule(r"\abs{#1}", r"\left|#1\right|", 9),
        Rule(r"\MeijerG{}{}{}{}", r"{G}", 9),
        Rule(r"\zBesselj{#1}{#2}", r"j_{#1,#2}", 9),
        Rule(r"\iunit", r"\mathrm{i}", 9),
    ]
)


@pytest.mark.parametrize(
    ("latex", "level"),
    [
        (r"J_{\nu}\left(z\right)", EXACT),
        (r"J_{\nu}'\left( z + 1 \right)", EXACT),
        (r"J_{\nu}^{\prime}\left(z\right)", OTHERWISE),
        (r"J_\nu\left(z\right)", EXACT),
        (r"J_{\nu}\!\left(z\right)", EXACT),
        (r"J_{\nu}(z)", FENCES),
        (r"J_{\nu}\bigl(z\bigr)", FENCES),
        (r"J_\nu(z)", FENCES),
        (r"{Q^{3}}J_{\nu}^{2}(z)", FENCES_AND_BRACES),
        (r"{J_{\nu}^{2}}\left(z\right)", EXACT),
        (r"J_{\nu}^{2}\left(z\right)", EXACT),
        (r"{Q^{3}}J_{\nu}^{2}\left(z\right)", BRACES),
        (r"{J_{\nu}^{2}}(z)", FENCES),
        (r"{{}_{2}F_{1}}\left(a,b;c;z\right)", EXACT),
        (r"{}_{2}F_{1}\left(a,b;c;z\right)", BRACES),
        (r"B^{(\ell)}_{n}", EXACT),
        (r"B_{n}^{(\ell)}", OTHERWISE),
        (r"\sin x", EXACT),
        (r"\sin{x}", BRACES),
        (r"{\sin^{2}}x", EXACT),
        (r"\sin^{2}x", EXACT),
        (r"\sin^2 x", EXACT),
        (r"{Q^{3}}\sin^{2}x", BRACES),
        (r"\mathrm{sin}x", OTHERWISE),
        (r"A^{\rm T}", OTHERWISE),
        (r"A^{\mathrm{T}}", EXACT),
        (r"\left|z\right|", EXACT),
        (r"{\left|z\right|}", BRACES),
        (r"\frac{\left|z\right|}{2}", EXACT),
        (r"{\left|z\right|^{2}}", EXACT),
        (r"{Q^{3}}\left|z\right|^{2}", BRACES),
        (r"{G}", EXACT),
        (r"G", BRACES),
        (r"j_{\nu,m}'", EXACT),
        (r"j^{\prime}_{\nu,m}", OTHERWISE),
        (r"\mathrm{i}", EXACT),
        (r"i", FONTS),
    ],
)
def test_level(latex: str, level: int) -> None:
    forest = Reader(RULES).read(canonical(latex))
    levels = [print_level(match, latex) for row in forest.rows for place in forest.places[id(row)] for match in place]
    assert max(levels) == level
