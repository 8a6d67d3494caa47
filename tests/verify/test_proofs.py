"""What is called proved: identities by several methods, and never what holds on a part of the domain only."""

from __future__ import annotations

import logging

import pytest

from texlift.verify import checker
from texlift.verify.checker import check_here

pytest.importorskip("flint")

PROVED = [
    (r"\sin@{3x}=3\sin@@{x}-4\sin^{3}@@{x}", [], "exponentials"),
    (r"\frac{1}{\sqrt{x+1}+\sqrt{x}}=\sqrt{x+1}-\sqrt{x}", [], "algebraic"),
    (r"\ln@{xy}=\ln@@{x}+\ln@@{y}", ["x>0", "y>0"], "logarithms"),
    (r"\sqrt{1-x^{2}}=\sqrt{1-x}\sqrt{1+x}", ["0<x<1"], "algebraic"),
    (r"\BesselJ{\nu-1}@{z}+\BesselJ{\nu+1}@{z}=\frac{2\nu}{z}\BesselJ{\nu}@{z}", [], "BesselJ"),
    (r"\deriv{}{z}(z^{\nu}\BesselJ{\nu}@{z})=z^{\nu}\BesselJ{\nu-1}@{z}", [], "derivatives"),
    (r"\EulerGamma@{z}\EulerGamma@{1-z}=\frac{\pi}{\sin@{\pi z}}", [], "EulerGamma"),
    (r"\deriv{}{z}\hyperF@{a}{b}{c}{z}=\frac{ab}{c}\hyperF@{a+1}{b+1}{c+1}{z}", [], "pFq"),
    (r"\int xe^{x}\diff{x}=(x-1)e^{x}+C", [], "derivatives"),
    (r"\sum_{k=1}^{n}k^{3}=\left(\frac{n(n+1)}{2}\right)^{2}", [], "Gosper"),
    (r"\sum_{k=0}^{n}\binom{n}{k}=2^{n}", [], "Zeilberger"),
    (r"\prod_{k=1}^{n}\frac{k+1}{k}=n+1", [], "induction"),
    (r"\sum_{n=0}^{\infty}\frac{x^{n}}{n!}=e^{x}", [], "series"),
    (r"\lim_{x\to\infty}\frac{\ln@@{x}}{x}=0", [], "Gruntz"),
    (r"\sqrt{5+2\sqrt{6}}=\sqrt{2}+\sqrt{3}", [], "algebraic number"),
    (r"n^{3}\equiv n\pmod{6}", [], "residues"),
    (r"x^{2}+y^{2}\not\equiv3\pmod{4}", [r"x\in\Integers", r"y\in\Integers"], "residues"),
    (r"a^{2}+b^{2}\geq2ab", [], "squares"),
    (r"x^{4}+1\geq x^{3}+x", [], "Sturm"),
    (r"\begin{pmatrix}1&1\\0&1\end{pmatrix}^{2}=\begin{pmatrix}1&2\\0&1\end{pmatrix}", [], "exactly"),
    (r"y''+y=0\text{ where }y=\sin@@{x}", [], "derivatives"),
    (r"p\land(p\to q)\to q", [], "truth table"),
    (r"A\cap(B\cup C)=(A\cap B)\cup(A\cap C)", [], "element"),
    (r"\exists x\in\Reals: x^{2}=2", [], "solution"),
    (r"\HankelH{1}{-\nu}@{z}=e^{\nu\pi i}\HankelH{1}{\nu}@{z}", [], "definitions"),
    (r"\FerrersP[\mu]{-\nu-1}@{x}=\FerrersP[\mu]{\nu}@{x}", ["0<x<1"], "definitions"),
    (r"\CarlsonsymellintRD@{x}{y}{z}=\CarlsonsymellintRJ@{y}{x}{z}{z}", ["x>0", "y>0", "z>0"], "definitions"),
    (r"\KummerconfhyperM@{a}{a+1}{-z}=e^{-z}\KummerconfhyperM@{1}{a+1}{z}", [], "definitions"),
    (
        r"\deriv[n]{}{z}(e^{-z}\KummerconfhyperM@{a}{b}{z})"
        r"=(-1)^{n}\frac{\Pochhammersym{b-a}{n}}{\Pochhammersym{b}{n}}e^{-z}\KummerconfhyperM@{a}{b+n}{z}",
        ["n=0,1,2,\\dots"],
        "induction",
    ),
]


@pytest.mark.parametrize(("semantic", "constraints", "word"), PROVED)
def test_proved_with_the_method_in_words(semantic: str, constraints: list[str], word: str) -> None:
    verdict = check_here(semantic, constraints)
    assert verdict.verdict == "proved", verdict
    assert word in verdict.reason


@pytest.mark.parametrize(
    ("semantic", "constraints"),
    [
        (r"\sqrt{x^{2}}=x", []),
        (r"\ln@{xy}=\ln@@{x}+\ln@@{y}", []),
        (r"\ln@{zw}=\ln@@{z}+\ln@@{w}", []),
        (r"\sqrt{zw}=\sqrt{z}\sqrt{w}", []),
        (r"(z^{2})^{a}=z^{2a}", []),
        (r"\asin@{\sin@@{x}}=x", []),
        (r"\ln@{e^{z}}=z", []),
        (r"\sqrt{1/x}=1/\sqrt{x}", [r"x\in\Reals"]),
        (r"\Jacobiellcnk@{z}{k}=\sqrt{1-\Jacobiellsnk^{2}@{z}{k}}", []),
        (r"\frac{1}{x-x}=\frac{1}{x-x}", []),
        (r"\sum_{k=0}^{n}(-1)^{k}\binom{n}{k}=0", [r"n\geq0"]),
        (r"\sum_{k=0}^{n}(-1)^{k}\binom{n}{k}=1", [r"n\geq0"]),
        (r"\sum_{n=0}^{\infty}2^{n}=-1", []),
        (r"\sum_{n=0}^{\infty}\frac{x^{2}}{(1+x^{2})^{n}}=1+x^{2}", []),
        (r"AB=BA", []),
        (r"ab=ac\implies b=c", []),
        (r"x^{3}-2x=0\iff x=0", []),
        (r"p\lor q\to p\land q", []),
        (r"A\setminus(B\setminus C)=(A\setminus B)\setminus C", []),
        (r"\ln@@{\ln@@{n}}=\bigO@{1}", []),
    ],
)
def test_neither_proved_nor_verified(semantic: str, constraints: list[str]) -> None:
    assert check_here(semantic, constraints).verdict in ("refuted", "undecided")


def test_a_proof_that_numbers_contradict_decides_nothing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(checker, "proof_of", lambda *_: "by mistake")
    with caplog.at_level(logging.ERROR):
        verdict = check_here(r"\sin@@{x}=\cos@@{x}")
    assert verdict.verdict == "undecided" and "contradict" in verdict.reason
    assert "by mistake" in caplog.text


@pytest.mark.parametrize(
    ("semantic", "verdict"),
    [
        (r"\forall x\in\Reals,\ x^{2}>0", "refuted"),
        (r"\exists n\in\Integers: n^{2}=2", "refuted"),
        (r"x^{2}<1\iff -1<x<1", "verified"),
        (r"x^{2}=4\iff x=2", "refuted"),
        (r"ab=0\implies a=0", "refuted"),
        (r"\sin^{2}@@{x}+\cos^{2}@@{x}<1", "refuted"),
        (r"\int\cos@@{x}\diff{x}=-\sin@@{x}+C", "refuted"),
        (r"f(xy)=f(x)+f(y)\text{ where }f(x)=x^{2}", "refuted"),
        (r"F_{n+1}F_{n-1}-F_{n}^{2}=(-1)^{n}", "verified"),
        (r"\sum_{k=1}^{n}\frac{1}{k}\asympeq\ln@@{n}", "verified"),
        (r"\sum_{k=1}^{n}\frac{1}{k}\asympeq\frac{21}{20}\ln@@{n}", "undecided"),
        (r"n!\asympeq n^{n}e^{-n}", "refuted"),
        (r"\cpi\approx3.14159", "verified"),
        (r"\cpi\approx3.2", "undecided"),
        (r"\cpi\approx4.2", "refuted"),
    ],
)
def test_more_kinds_of_statements(semantic: str, verdict: str) -> None:
    assert check_here(semantic).verdict == verdict


def test_the_counterexample_can_be_pasted_into_python() -> None:
    verdict = check_here(r"\ln@{xy}=\ln@@{x}+\ln@@{y}", [r"x<0", "y<0"])
    assert verdict.counterexample is not None
    names: dict[str, object] = {}
    for part in verdict.counterexample["python"].split("; "):
        name, _, value = part.partition(" = ")
        names[name] = complex(*map(float, value[8:-1].split(", "))) if value.startswith("complex") else value
    assert set(names) == {"x", "y"}


@pytest.mark.parametrize(
    ("semantic", "verdict"),
    [
        (r"\deriv[n]{}{z}e^{2z}=2^{n}e^{2z}", "proved"),
        (r"\deriv[n]{}{z}e^{2z}=2^{n}e^{z}", "refuted"),
        (r"\deriv[n]{}{z}e^{2z}=n2^{n}e^{2z}", "refuted"),  # right for the order 1 only
        (r"\deriv[n]{}{x}\frac{1}{x}=\frac{(-1)^{n}n!}{x^{n+1}}", "proved"),
    ],
)
def test_derivatives_of_unknown_order(semantic: str, verdict: str) -> None:
    assert check_here(semantic, [r"n=0,1,2,\dots"], excerpt=True).verdict == verdict


def test_orthogonality_is_tested_where_the_indices_are_equal() -> None:
    statement = r"\int_{0}^{\infty}e^{-x}\LaguerrepolyL[]{n}@{x}\LaguerrepolyL[]{m}@{x}\diff{x}=%s\Kroneckerdelta{n}{m}"
    assert check_here(statement % "", excerpt=True).verdict == "verified"
    assert check_here(statement % "2", excerpt=True).verdict == "refuted"


def test_what_says_that_something_vanishes() -> None:
    assert check_here(r"\Stirlingnumbers@{n}{0}=0", excerpt=True).verdict == "verified"
    assert check_here(r"\Stirlingnumbers@{n}{1}=0", excerpt=True).verdict not in ("verified", "proved")
    assert check_here(r"0\Stirlingnumbers@{n}{1}=0", excerpt=True).verdict != "verified"


@pytest.mark.parametrize("semantic", [r"\sin@@{z}=\frac{2t}{1+t^{2}}", r"(a,b)=(2c,d)", r"x^{2}-y^{2}=\tfrac{1}{2}"])
def test_what_says_what_letters_are_is_no_claim(semantic: str) -> None:
    found = check_here(semantic, excerpt=True)
    assert found.verdict == "undecided" and not found.checkable


def test_tuples_are_compared_item_by_item() -> None:
    assert check_here(r"(\sin@{2x},1)=(2\sin@@{x}\cos@@{x},\sin^{2}@@{x}+\cos^{2}@@{x})").verdict in (
        "verified",
        "proved",
    )
    assert check_here(r"(\sin@{2x},1)=(2\sin@@{x}\cos@@{x},2)").verdict == "refuted"


def test_mathieu_functions_are_computed_for_checks() -> None:
    right = r"\Mathieuce{2n}@{z}{-q}=(-1)^{n}\Mathieuce{2n}@{\frac{1}{2}\pi-z}{q}"
    assert check_here(right, excerpt=True).verdict == "verified"
    assert check_here(right.replace("=", "=2"), excerpt=True).verdict == "refuted"
