"""The certificate: what prints something else than the formula that was asked is refused, what prints it is not."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from importlib.resources import files
from itertools import chain, islice
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from forgery import FORGERIES, changed_script, dropped_script, turned_script

from texlift.errors import FormulaError
from texlift.grammar.certificate import Certifier
from texlift.grammar.expansion import Expander
from texlift.grammar.grammar import Grammar
from texlift.grammar.packaged import packaged_grammar
from texlift.grammar.rule import Rule
from texlift.latex.canonical import canonical, canonical_key
from texlift.latex.signatures import CallSignature
from texlift.macros.semantic import Language

DEMO = [
    (row["generic"], row["semantic"])
    for row in map(json.loads, files("texlift.corpus").joinpath("demo.jsonl").read_text("utf-8").splitlines())
]
MOST = 60  # forgeries of a kind that are tried: all of them take a quarter of a minute


@pytest.fixture(scope="module")
def certifier() -> Certifier:
    return Certifier(Expander(packaged_grammar()))


def test_correct_answers_are_certified(certifier: Certifier) -> None:
    assert len(DEMO) > 400
    refused = [semantic for latex, semantic in DEMO if not certifier.certifies(semantic, canonical_key(latex))]
    assert refused == []


MEETING = [
    (r"{A^{\mathrm{T}}}_{1}", r"\transpose{A}_{1}"),
    (r"{A^{\mathrm{T}}}'_{1}+x", r"\transpose{A}'_{1}+x"),
    (r"2{A^{\mathrm{T}}}'", r"2\transpose{A}'"),
    (r"\sqrt{{A^{\mathrm{T}}}_{1}}B_{1}^{\mathrm{T}}", r"\sqrt{\transpose{A}_{1}}\transpose{B_{1}}"),
    (r"x^{{A^{\mathrm{T}}}_{1}}", r"x^{\transpose{A}_{1}}"),
    (r"J_{{A^{\mathrm{T}}}_{1}}({A^{\mathrm{T}}}_{2})", r"\BesselJ{\transpose{A}_{1}}@{\transpose{A}_{2}}"),
    (r"{J_{\nu}^{2}}''(x)", r"\BesselJ{\nu}^{2}''@{x}"),
    (r"{J_{\nu}^{2}}_{3}(x)y", r"\BesselJ{\nu}^{2}_{3}@{x}y"),
    (r"{\Gamma(z)^2}_1", r"\EulerGamma@{z}^{2}_{1}"),
    (r"a_{b}'^{c}", r"a^{c}_{b}'"),
    (r"{A'^{\mathrm{T}}}_{1}", r"\transpose{A'}_{1}"),
    (r"\frac{a}{b}{A^{\mathrm{T}}}_{1}\mathrm{tr}A", r"\frac{a}{b}\transpose{A}_{1}\mathrm{tr}A"),
]
"""Where scripts of a call meet others: in canonical order they stand in another one than in the answer."""


def test_the_public_expansion_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    """What `texlift expand` prints is what is compared: with an expander that prints something else, nothing passes."""
    alone = Certifier(Expander(packaged_grammar()))
    expand = Expander.expand
    monkeypatch.setattr(Expander, "expand", lambda self, semantic: expand(self, semantic) + "+7")
    passed = [semantic for latex, semantic in [*DEMO[:50], *MEETING] if alone.certifies(semantic, canonical_key(latex))]
    assert passed == []


@pytest.mark.parametrize(("latex", "semantic"), MEETING)
def test_scripts_that_meet_are_told_apart(certifier: Certifier, latex: str, semantic: str) -> None:
    assert certifier.certifies(semantic, canonical_key(latex))
    for kind in (changed_script, turned_script, dropped_script):
        for text in kind(semantic):
            assert not certifier.certifies(text, canonical_key(latex)), text


def forged(kind: Callable[[str], Iterator[str]]) -> list[tuple[str, str, str]]:
    """(formula, correct answer, forged answer), spread over the demo corpus."""
    rounds = [[(latex, semantic, text) for text in kind(semantic)] for latex, semantic in DEMO]
    first_each = chain.from_iterable(islice(found, 2) for found in rounds)
    rest = chain.from_iterable(found[2:] for found in rounds)
    return list(islice(chain(first_each, rest), MOST))


@pytest.mark.parametrize("kind", FORGERIES, ids=lambda kind: str(kind.__name__))
def test_a_forged_answer_is_refused(certifier: Certifier, kind: Callable[[str], Iterator[str]]) -> None:
    cases = forged(kind)
    assert len(cases) >= 10
    accepted = [(text, latex) for latex, _, text in cases if certifier.certifies(text, canonical_key(latex))]
    assert accepted == []


@pytest.mark.parametrize(
    ("latex", "right", "wrong"),
    [
        (r"J_{\nu}(z)", r"\BesselJ{\nu}@{z}", r"\BesselY{\nu}@{z}"),
        (r"J_{\nu}(z)", r"\BesselJ{\nu}@{z}", r"\BesselJ{z}@{\nu}"),
        (r"J_{\nu}(z)", r"\BesselJ{\nu}@{z}", r"\BesselJ{\nu}@@{z}"),
        (r"J_{\nu}(z)", r"\BesselJ{\nu}@{z}", r"\BesselJ{\nu}"),
        (r"J_{\nu}(z)", r"\BesselJ{\nu}@{z}", r"\BesselJ{}@{z}"),
        (r"J_{\nu}(z)", r"\BesselJ{\nu}@{z}", r"\BesselJ{\nu}@{z}@"),
        (r"J_{\nu}(z)", r"\BesselJ{\nu}@{z}", r"\BesselJ{\nu}@{-z}"),
        (r"J_{\nu}(z)", r"\BesselJ{\nu}@{z}", r"\BesselJ{\nu}'@{z}"),
        (r"J_{\nu}(z)", r"\BesselJ{\nu}@{z}", r"\BesselJ{\nu}^{1}@{z}"),
        (r"J_{\nu}(z)", r"\BesselJ{\nu}@{z}", r"\BesselJ{\nu}@{{z}{z}}"),
        (r"J_{\nu}(z)", r"\BesselJ{\nu}@{z}", r"J_{\nu}z"),
        (r"J_{\nu}(z)", r"\BesselJ{\nu}@{z}", ""),
        (r"J_{\nu}(z)", r"\BesselJ{\nu}@{z}", r"\BesselJ{\nu}@{z"),
        (r"J_{\nu}(z)", r"\BesselJ{\nu}@{z}", r"\nosuchmacro{\nu}@{z}"),
        (r"J_{\nu}'(z)", r"\BesselJ{\nu}'@{z}", r"\BesselJ{\nu}''@{z}"),
        (r"J_{\nu}'(z)", r"\BesselJ{\nu}'@{z}", r"\BesselJ{\nu}@{z}'"),
        (r"J_{\nu}^2(z)", r"\BesselJ{\nu}^{2}@{z}", r"\BesselJ{\nu}@{z}^{2}"),
        (r"J_{\nu}^2(z)", r"\BesselJ{\nu}^{2}@{z}", r"\BesselJ{\nu}@{z^{2}}"),
        (r"J_{\nu}^2(z)", r"\BesselJ{\nu}^{2}@{z}", r"\BesselJ{\nu^{2}}@{z}"),
        (r"J_{\nu}^2(z)", r"\BesselJ{\nu}^{2}@{z}", r"\BesselJ{\nu}^{3}@{z}"),
        (r"\sin^2 x", r"\sin^{2}@@{x}", r"\sin@@{x^{2}}"),
        (r"\sin^2 x", r"\sin^{2}@@{x}", r"\sin^{2}@{x}"),
        (r"\sin(x)y", r"\sin@{x}y", r"\sin@{xy}"),
        (r"\sin(x)y", r"\sin@{x}y", r"\sin@@{x}y"),
        (r"\sin{x}", r"\sin@@{x}", r"\sin@{x}"),
        (r"{}_2F_1(a,b;c;z)", r"\genhyperF{2}{1}@{a,b}{c}{z}", r"\genhyperF{2}{1}@{a}{b,c}{z}"),
        (r"{}_2F_1(a,b;c;z)", r"\genhyperF{2}{1}@{a,b}{c}{z}", r"\genhyperF{1}{2}@{a,b}{c}{z}"),
        (r"{}_2F_1(a,b;c;z)", r"\genhyperF{2}{1}@{a,b}{c}{z}", r"\hyperF@{a}{b}{c}{z}"),
        (r"(a)_n", r"\Pochhammersym{a}{n}", r"\Pochhammersym{n}{a}"),
        (r"(a)_n", r"\Pochhammersym{a}{n}", r"\binom{a}{n}"),
        (r"\frac{d^2w}{dz^2}", r"\deriv[2]{w}{z}", r"\deriv[3]{w}{z}"),
        (r"\frac{d^2w}{dz^2}", r"\deriv[2]{w}{z}", r"\deriv[2]{z}{w}"),
        (r"\frac{d^2w}{dz^2}", r"\deriv[2]{w}{z}", r"\deriv{w}{z}"),
        (r"\int f\,dx", r"\int f\,\diff{x}", r"\int f\,\diff{y}"),
        (r"e^{i\pi}", r"\expe^{\iunit\cpi}", r"\expe^{\iunit}\cpi"),
        (r"\mathbf{x}+x", r"\mathbf{x}+x", r"x+\mathbf{x}"),
        (r"\binom{n}{k}", r"\binom{n}{k}", r"\binom{k}{n}"),
        (r"P^{(\alpha,\beta)}_n(x)", r"\JacobipolyP{\alpha}{\beta}{n}@{x}", r"\JacobipolyP{\beta}{\alpha}{n}@{x}"),
        (r"H^{(1)}_\nu(z)", r"\HankelH{1}{\nu}@{z}", r"\HankelH{2}{\nu}@{z}"),
        (
            r"\frac{\Gamma(a)}{\Gamma(b)}",
            r"\frac{\EulerGamma@{a}}{\EulerGamma@{b}}",
            r"\frac{\EulerGamma@{b}}{\EulerGamma@{a}}",
        ),
        (r"\sqrt{\Gamma(a)}", r"\sqrt{\EulerGamma@{a}}", r"\sqrt{\EulerGamma@{b}}"),
        (r"x_{\Gamma(a)}", r"x_{\EulerGamma@{a}}", r"x^{\EulerGamma@{a}}"),
        (r"f_a^b+\Gamma(z)", r"f_a^b+\EulerGamma@{z}", r"f_b^a+\EulerGamma@{z}"),
    ],
)
def test_by_hand(certifier: Certifier, latex: str, right: str, wrong: str) -> None:
    assert certifier.certifies(right, canonical_key(latex)) is True
    assert certifier.certifies(wrong, canonical_key(latex)) is False


@pytest.mark.parametrize(
    ("latex", "semantic"),
    [
        (r"\Gamma\bigl( z \bigr)", r"\EulerGamma@{z}"),
        (r"\Gamma\!\left(z\right)", r"\EulerGamma@{{z}}"),
        (r"f'_{a}{}^{b}", r"f'_{a}{}^{b}"),
        (r"f^{b}_{a}+\Gamma(z)", r"f_a^b+\EulerGamma@{z}"),
        (r"\mathrm{sin}x", r"\sin@@{x}"),
        (r"J_{\nu}'^2(z)", r"\BesselJ{\nu}^{2}'@{z}"),
        (r"{H^{(1)}_\nu}'(z)", r"\HankelH{1}{\nu}'@{z}"),
        (r"\Gamma(z)_1^2", r"\EulerGamma@{z}^{2}_{1}"),
        (r"\text{if }x>0", r"\text{if }x>0"),
        (r"\text{zeros of $J_\nu(z)$}", r"\text{zeros of $\BesselJ{\nu}@{z}$}"),
        (r"\begin{cases}\sin x&x>0\\0\end{cases}", r"\begin{cases}\sin@@{x}&x>0\\0\end{cases}"),
    ],
)
def test_other_ways_of_writing_the_same_are_accepted(certifier: Certifier, latex: str, semantic: str) -> None:
    assert certifier.certifies(semantic, canonical_key(latex))


def test_long_answers_are_judged_like_short_ones(certifier: Certifier) -> None:
    """Short ones are remembered, long ones are not."""
    for count in (1, 9, 30, 200):
        latex, semantic = "+".join([r"\Gamma(z)"] * count), "+".join([r"\EulerGamma@{z}"] * count)
        for _ in range(2):
            assert certifier.certifies(semantic, canonical_key(latex))
            assert not certifier.certifies(semantic.replace("z", "y", 1), canonical_key(latex))


def test_what_follows_from_other_rules_is_certified() -> None:
    own = Certifier(
        Expander(Grammar([Rule(r"\BesselJ{#1}#'@{#2}", r"J_{#1}#'\left(#2\right)", 5)]), with_lexicon=False)
    )
    for semantic, latex in ((r"\BesselJ{n}", "J_n"), (r"\BesselJ{}'@{z}", "J'(z)"), (r"\BesselJ{\BesselJ{}}", "J_{J}")):
        assert own.certifies(semantic, canonical_key(latex))
        assert not own.certifies(semantic, canonical_key("Y" + latex[1:]))
    for unknown in (
        r"\BesselY{n}@{z}",
        r"\sqrt{\BesselY{n}@{z}}",
        r"\BesselJ{\BesselY{n}@{z}}",
        r"\BesselJ{n}^{\BesselY{n}@{z}}@{x}",
    ):
        assert not own.certifies(unknown, canonical_key(r"Y_n(z)"))


EQUALITIES = (
    Rule(r"\id{#1}{#2}", "#1=#2", 9),
    Rule(r"\id{#1}{#2}", r"#1\equiv#2", 2),
    Rule(r"\opp{#1}", "{#1}^{-1}", 4),
)
CALLS = Language({r"\id": CallSignature(parameters=2), r"\opp": CallSignature(parameters=1)})
"""A language learnt from pairs, in which one call is printed in two ways."""


@pytest.mark.parametrize(
    ("latex", "semantic", "holds"),
    [
        ("x=y", r"\id{x}{y}", True),
        (r"x\equiv y", r"\id{x}{y}", True),
        (r"{x^{-1}}\equiv{y^{-1}}", r"\id{\opp{x}}{\opp{y}}", True),
        ("x^{-1}", r"\opp{x}", True),
        (r"x\equiv y", r"\id{y}{x}", False),
        (r"x\neq y", r"\id{x}{y}", False),
        (r"x\equiv y+z", r"\id{x}{y}", False),
        (r"x\equiv y", "x=y", False),
        (r"x\equiv y", r"\opp{x}", False),
        (r"x\equiv z", r"\id{x}{\opp{y}}", False),
        (r"x\equiv y", r"\id{x}", False),
    ],
)
def test_a_call_that_prints_in_several_ways_is_certified_in_each(latex: str, semantic: str, holds: bool) -> None:
    own = Certifier(Expander(Grammar(EQUALITIES, language=CALLS), with_lexicon=False))
    assert own.certifies(semantic, canonical_key(latex), latex) is holds


def test_without_the_source_only_the_usual_print_is_certified() -> None:
    own = Certifier(Expander(Grammar(EQUALITIES, language=CALLS), with_lexicon=False))
    assert own.certifies(r"\id{x}{y}", canonical_key("x=y")) is True
    assert own.certifies(r"\id{x}{y}", canonical_key(r"x\equiv y")) is False


def test_in_the_language_of_the_lexicon_only_the_public_expansion_counts(certifier: Certifier) -> None:
    """The packaged grammar has a second rule for some calls; `texlift expand` prints the first."""
    twice = [(rule.call, rule.generic) for rule in packaged_grammar().rules if rule.name == r"\LameEs"]
    assert len({call for call, _ in twice}) < len(twice)
    semantic = r"\LameEs{n}{m}"
    printed = certifier.expander.expand(semantic)
    other = r"\mathit{Es}^{m}_{n}" if "^{n}" in printed else r"\mathit{Es}^{n}_{m}"
    assert certifier.certifies(semantic, canonical_key(printed), printed) is True
    assert certifier.certifies(semantic, canonical_key(other), other) is False


def test_the_goal_of_a_formula_is_its_own_key(certifier: Certifier) -> None:
    for latex in (
        r"\Gamma(z)",
        r"\sin x+\binom{n}{k}",
        "% a@b\nx",
        r"\text{a@b}+x",
        r"\wombat{x}",
        r"x\@y",
        r"\begin{array}{@{}c@{}}x\end{array}",
    ):
        assert certifier.goal(latex, canonical(latex)) == canonical_key(latex)


@pytest.mark.parametrize(
    ("latex", "prints"),
    [
        (r"\abs{x}+\sin x", r"\left|x\right|+\sin x"),
        (r"\expe^{x}", r"\mathrm{e}^x"),
        (r"\boldsymbol{\cpi}", r"\boldsymbol{\pi}"),
        (r"\digamma", r"\psi"),
    ],
)
def test_semantic_macros_in_generic_latex_stand_for_what_they_print(
    certifier: Certifier, latex: str, prints: str
) -> None:
    assert certifier.goal(latex, canonical(latex)) == canonical_key(prints)
    assert certifier.certifies(latex, certifier.goal(latex, canonical(latex)))


@pytest.mark.parametrize(
    ("latex", "span"),
    [
        (r"\sin@{x+y}", (4, 5)),
        (r"\EulerGamma@{z}", (11, 12)),
        ("a@b", (1, 2)),
        (r"\frac{x@}{@}", (7, 8)),
        (r"\text{if $x@y$}", (11, 12)),
        (r"\ln\abs x", (3, 7)),
        (r"x+\modBesselK(x)", (2, 13)),
    ],
)
def test_semantic_latex_is_no_question(certifier: Certifier, latex: str, span: tuple[int, int]) -> None:
    with pytest.raises(FormulaError, match="this looks like semantic LaTeX") as caught:
        certifier.goal(latex, canonical(latex))
    assert (caught.value.code, caught.value.span, caught.value.source) == ("semantic", span, latex)
    assert "texlift" in caught.value.hint or r"\newcommand" in caught.value.hint
