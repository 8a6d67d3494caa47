"""How formulae are read: precedence, application, binders, statements, errors."""

from __future__ import annotations

import pytest

from texlift.errors import FormulaError
from texlift.meaning.reader.reading import read
from texlift.meaning.tree import Apply, Derivative, Integral, Relation, Series, Symbol, Unknown, walk
from texlift.targets import convert


def maple(semantic: str) -> str:
    return convert(semantic, "maple").code


@pytest.mark.parametrize(
    ("semantic", "code"),
    [
        ("a+bc^{2}d", "a + b*c^2*d"),
        ("-x^{2}", "-x^2"),
        ("a/bc", "a/(b*c)"),
        ("1/2x", "1/2*x"),
        ("a/(bc)", "a/(b*c)"),
        (r"2\pi i/n", "2*Pi*I/n"),
        (r"\frac{1}{2}(a+b)^{-n}", "1/2*(a + b)^(-n)"),
        ("{a+b}c", "a + b*c"),
        ("(2n)!/n!", "factorial(2*n)/factorial(n)"),
        ("n!!", "doublefactorial(n)"),
        ("|x|^{2}|y|", "abs(x)^2*abs(y)"),
        (r"\left|a-|b|\right|", "abs(a - abs(b))"),
        (r"x\cdot-1", "x*(-1)"),
        ("12.5x", "12.5*x"),
        (r"6\;06375", "606375"),
        (r"\sqrt[3]{x}", "x^(1/3)"),
        (r"e^{2ix}", "exp(2*I*x)"),
        ("a_{i}b_{i}", "a[i]*b[i]"),
        ("z_{0}+k^{\\prime}", "z0 + k_prime"),
        (r"{n\choose k}", "binomial(n, k)"),
        (r"(a)_{n}", "pochhammer(a, n)"),
    ],
)
def test_arithmetic(semantic: str, code: str) -> None:
    assert maple(semantic) == code


@pytest.mark.parametrize(
    ("semantic", "code"),
    [
        (r"\sin^{2}@@{z}", "sin(z)^2"),
        (r"\tan@{z}^{-1}", "tan(z)^(-1)"),
        (r"\EulerGamma^{-1}@{z}", "GAMMA(z)^(-1)"),
        (r"\BesselJ{\nu}'@{z}", "diff(BesselJ(nu, z), z)"),
        (r"\AiryAi''@{2x}", "eval(diff(AiryAi(t_), [t_$(2)]), t_ = 2*x)"),
        (r"\exp\left(-x\right)", "exp(-x)"),
        (r"\qmultiPochhammersym{a,b}{q}{n}", maple(r"\qPochhammer{a}{q}{n}\qPochhammer{b}{q}{n}")),
        (r"\min(a,b)", "min(a, b)"),
    ],
)
def test_macros(semantic: str, code: str) -> None:
    assert maple(semantic) == code


@pytest.mark.parametrize(
    ("semantic", "code"),
    [
        ("f(x)", "f(x)"),
        ("w(z)+w(-z)", "w(z) + w(-z)"),
        ("h(a,b)", "h(a, b)"),
        ("x(1-x)", "x*(1 - x)"),
        ("q^{n}(-1)^{n}", "q^n*(-1)^n"),
        (r"f^{\prime}(x)", "(D@@(1))(f)(x)"),
        (r"A_{k}(\zeta)", "A_k(zeta)"),
        (r"\sum_{k=0}^{n}A_{k}(\zeta)", "sum(A(k, zeta), k = 0 .. n)"),
    ],
)
def test_letters_before_parentheses(semantic: str, code: str) -> None:
    assert maple(semantic) == code


def test_a_product_before_parentheses_is_warned_about() -> None:
    assert any("product" in warning for warning in convert("a(b+c)", "maple").warnings)
    assert not convert("f(b+c)", "maple").warnings


@pytest.mark.parametrize(
    ("semantic", "code"),
    [
        (r"\sum_{n=0}^{\infty}a_{n}x^{n}+1", "sum(a[n]*x^n, n = 0 .. infinity) + 1"),
        (r"\sum_{m,n\geq0}mn", "sum(sum(m*n, n = 0 .. infinity), m = 0 .. infinity)"),
        (r"\prod_{1\leq h<j\leq r}(h+j)", "product(product(h + j, j = h + 1 .. r), h = 1 .. r)"),
        (r"\int_{0}^{1}x+1\diff{x}y", "int(x + 1, x = 0 .. 1)*y"),
        (r"\int_{0}^{1}\frac{\diff{t}}{t}", "int(1/t, t = 0 .. 1)"),
        (r"\int_{0}^{x}\int_{0}^{v}t\diff{t}\diff{v}", "int(int(t, t = 0 .. v), v = 0 .. x)"),
        (r"\lim_{x\to0+}x\ln@@{x}", "limit(x*ln(x), x = 0, right)"),
        (r"\deriv[2]{w}{z}=w", "diff(w(z), [z$(2)]) = w(z)"),
        (r"\left.\pderiv{x^{\nu}}{\nu}\right|_{\nu=0}", "eval(diff(x^nu, nu), nu = 0)"),
        (r"\nu(\nu-1)\cdots(\nu-m+1)", "product(nu + (-1)*k_, k_ = 0 .. m - 1)"),
        (r"z_{1}+z_{2}+\dots+z_{n}", "sum(z[k_], k_ = 1 .. n)"),
        (r"\fDiff[x]x^{2}", "(x + 1)^2 - x^2"),
    ],
)
def test_binders(semantic: str, code: str) -> None:
    assert maple(semantic) == code


def test_statements() -> None:
    assert maple("a=b=c") == "a = b and b = c"
    assert maple("a,b>0") == "[a > 0, b > 0]"
    assert maple(r"n=0,1,2,\dots") == "(n)::integer and n >= 0"
    assert maple(r"a\equivmod b\pmod{m}") == "modp(a - (b), m) = 0"
    assert maple(r"\sin@{\pm x}=\pm\sin@@{x}") == "[sin(x) = sin(x), sin(-x) = -sin(x)]"
    assert maple(r"\begin{cases}1,&x>0,\\0,&\text{otherwise}.\end{cases}") == "piecewise(x > 0, 1, 0)"


def test_spans_point_into_the_source() -> None:
    source = r"\BesselJ{\nu}@{z}=\sum_{n=0}^{\infty}\frac{x^{n}}{n!}"
    statement = read(source).statements[0]
    assert isinstance(statement, Relation)
    call = next(n for n in walk(statement) if isinstance(n, Apply) and n.head == r"\BesselJ")
    assert source[call.span[0] : call.span[1]] == r"\BesselJ{\nu}@{z}"
    series = next(n for n in walk(statement) if isinstance(n, Series))
    assert source[series.span[0] :].startswith(r"\sum")


def test_nodes() -> None:
    (statement,) = read(r"\int_{C}f(t)\diff{t}").statements
    assert (isinstance(statement, Integral) and statement.domain == Symbol("C", (5, 8))) or statement.domain is not None
    assert any(isinstance(n, Unknown) for n in walk(statement))
    (statement,) = read(r"\frac{\pdiff[2]{f}}{\pdiff{x}\pdiff{y}}").statements
    assert isinstance(statement, Derivative) and len(statement.variables) == 2


@pytest.mark.parametrize(
    ("semantic", "message"),
    [
        ("", "empty"),
        ("a+", "sign without"),
        (r"\frac{a}", "needs an argument"),
        (r"\BesselJ@{z}", "needs 1 parameters"),
        (r"\Hurwitzzeta@{s}", "needs 2 variables"),
        ("(a+b", "never closed"),
        ("|a", "never closed"),
        (r"\int_{0}^{1}x", "differential"),
        (r"\text{hello there}", "words"),
        (r"f^{-1}(x)", "inverse of an unknown function"),
        ("(" * 500 + "a" + ")" * 500, "deep"),
        ("a" + "/a" * 5000, "deep"),
    ],
)
def test_errors_name_the_place(semantic: str, message: str) -> None:
    with pytest.raises(FormulaError) as caught:
        convert(semantic, "maple")
    assert message in caught.value.message
    assert 0 <= caught.value.span[0] <= caught.value.span[1] <= len(semantic)


@pytest.mark.parametrize("target", ["sympy", "mpmath", "mathematica", "maple", "maxima"])
@pytest.mark.parametrize("semantic", [r"\foo@{z}", r"1+x+\dots+\sin@@{x}", r"\RiemannsymP@{z}"])
def test_what_has_no_counterpart_is_named(semantic: str, target: str) -> None:
    with pytest.raises(FormulaError) as caught:
        convert(semantic, target)
    assert caught.value.code in ("unsupported", "meaning")
