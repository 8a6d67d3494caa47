"""Pairs for macros that no pair uses."""

from __future__ import annotations

import re

from texlift.corpus.primer import is_primer, primer
from texlift.grammar.expansion import Expander
from texlift.grammar.grammar import Grammar
from texlift.grammar.rule import Rule
from texlift.latex.canonical import canonical_key
from texlift.macros.lexicon import lexicon

RULES = [
    Rule(call, generic, count)
    for count, name in ((0, r"\LambertW"), (0, r"\JacobipolyP"), (7, r"\BesselJ"))
    for call, generic in dict(lexicon().lookup(name).templates).items()  # type: ignore[union-attr]
]


def test_pairs_of_unused_rules_only() -> None:
    pairs = [pair for pair in primer(RULES) if pair.semantic != pair.generic]
    names = {re.match(r"\\[A-Za-z]+", pair.semantic)[0] for pair in pairs}  # type: ignore[index]
    assert names == {r"\LambertW", r"\JacobipolyP"}
    assert all(map(is_primer, pairs))


def test_pairs_expand_to_their_generic_side_and_name_the_meaning() -> None:
    expander = Expander(Grammar(RULES))
    for pair in primer(RULES):
        assert canonical_key(expander.expand(pair.semantic)) == canonical_key(pair.generic)
        named = "Lambert" in pair.context_text or "Jacobi" in pair.context_text
        assert named == (pair.semantic != pair.generic)


def test_a_name_alone_needs_a_sentence() -> None:
    alone = {pair.semantic: pair.context for pair in primer(RULES) if pair.generic == "W"}
    assert alone[r"\LambertW"] == {"sentence": "the Lambert W-function $W$"}
    assert "Lambert" not in str(alone["W"])


def test_letters_that_pairs_use_as_names_are_shown_as_letters_too() -> None:
    used = [
        Rule(r"\BesselJ{#1}#'@{#2}", r"J_{#1}#'\left(#2\right)", 9),
        Rule(r"\BesselJ{#1}", "J_{#1}", 9),
        Rule(r"\EulerConstant", r"\gamma", 9),
        Rule(r"\cpi", r"\pi", 9),
        Rule(r"\sin", r"\sin", 9),
        Rule(r"\Reals", r"\mathbb{R}", 9),
    ]
    shown = [(pair.generic, pair.semantic) for pair in primer(used)]
    assert {generic for generic, _ in shown} == {"J_{j}", r"\gamma"}
    assert all(generic == semantic for generic, semantic in shown)
    assert len({pair.context_text for pair in primer(used)}) == len(shown) == 4
