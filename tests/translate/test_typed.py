"""What people type into `parse_latex`: brackets of all packages, lost braces, commas in numbers, names with accents."""

from __future__ import annotations

import warnings

import pytest

import texlift

sympy = pytest.importorskip("sympy")
x, y, a, b, n = sympy.symbols("x y a b n")


def parsed(latex: str) -> tuple[object, list[str]]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        value = texlift.parse_latex(latex)
    return value, [str(warning.message) for warning in caught]


@pytest.mark.parametrize(
    ("latex", "value"),
    [
        (r"\mleft(x+2\mright)y", (x + 2) * y),
        (r"\mleft\lfloor x\mright\rfloor", sympy.floor(x)),
        (r"\lgroup x+2\rgroup y", (x + 2) * y),
        (r"\cos\lparen x\rparen", sympy.cos(x)),
        (r"\floor(x)", sympy.floor(x)),
        (r"\abs(x+y)", sympy.Abs(x + y)),
        (r"\tan\{x+y\}", sympy.tan(x + y)),
        (r"\exponentialE^{x}", sympy.exp(x)),
        (r"\int_{}^{}x^3dx", sympy.Integral(x**3, x)),
        (r"\gcd(1.2,0.8)", sympy.Rational(2, 5)),
        (r"\begin{pmatrix}1&i\\0&2\end{pmatrix}^H", sympy.Matrix([[1, 0], [-sympy.I, 2]])),
        (r"\begin{pmatrix}1&i\\0&2\end{pmatrix}^{*}", sympy.Matrix([[1, 0], [-sympy.I, 2]])),
        (r"\hat{y}_{n}", sympy.Symbol("yhat_{n}")),
        (r"\overline{y}_n", sympy.Symbol("ybar_{n}")),
    ],
)
def test_other_ways_to_type_it(latex: str, value: object) -> None:
    found, _ = parsed(latex)
    assert getattr(found, "doit", lambda: found)() == value or found == value


@pytest.mark.parametrize(
    ("latex", "value", "warning"),
    [
        ("10^25", sympy.Integer(10) ** 25, "without braces"),
        ("3x^12", 3 * x**12, "without braces"),
        ("2^-4", sympy.Rational(1, 16), "without braces"),
        ("a_12", sympy.Symbol("a_{12}"), "without braces"),
        ("x != y", sympy.Ne(x, y), "inequality"),
        ("n!=y", sympy.Eq(sympy.factorial(n), y), "factorial"),
        (r"\ulcorner x\urcorner", sympy.ceiling(x), "corners"),
        (r"\left\llcorner x\right\lrcorner", sympy.floor(x), "corners"),
        (r"\lim_{x\Rightarrow2}x", sympy.Limit(x, x, 2, "+-"), "arrow"),
        (r"\int a+b+c dx", sympy.Integral(a + b + sympy.Symbol("c"), x), "differential"),
        (r"|21,345.5|", sympy.Float("21345.5"), "thousands"),
        (r"\lfloor 21,345.5\rfloor", sympy.Integer(21345), "thousands"),
        (r"\max(120,450)", sympy.Integer(450), "list"),
        (r"\gcd(120,450)", sympy.Integer(30), "list"),
        (r"\begin{pmatrix}1&2\\3&4\end{pmatrix}'", sympy.Matrix([[1, 3], [2, 4]]), "transpose"),
        ("a+bI", a + b * sympy.Symbol("I"), "imaginary"),
        (r"17\mod 6/2", sympy.Integer(2), "modulus"),
    ],
)
def test_guesses_have_a_warning(latex: str, value: object, warning: str) -> None:
    found, warned = parsed(latex)
    assert getattr(found, "doit", lambda: found)() == value or found == value
    assert any(warning in text for text in warned), warned


@pytest.mark.parametrize("latex", [r"\left\vertx+y\right|", r"\left\nobracket x\right)", r"\left(x\right]"])
def test_unknown_brackets_are_refused(latex: str) -> None:
    with pytest.raises(texlift.TexliftError):
        texlift.parse_latex(latex)


def test_powers_beside_each_other_stay_powers() -> None:
    assert parsed("2^23^2") == (sympy.Integer(36), [])


def test_indices_are_no_imaginary_units() -> None:
    assert not parsed(r"\overline{x}_i+\overline{x}_i^2")[0].has(sympy.I)  # type: ignore[attr-defined]


def test_braces_that_are_not_printed_are_named() -> None:
    assert any("braces" in text for text in parsed("{a+2}{3-b}")[1])
    assert parsed("{a+b}=n")[1] == []


def test_common_divisors_of_letters_are_named() -> None:
    assert any("polynomials" in text for text in parsed(r"\gcd(a,b)")[1])
