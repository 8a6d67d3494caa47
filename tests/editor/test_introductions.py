"""Letters are introduced where the text says what they are, and only there."""

from __future__ import annotations

import pytest

from texlift.documents.document import document_of
from texlift.editor.introductions import introduced, introductions, role_said


def found(text: str) -> dict[str, list[str]]:
    document = document_of(text.encode(), "a.md")
    places = introductions(document.parts[0], document.formulae)
    return {symbol: [one.phrase for one in some] for symbol, some in places.items()}


def test_words_before_and_after_a_formula() -> None:
    text = r"Let $n$ be a positive integer. We use the kernel $K$ and \(\alpha\) is the angle of attack. Then $n=2$."
    assert found(text).keys() == {"n", "K", r"\alpha"}


def test_what_is_said_of_an_equation_is_not_said_of_its_first_letter() -> None:
    assert "f" not in found("Here $f(x)=0$ is an equation of the curve.")
    assert "f" in found("Here $f(x)$ is a function of the curve.")


def test_the_introduction_before_a_place_holds_there() -> None:
    text = "Let $n$ be an integer. So $n$. Now let $n$ be a real number. So $n$."
    document = document_of(text.encode(), "a.md")
    places = introductions(text, document.formulae)["n"]
    said = [introduced(places, formula.start) for formula in document.formulae]
    assert [one.phrase for one in said if one] == ["an integer", "an integer", "a real number", "a real number"]


@pytest.mark.parametrize(
    ("phrase", "role", "traits"),
    [
        ("a positive integer", "variable", {"integer", "positive"}),
        ("a real number such that the sum converges", "variable", {"real"}),
        ("the set of all roots", "set", set()),
        ("a function on the circle", "function", set()),
        ("for every integer", "variable", {"integer"}),
    ],
)
def test_phrases_that_name_a_role(phrase: str, role: str, traits: set[str]) -> None:
    declared = role_said("n", phrase)
    assert declared is not None
    assert (declared.role, set(declared.traits)) == (role, traits)


@pytest.mark.parametrize(
    "phrase", ["the prime ideal", "the index of a subgroup", "an even sheaf", "a vertex", "", "the"]
)
def test_phrases_that_name_none(phrase: str) -> None:
    assert role_said("n", phrase) is None
