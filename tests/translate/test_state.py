"""No formula changes how a later one is read: tables of the process are never written to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import Any

import pytest

from texlift.errors import FormulaError
from texlift.latex.canonical import canonical_key
from texlift.latex.presentation import Presentation, presentation
from texlift.latex.signatures import Signatures, generic_signatures
from texlift.translate.translator import Translator, load

ORDINARY = [
    r"{\rm d}x",
    r"A^{\rm T}",
    r"\int f\,{\rm d}x",
    r"{\bf F}\cdot{\bf n}",
    r"{\cal L}\{f\}",
    r"\Gamma(z)",
    r"J_\nu(z)",
    r"\operatorname{Res}_{z=0}f",
    r"P_n^{(\alpha,\beta)}(x)",
    r"\mathop{\rm res} f",
    r"\erf x+\foo y",
]
FONTS = (r"\rm", r"\it", r"\bf", r"\sf", r"\tt", r"\cal", r"\mit")
HOSTILE = [
    form.replace("FONT", font)
    for font in FONTS
    for form in (
        *(
            r"\mathrel FONT",
            r"\mathop FONT Res",
            "FONT^2",
            "FONT_n x",
            r"\mathbf FONT",
            r"\mathbin{FONT}",
            r"\sqrt FONT",
        ),
        *(
            r"\hat FONT x",
            r"\left(FONT\right)",
            r"\text{FONT}",
            r"\begin{matrix}FONT&FONT\end{matrix}",
            "{FONT}",
            "FONT",
        ),
    )
] + [
    r"\newcommand{\Gamma}{x}\Gamma(z)",
    r"\def\sin{J}\sin_\nu(z)",
    r"\DeclareMathOperator{\erf}{erf}\erf x",
    r"\foo{x}^2",
]


@pytest.fixture(scope="module")
def translator() -> Translator:
    return load()


def answers(translator: Translator) -> list[dict[str, Any]]:
    found = []
    for formula in ORDINARY:
        found += [translator.translate(formula).as_dict(), {"key": canonical_key(formula)}]
    return found


def test_answers_are_the_same_before_and_after_other_formulae(translator: Translator) -> None:
    before = answers(translator)
    for formula in HOSTILE:
        try:
            translator.translate(formula)
        except FormulaError as error:
            assert error.code != "internal", formula
    assert answers(translator) == before


@pytest.mark.parametrize("table", [presentation(), generic_signatures()], ids=["presentation", "signatures"])
def test_tables_cannot_be_written_to(table: Presentation | Signatures) -> None:
    for field in fields(table):
        value = getattr(table, field.name)
        assert isinstance(value, MappingProxyType | frozenset), field.name
        if isinstance(value, Mapping):
            assert not any(isinstance(inner, dict | list | set) for inner in value.values()), field.name


def test_a_font_switch_holds_for_what_follows_it() -> None:
    assert canonical_key(r"\mathop\bf F") == canonical_key(r"\mathbf{F}")
    assert canonical_key(r"{\bf^2F}") == canonical_key(r"{}^2\mathbf{F}")
    assert canonical_key(r"\mathrel\rm") == canonical_key("")
