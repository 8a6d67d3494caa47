"""Languages that nobody told texlift about: calls, forms and templates come from the pairs."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from texlift.errors import TexliftError
from texlift.grammar.expansion import Expander
from texlift.grammar.grammar import Grammar
from texlift.grammar.induction.callforms import call_forms
from texlift.grammar.induction.coverage import NO_LATEX, NO_RULE, measure
from texlift.grammar.induction.induce import induce
from texlift.grammar.induction.selection import select
from texlift.grammar.packaged import completed
from texlift.latex.canonical import canonical_key

Pairs = list[tuple[str, str]]

QUANTIFIERS: Pairs = [
    (r"\prod_{(x:A)}B", r"\prd{x:A}B"),
    (r"\prod_{(y:C)}D+1", r"\prd{y:C}D+1"),
    (r"\prod_{(x:A)}\prod_{(y:B)}C", r"\prd{x:A}{y:B}C"),
    (r"f:\prod_{(x,z:A)}\prod_{(y:B)}C", r"f:\prd{x,z:A}{y:B}C"),
]
RELATIONS: Pairs = [
    (r"A:\equiv B", r"A\defeq B"),
    (r"x:\equiv 2y", r"x\defeq 2y"),
    (r"I:\equiv[0,1]", r"I\defeq[0,1]"),
    (r"J:\equiv[0,1)", r"J\defeq[0,1)"),
]


def check(pairs: Pairs, unseen: Pairs) -> Grammar:
    """Induce from pairs; they and the unseen ones must expand and be among the readings."""
    grammar = induce(pairs)
    for pair in measure(grammar, pairs + unseen, grammar.language.calls).pairs:
        assert pair.expands, pair
        assert pair.reads, pair
    return grammar


def test_commands_that_are_not_printed_are_calls() -> None:
    forms = call_forms([(r"\alpha+x^{-1}", r"\alpha+\opp{x}"), (r"f(y^{-1})\alpha", r"f(\opp{y})\alpha")])
    assert set(forms) == {r"\opp"}
    assert (forms[r"\opp"].options, forms[r"\opp"].parameters, forms[r"\opp"].variables) == (0, 1, 0)


def test_what_stands_in_a_hidden_argument_is_no_call() -> None:
    pairs = [
        ("e_1", r"\lattice{1}@@{\mathbb{L}}"),
        ("e_2", r"\lattice{2}@@{\mathbb{L}}"),
        (r"\mathbb{L}", r"\mathbb{L}"),
    ]
    assert set(call_forms([*pairs, pairs[0], pairs[1]])) == {r"\lattice"}


def test_a_command_on_both_sides_is_a_call_if_an_at_follows() -> None:
    assert call_forms([(r"\sin x", r"\sin@@{x}"), (r"\cos x", r"\cos x")])[r"\sin"].variables == 1


def test_calls_with_one_to_many_groups() -> None:
    grammar = check(QUANTIFIERS, [(r"\prod_{(u,v:W)}\prod_{(t:U)}V", r"\prd{u,v:W}{t:U}V")])
    assert grammar.language.calls[r"\prd"].parameters == 2


def test_brackets_behind_a_call_that_takes_none_are_given_back() -> None:
    grammar = check(RELATIONS, [(r"K:\equiv[a,b]", r"K\defeq[a,b]")])
    form = grammar.language.calls[r"\defeq"]
    assert (form.options, form.parameters) == (0, 0)
    assert {rule.call for rule in grammar.rules} == {r"\defeq"}


def test_an_option_stays_an_option() -> None:
    pairs = [("x=_{A}y", r"\id[A]{x}{y}"), ("a=_{B}b+1", r"\id[B]{a}{b+1}"), ("p={}_{}q", r"\id{p}{q}")]
    grammar = induce([*pairs[:2], ("x=_{}y", r"\id{x}{y}"), ("a=_{}c", r"\id{a}{c}")])
    assert Expander(grammar).expand(r"\id[C]{u}{v}") == "u=_{C}v"
    assert grammar.language.calls[r"\id"].options == 1


def test_fonts_around_holes() -> None:
    pairs = [(r"\mathbf{T}\vdash x", r"\Th{T}\vdash x"), (r"\mathbf{U}+1", r"\Th{U}+1")]
    check(pairs, [(r"2\mathbf{W}_1", r"2\Th{W}_1"), (r"\mathbf{\alpha}", r"\Th{\alpha}")])


def test_both_sides_of_an_infix_reach_to_the_next_separator() -> None:
    pairs = [(r"A\simeq B", r"\eqv{A}{B}"), (r"X\simeq Y", r"\eqv{X}{Y}")]
    check(
        pairs, [(r"A\times B\times C+D\simeq B\times A\times D+1", r"\eqv{A\times B\times C+D}{B\times A\times D+1}")]
    )


def test_a_call_that_prints_a_script_only() -> None:
    check(
        [(r"A^{\mathrm{op}}", r"A\op"), (r"B^{\mathrm{op}}\to C", r"B\op\to C")], [(r"f(D^{\mathrm{op}})", r"f(D\op)")]
    )


def test_rules_for_one_call_are_told_apart_by_a_sign_of_the_argument() -> None:
    pairs = [
        (r"\lambda x.y", r"\lam{x}y"),
        (r"\lambda z.z+1", r"\lam{z}z+1"),
        (r"\lambda(x:A).y", r"\lam{x:A}y"),
        (r"\lambda(u:B).u", r"\lam{u:B}u"),
    ]
    check(pairs, [(r"\lambda w.w", r"\lam{w}w"), (r"\lambda(w:C).w", r"\lam{w:C}w")])


def test_macros_that_print_alike_share_their_forms() -> None:
    pairs = [*QUANTIFIERS, (r"\prod_{(x:A)}E", r"\tprd{x:A}E"), (r"\prod_{(x:B)}F", r"\tprd{x:B}F")]
    check(pairs, [(r"\prod_{(x:A)}\prod_{(y:B)}C", r"\tprd{x:A}{y:B}C")])


def test_scripts_behind_an_infix_call_stay_behind_it() -> None:
    check([(r"a\circ b", r"\comp{a}{b}"), (r"f\circ g", r"\comp{f}{g}")], [(r"t\circ c_{1}", r"\comp{t}{c}_{1}")])


def test_the_lexicon_does_not_complete_another_language() -> None:
    grammar = induce(QUANTIFIERS)
    assert completed(grammar) is grammar
    assert not grammar.language.with_lexicon


def test_the_lexicon_completes_its_own_language_without_changing_forms() -> None:
    grammar = completed(induce([(r"\Gamma(z)", r"\EulerGamma@{z}"), (r"\Gamma(2)", r"\EulerGamma@{2}")]))
    assert grammar.language.with_lexicon
    assert not grammar.language.calls
    assert canonical_key(Expander(grammar).expand(r"\BesselJ{0}@{x}")) == canonical_key("J_0(x)")


def test_two_languages_in_one_corpus() -> None:
    dlmf = [(r"\Gamma(z)", r"\EulerGamma@{z}"), (r"\Gamma(x+1)", r"\EulerGamma@{x+1}")]
    mixed = [*QUANTIFIERS, *dlmf]
    grammar = completed(induce(mixed))
    assert measure(grammar, mixed, grammar.language.calls).share("expands") == 100
    assert measure(grammar, mixed, grammar.language.calls).share("reads") == 100


def test_the_language_is_saved_with_the_grammar(tmp_path: Path) -> None:
    grammar = induce(QUANTIFIERS)
    path = tmp_path / "grammar.json"
    path.write_text(grammar.dumps(), "utf-8")
    again = Grammar.load(path)
    assert again.language.calls == grammar.language.calls
    assert sorted(again.rules, key=repr) == sorted(grammar.rules, key=repr)
    assert again.dumps() == grammar.dumps()


@pytest.mark.parametrize("form", ["[1, 2]", "[0, -1, 0]", "[0, 99, 0]", '["a", 0, 0]', "7"])
def test_a_broken_language_is_refused(form: str) -> None:
    text = '{"format": "texlift-grammar-1", "language": {"lexicon": false, "calls": {"\\\\x": ' + form + "}}, "
    with pytest.raises(TexliftError, match="not a grammar file"):
        Grammar.loads(text + '"inside": [], "rules": []}')


def test_pairs_that_do_not_correspond_teach_nothing_and_are_reported() -> None:
    pairs = [("a+b", r"\foo{x}"), ("c_{1}", r"\foo{y+z}"), ("d(e)=f", r"2\bar{t}\foo{k}"), ("x^", "x^")]
    grammar = induce(pairs)
    coverage = measure(grammar, pairs, call_forms(pairs))
    assert coverage.share("expands") < 50
    assert coverage.reasons[NO_LATEX] == 1
    assert coverage.reasons[NO_RULE] + coverage.reasons[NO_LATEX] >= 2


def test_a_call_that_holds_itself_endlessly_is_bounded() -> None:
    deep = r"\opp{" * 90 + "x" + "}" * 90
    shown = "{" * 90 + "x" + "}^{-1}" * 90
    grammar = induce([("{x}^{-1}", r"\opp{x}"), ("{y}^{-1}", r"\opp{y}"), (shown, deep)])
    assert [rule.call for rule in grammar.rules if rule.count] == [r"\opp{#1}"]


def test_of_very_many_pairs_some_of_each_form_are_learnt_from() -> None:
    many = [(f"x_{{{n}}}^{{-1}}", rf"\opp{{x_{{{n}}}}}") for n in range(500)]
    rare = [("y=_{A}z", r"\id[A]{y}{z}"), ("1+1", "1+1"), ("}", r"\opp{")]
    some = select([*many, *many, *rare], 100, 20)
    assert some.pairs == [*many[:20], rare[0], rare[2]]
    assert (some.seen, some.thinned) == (1003, True)
    every = select([*many, *many, *rare], 600, 20)
    assert every.pairs == [*many, *rare]
    assert (every.seen, every.thinned) == (1003, False)


def test_never_more_pairs_are_kept_than_are_wanted() -> None:
    letters = "abcdefghijklmnopqrstuvwxyz"
    commands = [f"\\m{one}{two}" for one in letters for two in letters[:20]]
    different = [(f"x_{{{n}}}", f"{command}{{x_{{{n}}}}}") for n in range(3) for command in commands]
    some = select(different, 1000, 20)  # what comes late is seen too: all commands are there, each once
    assert {semantic.partition("{")[0] for _, semantic in some.pairs} == set(commands)
    assert (len(some.pairs), some.seen, some.most_uses) == (520, 1560, 1)
    assert len(select(different, 100, 20).pairs) == 100


def test_very_many_pairs_are_learnt_from_in_part_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("texlift.grammar.induction.induce.select", partial(select, many=50, most_uses=10))
    many = [(f"x_{{{n}}}^{{-1}}", rf"\opp{{x_{{{n}}}}}") for n in range(200)]
    grammar = induce([*many, ("A:\\equiv B", r"A\defeq B"), ("C:\\equiv 2", r"C\defeq 2")])
    assert {rule.call: rule.count for rule in grammar.rules if rule.count} == {r"\opp{#1}": 10, r"\defeq": 2}
    assert "202 pairs are many: learning from 12 of them" in caplog.text
