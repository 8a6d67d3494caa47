"""What rules need to match, and its file."""

from __future__ import annotations

import json

import pytest

from texlift.grammar.needs import dump_needs, load_needs, needs_of
from texlift.grammar.packaged import packaged_grammar
from texlift.grammar.rule import Rule
from texlift.translate.model import packaged_model


def test_a_rule_needs_what_it_shows() -> None:
    needs = needs_of(Rule(r"\BesselJ{#1}#'@{#2}", r"J_{#1}#'\left(#2\right)"))
    assert needs is not None
    assert (needs.first, needs.scripts, needs.follow) == ("J", {"_"}, "( )")
    assert needs.labels == {"J", "_", "( )"}


def test_a_fraction_is_told_by_what_it_starts_with() -> None:
    needs = needs_of(Rule(r"\pderiv{#1}{#2}", r"\frac{\partial#1}{\partial#2}"))
    assert needs is not None
    assert (needs.first, needs.inner) == (r"\frac", r"\partial")


@pytest.mark.parametrize("generic", [r"#1#2#3", r"#1#2"])
def test_rules_that_match_everything_are_not_read(generic: str) -> None:
    assert needs_of(Rule(r"\name{#1}{#2}{#3}", generic)) is None


def test_needs_survive_their_file() -> None:
    needs = [needs_of(rule) for rule in packaged_grammar().rules[:300]]
    assert load_needs(json.loads(json.dumps(dump_needs(needs)))) == needs


def test_the_packaged_file_belongs_to_the_packaged_grammar() -> None:
    """If this fails, save the packaged model again: starting takes a fifth of a second longer without the file."""
    grammar = packaged_model().grammar
    assert "needs" in vars(grammar)
    assert grammar.needs == [needs_of(rule) for rule in grammar.rules]
