"""Relations that a system lacks are kept undefined with a warning, written by their definition, or refused."""

from __future__ import annotations

import pytest
import sympy

from texlift.errors import FormulaError
from texlift.targets import convert
from texlift.targets.objects import build, sympy_objects

x, n, z = sympy.symbols("x n z")


def test_asymptotic_relations_are_never_decided() -> None:
    made = build(r"\EulerGamma@{x+1}\asympeq x^{x}e^{-x}\sqrt{2\pi x}")
    (relation,) = made.statements
    assert isinstance(relation, sympy.logic.boolalg.Boolean)
    assert relation.doit() == relation and relation not in (sympy.true, sympy.false)
    assert any("undefined predicate asymptotic" in warning for warning in made.warnings)
    code = convert(r"f(x)\asympeq x^{2}", "maxima")
    assert code.code == "'asymptotic(f(x), x^2)" and any("undefined noun" in warning for warning in code.warnings)


@pytest.mark.parametrize("semantic", [r"X\sim N(0,1)", r"a\sim b", r"f\sim g"])
@pytest.mark.parametrize("target", ["sympy", "maxima", "mpmath"])
def test_a_tilde_that_may_be_a_distribution_is_refused(semantic: str, target: str) -> None:
    with pytest.raises(FormulaError, match="~"):
        convert(semantic, target)


def test_an_order_is_a_relation_and_no_number() -> None:
    f = sympy.Function("f")(x)
    (relation,) = sympy_objects(r"f(x)=x^{2}(1+\littleo@{1})")
    assert relation.arguments == (f - x**2, x**2)
    assert convert(r"f(n)=n+\bigO@{n^{-2}}", "maxima").code == "'big_O(f(n) - n, n^(-2))"
    assert convert(r"f(z)=z+\bigO@{z^{2}\ln@@{z}}", "mathematica").code == (
        "AsymptoticLessEqual[f[z] - z, z^2*Log[z], z -> 0]"
    )
    with pytest.raises(FormulaError):
        convert(r"\exp@{x+\bigO@{1}}", "maxima")  # an order inside a function is no remainder
    with pytest.raises(FormulaError):
        convert(r"f(x)=1+\bigO@{x}+\littleo@{x}", "maxima")


def test_an_arrow_between_letters_is_refused_and_one_to_a_number_is_a_limit() -> None:
    assert "tends_to" in convert(r"\int_{0}^{1}\sin@{nx}\diff{x}\to0", "sympy").code
    for semantic in (r"A\to B", r"x\to y"):
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
