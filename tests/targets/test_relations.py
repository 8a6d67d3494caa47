"""Relations that a system lacks are kept undefined with a warning, written by their definition, or refused."""

from __future__ import annotations

import pytest
import sympy

from texlift.errors import FormulaError
from texlift.targets import convert
from texlift.targets.objects import build, sympy_objects

x, n, z = sympy.symbols("x n z")


def test_asymptotic_relations_are_limits_and_say_where_the_variable_tends_to() -> None:
    made = build(r"\EulerGamma@{x+1}\asympeq x^{x}e^{-x}\sqrt{2\pi x},\quad x\to\infty")
    (relation,) = made.statements
    assert isinstance(relation, sympy.Eq) and relation.rhs == 1
    assert isinstance(relation.lhs, sympy.Limit) and relation.lhs.args[2] == sympy.oo
    assert convert(r"f(x)\sim x^{2},\quad x\to 0", "maxima").code == "'limit(f(x)/x^2, x, 0) = 1"
    assert convert(r"f(x)\asympeq x,\quad x\to-\infty", "maple").code == "limit(f(x)/x, x = -infinity) = 1"
    assert convert(r"a_{n}\to0,\quad n\to\infty", "mathematica").code == "Limit[Subscript[a, n], n -> Infinity] == 0"
    for target in ("sympy", "maple", "maxima"):
        with pytest.raises(FormulaError, match="~"):
            convert(r"f(x)\asympeq x^{2}", target)  # nobody knows where


def test_an_expansion_is_its_definition_and_the_powers_show_where() -> None:
    made = build(r"f(z)\asympexp\sum_{s=0}^{\infty}\frac{s!}{z^{2s}}")
    (relation,) = made.statements
    assert relation.lhs.args[1:3] == (sympy.Symbol("z"), sympy.oo) and relation.rhs == 0
    assert any("tend to infinity" in warning for warning in made.warnings)
    assert any("every n " in warning for warning in made.warnings)
    code = convert(r"f(x)\asympexp\sum_{n=0}^{\infty}\frac{1}{x^{n}}", "maple").code
    assert "n = 0 .. m" in code  # the letter n is taken: another one counts the terms
    at_zero = convert(r"f(z)\asympexp1+\sum_{s=1}^{\infty}a_{s}z^{s}", "maple").code
    assert at_zero == "limit((f(z) - 1 - sum(a[s]*z^s, s = 1 .. n))/(a[n]*z^n), z = 0) = 0"


def test_an_expansion_in_two_series_is_measured_by_the_last_terms_of_both() -> None:
    two = r"f(z)\asympexp\sum_{s=0}^{\infty}\frac{a_{s}}{z^{s}}+\cos@@{z}\sum_{s=0}^{\infty}\frac{b_{s}}{z^{s}}"
    (relation,) = build(two).statements
    numerator, denominator = relation.lhs.args[0].as_numer_denom()
    assert relation.lhs.args[1:3] == (z, sympy.oo) and relation.rhs == 0
    assert len(numerator.atoms(sympy.Sum)) == 2
    assert len(denominator.atoms(sympy.Abs)) == 2


@pytest.mark.parametrize("semantic", [r"X\sim N(0,1)", r"a\sim b", r"f\sim g"])
@pytest.mark.parametrize("target", ["sympy", "maxima", "mpmath"])
def test_a_tilde_that_may_be_a_distribution_is_refused(semantic: str, target: str) -> None:
    with pytest.raises(FormulaError, match="~"):
        convert(semantic, target)


def test_an_order_is_no_number_and_obeys_where_its_variable_tends_to() -> None:
    f = sympy.Function("f")(x)
    (relation,) = sympy_objects(r"f(x)=x^{2}(1+\littleo@{1}),\quad x\to\infty")
    assert relation.lhs.args[0] == (f - x**2) / x**2 and relation.rhs == 0
    with pytest.raises(FormulaError, match="bigO"):
        convert(r"f(n)=n+\bigO@{n^{-2}}", "maxima")  # Maxima has no O-terms
    assert convert(r"f(z)=z+\bigO@{z^{2}\ln@@{z}}", "mathematica").code == (
        "AsymptoticLessEqual[f[z] - z, z^2*Log[z], z -> 0]"
    )
    assert convert(r"f(z)=\bigO@{z^{2}}", "mathematica").code == "f[z] == O[z]^(2)"
    assert convert(r"f(z)=\bigO@{z^{2}}\text{ as }z\to\infty", "mathematica").code == "f[z] == O[z, Infinity]^(-2)"
    assert "(z, oo)" in convert(r"f(z)=\bigO@{z^{2}},\quad z\to\infty", "sympy").code
    assert any("infinity" in warning for warning in convert(r"f(z)=\bigO@{z^{2}},\quad z\to\infty", "maple").warnings)
    with pytest.raises(FormulaError):
        convert(r"\exp@{x+\bigO@{1}}", "maxima")  # an order inside a function is no remainder
    with pytest.raises(FormulaError):
        convert(r"f(x)=1+\bigO@{x}+\littleo@{x}", "maxima")


def test_an_arrow_is_a_limit_where_the_formula_says_of_what() -> None:
    code = convert(r"\int_{0}^{1}\sin@{nx}\diff{x}\to0,\quad n\to\infty", "sympy").code
    assert code.startswith("Eq(Limit(Integral(") and code.endswith("n, oo), 0, evaluate=False)")
    for semantic in (r"A\to B", r"x\to y", r"\int_{0}^{1}\sin@{nx}\diff{x}\to0"):
        with pytest.raises(FormulaError):
            convert(semantic, "sympy")


def test_chains_with_dots() -> None:
    code = convert(r"0<x_{1}<x_{2}<\dots<x_{n}<1", "mathematica").code
    assert code.startswith("0 < Subscript[x, 1] && And @@ Table[") and code.endswith("Subscript[x, n] < 1")
    assert (
        'apply("and", makelist(x[k_] < x[k_ + 1], k_, 1, n - 1))' in convert(r"x_{1}<x_{2}<\dots<x_{n}", "maxima").code
    )
    with pytest.raises(FormulaError):
        convert(r"a<b<\dots<x_{n}", "mathematica")  # nobody knows what is left out


@pytest.mark.parametrize("target", ["sympy", "mpmath", "maple", "maxima", "mathematica"])
def test_one_sided_values_are_limits(target: str) -> None:
    assert "limit" in convert(r"f(c+)-f(c-)", target).code.lower()


@pytest.mark.parametrize(("bound", "letter"), [("n^{2}", "n"), (r"n\ln n", "n"), ("2^{N}", "N"), (r"\frac{1}{k}", "k")])
def test_o_terms_in_letters_that_count_hold_at_infinity(bound: str, letter: str) -> None:
    made = build(rf"f({letter})=\bigO@{{{bound}}}")
    (order,) = made.statements[0].atoms(sympy.Order)
    assert order.point == (sympy.oo,)
    assert any("infinity" in warning for warning in made.warnings)


def test_o_terms_beside_other_terms_hold_where_these_show() -> None:
    made = build(r"e^{x}=1+x+\bigO@{x^{2}}")
    (order,) = made.statements[0].atoms(sympy.Order)
    assert order.point == (0,) and made.warnings == ()
    assert any("tend to 0" in warning for warning in build(r"f(x)=\bigO@{x^{2}}").warnings)
