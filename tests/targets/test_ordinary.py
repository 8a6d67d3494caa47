"""Ordinary notation: what is understood becomes code, what is not is an error; nothing becomes a factor by accident."""

from __future__ import annotations

import json
import string
from importlib.resources import files

import pytest

from texlift.errors import FormulaError
from texlift.meaning.reader.notation import notation
from texlift.meaning.reader.reading import read
from texlift.targets import TARGETS, convert

COMMANDS = sorted(
    name
    for group in json.loads(files("texlift.latex").joinpath("symbols.json").read_text("utf-8")).values()
    for name in group.split()
)
LETTERS = {"a", "b", "x", "oo", "pi"}


def sympy(formula: str) -> str:
    return convert(formula, "sympy").code


def warnings(formula: str) -> str:
    conversion = convert(formula, "sympy")
    return " ".join((*conversion.warnings, *conversion.notes))


@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_becomes_a_variable(command: str) -> None:
    letter = command in notation().letters or notation().synonyms.get(command) in notation().letters
    for formula in (f"a{command} b", f"{command} x", f"a{command}", f"a^{command}", f"a_{command} b"):
        for target in ("sympy", "maple"):
            try:
                names = {tex for tex, _ in convert(formula, target).symbols}
            except FormulaError as error:
                assert error.span[1] <= len(formula)
                continue
            strange = {name for name in names if command in name and not letter}
            if f"_{command}" in formula or f"^{command}" in formula:
                continue  # a label is part of a name
            assert not strange, f"{formula}: {strange}"


@pytest.mark.parametrize("character", ["日", "#", "§", "€", "☃", "\u0416"])
def test_characters_without_a_meaning_are_errors(character: str) -> None:
    with pytest.raises(FormulaError):
        convert(f"a+{character}b", "sympy")


@pytest.mark.parametrize("target", [target for target in TARGETS if target != "words"])  # spells what it cannot read
def test_broken_formulae_are_errors_for_every_target(target: str) -> None:
    for formula in (r"a\cdot\cdot b", r"\lfloor a\rceil", "1.1.1", "a++", r"a\times", "(a", "a)", r"\{a", "2=", "a,,b"):
        try:
            convert(formula, target)
        except FormulaError:
            continue
        assert formula in ("a++", "2="), formula


@pytest.mark.parametrize(
    ("formula", "code"),
    [
        (r"a\bmod n", "Mod(a, n)"),
        (r"a\equiv b\equiv c\pmod m", "And(Eq(Mod(a - b, m), 0), Eq(Mod(b - c, m), 0))"),
        (r"a=b\pmod m", "Eq(Mod(a - b, m), 0)"),
        (r"p\land q\implies r", "Implies(And(p, q), r)"),
        (r"\lnot p\vee q\iff r", "Equivalent(Or(Not(p), q), r)"),
        (r"p\land q\to r", "Implies(And(p, q), r)"),
        (r"x=1\implies x^2=1", "Implies(Eq(x, 1, evaluate=False), Eq(x**2, 1, evaluate=False))"),
        (r"a\leqslant b", "Le(a, b, evaluate=False)"),
        (r"a\not=b", "Ne(a, b, evaluate=False)"),
        (r"x\coloneqq y", "Eq(x, y, evaluate=False)"),
        ("x:=y", "Eq(x, y, evaluate=False)"),
        (r"\lbrack x\rbrack\medspace y", "x*y"),
        (r"A^\top", "Transpose(A)"),
        (r"B^{\mathsf T}C^\dagger", "Transpose(B)*Adjoint(C_)"),
        (r"45^\circ", "45*pi/180"),
        (r"\sin(30°)", "sin(30*pi/180)"),
        (r"x\in(0,1)", "Contains(x, Interval(0, 1, True, True))"),
        (r"x\in{]0,1]}", "Contains(x, Interval(0, 1, True, False))"),
        (r"x\in[0;1[", "Contains(x, Interval(0, 1, False, True))"),
        (r"\{7\}", "FiniteSet(7)"),
        (r"\{a+b\}^2", "(a + b)**2"),
        (r"\{x\in\Reals\mid x>1\}", "ConditionSet(x, Gt(x, 1), Reals)"),
        (r"\{n^2\mid n\in\Integers\}", "ImageSet(Lambda(n, n**2), Integers)"),
        ("x²+y₁", "x**2 + y1"),
        (r"\sin^{2}@@{θ}+\cos@{2θ}", "sin(theta)**2 + cos(2*theta)"),
        (r"\cos@@{45}°", "cos(45*pi/180)"),
        (
            r"\left\{\begin{array}{ll}1&\mbox{if }x>0\\0&\mbox{otherwise}\end{array}\right.",
            "Piecewise((1, Gt(x, 0)), (0, True))",
        ),
        (r"n\not\equiv1\pmod3", "Ne(Mod(n - 1, 3), 0)"),
        (r"\bigl||a|-|b|\bigr|", "Abs(Abs(a) - Abs(b))"),
        (r"(\vec a+\vec b)^2", "Dot(vec_a + vec_b, vec_a + vec_b)"),
        (r"\operatorname{tr}(A)^2", "Trace(A)**2"),
        (r"\det(AB)", "Determinant(A*B)"),
    ],
)
def test_what_commands_mean(formula: str, code: str) -> None:
    assert sympy(formula) == code


@pytest.mark.parametrize(
    ("formula", "code"),
    [
        (r"\lg x", "log(x, 10)"),
        (r"\operatorname{ld}8", "log(8, 2)"),
        (r"\log_b x", "log(x, b)"),
        (r"\log_{10}100", "log(100, 10)"),
        (r"\operatorname{tg}2x", "tan(2*x)"),
        (r"\mathrm{arctg}\,x+\mathrm{sh}\,y", "atan(x) + sinh(y)"),
        (r"\operatorname{sgn}(x)^3", "sign(x)**3"),
        (r"\operatorname{ctg}^2\alpha", "cot(alpha)**2"),
        (r"\operatorname{arsh}x", "asinh(x)"),
        (r"\operatorname{g}(x)", "Function('g')(x)"),
        (r"\mathrm{abc}(x,y)", "Function('abc')(x, y)"),
        (r"\operatorname{lcm}(4,6)", "lcm(4, 6)"),
        (r"\gcd(12,18,8)", "gcd(gcd(12, 18), 8)"),
        (r"\gcd(m,n)", "Function('gcd')(m, n)"),
        ("cos(x)", "cos(x)"),
        (r"\sin^{-1}@@{x}", "asin(x)"),
    ],
)
def test_named_functions(formula: str, code: str) -> None:
    assert sympy(formula) == code


@pytest.mark.parametrize("target", TARGETS)
def test_log_is_natural_and_says_so(target: str) -> None:
    conversion = convert(r"\log@@{x}", target)
    plain = convert(r"\ln@@{x}", target).code
    if target == "intent":  # shows what the author wrote
        assert "natural-logarithm" in conversion.code and "natural-logarithm" in plain
    elif target in ("numpy", "julia"):  # the documentation of the function holds the formula
        assert conversion.code.splitlines()[-1] == plain.splitlines()[-1]
    else:
        assert conversion.code == plain
    assert any("natural" in warning for warning in conversion.warnings)


@pytest.mark.parametrize(
    ("formula", "code"),
    [
        ("12{,}345", "12345"),
        ("7,000,000", "7000000"),
        (r"1\,234.5", "Float('1234.5')"),
        ("0,75", "Float('0.75')"),
        ("0,5x=1,25", "Eq(Float('0.5')*x, Float('1.25'), evaluate=False)"),
        (r"2\frac35", "2 + Rational(3, 5)"),
        (r"x\frac35", "x*Rational(3, 5)"),
        (r"40\%", "Rational(40, 100)"),
        ("6.02E23", "Float('6.02')*Integer(10)**23"),
        (r"0.1\overline{6}", "Rational(15, 90)"),
        (r"0.\dot{1}4285\dot{7}", "Rational(142857, 999999)"),
        ("(3,14)", "(3, 14)"),
        ("n=1,5,10", "Contains(n, FiniteSet(1, 5, 10))"),
    ],
)
def test_numbers(formula: str, code: str) -> None:
    assert sympy(formula) == code


@pytest.mark.parametrize("formula", ["1.2.3", r"2\quad3", "x=3,14", r"\{100,200,300\}", "1,00,000"])
def test_numbers_that_may_be_lists_are_errors(formula: str) -> None:
    with pytest.raises(FormulaError):
        convert(formula, "sympy")


@pytest.mark.parametrize(
    ("formula", "code"),
    [
        (r"\ln e", "log(E)"),
        (r"\lim_{n\to\infty}(1+1/n)^n=e", "Eq(Limit((1 + Integer(1)/n)**n, n, oo), E, evaluate=False)"),
        ("ax^4+bx^3+cx^2+dx+e", "a*x**4 + b*x**3 + c*x**2 + d*x + e"),
        (r"\frac{e^2}{4\pi\epsilon_0r}", "e**2/(4*pi*epsilon0*r)"),
        ("a_i+i", "Indexed('a', i) + i"),
        (r"\sum_{i=1}^n i", "Sum(i, (i, 1, n))"),
        ("3+4i", "3 + 4*I"),
        (r"e^{j\omega t}", "exp(I*omega*t)"),
        ("a_{ij}b_{jk}", "Indexed('a', i, j)*Indexed('b', j, k)"),
    ],
)
def test_constants_and_indices(formula: str, code: str) -> None:
    assert sympy(formula) == code


@pytest.mark.parametrize(
    ("formula", "code"),
    [
        ("k_BT", "k_B*T"),
        ("v_{max}", "v_max"),
        (r"p_{\rm out}-p_{\text{in}}", "p_out - p_in"),
        ("x_A+x_B", "x_A + x_B"),
        (r"F_X(x)", "Function('F_X')(x)"),
        ("a_{n+1}-a_n", "Indexed('a', n + 1) - Indexed('a', n)"),
        (r"\Delta x", "Delta_x"),
    ],
)
def test_labels_are_part_of_the_name(formula: str, code: str) -> None:
    assert sympy(formula) == code


@pytest.mark.parametrize(
    ("formula", "code"),
    [
        ("E[X^2]-E[X]^2", "Expectation(X**2) - Expectation(X)**2"),
        (r"P(A\mid B)", "Probability(A, B)"),
        (r"\mathbb{P}(X>2)", "Probability(Gt(X, 2, evaluate=False))"),
        (r"\operatorname{Cov}(X,Y)", "Covariance(X, Y)"),
        (r"[\hat x,\hat p]", "Commutator(hat_x, hat_p)"),
        ("[a,b]", "Interval(a, b, False, False)"),
        (r"\vec a\times\vec b", "Cross(vec_a, vec_b)"),
        (r"\mathbf{a}\cdot\mathbf{b}", "Dot(bold_a, bold_b)"),
        (r"a\times b", "a*b"),
        (r"\nabla\cdot\vec F", "Divergence(vec_F)"),
        (r"\nabla^2u", "Laplacian(u)"),
        (r"\partial_x f", "Derivative(Function('f')(x), x)"),
        (r"\partial_{xx}u", "Derivative(Function('u')(x), (x, 2))"),
        ("y''+y=0", "Eq(Derivative(Function('y')(x), (x, 2)) + Function('y')(x), 0, evaluate=False)"),
        (r"\ddot x=-x", "Eq(Derivative(Function('x')(t), (t, 2)), -Function('x')(t), evaluate=False)"),
        ("x'=2x", "Eq(x_prime, 2*x, evaluate=False)"),
        ("f_1(f_2-f_3)", "f1*(f2 - f3)"),
        ("f(x+1)", "Function('f')(x + 1)"),
        (r"\hat f(\xi)", "Function('hat_f')(xi)"),
        (r"h\nu/k_BT", "h*nu/(k_B*T)"),
        (r"\left[x^2\right]_0^1", "Subs(x**2, x, 1) - Subs(x**2, x, 0)"),
        (r"\lim_{x\to0}f(x)", "Limit(Function('f')(x), x, 0, '+-')"),
        (r"\lim_{x\to0^-}f(x)", "Limit(Function('f')(x), x, 0, '-')"),
        (r"\mathcal L\{t^2\}", "LaplaceTransform(t**2, t, s)"),
        (r"\langle\psi|\hat H|\psi\rangle", "Bra(psi)*hat_H*Ket(psi)"),
        ("C_n^k", "binomial(n, k)"),
        (r"{}_nC_k", "binomial(n, k)"),
        (r"\left(\frac ap\right)\equivmod1\pmod p", "Eq(Mod(legendre_symbol(a, p) - 1, p), 0)"),
    ],
)
def test_notation_with_a_meaning_of_its_own(formula: str, code: str) -> None:
    assert sympy(formula) == code


@pytest.mark.parametrize(
    "formula",
    [
        r"\Gamma^i_{jk}", r"g^{\mu\nu}", r"\langle x\rangle",
        "(f*g)(t)", r"\mathcal F\{f\}", r"|A\cup B|", r"\forall x", r"\begin{pmatrix}1&2\\3\end{pmatrix}",
        r"20\text{ of }30", r"X\sim N(0,1)", "f^{-1}(x)", r"\max_x f(x)", "(a,b)=1", r"\|A\|", r"\|f\|",
    ],
)  # fmt: skip
def test_what_sympy_cannot_say_is_refused(formula: str) -> None:
    with pytest.raises(FormulaError):
        convert(formula, "sympy")


@pytest.mark.parametrize(
    ("formula", "codes"),
    [
        (r"\begin{cases}x+y=1\\x-y=2\end{cases}", 2),
        (r"\begin{cases}x+y&=1\\x-y&=2\\z&=0\end{cases}", 3),
        (r"\begin{aligned}x&=1\\y&=2\end{aligned}", 2),
        (r"\begin{array}{rcl}a&=&1\\b&=&2\end{array}", 2),
        (r"\left\{\begin{array}{l}a=1\\b=2\end{array}\right.", 2),
        (r"\begin{aligned}a&=b\\&=c\end{aligned}", 1),
        (r"\begin{multline}a=b\\+c\end{multline}", 1),
        (r"a=1\text{ and }b=2", 2),
        (r"a=1\text{ or }a=2", 1),
        (r"x^2\geq0\quad\text{for }x\in\Reals", 2),
    ],
)
def test_no_statement_is_lost(formula: str, codes: int) -> None:
    assert len(read(formula).statements) == codes


def test_words_that_join_statements() -> None:
    assert sympy(r"P\text{ iff }R") == "Equivalent(P, R)"
    assert sympy(r"x=1\text{ or }x=2").startswith("Or(")
    with pytest.raises(FormulaError):
        convert(r"x=1\text{ which is nice }", "sympy")


@pytest.mark.parametrize(
    "formula",
    ["a(b+c)", "e", r"\log@@{x}", r"1{,}000", r"2\frac12", "SE=x", "a/bc", r"\Delta x", "z^*", r"f(x)=1\quad x>0"],
)
def test_guesses_are_told(formula: str) -> None:
    assert warnings(formula)


@pytest.mark.parametrize("letter", [*string.ascii_letters, r"\alpha", r"\Omega", r"\hbar", r"\ell"])
def test_letters_are_variables(letter: str) -> None:
    if letter in ("e", "i"):
        return
    assert len(convert(f"{letter}+1", "sympy").symbols) == 1
