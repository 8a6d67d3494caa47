"""Arguments compared with the letters of a macro's definition."""

from __future__ import annotations

import pytest

from texlift.grammar.packaged import packaged_grammar
from texlift.grammar.readings import Reader
from texlift.grammar.rule import Rule
from texlift.latex.canonical import canonical
from texlift.scorer.encoded import LETTER_COLUMN
from texlift.scorer.encoding import Encoder
from texlift.scorer.letters import LETTER_LEVELS, kin, letter_level, usual_letters
from texlift.translate.model import packaged_model


def levels(generic: str) -> dict[str, int]:
    """Call -> level at the first place of a formula."""
    model = packaged_model()
    forest = Reader(packaged_grammar()).read(canonical(generic))
    formula = Encoder(model.vocabulary, model.numbers).sketch(forest, generic).formula
    place = formula.places[0]
    features = formula.reading_features[: 1 + len(place.matches), LETTER_COLUMN].tolist()
    assert features[0] == 0  # the literal reading
    return {match.rule.call: level for match, level in zip(place.matches, features[1:], strict=True)}


def test_the_letters_of_the_definition_speak_for_a_macro() -> None:
    jordan, bessel = r"\JordanJ{#1}#'@{#2}", r"\BesselJ{#1}#'@{#2}"
    written = levels(r"J_{k}\left(n\right)")
    assert written[jordan] > written[bessel]
    assert written[jordan] == 2 * LETTER_LEVELS
    written = levels(r"J_{\nu}\left(z\right)")
    assert written[bessel] > written[jordan]
    longer = levels(r"J_{k}\left(n+1\right)")
    assert written[jordan] < longer[jordan] < 2 * LETTER_LEVELS


def test_a_letter_of_the_same_kind_counts_a_little() -> None:
    call = r"\BesselJ{#1}#'@{#2}"
    assert levels(r"J_{5}\left(5\right)")[call] < levels(r"J_{\mu}\left(w\right)")[call]
    assert kin("n") == kin("m") != kin("z")
    assert kin("5") == 0


@pytest.mark.parametrize(
    ("call", "generic", "letters"),
    [
        (r"\BesselJ{#1}#'@{#2}", r"J_{#1}#'\left(#2\right)", ((0, r"\nu"), (1, "z"))),
        (r"\BesselJ{}#'@{#1}", r"J#'\left(#1\right)", ((0, "z"),)),
        (r"\nosuchmacro@{#1}", r"f\left(#1\right)", ()),
        (r"\cpi", r"\pi", ()),
    ],
)
def test_letters_of_rules(call: str, generic: str, letters: tuple[tuple[int, str], ...]) -> None:
    assert usual_letters(Rule(call, generic)) == letters


def test_levels_are_told_apart_by_the_number_of_arguments() -> None:
    values = [{letter_level(points, holes) for points in range(3 * holes + 1)} for holes in (1, 2, 3)]
    assert [min(some) for some in values] == [1, 1 + LETTER_LEVELS, 1 + 2 * LETTER_LEVELS]
    assert [max(some) for some in values] == [LETTER_LEVELS, 2 * LETTER_LEVELS, 3 * LETTER_LEVELS]
