"""A document's letters are read as functions only where the document gives a reason."""

from __future__ import annotations

import pytest

from texlift.documents.choices import Choices
from texlift.documents.document import document_of
from texlift.documents.lifting import Options, lift

_FILLER = " We recall some facts that are used below, and prove them in turn; the reader may skip them at first." * 2


def _macros(text: str, choices: Choices | None = None) -> set[str]:
    outcome = lift(document_of((text + _FILLER).encode(), "note.md"), Options(), choices)
    return {d.macro for item in outcome.lifted if item.state == "translated" for d in item.decisions if d.macro}


@pytest.mark.parametrize(
    ("text", "macro"),
    [
        (r"In a graph, $\Gamma(x)$ is the set of vertices adjacent to the vertex $x$.", r"\EulerGamma"),
        (r"For a homomorphism of groups, $\phi(n+1)=\phi(n)$ holds for every element.", r"\Eulertotientphi"),
        (r"Negation is written $\overline{P}$, and $\overline{P\lor Q}=\overline{P}\land\overline{Q}$.", r"\conj"),
        (r"The solution vanishes identically, $f(t)\equiv 0$, on the whole interval.", r"\equivmod"),
        (r"The sample mean $\overline{X}$ is an unbiased estimator of the mean.", r"\conj"),
    ],
)
def test_what_the_text_does_not_speak_of_is_left_alone(text: str, macro: str) -> None:
    assert macro not in _macros(text)


@pytest.mark.parametrize(
    ("text", "macro"),
    [
        (r"The gamma function satisfies $\Gamma(x+1)=x\Gamma(x)$.", r"\EulerGamma"),
        (r"Euler's totient is multiplicative: $\phi(mn)=\phi(m)\phi(n)$ for coprime $m$ and $n$.", r"\Eulertotientphi"),
        (r"By Fermat's little theorem $a^p\equiv a\pmod{p}$.", r"\equivmod"),
        (r"Since $\frac{dy}{dx}=\cos x$, it is increasing there.", r"\deriv"),
        (r"By Gauss, $a\equiv b$ denotes that $a$ and $b$ are congruent modulo $n$.", r"\equivmod"),
        (r"For a complex number $z$, denote by $\overline{z}$ the conjugate; $\overline{zw}=0$.", r"\conj"),
        (r"The normalized Eisenstein series $E_4(\tau)$ is a modular form.", r"\EisensteinE"),
        (r"The Eisenstein series $E_4(z)$ is a modular form in the upper half plane.", r"\EisensteinE"),
        (r"The hypergeometric function is $F(a,b,c;x)$, with three parameters.", r"\hyperF"),
        (r"The distance $d$ is positive, and $\int_0^d f(x)\,dx$ is its work.", r"\diff"),
    ],
)
def test_what_the_text_speaks_of_is_read(text: str, macro: str) -> None:
    assert macro in _macros(text)


@pytest.mark.parametrize(
    "text",
    [
        r"The Airy stress function vanishes. The temperature is $\theta(x)$, and the Airy functions have a phase.",
        r"In Heaviside's calculus the film has the thickness $H(t)$, and $H(t)$ grows with the step function.",
        r"By Chebyshev's inequality the statistic $T_n(x)$ is close to its mean, for any polynomial.",
        r"With Bessel's correction the residuals $J_n(x)$ and $Y_n(x)$ have variance one.",
        r"Let $J_n(\lambda)$ be a Jordan block of the matrix, and $J_n(\mu)$ another Jordan block.",
        r"A Bernoulli trial has the outcomes $B_n$ and $B_{n+1}$; they are independent.",
        r"The Euler equation holds with relative risk aversion $\gamma$; consumption grows by $e^{\gamma}$.",
        r"The Hilbert space $\mathcal{H}$ is separable and $\mathcal{H}(f)$ is closed.",
        r"The zeta potential is high; the free surface is $\zeta(s)$ and $\zeta(s)$ oscillates.",
        r"The boundary of the domain is $\partial\Omega$, and $x\in\partial\Omega$.",
        r"The number of occurrences is $O(i) = n/i$, for each word.",
        r"The exponent of a group: if $G$ is a group, $\operatorname{exp}~G$ is finite and $\operatorname{exp}~S_3=6$.",
        r"The angle at $P$ has $\tan\angle MPQ=1$, as in the figure.",
        r"Fix an integer $d\in Z$ and let the elliptic curve be $y^2=x^3-dx$, over the rationals.",
        r"The metric is $ds^2=dx^2+dy^2$, in the plane.",
        r"The conjugate of a quaternion is $\overline{\alpha}$; for complex numbers it is the usual one.",
        r"We use divided differences, and finite differences: $\Delta^m f[w_0,\ldots,w_m]=0$.",
        r"See $doi:10.1016/S0031-9163$ for the details.",
        r"Numbers may be congruent. We write $a\equiv b$ if the paths $a$, $b$ are homotopic, and $b\equiv c$.",
        r"Complex numbers are a field. Let $\overline{x}$ denote its image in it; $\overline{x}+\overline{y}=0$.",
    ],
)
def test_what_the_text_calls_something_else_is_left_alone(text: str) -> None:
    assert _macros(text) == set()


@pytest.mark.parametrize(
    ("text", "macros"),
    [
        (r"The Laguerre polynomials are $L_n(x)=e^x\frac{d^n}{dx^n}(x^ne^{-x})$.", {r"\deriv"}),
        (
            r"The Laguerre polynomials are $L_n(x)=\frac{e^x}{n!}\frac{d^n}{dx^n}(x^ne^{-x})$.",
            {r"\LaguerrepolyL", r"\deriv"},
        ),
        (r"The Hermite polynomials begin with $H_2(x)=x^2-1$, and $H_n(x)$ is even or odd.", set()),
        (r"The Hermite polynomials begin with $H_2(x)=4x^2-2$, and $H_n(x)$ is even or odd.", {r"\HermitepolyH"}),
    ],
)
def test_a_function_that_is_defined_otherwise_is_another_function(text: str, macros: set[str]) -> None:
    assert _macros(text) == macros


def test_the_words_beside_a_symbol_decide() -> None:
    assert _macros(r"Here $\sigma(n)$ means the sum of the positive divisors of $n$.") == {r"\sumdivisors"}
    assert _macros(r"Here $\sigma(n)$ is the variance of the first $n$ terms.") == set()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (r"For a vertex $x$ let $\Gamma(x)$ be its neighbours.", False),
        (r"where $H_n(x)$ are homology groups", False),
        (r"The Bessel function $J_\nu(z)$.", True),
        (r"$\Gamma(z+1)=z\Gamma(z)$", True),
    ],
)
def test_a_short_text(text: str, found: bool) -> None:
    outcome = lift(document_of(text.encode(), "note.md"), Options())
    assert any(item.state == "translated" for item in outcome.lifted) == found


def test_a_letter_has_a_high_confidence_only_where_the_text_says_what_it_is() -> None:
    def confidence(text: str) -> float:
        outcome = lift(document_of((text + _FILLER).encode(), "note.md"), Options())
        return max(item.confidence for item in outcome.lifted if item.state == "translated")

    assert confidence(r"The gamma function $\Gamma(x)$ grows fast: $\Gamma(x+1)=x\Gamma(x)$.") >= 0.95
    assert confidence(r"We recall the gamma function. Then $\Gamma(x+1)=x\Gamma(x)$.") < 0.95
    assert confidence(r"Here $\frac{dy}{dx}=1$.") >= 0.95


def test_a_choice_of_the_author_outranks_the_silence() -> None:
    text = r"In a graph, $\Gamma(x)$ is what it is, for a vertex $x$."
    assert r"\EulerGamma" in _macros(text, Choices(readings={r"\Gamma": r"\EulerGamma"}))


def test_an_address_is_no_formula() -> None:
    outcome = lift(document_of(rb"See $http://example.org/astr/phy$." + _FILLER.encode(), "note.md"), Options())
    assert [item.written for item in outcome.lifted] == ["http://example.org/astr/phy"]
