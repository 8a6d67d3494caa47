"""What a text speaks of, and what it says a letter is."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest

from texlift.context.familiarity import evidence_kind
from texlift.context.subject import Subject
from texlift.macros.lexicon import lexicon


def test_every_macro_of_the_table_exists() -> None:
    table = json.loads(files("texlift.macros").joinpath("subjects.json").read_text("utf-8"))
    named = [*table["macros"], *table["always"], *table["applied"], *table["needed"]]
    assert [name for name in named if lexicon().lookup(name) is None] == []
    assert all(alternatives and all(alternatives) for alternatives in table["macros"].values())


@pytest.mark.parametrize(
    ("macro", "kind"),
    [
        (r"\EulerGamma", "letter"),
        (r"\BesselJ", "letter"),
        (r"\LegendrepolyP", "letter"),
        (r"\conj", "accent"),
        (r"\equivmod", "sign"),
        (r"\erf", "word"),
        (r"\sin", "word"),
    ],
)
def test_what_a_macro_shows_itself_by(macro: str, kind: str) -> None:
    assert evidence_kind(macro) == kind


@pytest.mark.parametrize(
    ("text", "macro", "spoken"),
    [
        ("Bessel functions of integer order", r"\BesselJ", True),
        ("a polynomial of Tchebycheff", r"\ChebyshevpolyT", True),
        (r"the M\"obius inversion formula", r"\Moebiusmu", True),
        ("Möbius function and squarefree numbers", r"\Moebiusmu", True),
        ("a Möbius transformation of the sphere", r"\Moebiusmu", False),
        ("solutions with $n\\equiv 1\\pmod 4$", r"\equivmod", True),
        ("the set of vertices adjacent to a vertex", r"\EulerGamma", False),
    ],
)
def test_whether_a_text_speaks_of_a_macro(text: str, macro: str, spoken: bool) -> None:
    assert Subject([text]).speaks_of(macro) is spoken


@pytest.mark.parametrize(
    ("text", "symbol", "macro", "otherwise"),
    [
        (r"Let $\Gamma$ be a discrete group acting on it.", r"\Gamma", r"\EulerGamma", True),
        (r"where $\Gamma$ is the gamma function", r"\Gamma", r"\EulerGamma", False),
        (r"the homomorphism $\phi$ is injective", r"\phi", r"\Eulertotientphi", True),
        (r"a map $\psi\colon G\to H$", r"\psi", r"\digamma", True),
        (r"Bessel functions $J_0$ and $J_1$", "J", r"\BesselJ", False),
        (r"a function $H$ of bounded variation", "H", r"\HeavisideH", False),
    ],
)
def test_whether_a_text_says_that_a_letter_is_something_else(
    text: str, symbol: str, macro: str, otherwise: bool
) -> None:
    assert Subject([text]).evidence(symbol, macro, symbol).otherwise is otherwise
