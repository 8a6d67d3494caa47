"""The translator as a user meets it, with the packaged model."""

from __future__ import annotations

import gc

import pytest

import texlift
from texlift.errors import FormulaError
from texlift.latex.canonical import canonical_key
from texlift.macros.semantic import comparable
from texlift.translate.answer import Translation
from texlift.translate.translator import Translator


@pytest.fixture(scope="module")
def translator() -> Translator:
    return texlift.load()


@pytest.mark.parametrize(
    ("latex", "context", "semantic"),
    [
        (r"\Gamma\left(z\right)", "Gamma function", r"\EulerGamma@{z}"),
        (r"\Gamma(z)", "Gamma function", r"\EulerGamma@{z}"),
        (r"J_{\nu}\left(z\right)", "Bessel functions", r"\BesselJ{\nu}@{z}"),
        (r"J_\nu'(z)", "Bessel functions", r"\BesselJ{\nu}'@{z}"),
        (r"\sin^2 x+\cos^2 x=1", None, r"\sin^{2}@@{x}+\cos^{2}@@{x}=1"),
        (r"\frac{d^2w}{dz^2}", "Differential equations", r"\deriv[2]{w}{z}"),
        (r"\operatorname{sn}\left(z,k\right)", "Jacobian elliptic functions", r"\Jacobiellsnk@{z}{k}"),
        (r"\zeta(s)", "Riemann zeta function", r"\Riemannzeta@{s}"),
        (r"x+y=z", None, r"x+y=z"),
    ],
)
def test_known_formulae(translator: Translator, latex: str, context: str | None, semantic: str) -> None:
    assert translator.translate(latex, context).semantic == semantic


@pytest.mark.parametrize(
    "latex",
    [
        r"\int_0^\infty t^{z-1}e^{-t}\,dt=\Gamma(z)",
        r"{}_2F_1(a,b;c;z)=\sum_{n=0}^\infty\frac{(a)_n(b)_n}{(c)_n}\frac{z^n}{n!}",
        r"\begin{align}f(x)&=\operatorname{erf}(x)\\ g(x)&=\binom{n}{k}|x|\end{align}",
        r"\left|\operatorname{ph}z\right|<\pi",
        r"x^\pi + e^{i\pi}+1=0",
        r"\wombat{x} + \log x",
        r"{a\sin}x",
    ],
)
def test_every_answer_expands_back(translator: Translator, latex: str) -> None:
    result = translator.translate(latex, alternatives=4)
    for answer in (result.semantic, *(alternative.semantic for alternative in result.alternatives)):
        assert canonical_key(texlift.expand(answer)) == canonical_key(latex)


def test_literal_parts_are_copied_as_written(translator: Translator) -> None:
    result = translator.translate(r"a  +\,  \tfrac12 b % why" "\n" r"\quad = \Gamma (z)", "Gamma function")
    assert result.semantic == r"a  +\,  \tfrac12 b % why" "\n" r"\quad = \EulerGamma@{z}"


def test_decisions_say_where_what_and_what_else(translator: Translator) -> None:
    latex = r"1+\Gamma\left(z\right)"
    (decision,) = [d for d in translator.translate(latex).decisions if d.macro]
    assert latex[decision.span[0] : decision.span[1]] == r"\Gamma\left(z\right)" == decision.source
    assert decision.macro == r"\EulerGamma"
    assert "amma" in decision.meaning
    assert decision.url.startswith("https://dlmf.nist.gov/")
    assert 0.5 < decision.probability <= 1
    assert sum(reading.probability for reading in decision.competing) <= 1 - decision.probability + 1e-6


def test_alternatives_are_others_and_less_likely(translator: Translator) -> None:
    result = translator.translate(r"e^{i\pi}P_n(x)", alternatives=5)
    texts = [result.semantic, *(alternative.semantic for alternative in result.alternatives)]
    assert len(texts) == len(set(texts)) > 2
    confidences = [result.confidence, *(alternative.confidence for alternative in result.alternatives)]
    assert confidences == sorted(confidences, reverse=True)


def test_context_decides(translator: Translator) -> None:
    latex = r"E_{n}\left(x\right)"
    euler = translator.translate(latex, {"chapter": "Bernoulli and Euler Polynomials"})
    assert euler.semantic == r"\EulerpolyE{n}@{x}"
    integral = translator.translate(latex, {"section": "Generalized Exponential Integral"})
    assert integral.semantic == r"\genexpintE{n}@{x}"


def test_choices_are_obeyed(translator: Translator) -> None:
    latex = r"\Gamma\left(z\right)"
    assert translator.translate(latex, choices={(0, len(latex)): ""}).semantic == latex


def test_preferences_count(translator: Translator) -> None:
    latex = r"P_{n}\left(x\right)"

    def ferrers(symbol: str, macro: str) -> float:
        return 30.0 if (symbol, macro) == ("P", r"\assLegendreP") else 0.0

    assert translator.translate(latex, prefer=ferrers).semantic.startswith(r"\assLegendreP")


def test_a_power_that_may_be_an_inverse_function_is_warned_of(translator: Translator) -> None:
    answer = translator.translate(r"\sin^{-1}x+\cos^{-2}x")
    assert answer.semantic == r"\sin^{-1}@@{x}+\cos^{-2}@@{x}"
    assert answer.warnings == (r"\sin^{-1} stays a power, which code takes for the inverse function; \asin says so",)


@pytest.mark.parametrize(
    ("latex", "argument"),
    [
        (r"\sin\omega(t-t_{0})", r"\omega(t-t_{0})"),
        (r"\cos^{2}n_{1}(x+y)", r"n_{1}(x+y)"),
        (r"\ln f(x+1)", ""),
        (r"\ln\Gamma(x+1)", ""),
        (r"\sin(x+1)", ""),
    ],
)
def test_an_argument_that_may_be_a_product_is_warned_of(translator: Translator, latex: str, argument: str) -> None:
    told = [warning for warning in translator.translate(latex).warnings if "product" in warning]
    assert [warning.split(";")[0].split(" of ")[1] for warning in told] == ([argument] if argument else [])


def test_constants_are_marked_on_request(translator: Translator) -> None:
    latex = r"e^{i\pi}+1=0"
    assert translator.translate(latex, constants=True).semantic == r"\expe^{\iunit\cpi}+1=0"
    assert translator.translate(r"k>e$ with equality if $x=i", constants=True).semantic == (
        r"k>\expe$ with equality if $x=\iunit"
    )


def test_definitions_in_the_formula(translator: Translator) -> None:
    result = translator.translate(r"\newcommand{\G}[1]{\Gamma(#1)}\G{z+1}", "Gamma function")
    assert comparable(result.semantic) == r"\EulerGamma@{z+1}"


def test_many_keep_order_and_go_on_after_errors(translator: Translator) -> None:
    formulae = [(rf"\Gamma\left(z+{n}\right)" if n % 7 else "{", None) for n in range(300)]
    results = list(translator.translate_many(formulae))
    assert len(results) == 300
    for n, result in enumerate(results):
        if n % 7:
            assert isinstance(result, Translation)
            assert result.semantic == rf"\EulerGamma@{{z+{n}}}"
        else:
            assert isinstance(result, FormulaError)


def test_broken_latex_names_the_place(translator: Translator) -> None:
    with pytest.raises(FormulaError) as caught:
        translator.translate(r"\frac{1}{2")
    assert caught.value.span == (8, 9)
    assert "^" in str(caught.value)


def test_notebook_forms(translator: Translator) -> None:
    result = translator.translate(r"\Gamma\left(z\right)<b>")
    assert "<b>" not in result._repr_html_()
    assert result._repr_latex_().startswith("$")


def test_a_match_cut_short_by_its_span_is_explained(translator: Translator) -> None:
    latex = r"[\mathbf{A}^{-1}]^{\mathrm{T}}\begin{bmatrix}\mathbf{A}&0\\0&[\mathbf{A}^{-1}]^{\mathrm{T}}\end{bmatrix}"
    result = translator.translate(latex, "Multidimensional Theta Functions")
    assert canonical_key(texlift.expand(result.semantic)) == canonical_key(latex)
    assert all(decision.call for decision in result.decisions)


def test_unknown_commands_stay_with_a_warning(translator: Translator) -> None:
    for formula in (r"\foo(x)+J_\nu(z)", r"\foo+x"):
        answer = translator.translate(formula)
        assert r"\foo" in answer.semantic
        assert any(r"\foo" in warning for warning in answer.warnings)
    assert not translator.translate(r"\alpha\oplus\beta\hookrightarrow\gamma").warnings


@pytest.mark.parametrize(
    ("latex", "semantic"),
    [
        (r"\displaystyle\ln\left(x\right)", r"\displaystyle\ln@{x}"),
        (r"{\color{red}\Gamma(z)}", r"{\color{red}\EulerGamma@{z}}"),
        (r"\,\Gamma(z)\,", r"\,\EulerGamma@{z}\,"),
        (r"\frac{{\left(a\right)_{n}}}{n!}", r"\frac{\Pochhammersym{a}{n}}{n!}"),
        (r"{J_{\nu}^{2}}''\left(x\right)", r"\BesselJ{\nu}^{2}''@{x}"),
    ],
)
def test_what_stands_around_a_call_and_the_order_of_its_scripts_stay(
    translator: Translator, latex: str, semantic: str
) -> None:
    assert translator.translate(latex, "Bessel functions").semantic == semantic


def test_alternatives_read_one_symbol_alike(translator: Translator) -> None:
    """If pi is the constant, it is so in both places."""
    result = translator.translate(r"\Gamma(z)\Gamma(1-z)=\frac{\pi}{\sin(\pi z)}", "Gamma function", alternatives=6)
    assert result.alternatives
    for text in (result.semantic, *(other.semantic for other in result.alternatives)):
        assert text.count(r"\cpi") in (0, 2)


def test_a_letter_alone_is_a_name_only_where_something_is_said() -> None:
    """A wrong guess is worse than none."""
    for letter in ("K", "E", "P", "L", "W", "B", "H", "Q"):
        assert texlift.load().translate(letter).semantic == letter
    for letter in ("F", "J", "Y"):  # in the corpus mostly names, also where nothing is said: then with a warning
        result = texlift.load().translate(letter)
        assert result.semantic == letter or result.warnings
    assert texlift.load().translate("K", context="Complete elliptic integrals").semantic.startswith(r"\compellintKk")
    named = {"sentence": r"where $\gamma$ is Euler's constant"}
    assert texlift.load().translate(r"\gamma", context=named).semantic == r"\EulerConstant"


def test_the_d_of_a_differential_is_not_the_letter_d(translator: Translator) -> None:
    """Both were decided together: either the differential was lost or the letter taken for one."""
    result = translator.translate(r"\int_{-\infty}^{\infty}\frac{dt}{\Gamma(a+t)\Gamma(c-t)\Gamma(d-t)}")
    assert result.semantic == (
        r"\int_{-\infty}^{\infty}\frac{\diff{t}}{\EulerGamma@{a+t}\EulerGamma@{c-t}\EulerGamma@{d-t}}"
    )


def test_who_writes_left_around_a_symbol_writes_calls_so(translator: Translator) -> None:
    """`I_{jk}(x)` beside `\\left(x\\right)` is no Bessel function: the macro would have printed `\\left(`."""
    beside = translator.translate(r"I_{1}(x)=K_{\nu}\left(x\right)")
    assert beside.semantic == r"I_{1}(x)=\modBesselK{\nu}@{x}"
    assert translator.translate(r"I_{1}(x)+K_{\nu}(x)").semantic == r"\modBesselI{1}@{x}+\modBesselK{\nu}@{x}"


def test_broken_formulae_let_go_of_what_came_with_them(translator: Translator) -> None:
    """A stream of nothing but errors takes no memory: the processes that translate look for cycles rarely."""
    broken: list[tuple[str, str | None]] = [(r"\frac{a}{b", None), ("x^{2", None), (r"\Gamma(z)", None)]
    list(translator.translate_many(broken))
    gc.collect()
    gc.disable()
    try:
        list(translator.translate_many(broken * 20))
        assert gc.collect() == 0
    finally:
        gc.enable()


@pytest.mark.parametrize(
    "choices", [{(0, 6): r"\EulerGamma"}, {(0, 6): r"\nosuchmacro"}, {(2, 3): r"\BesselJ"}, {(0, 99): ""}, {(5, 3): ""}]
)
def test_choices_that_cannot_be_followed_are_errors(
    translator: Translator, choices: dict[tuple[int, int], str]
) -> None:
    with pytest.raises(FormulaError) as caught:
        translator.translate("J_n(x)", "Bessel functions", choices=choices)
    assert caught.value.code == "choice"


@pytest.mark.parametrize(
    "wrapped", ["$F$", "$$F$$", r"\[F\]", r"\(F\)", r"\begin{equation}F\label{a}\end{equation}", "F."]
)
def test_wrapping_changes_nothing(translator: Translator, wrapped: str) -> None:
    bare = translator.translate(r"\Gamma(z)")
    assert translator.translate(wrapped.replace("F", r"\Gamma(z)")) == bare
    assert bare.semantic == r"\EulerGamma@{z}"
