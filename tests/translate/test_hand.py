"""Formulae that come together are by one hand."""

from __future__ import annotations

import pytest

from texlift.errors import FormulaError
from texlift.translate.translator import Translator, load

PRINTED = [rf"{name}\left({x}\right)={x}" for name in (r"J_{\nu}", r"\Gamma", r"\zeta", r"\psi") for x in "xyzstuvw"]
PLAIN = [formula.replace(r"\left", "").replace(r"\right", "") for formula in PRINTED]
CALL = "T_{n}(x)+1"


@pytest.fixture(scope="module")
def translator() -> Translator:
    return load()


def doubt(translator: Translator, formulae: list[str], together: bool = True) -> float:
    """How unlikely the first formula's call is among others."""
    result = next(translator.translate_many([(formula, None) for formula in formulae], together=together))
    assert not isinstance(result, FormulaError)
    (call,) = [decision for decision in result.decisions if decision.macro == r"\ChebyshevpolyT"]
    return 1.0 - call.probability


def test_who_writes_as_macros_print_hardly_means_a_macro_otherwise(translator: Translator) -> None:
    assert doubt(translator, [CALL, *PRINTED]) > 5 * doubt(translator, [CALL])


def test_who_never_does_means_calls(translator: Translator) -> None:
    assert doubt(translator, [CALL, *PLAIN]) == pytest.approx(doubt(translator, [CALL]), rel=1e-3)


def test_a_stream_of_many_hands_tells_nothing(translator: Translator) -> None:
    assert doubt(translator, [CALL, *PLAIN, *PRINTED]) < 1.5 * doubt(translator, [CALL])


def test_its_own_macro_does_not_speak_for_a_reading(translator: Translator) -> None:
    """Where everybody else is printed, ten polynomials in plain parentheses are ten times the same guess."""
    same = [f"T_{{{k}}}(x)=0" for k in "ijklm"]
    assert doubt(translator, [CALL, *same, *PRINTED]) > 5 * doubt(translator, [CALL])


def test_apart_each_is_alone(translator: Translator) -> None:
    alone = doubt(translator, [CALL], together=False)
    assert doubt(translator, [CALL, *PRINTED], together=False) == pytest.approx(alone, rel=1e-3)
