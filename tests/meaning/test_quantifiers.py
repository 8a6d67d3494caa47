"""Quantifiers are a prefix of a statement, or stand behind it; code for systems without them is an error."""

import pytest

from texlift.errors import FormulaError
from texlift.meaning.reader.reading import read
from texlift.meaning.tree import Apply, Expression, Relation, Sequence, Symbol
from texlift.targets import convert


def only(latex: str) -> Expression:
    (statement,) = read(latex).statements
    return statement


@pytest.mark.parametrize(
    "latex",
    [
        r"\forall x: x^2\geq0",
        r"\forall x,\ x^2\geq0",
        r"\forall x\; x^2\geq0",
        r"\forall x\quad x^2\geq0",
        r"(\forall x)\, x^2\geq0",
        r"x^2\geq0\quad\forall x",
        r"x^2\geq0,\quad\forall x",
        r"\forall x\text{ we have }x^2\geq0",
    ],
)
def test_what_stands_between_a_quantifier_and_its_statement_does_not_matter(latex: str) -> None:
    found = only(latex)
    assert isinstance(found, Apply)
    bound, body = found.arguments
    assert found.head == "for-all"
    assert isinstance(bound, Symbol)
    assert isinstance(body, Relation)
    assert body.operators == (">=",)


def test_several_quantifiers_are_nested() -> None:
    found = only(r"\forall\varepsilon>0\;\exists\delta>0\;\forall x:\ |x|<\delta\implies|f(x)|<\varepsilon")
    heads = []
    while isinstance(found, Apply) and len(found.arguments) == 2 and found.head != "implies":
        heads.append(found.head)
        found = found.arguments[1]
    assert heads == ["for-all", "there-exists", "for-all"]
    assert isinstance(found, Apply)


def test_one_quantifier_binds_several_letters() -> None:
    found = only(r"\forall x,y\in\Integers,\ x+y\in\Integers")
    assert isinstance(found, Apply)
    bound = found.arguments[0]
    assert isinstance(bound, Relation)
    assert isinstance(bound.operands[0], Sequence)
    assert len(bound.operands[0].items) == 2


@pytest.mark.parametrize(
    ("latex", "head"),
    [
        (r"\forall x\, P(x)\implies Q(y)", "implies"),  # binds like a negation
        (r"\exists x\, P(x)\land Q(x)", "there-exists"),  # but x is meant on the right too
        (r"\exists x: P(x)\land Q(y)", "there-exists"),
    ],
)
def test_how_far_a_quantifier_reaches(latex: str, head: str) -> None:
    found = only(latex)
    assert isinstance(found, Apply)
    assert found.head == head


@pytest.mark.parametrize(
    ("latex", "words"),
    [
        (r"\forall x\in\Reals: x^2\geq0", "for all x in the real numbers, x squared is greater than or equal to 0"),
        (r"\exists n\in\natNumbers: n^2=4", "there exists n in the natural numbers such that n squared equals 4"),
        (r"\bigcup_{i\in I}A_i", "the union over i in capital I of capital A sub i"),
        (r"\max_{x\in S}f(x)", "the maximum over x in capital S of f of x"),
        (r"\mathcal{Z}\{a^n\}", "the z transform of a to the power n"),
        (r"T^{\mu\nu}", "capital T with upper indices mu nu, end indices"),
    ],
)
def test_words_of_what_ranges_over_letters(latex: str, words: str) -> None:
    assert convert(latex, "words").code == words


@pytest.mark.parametrize("latex", [r"\forall x: x=x", r"\forall x>0", r"x^\mu x_\mu", r"T^{\mu\nu}=u^\mu u^\nu"])
def test_what_sympy_lacks_is_an_error(latex: str) -> None:
    with pytest.raises(FormulaError):
        convert(latex, "sympy")


@pytest.mark.parametrize(
    ("latex", "words"),
    [
        (r"\Rationals(i)", "the field the rational numbers adjoined with i"),
        (r"\Integers[i]", "the ring the integers adjoined with i"),
        (r"[\Rationals(i):\Rationals]", "the degree of the quantity the field the rational numbers adjoined with i, end"
         " quantity, over the rational numbers"),
    ],
)  # fmt: skip
def test_fields_are_no_products(latex: str, words: str) -> None:
    assert convert(latex, "words").code == words
    with pytest.raises(FormulaError):
        convert(latex, "sympy")


@pytest.mark.parametrize("latex", [r"\sum_{i<j}a_ia_j", r"\sum_{i\neq j}q_iq_j"])
def test_a_sum_over_two_letters_without_bounds_is_an_error(latex: str) -> None:
    with pytest.raises(FormulaError, match="how far"):
        convert(latex, "sympy")


def test_a_sum_below_a_letter_that_is_given() -> None:
    assert convert(r"y_j=\sum_{i<j}a_{ij}x_i", "sympy").code.startswith("Eq(Indexed('y', j), Sum(")


@pytest.mark.parametrize(("latex", "warned"), [("x^iy_i", True), (r"\sum_{i=1}^nx^iy_i", False), ("x^2y_2", False)])
def test_an_index_above_and_below_may_be_a_sum(latex: str, warned: bool) -> None:
    assert any("may be a sum" in warning for warning in convert(latex, "sympy").warnings) is warned
