"""Generated pairs of LaTeX and another syntax, and what is learnt from them."""

from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner

from texlift.cli.app import app
from texlift.corpus.bilingual import bilingual_pairs, notations_of
from texlift.corpus.pair import Pair
from texlift.corpus.spelt import in_macros
from texlift.grammar.certificate import Certifier
from texlift.grammar.expansion import Expander
from texlift.grammar.induction.coverage import measure
from texlift.grammar.induction.induce import induce
from texlift.latex.canonical import canonical
from texlift.macros.syntaxes.syntax import syntax

TABLE = {r"\BesselJ": "BesselJ[{1}, {2}]", r"\sin": "Sin[{1}]", r"\JacobipolyP": "JacobiP[{3}, {1}, {2}, {4}]"}
MATHEMATICA = syntax("mathematica")


def test_notations_keep_the_order_of_arguments() -> None:
    found = {(one.head, one.order) for one in notations_of(TABLE | {r"\compellintKk": "EllipticK[({1})^2]"})}
    assert ("JacobiP", (2, 0, 1, 3)) in found
    assert ("BesselJ", (0, 1)) in found
    assert "EllipticK" not in {head for head, _ in found}  # what changes its argument is no plain call


def test_pairs_are_different_and_the_same_for_one_seed() -> None:
    pairs = bilingual_pairs(TABLE, MATHEMATICA, 100, 3)
    assert len({pair.generic for pair in pairs}) == 100
    assert pairs == bilingual_pairs(TABLE, MATHEMATICA, 100, 3)
    for pair in pairs:
        assert MATHEMATICA.same(pair.semantic, MATHEMATICA.print(MATHEMATICA.parse(pair.semantic)))


def test_the_grammar_of_another_syntax_explains_unseen_formulae() -> None:
    pairs, problems = in_macros(bilingual_pairs(TABLE, MATHEMATICA, 500, 1), MATHEMATICA)
    assert not problems
    sides = [(pair.generic, pair.semantic) for pair in pairs]
    grammar = induce(sides[:400])
    covered = measure(grammar, sides[400:], grammar.language.calls)
    assert covered.share("reads") > 90, covered.reasons


def test_an_answer_may_be_any_of_the_notations_of_its_calls() -> None:
    sides = [(r"\sin x", r"\mSin@{x}"), (r"\sin(y)", r"\mSin@{y}"), (r"2\sin t", r"2\mSin@{t}"), ("x+1", "x+1")]
    grammar = induce(sides)
    certifier = Certifier(Expander(grammar))
    for latex, right, wrong in (
        (r"\sin z", r"\mSin@{z}", r"\mSin@{y}"),
        (r"\sin(z)", r"\mSin@{z}", "z"),
        (r"3\sin(2z)", r"3\mSin@{2z}", r"\mSin@{2z}"),
    ):
        key = canonical(latex).key
        assert certifier.certifies(right, key, latex), latex
        assert not certifier.certifies(wrong, key, latex), latex


def test_pairs_that_are_not_in_the_syntax_are_left_out_with_a_reason() -> None:
    pairs = [Pair("a", r"\sin x", "Sin[x]"), Pair("b", "f(x)", "f[x]"), Pair("c", "x", "x +")]
    spelt, problems = in_macros(pairs, MATHEMATICA)
    assert [pair.id for pair in spelt] == ["a"]
    assert [problem[:2] for problem in problems] == ["b:", "c:"]


def test_generating_from_the_command_line(tmp_path: Path) -> None:
    out = tmp_path / "pairs.jsonl"
    result = CliRunner().invoke(
        app, ["corpus", "generate", "--syntax", "mathematica", "--count", "20", "--seed", "2", "-o", str(out)]
    )
    assert result.exit_code == 0, result.output
    assert len(out.read_text("utf-8").splitlines()) == 20
    assert CliRunner().invoke(app, ["corpus", "generate", "--syntax", "cobol", "--count", "2"]).exit_code == 2
