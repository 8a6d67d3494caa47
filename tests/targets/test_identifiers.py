"""Letters that are different stay different in code, and what is written as a name is one."""

from __future__ import annotations

import pytest

from texlift.errors import FormulaError
from texlift.targets import TARGETS, convert
from texlift.targets.objects import sympy_objects

PROGRAMS = ("sympy", "mpmath", "mathematica", "maple", "maxima", "julia")


@pytest.mark.parametrize("target", PROGRAMS)
@pytest.mark.parametrize(
    "names", [("x_{1,0}", "x_{10}"), ("a_{1,12}", "a_{11,2}"), ("B_{1,1,1}", "B_{1,11}", "B_{11,1}")]
)
def test_different_names_have_different_identifiers(target: str, names: tuple[str, ...]) -> None:
    symbols = dict(convert("+".join(names), target).symbols)
    assert len({symbols[name] for name in names}) == len(names)


@pytest.mark.parametrize("source", ["x_{1,0}-x_{10}", "a_{1,12}-a_{11,2}"])
def test_different_names_are_different_objects(source: str) -> None:
    pytest.importorskip("sympy")
    (difference,) = sympy_objects(source)
    assert difference != 0 and len(difference.free_symbols) == 2


def test_spellings_of_one_name_stay_one() -> None:
    assert convert(r"\mathbf{x}-\boldsymbol{x}", "maple").code == "bold_x - bold_x"
    assert convert("x_{12}+x_{1,3}", "maple").code == "x12 + x13"  # as long as nothing is confused


@pytest.mark.parametrize("target", PROGRAMS)
def test_letters_of_all_scripts_are_names(target: str) -> None:
    for _, name in convert(r"\text{零}+\text{ж}+\text{あ}+\text{가}", target).symbols:
        assert name.replace("$", "_").isidentifier() and name.isascii()


@pytest.mark.parametrize("target", [target for target in TARGETS if target != "words"])  # reads it out as signs
@pytest.mark.parametrize(
    "source",
    ["9" * 9_000, "2^{" + "9" * 5_000 + "}", r"1\frac{1}{" + "9" * 5_000 + "}", r"0.\overline{" + "1" * 5_000 + "}"],
)
def test_endless_numbers_are_errors_of_the_formula(target: str, source: str) -> None:
    with pytest.raises(FormulaError) as caught:
        convert(source, target)
    assert caught.value.code == "too-long"


@pytest.mark.parametrize(
    ("source", "code"), [("1½", "1 + 1/2"), ("2⅓ x", "(2 + 1/3)*x"), ("½x", "1/2*x"), ("n½", "n*1/2")]
)
def test_a_fraction_of_one_character_behind_an_integer_is_added(source: str, code: str) -> None:
    assert convert(source, "maple").code == code
