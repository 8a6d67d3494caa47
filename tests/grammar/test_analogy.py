"""Forms of macros that no pair shows."""

from __future__ import annotations

from texlift.grammar.induction.analogy import analogous, combined
from texlift.grammar.rule import Rule
from texlift.latex.canonical import canonical_key

TRANSFORMS = [
    Rule(r"\Laplacetrans#'@@{#1}@{#2}", r"\mathscr{L}#'#1\left(#2\right)", 9),
    Rule(r"\Laplacetrans#'@{#1}@{#2}", r"\mathscr{L}#'\left(#1\right)\left(#2\right)", 4),
    Rule(r"\Mellintrans#'@@{#1}@{#2}", r"\mathscr{M}#'#1\left(#2\right)", 2),
]


def made(rules: list[Rule]) -> dict[str, str]:
    return {rule.call: canonical_key(rule.generic) for rule in rules}


def test_a_form_follows_from_that_of_another_macro() -> None:
    assert made(analogous(TRANSFORMS)) == {
        r"\Mellintrans#'@{#1}@{#2}": canonical_key(r"\mathscr{M}#'\left(#1\right)\left(#2\right)")
    }


def test_analogies_are_marked_as_unseen() -> None:
    assert all(rule.count == 0 for rule in analogous(TRANSFORMS))


def test_what_few_macros_do_says_nothing() -> None:
    letters = "ABCDEFGHIJ"
    plain = [Rule(rf"\fun{letter}#'@{{#1}}", rf"{letter}#'\left(#1\right)", 5) for letter in letters]
    odd = Rule(r"\funA#'@@{#1}", "A#'#1", 1)
    assert analogous([*plain, odd]) == []


def test_words_and_symbols_are_not_alike() -> None:
    words = [
        Rule(r"\sin#'@{#1}", r"\sin#'\left(#1\right)", 5),
        Rule(r"\sin#'@@{#1}", r"\sin#'#1", 5),
        Rule(r"\cos#'@{#1}", r"\cos#'\left(#1\right)", 5),
        Rule(r"\EulerGamma#'@{#1}", r"\Gamma#'\left(#1\right)", 5),
    ]
    assert list(made(analogous(words))) == [r"\cos#'@@{#1}"]


def test_letters_of_a_name_combine() -> None:
    seen = [
        Rule(r"\genJacobiellk{p}{q}#'@{#1}{#2}", r"\operatorname{pq}#'\left(#1,#2\right)", 3),
        Rule(r"\genJacobiellk{p}{s}#'@{#1}{#2}", r"\operatorname{ps}#'\left(#1,#2\right)", 1),
    ]
    rules = made(combined(seen))
    assert rules[r"\genJacobiellk{q}{s}#'@{#1}{#2}"] == canonical_key(r"\operatorname{qs}#'\left(#1,#2\right)")
    assert len(rules) == 7


def test_digits_of_an_index_combine() -> None:
    seen = [
        Rule(r"\LeviCivitasym{1}{2}{3}", r"\epsilon_{123}", 1),
        Rule(r"\LeviCivitasym{2}{1}{3}", r"\epsilon_{213}", 1),
    ]
    assert made(combined(seen))[r"\LeviCivitasym{2}{2}{1}"] == canonical_key(r"\epsilon_{221}")


def test_one_name_alone_is_no_pattern() -> None:
    assert combined([Rule(r"\genJacobiellk{p}{q}@{#1}{#2}", r"\operatorname{pq}\left(#1,#2\right)", 3)]) == []
