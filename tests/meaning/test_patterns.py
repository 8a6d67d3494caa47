"""Dots are filled in only where all terms agree; operators act on what stands behind them; colons are not guessed."""

from __future__ import annotations

import pytest
import sympy

from texlift.errors import FormulaError
from texlift.meaning.reader.reading import read
from texlift.targets import convert
from texlift.targets.objects import sympy_objects


@pytest.mark.parametrize(
    ("semantic", "letters"),
    [
        (r"\binom{n}{0}-\binom{n}{1}+\dots+(-1)^{n}\binom{n}{n}", {"n": 6}),
        (r"\binom{n}{0}2^{n}+\binom{n}{1}2^{n-1}+\dots+\binom{n}{n}2^{0}", {"n": 5}),
    ],
)
def test_finite_sums(semantic: str, letters: dict[str, int]) -> None:
    (total,) = sympy_objects(semantic)
    n = letters["n"]
    expected = {6: 0, 5: 3**5}[n]
    assert total.subs({s: letters[s.name] for s in total.free_symbols}).doit() == expected


def test_indices_that_go_up_and_down() -> None:
    (total,) = sympy_objects(r"a_{1}b_{n-1}+a_{2}b_{n-2}+\dots+a_{n}b_{0}")
    (n,) = (s for s in total.free_symbols if s.name == "n")
    a, b = sympy.IndexedBase("a"), sympy.IndexedBase("b")
    assert total.subs(n, 3).doit() == a[1] * b[2] + a[2] * b[1] + a[3] * b[0]


def test_endless_sums_need_three_terms_that_agree() -> None:
    (total,) = sympy_objects(r"1+\frac{1}{1!}+\frac{1}{2!}+\frac{1}{3!}+\cdots")
    assert total.doit() == sympy.E
    for semantic in (r"2+4+8+\cdots", r"\frac{1}{2}+\frac{1}{3}+\frac{1}{5}+\cdots", r"\frac{1}{2}+\frac{1}{5}+\cdots"):
        with pytest.raises(FormulaError, match="dots"):
            convert(semantic, "sympy")


def test_a_sign_that_does_not_fit_is_not_overlooked() -> None:
    with pytest.raises(FormulaError):
        convert(r"\binom{n}{0}-\binom{n}{1}+\dots+(-1)^{n+1}\binom{n}{n}", "sympy")


def test_operators_act_on_what_stands_behind_them() -> None:
    x, y = sympy.symbols("x y")
    (value,) = sympy_objects(r"\left(x\pderiv{}{x}-\pderiv{}{y}\right)x^{2}y")
    assert value.doit() == 2 * x**2 * y - x**2
    (twice,) = sympy_objects(r"\left(\frac{1}{x}\deriv{}{x}\right)^{2}x^{4}")
    assert sympy.simplify(twice.doit()) == 8
    assert convert(r"\left(\frac{1}{z}\deriv{}{z}\right)^{k}f(z)", "mathematica").code == (
        "Nest[Function[u$, 1/z*D[u$, z]], f[z], k]"
    )
    assert convert(r"\fDiff f(x)", "sympy").code == "Function('f')(x + 1) - Function('f')(x)"


def test_nested_powers_of_operators_stay_small() -> None:
    semantic = r"y(z)"
    for _ in range(5):
        semantic = rf"\left(\deriv{{}}{{z}}+1\right)^{{6}}{semantic}"
    with pytest.raises(FormulaError):
        convert(semantic, "mathematica")


@pytest.mark.parametrize("semantic", ["12:00", "9:05", "A:B=1"])
def test_times_of_day_and_ratios_of_letters_are_refused(semantic: str) -> None:
    with pytest.raises(FormulaError, match="ratio"):
        read(semantic)


def test_what_is_ambiguous_is_said() -> None:
    assert any("factorial" in warning for warning in read("x!=3").warnings)
    assert not read("5!=120").warnings
    assert any("product of letters" in warning for warning in read("pH").warnings)
    assert convert(r"11,\!111+x", "sympy").code == "11111 + x"
    assert convert("A^{T}A", "sympy").code == convert("A^TA", "sympy").code
