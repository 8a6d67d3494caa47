"""Declarations as the domain of a check."""

from __future__ import annotations

import pytest

pytest.importorskip("mpmath")

import texlift
from texlift.errors import TexliftError
from texlift.meaning.declarations import Declarations
from texlift.verify.declared import NotSampledError, constraints_of, words_of


@pytest.mark.parametrize(
    ("formula", "declare", "verdict"),
    [
        (r"\sqrt{x^2}=x", {"x": "positive"}, "proved"),
        (r"\sqrt{x^2}=x", {"x": "real"}, "refuted"),
        (r"|z|^2=z^2", {"z": "real"}, "proved"),
        (r"|z|^2=z^2", {"z": "complex"}, "refuted"),
        (r"(-1)^{n}=1", {"n": "even"}, "verified"),
        (r"(-1)^{n}=1", {"n": "integer"}, "refuted"),
        (r"\lfloor a\rfloor=a", {"a": "integer"}, "verified"),
        (r"i^2\ge0", {"i": "real"}, "proved"),
        (r"n^2\ge n", {"n": "natural"}, "verified"),
    ],
)
def test_letters_are_tried_where_they_are_declared(formula: str, declare: dict[str, str], verdict: str) -> None:
    assert texlift.check(formula, declare=declare).verdict == verdict


@pytest.mark.parametrize(
    ("formula", "declare", "reason"),
    [
        ("AB=BA", {"A": "matrix"}, "declared as a matrix"),
        ("n(x)=n(x)", {"n": "function"}, "unknown function"),
        (r"x^2\neq2", {"x": "rational"}, "not tried"),
    ],
)
def test_what_is_no_number_is_not_decided(formula: str, declare: dict[str, str], reason: str) -> None:
    verdict = texlift.check(formula, declare=declare)
    assert verdict.verdict == "undecided"
    assert reason in verdict.reason


def test_an_empty_domain_is_an_error_that_names_the_constraints() -> None:
    with pytest.raises(TexliftError, match=r"no point satisfies.*x>0.*x<0"):
        texlift.check("x^2>0", ["x<0"], declare={"x": "positive"})


def test_declarations_as_constraints() -> None:
    declared = Declarations.of({"n": "positive integer", "z": "complex", "x": "negative", "p": "prime", "y": "nonzero"})
    assert constraints_of(declared, declared) == [
        r"n=1,2,\dots",
        r"z\in\Complexes",
        r"x\in\Reals",
        "x<0",
        r"p\text{ positive integer prime}",
        r"y\neq 0",
    ]
    assert constraints_of(declared, ()) == []
    with pytest.raises(NotSampledError):
        constraints_of(Declarations.of({"A": "set"}), {"A"})


def test_declarations_survive_as_words() -> None:
    given = {"n": "positive integer", "i": "imaginary unit", "A": "matrix(2,3)", "f": "function", "J": r"\BesselJ"}
    declared = Declarations.of(given)
    assert dict(Declarations.of(words_of(declared))) == dict(declared)
