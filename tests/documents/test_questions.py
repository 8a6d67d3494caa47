"""What an author is asked about."""

from __future__ import annotations

from texlift.documents.formula import Formula, Lifted
from texlift.documents.questions import questions
from texlift.translate.answer import Decision, Reading


def lifted(state: str, **probabilities: float) -> Lifted:
    """A formula with a decision for each symbol."""
    decisions = tuple(
        Decision((0, 1), symbol, "", symbol, "as it stands", "", own, (Reading(f"\\{symbol}func", "", "", 1.0 - own),))
        for symbol, own in probabilities.items()
    )
    latex = "+".join(probabilities)
    return Lifted(Formula(0, 0, 1, latex, False, 7), state, latex, 0.5, decisions)


def test_doubtful_symbols_are_asked_about_the_most_frequent_first() -> None:
    asked = questions([lifted("translated", K=0.5, P=0.8, E=0.95), lifted("translated", P=0.7)])
    assert [(question.symbol, question.places) for question in asked] == [("P", 2), ("K", 1)]
    assert [reading.macro for reading in asked[0].readings] == ["", r"\Pfunc"]


def test_of_an_uncertain_formula_the_least_sure_symbol_is_asked_about() -> None:
    asked = questions([lifted("uncertain", K=0.97, P=0.93), lifted("translated", E=0.93)])
    assert [question.symbol for question in asked] == ["P"]
