"""Whether the source is written as a macro prints it."""

from __future__ import annotations

import pytest

from texlift.grammar.grammar import Grammar
from texlift.grammar.readings import Reader
from texlift.grammar.rule import Rule
from texlift.latex.canonical import canonical
from texlift.translate.exactness import EXACT, exactness

RULES = Grammar(
    [
        Rule(r"\BesselJ{#1}#'@{#2}", r"J_{#1}#'\left(#2\right)", 9),
        Rule(r"\sin#'@@{#1}", r"\sin#'#1", 9),
        Rule(r"\transpose{#1}", r"{#1}^{\mathrm{T}}", 9),
    ]
)


@pytest.mark.parametrize(
    ("latex", "level"),
    [
        (r"J_{\nu}\left(z\right)", EXACT),
        (r"J_{\nu}'\left( z + 1 \right)", EXACT),
        (r"J_\nu\left(z\right)", EXACT - 1),
        (r"J_{\nu}\!\left(z\right)", EXACT - 1),
        (r"J_{\nu}(z)", EXACT - 2),
        (r"J_{\nu}\bigl(z\bigr)", EXACT - 2),
        (r"\sin x", EXACT),
        (r"\sin^{2}x", EXACT),
        (r"\mathrm{sin}x", EXACT - 3),
        (r"A^{\rm T}", EXACT - 3),
        (r"A^{\mathrm{T}}", EXACT - 1),
    ],
)
def test_level(latex: str, level: int) -> None:
    forest = Reader(RULES).read(canonical(latex))
    levels = [exactness(match, latex) for place in forest.places[id(forest.root)] for match in place]
    assert max(levels) == level
