"""What a remark beside a formula says about its notation decides; a long text and other words decide nothing."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest

from texlift.context.cues import declared_by
from texlift.macros.concepts import vocabulary
from texlift.meaning.declarations import NOTHING_DECLARED
from texlift.targets import convert


@pytest.mark.parametrize(
    ("latex", "context", "wanted"),
    [
        ("(a,b)=1", "where (a,b) is the greatest common divisor", "Eq(Function('gcd')(a, b), 1, evaluate=False)"),
        (r"[x]\le x", "where [x] is the integer part of x", "Le(floor(x), x, evaluate=False)"),
        (r"\left(\frac{a}{n}\right)", "the Jacobi symbol", "legendre_symbol(a, n)"),
        ("A'=-A", "the prime denotes the transpose", "Eq(Transpose(A), -A, evaluate=False)"),
        ("Y=AB+C", "a Boolean function", "Equivalent(Y, Or(And(A, B), C_))"),
        (r"f=A\bar{B}", "logic gate", "Equivalent(f, And(A, Not(B)))"),
        (r"\sin i", r"where $i$ is the angle of incidence", "sin(i)"),
        (r"\sin i", r"where $i$ is the imaginary unit", "sin(I)"),
    ],
)
def test_the_words_beside_a_formula_say_what_its_notation_means(latex: str, context: str, wanted: str) -> None:
    assert convert(latex, "sympy", declared_by(context)).code == wanted


@pytest.mark.parametrize("context", ["", "a remark about nothing", "word " * 300 + "Boolean", {"title": "Boolean"}])
def test_other_texts_declare_nothing(context: object) -> None:
    assert declared_by(context) is NOTHING_DECLARED


def test_the_cues_name_concepts_that_exist() -> None:
    table = json.loads(files("texlift.macros").joinpath("cues.json").read_text("utf-8"))
    for entry in table["entries"]:
        assert entry["words"] and all(word == word.lower() for word in entry["words"])
        assert entry.get("subject") or entry["notations"]
        for latex, concept in entry.get("notations", {}).items():
            assert vocabulary().declared(concept, latex)
