"""Forms of ordinary formulae that once gave wrong code without a warning, by kind."""

import pytest

from texlift.errors import FormulaError
from texlift.targets import convert


@pytest.mark.parametrize(
    ("latex", "code"),
    [
        (r"x=\pm3", "Or(Eq(x, 3, evaluate=False), Eq(x, -3, evaluate=False))"),
        (
            r"x^2=9\implies x=\pm3",
            "Implies(Eq(x**2, 9, evaluate=False), Or(Eq(x, 3, evaluate=False), Eq(x, -3, evaluate=False)))",
        ),
        (r"x\neq\pm3", "[Ne(x, 3, evaluate=False), Ne(x, -3, evaluate=False)]"),
        (
            r"(a\pm b)^2=a^2\pm c",
            "[Eq((a + b)**2, a**2 + c, evaluate=False), Eq((a - b)**2, a**2 - c, evaluate=False)]",
        ),
    ],
)
def test_either_sign_or_both(latex: str, code: str) -> None:
    assert convert(latex, "sympy").code == code


@pytest.mark.parametrize("space", ["[4pt]", "[-1.5ex]", "*", "*[2mm]", r"[\jot]", " [1em]"])
@pytest.mark.parametrize("kind", ["aligned", "cases", "gathered", "align*"])
def test_the_space_between_lines_is_no_formula(space: str, kind: str) -> None:
    latex = rf"\begin{{{kind}}}x+y=3\\{space}2x-y=0\end{{{kind}}}"
    assert convert(latex, "sympy").code == "[Eq(x + y, 3, evaluate=False), Eq(2*x - y, 0, evaluate=False)]"


def test_a_bracket_at_the_start_of_a_line_is_a_formula() -> None:
    assert convert(r"\begin{pmatrix}1\\[2]\end{pmatrix}", "sympy").code == "Matrix([[1], [2]])"


@pytest.mark.parametrize(
    ("latex", "code"),
    [
        (r"F(x)\Big|_a^b", "Subs(Function('F')(x), x, b) - Subs(Function('F')(x), x, a)"),
        (r"x^3-x\Big|_0^1", "Subs(x**3 - x, x, 1) - Subs(x**3 - x, x, 0)"),
        (r"\deriv{}{x}\Big|_{x=0}e^{2x}", "Subs(Derivative(exp(2*x), x), x, 0)"),
        (r"\left.\deriv{}{x}\right|_{x=0}e^{2x}", "Subs(Derivative(exp(2*x), x), x, 0)"),
        (r"\left.\left(\frac{a}{b}\right)\right.^{2}", "(a/b)**2"),
        (r"\int_{0^-}^{\infty}f(t)\diff{t}", "Integral(Function('f')(t), (t, 0, oo))"),
        (r"\lim_{\substack{x\to0\\x>0}}x^x", "Limit(x**x, x, 0, '+')"),
        (r"(1,2,3)^\top", "Matrix([[1], [2], [3]])"),
        (r"\begin{pmatrix}a\\b\end{pmatrix}=\vec0", "Eq(Matrix([[a], [b]]), Matrix([[0], [0]]), evaluate=False)"),
        (r"(f\circ g)'(x)", "Derivative(Function('f')(Function('g')(x)), x)"),
        (r"P(2\mid-1\mid3)", "Function('P')(2, -1, 3)"),
        (r"\conj{ab}-\conj{ba}", "10*a + b - (10*b + a)"),
        (r"\psi^*(x)", "conjugate(Function('psi')(x))"),
        (r"z^*z", "conjugate(z)*z"),
        (r"\sigma_{xx}=E\varepsilon_{xx}", "Eq(sigma_xx, E_*varepsilon_xx, evaluate=False)"),
        (r"x=3,5:1,5", "Eq(x, Float('3.5')/Float('1.5'), evaluate=False)"),
        (
            r"(A\otimes B)^{\mathsf T}=C",
            "Eq(Transpose(KroneckerProduct(A, B)), C_, evaluate=False)",
        ),
    ],
)
def test_code(latex: str, code: str) -> None:
    assert convert(latex, "sympy").code == code


def test_the_arguments_of_a_function_keep_their_order() -> None:
    found = convert(r"\pderiv[2]{u}{t}=\pderiv[2]{u}{x},\quad u(0,t)=0", "sympy").code
    assert "Function('u')(x, t)" in found
    assert "Function('u')(t, x)" not in found


def test_a_product_of_functions_with_a_prime_keeps_its_variable() -> None:
    found = convert(r"(fg)'(t)=f'(t)g(t)+f(t)g'(t)", "sympy").code
    assert found.startswith("Eq(Derivative(Function('f')(t)*Function('g')(t), t), ")


@pytest.mark.parametrize(
    ("latex", "code"),
    [
        (r"5\,\mathrm{m/s}", "5*m/s"),
        (r"72\ \text{km/h}", "72*km/h"),
        (r"9.81\,\mathrm{m/s^2}", "Float('9.81')*m/s**2"),
        (r"3\,\mathrm{kg\,m^2}", "3*kg*m**2"),
        (r"7\,\mathrm{\frac{km}{h}}", "7*km/h"),
    ],
)
def test_units_joined_in_one_word(latex: str, code: str) -> None:
    assert convert(latex, "sympy").code == code


@pytest.mark.parametrize("latex", [r"\mathrm{and/or}", r"5\,\mathrm{m/s/s}", r"5\,\mathrm{J/kg\,K}", r"\text{n/a}"])
def test_words_with_a_slash_that_are_no_units(latex: str) -> None:
    with pytest.raises(FormulaError):
        convert(latex, "sympy")
