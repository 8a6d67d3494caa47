"""Rules: a call, what it shows, and what does not fit together."""

from __future__ import annotations

import pytest

from texlift.errors import TexliftError
from texlift.grammar.rule import Rule
from texlift.macros.lexicon import lexicon

BESSEL = Rule(r"\BesselJ{#1}#'@{#2}", r"J_{#1}#'\left(#2\right)")


def test_call_side() -> None:
    assert BESSEL.name == r"\BesselJ"
    assert BESSEL.shape.layout == (0, 1, 1, 1)
    assert BESSEL.shape.arguments == (0, 1)
    assert BESSEL.constants == ()
    assert BESSEL.has_ats


def test_generic_side() -> None:
    first, second = BESSEL.pattern.items
    assert first.label == "J"
    assert first.point
    assert [kind for kind, _ in first.scripts] == ["_"]
    assert second.label == "( )"
    assert BESSEL.pattern.holes() == {0, 1}


def test_hidden_arguments_are_constants() -> None:
    rule = Rule(r"\Weierstrassplatt#'@@{#1}{\mathbb{L}}", r"\wp#'\left(#1\right)")
    assert rule.constants == ((1, r"\mathbb{L}"),)
    assert rule.sound


@pytest.mark.parametrize(
    ("call", "generic"),
    [
        (r"\BesselJ{#1}@{#2}", r"J_{#1}"),
        (r"\BesselJ{#1}", r"J_{#1}\left(#2\right)"),
        (r"\BesselJ{#1}@{#2}", r"J_{#1}\left(#2"),
        ("x", "x"),
        (r"\BesselJ{#1", r"J_{#1}"),
    ],
)
def test_rules_that_are_not_sound(call: str, generic: str) -> None:
    assert not Rule(call, generic).sound


def test_a_rule_is_one_call() -> None:
    with pytest.raises(TexliftError, match="not a single call"):
        Rule(r"\BesselJ{#1}+1", "J_{#1}+1").shape  # noqa: B018


def test_words_know_their_letters() -> None:
    item = Rule(r"\sin@@{#1}", r"\sin #1").pattern.items[0]
    assert item.letters == ("s", "i", "n")


def test_every_template_of_the_lexicon_is_a_sound_rule() -> None:
    unsound = [written for macro in lexicon() for written, shown in macro.templates if not Rule(written, shown).sound]
    assert unsound == []
