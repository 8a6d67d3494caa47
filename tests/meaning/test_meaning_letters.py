"""What is certain about letters: said by declarations, conditions and places, and never by custom."""

from __future__ import annotations

import pytest

from texlift.meaning.declarations import Declarations
from texlift.meaning.letters import Letter, letters_of, without_conditions
from texlift.meaning.reader.reading import read


def letters(source: str, **declared: str) -> dict[str, Letter]:
    return letters_of(read(source, declared=Declarations.of(declared)))


def test_custom_says_nothing() -> None:
    for letter in letters("n+m+k+z+p").values():
        assert letter.traits == frozenset()
        assert letter.said == ""


@pytest.mark.parametrize(
    ("source", "name", "traits", "said"),
    [
        (r"f(n), n\in\Integers", "n", {"integer"}, r"n\in\Integers"),
        (r"x^a, a\in\Reals", "a", {"real"}, r"a\in\Reals"),
        (r"f(n), n=0,1,2,\dots", "n", {"integer", "nonnegative"}, r"n=0,1,2,\dots"),
        (r"f(n), n=1,2,\dots", "n", {"integer", "positive"}, r"n=1,2,\dots"),
        (r"\sqrt{x}=y, 0<x", "x", {"positive"}, "0<x"),
        (r"\sum_{k=0}^{\infty}x^k", "k", {"integer"}, "index of a sum"),
        (r"\prod_{j=1}^{N}x_j", "N", {"integer", "nonnegative"}, "bound of a product"),
        (r"d\divides n", "d", {"integer"}, "divisibility"),
    ],
)
def test_conditions_and_places_say_something(source: str, name: str, traits: set[str], said: str) -> None:
    letter = letters(source)[name]
    assert letter.traits == traits
    assert letter.said == said


def test_roles_are_told_apart() -> None:
    found = letters(r"f(x)=a_{n+1}+\sum_{k=1}^{3}Ak", A="matrix(2,2)")
    assert {name: letter.role for name, letter in found.items()} == {
        "f": "function",
        "x": "variable",
        "a": "indexed",
        "n": "variable",
        "A": "matrix",
        "k": "index",
    }
    assert found["A"].shape == ("2", "2")
    assert found["A"].said == "declared"


def test_a_declaration_and_a_condition_hold_together() -> None:
    letter = letters("x^2=y, x>0", x="integer")["x"]
    assert letter.traits == {"integer", "positive"}
    assert letter.said == "declared, x>0"


def test_only_conditions_that_traits_say_in_full_are_left_out() -> None:
    assert len(without_conditions(read("x^2=y, x>0"))) == 1
    assert len(without_conditions(read("x^2=y, x>1"))) == 2
    assert len(without_conditions(read(r"f(n)=y, n\geq 1, n\in\Integers"))) == 1
    assert len(without_conditions(read(r"f(n)=y, n\geq 1"))) == 2
    assert len(without_conditions(read("y=1, x>0"))) == 2  # x is no letter of the statement


def test_json_form() -> None:
    assert letters("x+1", x="positive real")["x"].as_dict() == {
        "name": "x",
        "role": "variable",
        "traits": ["positive", "real"],
        "shape": [],
        "said": "declared",
        "kind": "",
        "probability": None,
    }
