"""Semantic LaTeX to generic LaTeX."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from texlift.errors import FormulaError
from texlift.grammar.expansion import Expander, expand
from texlift.grammar.grammar import Grammar
from texlift.grammar.rule import Rule
from texlift.latex.canonical import canonical_key
from texlift.macros.lexicon import lexicon


@pytest.mark.parametrize(
    ("semantic", "generic"),
    [
        (r"\EulerGamma@{z}", r"\Gamma(z)"),
        (r"\BesselJ{\nu}@{z}", r"J_\nu(z)"),
        (r"\BesselJ{\nu}", r"J_\nu"),
        (r"\BesselJ{}", "J"),
        (r"\sin@@{x}", r"\sin x"),
        (r"\sin@{x+y}", r"\sin(x+y)"),
        (r"\sin^{2}@@{x}", r"\sin^2 x"),
        (r"\HankelH{1}{\nu}@{z}", r"H^{(1)}_\nu(z)"),
        (r"\genhyperF{2}{1}@{a,b}{c}{z}", "{}_2F_1(a,b;c;z)"),
        (r"\JacobipolyP{\alpha}{\beta}{n}@{x}", r"P^{(\alpha,\beta)}_n(x)"),
        (r"\deriv[2]{w}{z}", r"\frac{\mathrm{d}^2w}{\mathrm{d}z^2}"),
        (r"\deriv{}{z}", r"\frac{\mathrm{d}}{\mathrm{d}z}"),
        (r"\int_0^1\diff{x}", r"\int_0^1\mathrm{d}x"),
        (r"\expe^{\iunit\cpi}", r"\mathrm{e}^{\mathrm{i}\pi}"),
        (r"\compellintKk@@{k}", "K"),
        (r"\BesselJ{\BesselJ{0}@{1}}@{\sin@@{x}}", r"J_{J_0(1)}(\sin x)"),
        (r"\frac{\EulerGamma@{a}}{\EulerGamma@{b}}^{2}", r"\frac{\Gamma(a)}{\Gamma(b)}^2"),
        (r"\begin{cases}\sin@@{x}&x>0\end{cases}", r"\begin{cases}\sin x&x>0\end{cases}"),
        ("x+1", "x+1"),
        ("", ""),
    ],
)
def test_known_examples(semantic: str, generic: str) -> None:
    assert canonical_key(expand(semantic)) == canonical_key(generic)


@pytest.mark.parametrize(
    ("semantic", "generic"),
    [
        (r"\BesselJ{\nu}'@{z}", r"J_\nu'(z)"),
        (r"\BesselJ{\nu}^{2}@{z}", r"J_\nu^2(z)"),
        (r"\BesselJ{\nu}'^{2}@{z}", r"{J_\nu'}^2(z)"),
        (r"\HankelH{1}{\nu}'@{z}", r"{H^{(1)}_\nu}'(z)"),
        (r"\HankelH{1}{\nu}^{2}@{z}", r"{H^{(1)}_\nu}^2(z)"),
        (r"\EulerGamma@{z}^{2}", r"{\Gamma(z)}^2"),
        (r"\EulerGamma@{z}_{1}'", r"{\Gamma(z)}_1'"),
        (r"\transpose{A}^{2}", r"{A^{\mathrm{T}}}^2"),
        (r"\HankelH{1}{\nu}^{2}", r"{H^{(1)}_\nu}^2"),
    ],
)
def test_scripts_never_meet_scripts(semantic: str, generic: str) -> None:
    assert canonical_key(expand(semantic)) == canonical_key(generic)


def test_what_is_not_a_call_is_copied_as_written() -> None:
    assert expand(r"a \, + \frac12 x % note") == r"a \, + \frac12 x % note"
    assert expand(r"\cpi x") == r"\pi x"


@pytest.mark.parametrize(
    ("semantic", "code", "span", "message"),
    [
        (r"x+\nosuch@{z}", "unknown-macro", (2, 13), r"unknown macro \\nosuch"),
        (r"\EulerGama@{z}", "unknown-macro", (0, 14), "unknown macro"),
        (r"\BesselJ@{z}", "arguments", (0, 12), "cannot be written like this"),
        (r"\EulerGamma@", "arguments", (0, 12), "cannot be written like this"),
        (r"1+\sin@{}", "arguments", (2, 9), "cannot be written like this"),
        (r"\BesselJ{a}{b}@{z}", "arguments", (14, 15), "@ without a macro"),
        (r"\EulerGamma@{z", "syntax", (12, 13), "never closed"),
    ],
)
def test_errors(semantic: str, code: str, span: tuple[int, int], message: str) -> None:
    with pytest.raises(FormulaError, match=message) as caught:
        expand(semantic)
    assert (caught.value.code, caught.value.span) == (code, span)


def test_hints_help() -> None:
    with pytest.raises(FormulaError) as caught:
        expand(r"\EulerGama@{z}")
    assert r"\EulerGamma" in caught.value.hint
    with pytest.raises(FormulaError) as caught:
        expand(r"\BesselJ@{z}")
    assert caught.value.hint == r"write \BesselJ{#1}@{#2}"


def test_heads_and_empty_parameters_follow_from_other_rules() -> None:
    rules = [Rule(r"\BesselJ{#1}#'@{#2}", r"J_{#1}#'\left(#2\right)", 5)]
    alone = Expander(Grammar(rules), with_lexicon=False)
    assert alone.expand(r"\BesselJ{n}+\BesselJ{}+\BesselJ{}'@{z}") == r"J_{n}+J+J'\left(z\right)"
    with pytest.raises(FormulaError):
        alone.expand(r"\BesselY{n}@{z}")
    assert Expander(Grammar(rules)).expand(r"\BesselY{n}@{z}") == r"Y_{n}\left(z\right)"


def test_a_grammar_of_ones_own() -> None:
    grammar = Grammar([Rule(r"\EulerGamma#'@{#1}", r"\Pi#'(#1-1)", 1)])
    assert expand(r"\EulerGamma^{2}@{z}", grammar) == r"\Pi^{2}(z-1)"


CALLS = [
    (written.replace("#'", ""), shown.replace("#'", ""))
    for macro in lexicon()
    if macro.lifts
    for written, shown in macro.templates[:1]
]
ARGUMENT = st.sampled_from(("x", "2n", r"\alpha+1", r"\frac{a}{b}", r"x^{2}", r"(y)"))


@given(st.sampled_from(CALLS), st.lists(ARGUMENT, min_size=35, max_size=35))
def test_expansion_is_composition(template: tuple[str, str], arguments: list[str]) -> None:
    written, shown = template
    for mark, argument in zip("123456789abcdefghijklmnopqrstuvwxyz", arguments, strict=True):
        written = written.replace(f"#{mark}", argument)
        shown = shown.replace(f"#{mark}", "{" + argument + "}")
    grammar = Grammar([Rule(*template, 1)])
    assert canonical_key(expand(written, grammar)) == canonical_key(shown)
    nested = template[0].replace("#1", r"\sin@@{x}")
    if "#1" in template[0]:
        assert canonical_key(expand(nested.replace("#", ""), Grammar([Rule(*template, 1)])))


@given(st.lists(st.sampled_from(CALLS), min_size=2, max_size=4), st.sampled_from(("+", r"\sqrt{%s}", "^{%s}", "(%s)")))
def test_random_semantic_formulae_expand_to_latex_that_parses(calls: list[tuple[str, str]], around: str) -> None:
    parts = [written.replace("#", "") for written, _ in calls]
    source = around % "+".join(parts) if "%s" in around else around.join(parts)
    if source.startswith("^"):
        source = "x" + source
    canonical_key(expand(source))


def test_hostile_input_is_answered_at_once(promptly: Callable[..., AbstractContextManager[None]]) -> None:
    doubling = r"\deriv[" * 60 + "x" + "]{y}{z}" * 60
    sources = (
        r"\sin@{" * 10_000,
        r"\sin@@{" * 100 + "x" + "}" * 100,
        r"\foo@" * 10_000,
        r"\sin" + "@" * 10_000,
        doubling,
    )
    for source in sources:
        with promptly(2.5):
            try:
                expand(source)
            except FormulaError as error:
                assert len(str(error)) < 800


def test_math_in_text_is_expanded() -> None:
    semantic = r"\text{zeros of $\BesselJ{\nu}@{z}$, if $\nu>0$}"
    assert expand(semantic) == r"\text{zeros of $J_{\nu}\left(z\right)$, if $\nu>0$}"
