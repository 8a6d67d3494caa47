"""Formulae under the same titles are read together."""

from __future__ import annotations

import pytest

from texlift.errors import FormulaError
from texlift.translate.translator import Translator, load

NOTES = {"chapter": "Modified Bessel functions", "section": "What I found out"}
OTHERS = {"chapter": "Modified Bessel functions", "section": "Something else"}


@pytest.fixture(scope="module")
def translator() -> Translator:
    return load()


def read(translator: Translator, *formulae: tuple[str, dict[str, str] | None], together: bool = True) -> list[str]:
    """The answers, in order."""
    found = []
    for result in translator.translate_many(formulae, together=together):
        assert not isinstance(result, FormulaError)
        found.append(result.semantic)
    return found


def test_who_writes_left_around_a_symbol_writes_calls_so_in_every_formula(translator: Translator) -> None:
    call, other = (r"I_{2}(t)+c", NOTES), (r"K_{\nu}\left(x\right)", NOTES)
    assert read(translator, call, other) == [r"I_{2}(t)+c", r"\modBesselK{\nu}@{x}"]
    assert read(translator, call, other, together=False)[0] == r"\modBesselI{2}@{t}+c"
    assert read(translator, call, (other[0], OTHERS))[0] == r"\modBesselI{2}@{t}+c"
    assert read(translator, call)[0] == r"\modBesselI{2}@{t}+c"


def test_who_writes_an_upright_i_means_something_else_by_a_slanted_one(translator: Translator) -> None:
    upright = (r"e^{\mathrm{i}\theta}", NOTES)
    slanted = (r"\sum_{i=1}^{n}a_{i}x^{i}", NOTES)
    assert read(translator, slanted, upright) == [slanted[0], r"e^{\iunit\theta}"]


def test_what_is_sure_stays(translator: Translator) -> None:
    """People are not consistent: one `\\left` does not make the gamma function a letter."""
    recurrence = (r"\Gamma(s+1)=s\Gamma(s)", NOTES)
    answers = read(translator, recurrence, (r"K_{\nu}\left(x\right)", NOTES))
    assert answers[0] == r"\EulerGamma@{s+1}=s\EulerGamma@{s}"


def test_without_titles_nothing_is_shared(translator: Translator) -> None:
    """Formulae in one list need not be by one writer."""
    call = (r"I_{1}(x)+K_{1}(x)", None)
    assert read(translator, call, (r"K_{\nu}\left(x\right)", None))[0] == r"\modBesselI{1}@{x}+\modBesselK{1}@{x}"


def test_a_relation_is_read_by_its_own_sides(translator: Translator) -> None:
    """An expansion in one formula makes no expansions of the others."""
    expansion = r"f(x)\sim\sum_{n=0}^{\infty}\frac{a_{n}}{x^{n}}"
    expansions = [(expansion.replace("a", letter), NOTES) for letter in "abcdgh"]
    for formula in (r"u\sim v+w", r"h(x)\sim x+\frac{1}{x}"):
        answers = read(translator, *expansions, (formula, NOTES))
        assert answers[0] == expansion.replace(r"\sim", r"\asympexp")
        assert answers[-1] == read(translator, (formula, NOTES))[0]
