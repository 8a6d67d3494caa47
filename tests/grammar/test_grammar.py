"""A grammar, its file, and errors in the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from texlift.errors import TexliftError
from texlift.grammar.grammar import Grammar
from texlift.grammar.packaged import completed, packaged_grammar
from texlift.grammar.rule import Rule
from texlift.macros.lexicon import lexicon

RULES = [
    Rule(r"\BesselJ{#1}", "J_{#1}", 3),
    Rule(r"\BesselJ{#1}#'@{#2}", r"J_{#1}#'\left(#2\right)", 9, 2),
    Rule(r"\cpi", r"\pi", 5),
]


def test_file_round_trip(tmp_path: Path) -> None:
    grammar = Grammar(RULES, frozenset({"x", "∞"}))
    path = tmp_path / "grammar.json"
    path.write_text(grammar.dumps(), "utf-8")
    again = Grammar.load(path)
    assert again.dumps() == grammar.dumps()
    assert set(again.rules) == set(grammar.rules)
    assert again.inside == grammar.inside


def test_one_rule_a_line() -> None:
    assert sum(line.startswith('["') for line in Grammar(RULES).dumps().splitlines()) == 3


@pytest.mark.parametrize(
    "text",
    ["", "nothing", "[]", "3", "{}", '{"format": "other", "rules": [], "inside": []}',
     '{"format": "texlift-grammar-1", "rules": [["x"]], "inside": []}',
     '{"format": "texlift-grammar-1", "rules": 3, "inside": []}', '{"format": "texlift-grammar-1", "rules": []}'],
)  # fmt: skip
def test_files_that_are_not_a_grammar(text: str, tmp_path: Path) -> None:
    path = tmp_path / "grammar.json"
    path.write_text(text, "utf-8")
    with pytest.raises(TexliftError, match=r"grammar\.json"):
        Grammar.load(path)


def test_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(TexliftError, match="cannot read grammar"):
        Grammar.load(tmp_path / "none.json")


def test_most_used_first() -> None:
    assert [rule.count for rule in Grammar(RULES).by_name[r"\BesselJ"]] == [9, 3]


def test_merged_keeps_what_is_there() -> None:
    same = Rule(r"\BesselJ{#1}", "{J}_{#1}", 0)  # presents the same
    new = Rule(r"\BesselY{#1}", "Y_{#1}")
    assert Grammar(RULES).merged([same, new]).rules == (*RULES, new)


def test_completed_knows_every_macro_that_is_read() -> None:
    grammar = completed(Grammar(RULES))
    assert set(RULES) <= set(grammar.rules)
    missing = [macro.name for macro in lexicon() if macro.lifts and macro.name not in grammar.by_name]
    assert len(missing) < 25  # lone small letters are not guessed


def test_packaged_grammar_is_sound() -> None:
    grammar = packaged_grammar()
    assert len(grammar) > 1000
    assert [rule.call for rule in grammar.rules if not rule.sound] == []


def test_an_empty_option_that_shows_nothing_is_not_offered() -> None:
    rules = completed(Grammar([])).by_name
    assert r"\LambertW[]" not in {rule.call for rule in rules[r"\LambertW"]}
    assert r"\deriv[]{#1}{#2}" not in {rule.call for rule in rules[r"\deriv"]}
    assert r"\assLegendreP[]{#1}" in {rule.call for rule in rules[r"\assLegendreP"]}
