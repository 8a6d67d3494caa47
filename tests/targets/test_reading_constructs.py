"""Constructs of the corpus that were refused or misread: what each of them says now."""

from __future__ import annotations

import pytest

from texlift.errors import FormulaError
from texlift.meaning.reader.reading import read
from texlift.meaning.tree import Apply, Dots, Integral, Interval, Relation, Series, Unknown, walk
from texlift.targets import convert


def statement(semantic: str) -> object:
    return read(semantic).statements[0]


def test_a_convolution_applied_to_an_argument_is_no_product() -> None:
    found = statement("(f*g)(t)")
    assert isinstance(found, Apply) and found.head == "applied"
    composed = statement(r"(f\circ g)(x)")
    assert isinstance(composed, Unknown) and isinstance(composed.arguments[0], Unknown)
    product = statement("(a*b)(c)")
    assert isinstance(product, Apply) and product.head == "times"


@pytest.mark.parametrize(
    ("semantic", "ends"),
    [
        (r"a_{0}+a_{1}z+\dots+a_{n}z^{n}", ("0", "n")),
        (r"a_{n}z^{n}+a_{n-1}z^{n-1}+\dots+a_{0}", ("0", "n")),
        (r"c_{1}h^{2}+c_{2}h^{4}+\dots+c_{m}h^{2m}", ("1", "m")),
    ],
)
def test_dots_that_two_terms_explain_are_a_sum(semantic: str, ends: tuple[str, str]) -> None:
    found = statement(semantic)
    assert isinstance(found, Series)
    assert (getattr(found.lower, "value", ""), getattr(found.upper, "name", "")) == ends


@pytest.mark.parametrize("semantic", [r"a+b+\dots+z", r"1+x+\dots+y^{n}", r"x+y^{2}+\dots+x^{n}"])
def test_other_dots_stay_dots(semantic: str) -> None:
    assert any(isinstance(node, Dots) for node in walk(read(semantic).statements[0]))


def test_what_a_number_is_in_is_an_interval() -> None:
    found = statement(r"x\in(0,1)")
    assert isinstance(found, Relation) and isinstance(found.operands[1], Interval)


def test_a_field_times_a_vector_differential_is_a_line_integral() -> None:
    found = statement(r"\int_{C}\mathbf{F}\cdot\diff{\mathbf{s}}")
    assert isinstance(found, Integral) and found.kind == "line"
    plain = statement(r"\int_{0}^{1}f\cdot\diff{x}")
    assert isinstance(plain, Integral) and plain.kind == "int"


def test_formulae_and_headings_in_words() -> None:
    read(r"f(x)=\begin{cases}1,&\mbox{if $x>0$},\\0,&\mbox{otherwise}\end{cases}")
    read(r"\begin{array}[t]{ll}a&b\\c&d\end{array}")
    assert any("left out" in warning for warning in read(r"\text{umbilics: }x=1").warnings)
    with pytest.raises(FormulaError):
        read(r"a=s\;\;\;\textit{(A)}")


@pytest.mark.parametrize("formula", [r"\mu(d)=[n=1]", r"[a<b]+1", r"\sum_{k=1}^{n}[k\neq2]a_{k}"])
def test_a_statement_in_square_brackets_counts_as_one_or_zero(formula: str) -> None:
    made = convert(formula, "sympy")
    assert "Piecewise((1, " in made.code
    assert any("1 if it is true" in warning for warning in made.warnings)


@pytest.mark.parametrize(
    ("formula", "code"),
    [
        (r"\left|\begin{vmatrix}1&2\\3&4\end{vmatrix}\right|", "Abs(det(Matrix([[1, 2], [3, 4]])))"),
        (r"\left|\begin{matrix}1&2\\3&4\end{matrix}\right|", "det(Matrix([[1, 2], [3, 4]]))"),
        (r"\begin{Vmatrix}1&2\\3&4\end{Vmatrix}", "Matrix([[1, 2], [3, 4]]).norm()"),
        (r"\left\|\begin{matrix}1&2\\3&4\end{matrix}\right\|", "Matrix([[1, 2], [3, 4]]).norm()"),
    ],
)
def test_bars_around_a_determinant_or_a_matrix_are_not_lost(formula: str, code: str) -> None:
    assert convert(formula, "sympy").code == code


@pytest.mark.parametrize("letter", ["x", "u", r"\theta"])
def test_a_letter_at_a_point_is_a_function(letter: str) -> None:
    made = convert(rf"\left.{letter}\right|_{{t=0}}=1", "sympy")
    name = letter.lstrip("\\")
    assert f"Subs(Function('{name}')(t), t, 0)" in made.code
    assert any("function of t" in warning for warning in made.warnings)


@pytest.mark.parametrize("letter", "FMZH")
def test_transforms_that_nobody_defined_are_refused(letter: str) -> None:
    with pytest.raises(FormulaError, match="transform"):
        convert(rf"\mathcal{{{letter}}}[f](s)=1", "sympy")
