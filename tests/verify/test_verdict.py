"""Verdicts a user would expect: identities, mistakes, definitions, singular points, hostile input."""

from __future__ import annotations

import pytest

from texlift.verify import TRUE, check
from texlift.verify.checker import check_here
from texlift.verify.surroundings import condition_before, conditions_said, letters_defined


@pytest.mark.parametrize(
    "semantic",
    [
        r"\EulerGamma@{z+1}=z\EulerGamma@{z}",
        r"\sin^{2}@@{x}+\cos^{2}@@{x}=1",
        r"\BesselJ{\nu-1}@{z}+\BesselJ{\nu+1}@{z}=\frac{2\nu}{z}\BesselJ{\nu}@{z}",
        r"\BesselJ{0}'@{z}=-\BesselJ{1}@{z}",
        r"\int_{0}^{\infty}e^{-t}t^{z-1}\diff{t}=\EulerGamma@{z}",
        r"\sum_{n=0}^{\infty}\frac{x^{n}}{n!}=e^{x}",
        r"\Riemannzeta@{2}=\frac{\pi^{2}}{6}",
        r"\lim_{n\to\infty}\left(1+\frac{1}{n}\right)^{n}=\expe",
        r"\binom{n}{k}=\binom{n}{n-k}",
        r"\Wronskian@{\BesselJ{\nu}@{z},\BesselY{\nu}@{z}}=\frac{2}{\pi z}",
        r"\compellintEk@{k}\ccompellintKk@{k}+\ccompellintEk@{k}\compellintKk@{k}-\compellintKk@{k}\ccompellintKk@{k}=\frac{\pi}{2}",
        r"\Jacobiellsnk^{2}@{z}{k}+\Jacobiellcnk^{2}@{z}{k}=1",
        r"\deriv{}{z}(z^{\nu}\BesselJ{\nu}@{z})=z^{\nu}\BesselJ{\nu-1}@{z}",
        r"\tan@@{\frac{z}{2}}=\pm\left(\frac{1-\cos@@{z}}{1+\cos@@{z}}\right)^{1/2}",
        r"|\sin@@{x}|\leq1",
        r"0<x^{2}+1",
        r"0<2-\sum_{k=0}^{n}2^{-k}\leq1",
        r"0>-x^{2}-1",
        r"\deriv{\compellintKk@{k}}{k}=\frac{\compellintEk@{k}-{k^{\prime}}^{2}\compellintKk@{k}}{k{k^{\prime}}^{2}}",
    ],
)
def test_true(semantic: str) -> None:
    verdict = check_here(semantic)
    assert verdict.verdict in TRUE, verdict


@pytest.mark.parametrize(
    "semantic",
    [
        r"\EulerGamma@{z+1}=-z\EulerGamma@{z}",
        r"\EulerGamma@{z+1}=2z\EulerGamma@{z}",
        r"\BesselJ{\nu-1}@{z}+\BesselJ{\nu+1}@{z}=\frac{2\nu}{z}\BesselJ{\nu+1}@{z}",
        r"(a+b)^{2}=a^{2}+b^{2}",
        r"\sum_{n=0}^{\infty}\frac{x^{n}}{n!}=e^{2x}",
        r"\Riemannzeta@{2}=\frac{\pi^{2}}{5}",
        r"|\sin@@{x}|\geq2",
        r"\incGamma@{a}{z}=\incGamma@{z}{a}",
    ],
)
def test_false(semantic: str) -> None:
    verdict = check_here(semantic)
    assert verdict.verdict == "refuted", verdict
    assert verdict.counterexample is not None
    assert {"point", "left", "right"} <= verdict.counterexample.keys()


def test_refutations_are_proven_where_flint_has_the_functions() -> None:
    pytest.importorskip("flint")
    assert check_here(r"\EulerGamma@{z}=\BesselJ{1}@{z}").certain


@pytest.mark.parametrize(
    ("semantic", "reason"),
    [
        (r"w=\frac{z-1}{z+1}", "defines"),
        (r"f(x)=x^{2}", "unknown function"),
        (r"a_{n}=n^{2}", "index"),
        (r"\BesselJ{\nu}@{z}\asympeq\frac{1}{z}", "asymptotic"),
        (r"\BesselJ{\nu}@{z}", "no equation"),
        (r"x+y=2a", "condition"),
        (r"\incgamma@{a}{ze^{2\pi mi}}=e^{2\pi mia}\incgamma@{a}{z}", "branch"),
        (r"\frac{1}{x-x}=\frac{1}{x-x}", ""),
        (r"\RiemannsymP@{z}=1", "no counterpart"),
    ],
)
def test_undecided_with_the_reason(semantic: str, reason: str) -> None:
    verdict = check_here(semantic)
    assert verdict.verdict == "undecided"
    assert reason in verdict.reason and verdict.reason


def test_constraints_decide() -> None:
    formula = r"\acosh@@{x}=\ln@{x+\sqrt{x^{2}-1}}"
    assert check_here(formula, ["x>1"]).verdict in TRUE
    absolute = r"\sqrt{x^{2}}=-x"
    assert check_here(absolute, ["x<0"]).verdict in TRUE
    assert check_here(absolute, ["x>0"]).verdict == "refuted"
    assert check_here(r"\sin@{n\pi+x}=(-1)^{n}\sin@@{x}", [r"n=0,1,2,\dots"]).verdict in TRUE
    assert check_here(r"\sin@@{y}=2\sin@@{x}\cos@@{x}", ["y=2x"]).verdict in TRUE


def test_an_empty_domain_is_undecided() -> None:
    verdict = check_here(r"\sin@@{x}=\cos@@{x}", ["x>1", "x<0"])
    assert verdict.verdict == "undecided" and "no point" in verdict.reason


def test_an_ununderstood_constraint_prevents_a_refutation() -> None:
    assert check_here(r"\sin@@{x}=2\cos@@{x}", [r"x\in\mathscr{D}"]).verdict == "undecided"


@pytest.mark.parametrize(
    ("semantic", "verdict"),
    [
        (r"(p-1)!\equiv-1\pmod{p}", "verified"),
        (r"a^{p}\equivmod a\pmod{p}", "verified"),
        (r"(2n+1)^{2}\equiv1\pmod{8}", "verified"),
        (r"a^{p}\equivmod a+1\pmod{p}", "refuted"),
        (r"n\equivmod3\pmod{4}", "refuted"),
        (r"\frac{1}{2n}\equivmod\frac{1}{3n}\pmod{5}", "undecided"),
    ],
)
def test_congruences_compare_integers(semantic: str, verdict: str) -> None:
    found = check_here(semantic).verdict
    assert found == verdict or (verdict == "verified" and found in TRUE)


def test_small_integers_alone_neither_verify_nor_save() -> None:
    right = r"\Euleriannumber{n}{k}=(k+1)\Euleriannumber{n-1}{k}+(n-k)\Euleriannumber{n-1}{k-1}"
    assert check_here(right, [r"n\geq2"]).verdict in TRUE
    assert check_here(right.replace("{n-1}{k}+", "{n}{k}+"), [r"n\geq2"]).verdict == "refuted"  # holds for k = 0
    empty = (
        r"\normincGammaP@{a+n}{z}=\normincGammaP@{a}{z}-2z^{a}e^{-z}\sum_{k=0}^{n-1}\frac{z^{k}}{\EulerGamma@{a+k+1}}"
    )
    assert check_here(empty, symbols={"n": "nonnegative integer"}).verdict == "refuted"  # holds for n = 0


def test_orthogonality_is_verified_by_equal_integers() -> None:
    formula = r"\int_{0}^{\pi}\cos@{nt}\cos@{mt}\diff{t}=\frac{\pi}{2}\Kroneckerdelta{n}{m}"
    assert check_here(formula, [r"n\geq1", r"m\geq1"]).verdict in TRUE
    verdict = check_here(formula)
    assert verdict.verdict == "undecided" and "positive integer" in verdict.reason  # it fails for n = m = 0


def test_principal_values_of_elliptic_integrals() -> None:
    formula = (
        r"(q+z)\CarlsonsymellintRJ@{0}{y}{z}{-q}=(p-z)\CarlsonsymellintRJ@{0}{y}{z}{p}-3\CarlsonsymellintRF@{0}{y}{z}"
    )
    positive = ["p=z(y+q)/(z+q)", "q>0", "y>0", "z>0"]
    assert check_here(formula, positive, symbols={"q": "real parameter", "z": "real variable"}).verdict in TRUE


def test_no_runnable_target_is_said() -> None:
    verdict = check_here(r"\sphwavePs{m}{n}@{z}{0}=\assLegendreP[m]{n}@{z}")
    assert verdict.verdict == "undecided" and "no runnable target" in verdict.reason


def test_a_series_that_cannot_be_extrapolated_refutes_nothing() -> None:
    formula = r"\sum_{n=1}^{\infty}\MangoldtLambda@{n}n^{-s}=-\frac{\Riemannzeta'@{s}}{\Riemannzeta@{s}}"
    assert check(formula, [r"\realpart@@{s}>1"], seconds=4).verdict == "undecided"


def test_e_may_be_the_constant() -> None:
    assert check_here(r"\int_{1}^{e}\frac{\diff{t}}{t}=1").verdict in TRUE


def test_conditions_are_taken_from_the_sentence() -> None:
    sentence = r"We have $\ln(ab)=x$, where $ab=c$ and $a>0$ . Here $b<0$."
    assert conditions_said(sentence, r"\ln(ab)=x", {"a", "b", "c", "x"}) == ["ab=c", "a>0"]
    assert conditions_said(sentence, r"\ln(ab)=x", {"a", "x"}) == ["a>0"]
    assert conditions_said(r"$A=B$ with equality iff $a=b$", "A=B", {"a", "b"}) == []
    formula = r"\ln@@{c}=\ln@@{a}+\ln@@{b}"
    assert check_here(formula, ["ab=c", "a>0", "b>0"]).verdict in TRUE


def test_conditions_before_a_formula() -> None:
    letters = {"x", "y", "z", r"\zeta"}
    assert conditions_said(r"With $\zeta=z^{2}$ , $A=B$.", "A=B", letters) == [r"\zeta=z^{2}"]
    assert conditions_said(r"For real $x>0$ and $z=x+iy$, one has $A=B$.", "A=B", letters) == ["x>0", "z=x+iy"]
    assert conditions_said(r"Let $f$ be analytic near $z=0$, and $A=B$.", "A=B", letters) == []
    assert conditions_said(r"For $x>0$ $C=D$, if $y>0$, $A=B$.", "A=B", letters) == ["y>0"]
    assert conditions_said(r"$A=B,subjecttoy>0,$ when $x+1=z+y$.", "A=B", letters) == ["x+1=z+y"]


def test_a_sentence_that_depends_on_the_one_before() -> None:
    assert condition_before("Then $A=B$.") and not condition_before("Thenceforth") and not condition_before("If $x$.")
    verdict = check_here(r"\sin@@{x}=\cos@@{x}", [r"\text{a condition in the sentence before}"])
    assert verdict.verdict == "undecided" and "sentence before" in verdict.reason
    assert check_here(r"\sin@@{x}=\cos@@{x}").verdict == "refuted"


def test_a_sum_among_the_constraints_is_solved() -> None:
    formula = r"b\EulerGamma@{a+b+1}=b\EulerGamma@{c+n}"
    assert check_here(formula, ["n=0,1,2,\\dots", "a+1=c+n-b"]).verdict in TRUE
    assert check_here(formula, ["n=0,1,2,\\dots", "a+1=c+n-2b"]).verdict == "refuted"


def test_a_constraint_says_more_than_the_list_of_symbols() -> None:
    formula = r"\AiryAi@{z}=\pi^{-1}\sqrt{z/3}\modBesselK{1/3}@{\zeta}"
    known = {r"\zeta": "change of variable"}
    assert not check_here(formula, symbols=known).checkable
    constraint = r"\zeta=\tfrac{2}{3}z^{3/2}"
    assert check_here(formula, [constraint], symbols=known, excerpt=True).verdict in TRUE


def test_bars_may_mean_negative_values() -> None:
    known = {"x": "real variable"}
    assert check_here(r"\ln@@{|x|}=\ln@{-x}", symbols=known, excerpt=True).verdict == "undecided"
    assert check_here(r"\ln@@{|x|}=\ln@{2x}", symbols=known, excerpt=True).verdict == "refuted"


def test_letters_that_a_sentence_defines() -> None:
    assert letters_defined(r"With $c$ defined by (25.4.2) and $n=1$ , $f(c)=n$ .") == {"c"}
    assert letters_defined(r"where $u$ satisfies the equation $u^{5}=1$") == {"u"}
    assert letters_defined(r"$a+\ell$, where $\ell$ = last term of the series") == {r"\ell"}
    assert letters_defined(r"where $m$ is an integer") == set()


def test_p_runs_over_primes() -> None:
    assert check_here(r"\Eulertotientphi@{n}=n\prod_{p\divides n}(1-p^{-1})").verdict in TRUE
    assert check_here(r"\nprimes@{x}=\sum_{p\leq x}1").verdict in TRUE


@pytest.mark.parametrize(
    ("semantic", "constraints", "reason"),
    [
        (r"(1-u^{8})(1-v^{8})=(1-uv)^{8}", ["p=7"], "does not show"),
        (r"\sin@@{x}=2\sin@@{x}", [r"x=0$or$x=\pi"], "not understood"),
        (r"\sin@@{x}\ast\sin@@{x}=x", [], "convolution"),
    ],
)
def test_more_doubts(semantic: str, constraints: list[str], reason: str) -> None:
    verdict = check_here(semantic, constraints)
    assert verdict.verdict == "undecided" and reason in verdict.reason


def test_wronskian_of_modified_bessel_functions() -> None:
    assert check_here(r"\Wronskian@{\modBesselK{\nu}@{z},\modBesselI{\nu}@{z}}=1/z").verdict in TRUE
