"""What Python programs use: functions at the top of the package, answers with methods, SymPy's parse_latex."""

from __future__ import annotations

import subprocess
import sys

import pytest

import texlift
from texlift.errors import TexliftError


def test_importing_texlift_loads_nothing() -> None:
    code = (
        "import sys, texlift; "
        "print([name for name in sys.modules if name.partition('.')[0] in ('numpy', 'sympy', 'mpmath')])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_translate_is_a_function_whatever_was_imported_before() -> None:
    code = (
        "import texlift; first = texlift.translate('x^2').semantic; import texlift.translate.decoding; "
        "print(first, texlift.translate('x^2', declare={'x': 'real'}).declared['x'])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out == "x^2 x: real\n"


def test_names_at_the_top() -> None:
    assert texlift.expand(r"\BesselJ{\nu}@{z}") == r"J_{\nu}\left(z\right)"
    assert texlift.convert("n(x)", "mathematica", declare={"n": "function"}).code == "n[x]"
    assert "parse_latex" in dir(texlift)
    with pytest.raises(AttributeError):
        texlift.nothing  # noqa: B018


def test_code_for_several_targets() -> None:
    answer = texlift.translate(r"\sin x")
    assert answer.to("sympy") == "sin(x)"
    assert answer.to("sympy", "mathematica") == {"sympy": "sin(x)", "mathematica": "Sin[x]"}
    assert "<sin/>" in answer.mathml()


def test_symbols_and_tree_of_an_answer() -> None:
    answer = texlift.translate("n(x)=x", declare={"n": "function"})
    n, x = answer.symbols
    assert str(n) == "n: function (declared)"
    assert (n.kind, n.probability) == ("function", 1.0)
    assert (x.role, x.said, x.traits) == ("variable", "", frozenset())  # a likely kind is no fact
    assert answer.tree.pretty().splitlines()[1] == "├─ n (function)"


def test_declarations_decide_between_function_and_product() -> None:
    sympy = pytest.importorskip("sympy")
    x = sympy.Symbol("x")
    assert texlift.translate("k(x+1)", declare={"k": "function"}).sympy() == sympy.Function("k")(x + 1)
    assert texlift.translate("f(x+1)", declare={"f": "variable"}).sympy() == sympy.Symbol("f") * (x + 1)


# -- SymPy's parse_latex -------------------------------------------------------------------------------------------


def test_parse_latex_has_sympys_names_and_no_assumptions() -> None:
    sympy = pytest.importorskip("sympy")
    found = texlift.parse_latex(r"x_0+\alpha+y_{max}+\lambda")
    assert found == sum(map(sympy.Symbol, ("x_{0}", "alpha", "y_{max}", "lambda")))
    assert texlift.parse_latex("a^2+b^2=c^2") == sympy.Eq(
        sympy.Symbol("a") ** 2 + sympy.Symbol("b") ** 2, sympy.Symbol("c") ** 2
    )
    k, x = sympy.symbols("k x")
    assert texlift.parse_latex(r"\sum_{k=1}^{10}x^k") == sympy.Sum(x**k, (k, 1, 10))


def test_parse_latex_does_not_guess_special_functions() -> None:
    sympy = pytest.importorskip("sympy")
    assert texlift.parse_latex(r"\theta(x)") == sympy.Function("theta")(sympy.Symbol("x"))
    assert texlift.parse_latex("J_0(x)") == sympy.besselj(0, sympy.Symbol("x"))


@pytest.mark.parametrize("formula", ["(", r"\frac{1}{}", r"\sqrt{}", "a +", r"\zzz x", "", r"\forall x", "x^2 @"])
def test_parse_latex_raises_an_error_of_both_families(formula: str) -> None:
    pytest.importorskip("sympy")
    from sympy.parsing.latex import LaTeXParsingError

    with pytest.raises(LaTeXParsingError) as caught:
        texlift.parse_latex(formula)
    assert isinstance(caught.value, TexliftError)


def test_parse_latex_takes_sympys_options() -> None:
    pytest.importorskip("sympy")
    for backend in ("antlr", "lark", "texlift"):
        assert str(texlift.parse_latex("x+1", backend=backend)) == "x + 1"
    with pytest.raises(NotImplementedError):
        texlift.parse_latex("x", backend="yacc")


def test_strict_refuses_what_is_guessed() -> None:
    pytest.importorskip("sympy")
    from sympy.parsing.latex import LaTeXParsingError

    with pytest.warns(texlift.ConversionWarning):
        texlift.parse_latex("k(x+1)")
    with pytest.raises(LaTeXParsingError, match="product"):
        texlift.parse_latex("k(x+1)", strict=True)
