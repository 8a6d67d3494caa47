"""Formulae about which nothing is said are read as if under the titles of what they look like, all together."""

from __future__ import annotations

import pytest
from entries import encoded, ledger

from texlift.context.placing import Placing, section_titles
from texlift.translate.translator import load

GAMMA = {"chapter": "Gamma Function", "section": "Definitions"}
PRIMES = {"chapter": "Functions of Number Theory", "section": "Prime Numbers"}
ABOUT_GAMMA = [
    (
        rf"\psi\left({x}\right)=\Gamma'\left({x}\right)/\Gamma\left({x}\right)",
        rf"\digamma@{{{x}}}=\EulerGamma'@{{{x}}}/\EulerGamma@{{{x}}}",
    )
    for x in "xyzabc"
]
ABOUT_PRIMES = [
    (rf"\psi\left({x}\right)=\sum_{{p^{{m}}\leq{x}}}\ln p", rf"\ChebyshevPsi@{{{x}}}=\sum_{{p^{{m}}\leq{x}}}\ln@@{{p}}")
    for x in "xyzabc"
]
OTHERS = [  # many sections, each with its own letter
    (rf"{letter}^{{{power}}}=\sin x", rf"{letter}^{{{power}}}=\sin@@{{x}}", {"chapter": "Letters", "section": letter})
    for letter in "abcdfghjklmnpqrstuvwyz"
    for power in range(2, 7)
]
RARE = [
    (rf"{letter}+1=\cos x", rf"{letter}+1=\cos@@{{x}}", {"chapter": "Rare", "section": letter})
    for letter in "ABCDFGHJKLMNPQRSTUVWXYZ"
]


@pytest.fixture(scope="module")
def placing() -> Placing:
    pairs = [(*p, GAMMA) for p in ABOUT_GAMMA] + [(*p, PRIMES) for p in ABOUT_PRIMES] + OTHERS + RARE
    return Placing(ledger(*pairs).table().kindred, section_titles([titles for _, _, titles in pairs]))


def test_titles_of_sections_each_once() -> None:
    assert section_titles([GAMMA, PRIMES, GAMMA, None, "Airy functions", {"chapter": "Only"}]) == (
        ("Gamma Function", "Definitions"),
        ("Functions of Number Theory", "Prime Numbers"),
    )


def test_one_formula_alone_is_put_nowhere(placing: Placing) -> None:
    formula, _ = encoded(*ABOUT_GAMMA[0], {})
    assert placing.contexts([formula]) == [None]
    assert placing.contexts([]) == []


def test_without_sections_nothing_is_put_anywhere() -> None:
    formulae = [encoded(*pair, {})[0] for pair in ABOUT_GAMMA]
    nowhere = Placing(ledger(*[(*pair, {}) for pair in ABOUT_GAMMA]).table().kindred, ())
    assert nowhere.contexts(formulae) == [None] * len(formulae)


def test_the_company_tells_where_a_formula_is_from(placing: Placing) -> None:
    sources = [*ABOUT_GAMMA, (r"\psi\left(t\right)=u", r"\digamma@{t}=u"), *ABOUT_GAMMA]
    found = placing.contexts([encoded(*pair, {})[0] for pair in sources])
    assert found[len(ABOUT_GAMMA)] == GAMMA
    sources = [*ABOUT_PRIMES, (r"\psi\left(t\right)=u", r"\ChebyshevPsi@{t}=u"), *ABOUT_PRIMES]
    found = placing.contexts([encoded(*pair, {})[0] for pair in sources])
    assert found[len(ABOUT_PRIMES)] == PRIMES


def test_sections_with_a_formula_or_two_are_no_places(placing: Placing) -> None:
    found = placing.contexts([encoded(generic, semantic, {})[0] for generic, semantic, _ in RARE])
    assert all(titles is None for titles in found)


WEIERSTRASS = (
    r"\wp\left(z\right)=\frac{1}{z^{2}}+\sum_{w\in\mathbb{L}\setminus\{0\}}\left(\frac{1}{(z-w)^{2}}-\frac{1}{w^{2}}\right)",
    r"\zeta'\left(z\right)=-\wp\left(z\right)",
    r"\sigma'\left(z\right)/\sigma\left(z\right)=\zeta\left(z\right)",
    r"{\wp'}^{2}\left(z\right)=4{\wp^{3}}\left(z\right)-g_{2}\wp\left(z\right)-g_{3}",
    r"\wp\left(\omega_{1}\right)=e_{1}",
    r"\sigma\left(-z\right)=-\sigma\left(z\right)",
)
RIEMANN = (
    r"\zeta\left(s\right)=\sum_{n=1}^{\infty}\frac{1}{n^{s}}",
    r"\zeta\left(2n\right)=\frac{(2\pi)^{2n}}{2(2n)!}\left|B_{2n}\right|",
    r"\Gamma\left(s\right)\zeta\left(s\right)=\int_{0}^{\infty}\frac{x^{s-1}}{e^{x}-1}\mathrm{d}x",
    r"\zeta\left(1-s\right)=2(2\pi)^{-s}\cos\left(\tfrac{1}{2}\pi s\right)\Gamma\left(s\right)\zeta\left(s\right)",
    r"\zeta\left(0\right)=-\tfrac{1}{2}",
    r"\zeta\left(-2n\right)=0",
)


@pytest.mark.parametrize(
    ("company", "zeta"),
    [(WEIERSTRASS, r"\Weierstrasszetalatt@@{x}{\mathbb{L}}"), (RIEMANN, r"\Riemannzeta@{x}")],
)
def test_a_stream_without_a_context_is_read_as_what_it_looks_like(company: tuple[str, ...], zeta: str) -> None:
    translator = load()
    stream: list[tuple[str, None]] = [(latex, None) for latex in (*company[:4], r"\zeta\left(x\right)", *company[4:])]
    found = list(translator.translate_many(stream))
    alone = list(translator.translate_many(stream, together=False))
    assert getattr(found[4], "semantic", None) == zeta
    assert getattr(alone[4], "semantic", None) == r"\Riemannzeta@{x}"


def test_what_somebody_says_comes_before_what_it_looks_like() -> None:
    stream: list[tuple[str, str | None]] = [(latex, None) for latex in WEIERSTRASS]
    stream.insert(3, (r"\zeta\left(x\right)", "The Riemann zeta function."))
    assert getattr(list(load().translate_many(stream))[3], "semantic", None) == r"\Riemannzeta@{x}"
