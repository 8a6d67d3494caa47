"""What is no reading, whatever a scorer thinks: the macros offered at any place of a formula."""

from __future__ import annotations

import re

import pytest

from texlift.grammar.packaged import packaged_grammar
from texlift.grammar.readings import Reader
from texlift.grammar.words import word_spans
from texlift.latex.canonical import canonical
from texlift.macros.conventions import judged_like
from texlift.macros.lexicon import lexicon


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(packaged_grammar())


def offered(reader: Reader, latex: str) -> set[str]:
    """The macros that any place of a formula may be read as."""
    forest = reader.read(canonical(latex))
    return {match.rule.name for places in forest.places.values() for matches in places for match in matches}


def calls(reader: Reader, latex: str, name: str) -> set[str]:
    """The calls of a macro that a formula may be read as, with their arguments."""
    forest = reader.read(canonical(latex))
    return {
        " ".join([match.rule.call, *(match.holes[hole].key for hole in sorted(match.holes))])
        for places in forest.places.values()
        for matches in places
        for match in matches
        if match.rule.name == name
    }


@pytest.mark.parametrize(
    ("latex", "macro"),
    [
        (r"H^{(1)}_\nu(z,w)", r"\HankelH"),
        (r"J_\nu(x,y)", r"\BesselJ"),
        (r"\operatorname{erf}(x;y)", r"\erf"),
        (r"\Gamma(x|y)", r"\EulerGamma"),
        (r"\sin(x,y)", r"\sin"),
        (r"P_{n,m}(x)", r"\LegendrepolyP"),
        (r"\Gamma(a,b,c)", r"\incGamma"),
        (r"{}_2F_1(a,b,c,z)", r"\genhyperF"),
        (r"{}_0F_1(a,z)", r"\regCoulombF"),
        (r"G_{a,b}(z)", r"\BarnesG"),
        ("Li(x)", r"\polylog"),
    ],
)
def test_one_argument_takes_no_list(reader: Reader, latex: str, macro: str) -> None:
    assert not any("#" in call for call in calls(reader, latex, macro))


@pytest.mark.parametrize(
    ("latex", "macro"),
    [
        (r"H^{(1)}_\nu(z)", r"\HankelH"),
        (r"J_\nu(|x|)", r"\BesselJ"),
        (r"\sin(f(x,y))", r"\sin"),
        (r"{}_2F_1(a,b;c;z)", r"\genhyperF"),
        (r"\mathscr{W}\{f,g\}", r"\Wronskian"),
        (r"\phi((m,n))", r"\Eulertotientphi"),
        (r"\Gamma(a,b)", r"\incGamma"),
    ],
)
def test_what_is_one_argument_or_a_list_by_nature_stays(reader: Reader, latex: str, macro: str) -> None:
    assert macro in offered(reader, latex)


@pytest.mark.parametrize(
    ("latex", "word"),
    [
        ("trace(P)", "trace"),
        ("corr(X,Y)", "corr"),
        (r"5\,liter", "liter"),
        ("loss(y)", "loss"),
        ("supp(f)", "supp"),
        ("dim(V)", "dim"),
        ("sigmoid(x)", "sigmoid"),
        ("relu(x)", "relu"),
        ("std(x)", "std"),
        ("x_{tr}", "tr"),
        (r"x_{\mathrm{tr}}", r"\mathrm{tr}"),
        (r"x_{\text{li}}", r"\text{li}"),
        ("n_{train}", "train"),
        ("y_{true}", "true"),
        (r"\epsilon_{max}", "max"),
        ("T_{eff}", "eff"),
        (r"J_{\text{max}}", r"\text{max}"),
    ],
)
def test_nothing_is_read_inside_a_word(reader: Reader, latex: str, word: str) -> None:
    forest = reader.read(canonical(latex))
    start, end = latex.index(word), latex.index(word) + len(word)
    for places in forest.places.values():
        for match in (match for matches in places for match in matches):
            held = [match.row.elements[match.start], *(e for span in match.holes.values() for e in span.elements)]
            assert not any(start <= element.start < end for element in held), match.rule.call


@pytest.mark.parametrize(
    ("latex", "macro"),
    [("sin(x)", r"\sin"), ("kTln(x)", r"\ln"), ("erf(x)", r"\erf"), (r"tr(A)", r"\trace"),
     ("2abK(k)", r"\compellintKk"), (r"\int f dxdy", r"\diff"), ("T_{n}(x)", r"\ChebyshevpolyT"), ("xsin(x)", r"\sin")],
)  # fmt: skip
def test_names_and_products_are_no_words(reader: Reader, latex: str, macro: str) -> None:
    assert macro in offered(reader, latex)


@pytest.mark.parametrize(
    ("run", "word"),
    [("abcde(x)", False), ("dxdydz(x)", False), ("frobnicate(x)", True), ("plates", False), ("velocity", True),
     ("xyz(t)", False), ("kxsin(x)", False), ("ABCDE(x)", False)],
)  # fmt: skip
def test_what_looks_like_a_word(run: str, word: bool) -> None:
    assert bool(word_spans(canonical(run), subscript=False)) is word


def test_braces_group(reader: Reader) -> None:
    assert calls(reader, r"\log{c\log{x}}", r"\log") >= {r"\log#'@@{#1} c l o g x"}
    assert r"\log#'@@{#1} c" not in calls(reader, r"\log{c\log{x}}", r"\log")
    assert calls(reader, r"\sin{x}y", r"\sin") & {r"\sin#'@@{#1} x y"} == set()
    assert r"\sin#'@@{#1} x y" in calls(reader, r"\sin xy", r"\sin")
    assert r"\tan#'@@{#1} \theta / 2" in calls(reader, r"\tan{\theta/2}", r"\tan")


@pytest.mark.parametrize(
    "latex",
    ["a_i", "a_{ij}", "x_{it}", r"\epsilon_{ijk}", r"\Gamma^i_{jk}", "g^{ij}", r"\delta^i_j", r"\sum_{i=1}^n i^2",
     r"\sum_i x^i", "m_e", "a_{i+1}", "a_{i,j}", r"\prod_{i}x_{2i}", "x^i"],
)  # fmt: skip
def test_an_index_is_no_constant(reader: Reader, latex: str) -> None:
    assert offered(reader, latex).isdisjoint({r"\iunit", r"\expe"})


@pytest.mark.parametrize(
    "latex", [r"K_{i\nu}(x)", "e^{ix}", "x+iy", r"P_{-\frac12+i\tau}(x)", r"a_{\mathrm{i}}", "i^i"]
)
def test_a_constant_stays_one(reader: Reader, latex: str) -> None:
    assert r"\iunit" in offered(reader, latex)


def test_levi_civita_needs_three_indices(reader: Reader) -> None:
    assert r"\LeviCivitasym" in offered(reader, r"\epsilon_{ijk}")
    assert r"\LeviCivitasym" not in offered(reader, r"\epsilon_{n+1}")


@pytest.mark.parametrize("latex", [r"P(A\mid B)", r"\{x\mid x^2<2\}", r"E[X\mid Y]", r"p_1(x\mid\theta)"])
def test_a_bar_between_arguments_does_not_divide(reader: Reader, latex: str) -> None:
    assert r"\divides" not in offered(reader, latex)


@pytest.mark.parametrize("latex", [r"d\mid n", r"\{d:d\mid n\}", r"\sum_{d\mid n}f(d)", r"2(a\mid b)"])
def test_a_bar_elsewhere_may(reader: Reader, latex: str) -> None:
    assert r"\divides" in offered(reader, latex)


@pytest.mark.parametrize(
    ("latex", "right", "wrong"),
    [
        ("K(m)", r"\compellintKm", r"\compellintKk"),
        ("K(k)", r"\compellintKk", r"\compellintKm"),
        ("E(1-m)", r"\compellintEm", r"\compellintEk"),
        (r"K(\sqrt{m})", r"\compellintKk", r"\compellintKm"),
        (r"F(\phi,m)", r"\incellintFm", r"\incellintFk"),
        (r"\Pi(n,m)", r"\compellintPim", r"\compellintPik"),
        (r"\operatorname{dn}(u|m)", r"\Jacobielldnm", r"\Jacobielldnk"),
        (r"\theta_1(z,\tau)", r"\unitJacobitheta", r"\Jacobithetaq"),
        (r"\theta_1(z,2i)", r"\unitJacobitheta", r"\Jacobithetaq"),
        (r"\theta_1(z,e^{i\pi x})", r"\Jacobithetaq", r"\unitJacobitheta"),
        (r"E_4(\tau)", r"\EisensteinE", r"\genexpintE"),
        (r"E_4(x)", r"\genexpintE", r"\EisensteinE"),
        (r"\zeta(z,\tau)", r"\Weierstrasszetatau", r"\Hurwitzzeta"),
        (r"\zeta(s,a)", r"\Hurwitzzeta", r"\Weierstrasszetatau"),
        (r"\wp_\Lambda(z)", r"\Weierstrassplatt", r"\Weierstrassptau"),
        (r"F(a,b,c;x)", r"\hyperF", r"\genhyperF"),
        (r"j(\tau)", r"\modularj", r"\sphBesselJ"),
        (r"F_{\ell,\eta}(z)", r"\regCoulombF", r"\Jacobithetaq"),
        (r"\theta_1(z|\tau)", r"\Jacobithetatau", r"\Jacobithetaq"),
        (r"\theta_1(z,q)", r"\Jacobithetaq", r"\Jacobithetatau"),
        (r"\wp(z|\tau)", r"\Weierstrassptau", r"\Weierstrassplatt"),
        (r"\wp(z;g_2,g_3)", r"\Weierstrasspinvar", r"\Weierstrassptau"),
        (r"{}_2F_1(a,b,c,z)", r"\hyperF", r"\genhyperF"),
    ],
)
def test_a_reading_has_the_letters_of_its_convention(reader: Reader, latex: str, right: str, wrong: str) -> None:
    found = offered(reader, latex)
    assert right in found
    assert not any("#" in call.partition("@")[2] for call in calls(reader, latex, wrong))


@pytest.mark.parametrize("latex", [r"\mu(x)", r"\phi(z)", r"\sigma(t)", r"p(\lambda)", r"\phi(x+iy)"])
def test_functions_of_integers_have_no_letters_of_other_numbers(reader: Reader, latex: str) -> None:
    arithmetic = (r"\Moebiusmu", r"\Eulertotientphi", r"\sumdivisors", r"\npartitions")
    assert not any("#" in call.partition("@")[2] for name in arithmetic for call in calls(reader, latex, name))
    assert offered(reader, r"\mu(n)") >= {r"\Moebiusmu"}


def test_every_macro_of_the_lexicon_can_be_read() -> None:
    """By a rule of the packaged grammar, or because a line says what it is scored like."""
    read = {rule.name for rule in packaged_grammar().rules}.union(
        *(re.findall(r"^\\\w+", call) for call in judged_like())
    )
    unread = [macro.name for macro in lexicon() if macro.lifts and macro.name not in read]
    assert not unread, "add their templates to `rules` in macros/conventions.json"


def test_what_a_macro_is_scored_like_is_a_rule_of_the_packaged_grammar() -> None:
    calls = {rule.call for rule in packaged_grammar().rules}
    assert [like for like in judged_like().values() if like not in calls] == []


@pytest.mark.parametrize("latex", [r"\mathrm{Cl}_2(\theta)", r"\operatorname{Cl}_{2}x", r"\operatorname{Cl}_2^2(x)"])
def test_clausens_integral_is_offered(reader: Reader, latex: str) -> None:
    assert r"\Clausenint" in offered(reader, latex)


@pytest.mark.parametrize(
    "latex",
    [
        r"\operatorname{Cl}_3(x)",
        r"\operatorname{Cl}(A)",
        "Cl_2",
        r"\mathrm{Cl}_2(\mathbb{R})",  # a Clifford algebra
        r"\mathrm{Cl}_2(K)",  # a class group
        r"\mathrm{H}_2(\mathrm{g})+\mathrm{Cl}_2(\mathrm{g})",  # chlorine
        r"\mathrm{Mg}\mathrm{Cl}_2(aq)",
        r"\mathrm{Cl}_2\mathrm{O}",
    ],
)
def test_what_is_no_clausens_integral(reader: Reader, latex: str) -> None:
    assert not any("#" in call for call in calls(reader, latex, r"\Clausenint"))


def test_half_periods_are_no_invariants(reader: Reader) -> None:
    assert not any("@{" in call for call in calls(reader, r"\wp(z;\omega_1,\omega_2)", r"\Weierstrasspinvar"))


def test_the_angle_tells_the_order_of_arguments(reader: Reader) -> None:
    found = calls(reader, r"\Pi(n,\phi,k)", r"\incellintPik")
    assert r"\incellintPik#'@@@{#1}{#2}{#3} \phi n k" in found
    assert r"\incellintPik#'@{#1}{#2}{#3} n \phi k" not in found
