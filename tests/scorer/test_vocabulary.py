"""What the scorer sees does not depend on the order of a grammar's rules."""

from __future__ import annotations

import random

from texlift.corpus.primer import is_primed
from texlift.grammar.grammar import Grammar
from texlift.grammar.packaged import packaged_grammar
from texlift.scorer.vocabulary import RuleNumbers


def test_rules_keep_their_numbers_when_a_grammar_is_saved_and_loaded() -> None:
    rules = list(packaged_grammar().rules)
    random.Random(1).shuffle(rules)
    shuffled = Grammar(rules, packaged_grammar().inside)
    again = Grammar.loads(shuffled.dumps())
    assert RuleNumbers.of(shuffled) == RuleNumbers.of(again) == RuleNumbers.of(packaged_grammar())


def test_rules_that_neither_pairs_nor_primer_use_share_one_number() -> None:
    numbers = RuleNumbers.of(packaged_grammar())
    unseen = [rule for rule in packaged_grammar().rules if not rule.count and not is_primed(rule)]
    assert unseen
    assert all((rule.call, rule.generic) not in numbers.rules for rule in unseen)
    assert sorted(numbers.rules.values()) == list(range(numbers.unknown_rule))
