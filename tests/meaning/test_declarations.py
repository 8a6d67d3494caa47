"""What is declared of letters is obeyed or answered with an error."""

from __future__ import annotations

import pickle

import pytest

import texlift
from texlift.errors import FormulaError, TexliftError
from texlift.meaning.declarations import MAX_DECLARED, Declarations, symbol_name
from texlift.targets import convert


@pytest.mark.parametrize(
    ("latex", "declare", "code"),
    [
        ("f(x+1)", {"f": "function"}, "Function('f')(x + 1)"),
        ("f(x+1)", {"f": "real"}, "f*(x + 1)"),
        ("a(b+c)", {"a": "function"}, "Function('a')(b + c)"),
        ("ae^{x}", {"e": "variable"}, "a*e**x"),
        ("e+1", {"e": "Euler's number"}, "E + 1"),
        ("a+bj", {"j": "imaginary unit"}, "a + b*I"),
        ("2i", {"i": "integer"}, "2*i"),
        ("X^T", {"X": "variable", "T": "variable"}, "X**T"),
    ],
)
def test_a_declared_role_decides_the_reading(latex: str, declare: dict[str, str], code: str) -> None:
    assert convert(latex, "sympy", declare).code == code


@pytest.mark.parametrize("declare", [{r"\Gamma": "set"}, {r"\Gamma": "function"}, {r"\Gamma": "variable"}])
def test_a_declared_letter_is_no_function_of_the_dlmf(declare: dict[str, str]) -> None:
    assert texlift.load().translate(r"\Gamma(z)", declare=declare).semantic == r"\Gamma(z)"


def test_a_letter_can_be_declared_to_be_a_macro() -> None:
    assert texlift.load().translate("K(x)", declare={"K": r"\compellintKk"}).semantic == r"\compellintKk@{x}"
    with pytest.raises(FormulaError, match=r"cannot be read so"):
        texlift.load().translate("K(x)", declare={"K": r"\EulerGamma"})


@pytest.mark.parametrize(
    ("declare", "message"),
    [
        ({"n": "integral"}, "not a kind"),
        ({"n": "even odd"}, "even and odd"),
        ({"n": "positive negative"}, "at the same time"),
        ({"f": "function set"}, "at the same time"),
        ({"A": "matrix(3)"}, "sizes"),
        ({"K": r"\nosuchmacro"}, "no macro"),
        ({"x^2": "real"}, "not a symbol"),
        ({"x": ""}, "nothing is declared"),
        ({"x_0": "real", "x_{0}": "integer"}, "twice"),
        ({"x": 3}, "texts"),
    ],
)
def test_a_declaration_that_cannot_be_obeyed_is_an_error(declare: dict[str, str], message: str) -> None:
    with pytest.raises(TexliftError, match=message):
        Declarations.of(declare)


def test_ten_thousand_declared_symbols_are_the_most() -> None:
    many = {f"x_{{{k}}}": "real" for k in range(MAX_DECLARED + 1)}
    with pytest.raises(TexliftError, match="more than"):
        Declarations.of(many)
    many.pop("x_{0}")
    assert convert("x_{7}+1", "sympy", many).code == "x7 + 1"


@pytest.mark.parametrize(
    ("written", "name"),
    [("x", "x"), ("$x_0$", "x_{0}"), (r"\vec v", r"\vec{v}"), (r"k_{\mathrm{B}}", "k_{B}"), (r"\alpha", r"\alpha")],
)
def test_a_symbol_may_be_written_in_several_ways(written: str, name: str) -> None:
    assert symbol_name(written) == name


def test_declarations_can_be_pickled_and_joined() -> None:
    strong, weak = Declarations.of({"n": "integer"}), Declarations.of({"n": "real", "m": "real"})
    joined = strong.over(weak)
    assert pickle.loads(pickle.dumps(joined)) == joined  # noqa: S301
    assert {name: sorted(one.traits) for name, one in joined.items()} == {"n": ["integer"], "m": ["real"]}
