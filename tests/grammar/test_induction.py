"""Rules learnt from pairs, without knowing any macro."""

from __future__ import annotations

import pytest

from texlift.corpus.demo import demo_pairs
from texlift.errors import TexliftError
from texlift.grammar.derivation import derived
from texlift.grammar.expansion import Expander
from texlift.grammar.grammar import Grammar
from texlift.grammar.induction.alignment import Aligner
from texlift.grammar.induction.induce import induce
from texlift.grammar.rule import Rule
from texlift.latex.canonical import canonical, canonical_key
from texlift.macros.semantic import semantic_row


@pytest.fixture(scope="module")
def demo() -> Grammar:
    return induce([(pair.generic, pair.semantic) for pair in demo_pairs()])


def learnt(pairs: list[tuple[str, str]], call: str) -> str:
    found = {rule.call: rule for rule in induce(pairs).rules}
    return canonical_key(found[call].generic)


def test_demo_pairs_are_explained(demo: Grammar) -> None:
    aligner = Aligner(demo.rules)
    explained = [aligner.align(semantic_row(p.semantic), canonical(p.generic)) is not None for p in demo_pairs()]
    assert sum(explained) >= 0.95 * len(explained)


def test_demo_pairs_expand(demo: Grammar) -> None:
    expander = Expander(demo, with_lexicon=False)
    right = 0
    for pair in demo_pairs():
        try:
            right += canonical_key(expander.expand(pair.semantic)) == canonical_key(pair.generic)
        except TexliftError:
            continue
    # the pairs are in mixed notation: \sin(x) and \sin x for one call, so expansion can only be right for one
    assert right >= 0.85 * len(demo_pairs())


def test_a_macro_is_learnt_from_two_pairs() -> None:
    pairs = [(r"J_\nu(z)", r"\BesselJ{\nu}@{z}"), ("2J_n(x+1)", r"2\BesselJ{n}@{x+1}")]
    assert learnt(pairs, r"\BesselJ{#1}#'@{#2}") == canonical_key(r"J_{#1}#'(#2)")


def test_scripts_of_calls_show_where_they_go() -> None:
    pairs = [("K_n'(z)=0", r"\modBesselK{n}'@{z}=0"), ("K_1^2(x)", r"\modBesselK{1}^{2}@{x}")]
    assert learnt(pairs, r"\modBesselK{#1}#'@{#2}") == canonical_key(r"K_{#1}#'(#2)")


def test_hidden_arguments_are_learnt_as_constants() -> None:
    assert learnt([("2K", r"2\compellintKk@@{k}"), ("K+1", r"\compellintKk@@{k}+1")], r"\compellintKk#'@@{k}") == "K #'"


def test_holes_used_twice() -> None:
    pairs = [
        (r"\frac{\mathrm{d}^2w}{\mathrm{d}z^2}", r"\deriv[2]{w}{z}"),
        (r"\frac{\mathrm{d}^{n}y}{\mathrm{d}x^{n}}=0", r"\deriv[n]{y}{x}=0"),
    ]
    key = canonical_key(r"\frac{\mathrm{d}^{#1}#2}{\mathrm{d}#3^{#1}}")
    assert learnt(pairs, r"\deriv[#1]{#2}{#3}") == key


def test_calls_in_calls_are_learnt_from_the_inside() -> None:
    pairs = [(r"\Gamma(z)", r"\EulerGamma@{z}"), (r"\psi(\Gamma(x))", r"\digamma@{\EulerGamma@{x}}")]
    assert learnt(pairs, r"\digamma#'@{#1}") == canonical_key(r"\psi#'(#1)")


def test_holes_stand_in_order_where_it_cannot_be_told() -> None:
    assert learnt([("B(x,x)", r"\EulerBeta@{x}{x}")], r"\EulerBeta#'@{#1}{#2}") == canonical_key(r"B#'(#1,#2)")


def test_pairs_that_do_not_parse_are_skipped(caplog: pytest.LogCaptureFixture) -> None:
    grammar = induce([("x^", r"\sin@@{x"), (r"\Gamma(z)", r"\EulerGamma@{z}"), (r"\Gamma(2)", r"\EulerGamma@{2}")])
    assert r"\EulerGamma" in grammar.by_name
    assert "skipped" in caplog.text


def test_nothing_from_nothing() -> None:
    assert len(induce([])) == 0
    assert len(induce([("x+1", "x+1")])) == 0


def test_known_rules_are_kept() -> None:
    known = Rule(r"\EulerGamma#'@{#1}", r"\Gamma#'\left(#1\right)")
    grammar = induce([(r"\Gamma(z)", r"\EulerGamma@{z}")], [known])
    assert [(rule.call, rule.count) for rule in grammar.rules if rule.has_ats] == [(known.call, 1)]


def test_the_same_pairs_give_the_same_grammar(demo: Grammar) -> None:
    pairs = [(pair.generic, pair.semantic) for pair in demo_pairs()]
    assert induce(pairs).dumps() == demo.dumps()


def test_heads_follow() -> None:
    rules = derived([Rule(r"\BesselJ{#1}#'@{#2}", r"J_{#1}#'\left(#2\right)", 9)])
    assert {(rule.call, rule.generic) for rule in rules} == {(r"\BesselJ{#1}", "J_{#1}"), (r"\BesselJ{}", "J")}
    assert all(rule.count == 0 for rule in rules)


def test_operator_names_take_both_forms() -> None:
    calls = {rule.call for rule in derived([Rule(r"\asec#'@@{#1}", r"\operatorname{arcsec}#'#1", 4, 2)])}
    assert r"\asec#'@{#1}" in calls


def test_a_number_that_decides_how_a_call_is_shown_is_part_of_the_rule() -> None:
    two, three = r"\AppellF{2}@{a}{b}{c}{d}{e}{x}{y}", r"\AppellF{3}@{a}{b}{c}{d}{e}{x}{y}"
    pairs = [("F_2(a;b,c;d,e;x,y)", two), ("F_3(a,b;c,d;e;x,y)", three)]
    pairs += [
        ("2F_2(k;l,m;n,p;u,v)", r"2\AppellF{2}@{k}{l}{m}{n}{p}{u}{v}"),
        ("1+F_3(k,l;m,n;p;u,v)", r"1+\AppellF{3}@{k}{l}{m}{n}{p}{u}{v}"),
    ]
    expander = Expander(induce(pairs), with_lexicon=False)
    for generic, semantic in pairs:
        assert canonical_key(expander.expand(semantic)) == canonical_key(generic)


def test_calls_side_by_side_are_told_apart_by_votes() -> None:
    generic = r"{\mathrm{Ms}^{(3)}_{n}}\left(z\right){\mathrm{Ms}^{(4)}_{m}}\left(z\right)-2"
    semantic = r"\radMathieuMs{3}{n}@@{z}{h}\radMathieuMs{4}{m}@@{z}{h}-2"
    call = r"\radMathieuMs{#1}{#2}#'@@{#3}{h}"
    assert learnt([(generic, semantic)], call) == canonical_key(r"\mathrm{Ms}^{(#1)}_{#2}#'\left(#3\right)")


def test_arguments_inside_other_arguments() -> None:
    generic = r"\mathit{Hp}_{n,m}\left(a,q_{n,m};-n,\beta;z\right)"
    semantic = r"\HeunpolyHp{n}{m}@{a}{q_{n,m}}{-n}{\beta}{z}"
    call = r"\HeunpolyHp{#1}{#2}#'@{#3}{#4}{#5}{#6}{#7}"
    assert learnt([(generic, semantic)], call) == canonical_key(r"\mathit{Hp}_{#1,#2}#'\left(#3,#4;#5,#6;#7\right)")


def test_the_script_point_stands_behind_the_whole_name() -> None:
    pairs = [(r"\mathit{H\!\ell}\left(a;z\right)", r"\HeunHl@{a}{z}"), (r"2\mathit{H\!\ell}(b;x)", r"2\HeunHl@{b}{x}")]
    assert learnt(pairs, r"\HeunHl") == canonical_key(r"\mathit{H\!\ell}")


def test_a_pair_that_cannot_be_explained_does_not_keep_others_from_being_learnt() -> None:
    cosines = [(r"\cos x+1", r"\cos@@{x}+1"), (r"{\cos^{2}}x", r"\cos^{2}@@{x}"), (r"{\cos^{2}}y", r"\cos^{2}@@{y}")]
    stubborn = (r"{\cos\theta}_{1}", r"\cos@@{\theta}_{1}")  # suggests a rule that is known in another form
    two_at_once = [
        (r"W\left(x\right)\operatorname{erf}y", r"\LambertW@{x}\erf@@{y}"),
        (r"\operatorname{erf}x+W\left(y\right)", r"\erf@@{x}+\LambertW@{y}"),
    ]
    found = learnt([*cosines, stubborn, *two_at_once], r"\LambertW#'@{#1}")
    assert found == canonical_key(r"W#'\left(#1\right)")


def test_a_call_with_a_single_at_shows_its_variables() -> None:
    pairs = [
        (r"d\left(p^{a}\right)=a+1", r"\ndivisors[]@{p^{a}}=a+1"),
        (r"d\left(x\right)+1", r"\ndivisors[]@{x}+1"),
        (r"\ln x", r"\ln@@{x}"),
        (r"\ln\left(x+1\right)", r"\ln@{x+1}"),
        (r"\frac{\ln d\left(n\right)\ln\ln n}{\ln n}", r"\frac{\ln@@{\ndivisors[]@{n}}\ln@@{\ln@@{n}}}{\ln@@{n}}"),
    ]
    calls = [rule.call for rule in induce(pairs).rules if rule.count and rule.name == r"\ndivisors"]
    assert calls == [r"\ndivisors[]#'@{#1}"]
