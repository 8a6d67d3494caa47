from texlift.documents.consistency import consistent
from texlift.translate.answer import Decision, Reading

LEGENDRE, FERRERS = "\\LegendrepolyP", "\\FerrersP"


def decision(probability: float, macro: str = LEGENDRE, other: str = FERRERS) -> Decision:
    """`P_n(x)` read as `macro`, with `other` as the only competitor."""
    competing = (Reading(other, "", "", 1 - probability),)
    return Decision((0, 6), "P_n(x)", macro, "", "", "", probability, competing)


def test_the_odd_one_out_is_translated_again() -> None:
    places = [([decision(0.9)], "")] * 4 + [([decision(0.6, FERRERS, LEGENDRE)], "")]
    again = consistent(places)
    assert list(again) == [4]
    assert again[4]["P", FERRERS] < again[4]["P", LEGENDRE] == 0.0


def test_a_sure_reading_is_not_argued_with() -> None:
    assert not consistent([([decision(0.9)], "")] * 4 + [([decision(0.99, FERRERS, LEGENDRE)], "")])


def test_a_new_meaning_holds_from_where_it_is_given() -> None:
    """Behind "now let P denote ..." the new reading is the common one, before it the old one."""
    old, new = decision(0.9), decision(0.92, FERRERS, LEGENDRE)
    wavering = decision(0.55)
    places = [([old], "")] * 4 + [([new], "Now let $P$ denote the Ferrers function.")] + [([new], "")] * 3
    assert not consistent(places)
    assert list(consistent([*places, ([wavering], "")])) == [8]


def test_different_symbols_do_not_vote_for_each_other() -> None:
    q = Decision((0, 6), "Q_n(x)", FERRERS, "", "", "", 0.6, (Reading(LEGENDRE, "", "", 0.4),))
    assert not consistent([([decision(0.9)], "")] * 4 + [([q], "")])


def test_what_the_document_agrees_on_makes_unsure_places_surer() -> None:
    again = consistent([([decision(0.9)], "")] * 8 + [([decision(0.7)], "")])
    assert list(again) == [8]
    assert again[8]["P", FERRERS] < -1.0


def test_a_function_met_for_certain_is_not_a_letter_in_the_next_formula() -> None:
    letter = decision(0.8, "", LEGENDRE)
    again = consistent([([decision(0.95)], "Let $P_n(x)$ denote it."), ([letter], ""), ([letter], "")])
    assert list(again) == [1, 2]
    assert again[1]["P", ""] < -2.0
