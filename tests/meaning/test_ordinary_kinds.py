"""Kinds of ordinary formulae: each notation of a kind says the same, and what looks alike is not taken for it."""

from __future__ import annotations

import pytest

from texlift.errors import FormulaError
from texlift.targets import convert


def code(latex: str) -> str:
    return convert(latex, "sympy").code


def warned(latex: str) -> bool:
    return bool(convert(latex, "sympy").warnings)


LOGIC = [
    (r"p\to(q\to r)", "Implies(p, Implies(q, r))"),
    (r"p\leftrightarrow q", "Equivalent(p, q)"),
    (r"\sim(p\vee q)\wedge r", "And(Not(Or(p, q)), r)"),
    (r"(p\uparrow q)\downarrow r", "Nor(Nand(p, q), r)"),
    (r"p\veebar\neg q", "Xor(p, Not(q))"),
    (r"\overline{p\lor q}", "Not(Or(p, q))"),
    (r"p\lor\neg p\equiv\top", "Equivalent(Or(p, Not(p)), true)"),
    (r"a\mid b,\ a\mid c\Rightarrow a\mid(b+c)",
     "Implies(And(Eq(Mod(b, a), 0), Eq(Mod(c, a), 0)), Eq(Mod(b + c, a), 0))"),
]  # fmt: skip
FIELDS = [
    (r"\mathbf B\cdot(\nabla\times\mathbf A)", "Dot(bold_B, Curl(bold_A))"),
    (r"\operatorname{rot}\vec v\cdot\vec n", "Dot(Curl(vec_v), vec_n)"),
    (r"(\nabla\times\mathbf B)\times\mathbf B", "Cross(Curl(bold_B), bold_B)"),
    (r"\mathbf v\cdot\nabla^2\mathbf v", "Dot(bold_v, Laplacian(bold_v))"),
]
UPRIGHT_UNITS = [
    (r"R+\mathrm{j}\left(\omega L-\frac{1}{\omega C}\right)", "R + I*(omega*L - Integer(1)/(omega*C_))"),
    (r"x_{\mathrm j}", "x_j"),
    (r"b\mathrm j+c\mathrm k", "b*j + c*k"),
]
SETS = [
    (r"\mathbb{R}^+\cap\mathbb{Q}", "Intersection(Interval(0, oo, True, True), Rationals)"),
    (r"n\in\mathbb{N}^*", "Contains(n, Naturals)"),
    (r"n\in\mathbb{Z}_{\geq 0}", "Contains(n, Naturals0)"),
    (r"x\in\mathbb{R}_0^+", "Contains(x, Interval(0, oo, False, True))"),
    (r"\mathcal{P}(\{1,2\})", "PowerSet(FiniteSet(1, 2))"),
    (r"\complement_U A", "Complement(U, A)"),
    (r"\{1,\ldots,n\}", "Range(1, n + 1)"),
    (r"\{2,4,6,\ldots\}", "Range(2, oo, 2)"),
    (r"\{\ldots,-1,0,1,\ldots\}", "Integers"),
    (r"\{x\mid x=3k,\ k\in\mathbb{Z}\}", "ImageSet(Lambda(k, 3*k), Integers)"),
    (r"\{(x,y)\in\mathbb{R}^2\mid y>x\}", "ConditionSet(Tuple(x, y), Gt(y, x), Reals**2)"),
    (r"A\cup B\cap C", "Union(A, Intersection(B, C_))"),
    (r"[0,1]\times[0,2]", "ProductSet(Interval(0, 1, False, False), Interval(0, 2, False, False))"),
]
NUMBERS = [
    (r"a\equiv b\;(n)", "Eq(Mod(a - b, n), 0)"),
    (r"a\equiv b\ [n]", "Eq(Mod(a - b, n), 0)"),
    (r"p\equiv\pm1\pmod 8", "Or(Eq(Mod(p - 1, 8), 0), Eq(Mod(p - -1, 8), 0))"),
    (r"\left(\frac{-1}{p}\right)=(-1)^{(p-1)/2}", "Eq(legendre_symbol(-1, p), (-1)**((p - 1)/2), evaluate=False)"),
    (r"(1101)_2+77_8", "13 + 63"),
    (r"\{x\}=x-\lfloor x\rfloor", "Eq(frac(x), x - floor(x), evaluate=False)"),
    (r"A_n^k=\frac{n!}{(n-k)!}", "Eq(ff(n, k), factorial(n)/factorial(n - k), evaluate=False)"),
    (
        r"(a,m)=1\Rightarrow a\equiv b\pmod m",
        "Implies(Eq(Function('gcd')(a, m), 1, evaluate=False), Eq(Mod(a - b, m), 0))",
    ),
]
CALCULUS = [
    ("u_{tt}=c^2u_{xx}",
     "Eq(Derivative(Function('u')(x, t), (t, 2)), c**2*Derivative(Function('u')(x, t), (x, 2)), evaluate=False)"),
    ("f_x(1,2)", "Subs(Subs(Derivative(Function('f')(x, y), x), x, 1), y, 2)"),
    (r"\pderiv{u}{x}(0,t)", "Subs(Derivative(Function('u')(x, t), x), x, 0)"),
    (r"\left.\pderiv{f}{x}\right|_{x=1,y=2}", "Subs(Subs(Derivative(Function('f')(x, y), x), x, 1), y, 2)"),
    (r"\left(\pderiv{U}{V}\right)_T", "Derivative(Function('U')(V, T), V)"),
    (r"\pderiv{u}{x}+\pderiv{v}{y}", "Derivative(Function('u')(x, y), x) + Derivative(Function('v')(x, y), y)"),
    (r"D_x\left[x^2\right]", "Derivative(x**2, x)"),
    (r"y^{\mathrm{IV}}+y''", "Derivative(Function('y')(x), (x, 4)) + Derivative(Function('y')(x), (x, 2))"),
    (r"\mathop{\lim}\limits_{x\to0}x", "Limit(x, x, 0, '+-')"),
]  # fmt: skip
VECTORS = [
    (r"\nabla\times(\nabla f)=\mathbf{0}", "Eq(Curl(Gradient(f)), 0, evaluate=False)"),
    (r"(\vec a,\vec b)=0", "Eq(Dot(vec_a, vec_b), 0, evaluate=False)"),
    (r"[\vec a,\vec b]", "Cross(vec_a, vec_b)"),
    (r"\Delta u=0", "Eq(Laplacian(u), 0, evaluate=False)"),
    (r"\delta_{ij}", "KroneckerDelta(i, j)"),
    (r"\epsilon_{ijk}", "LeviCivita(i, j, k)"),
    (r"|A-\lambda E|", "Determinant(A - lambda_*E_)"),
    (r"U^*=U^{-1}", "Eq(Adjoint(U), U**(-1), evaluate=False)"),
]
FUNCTIONS = [
    (r"j_l(x)", "jn(l, x)"),
    (r"Y_{lm}(\theta,\varphi)", "Ynm(l, m, theta, varphi)"),
    (r"Y_l^m(\theta,\varphi)", "Ynm(l, m, theta, varphi)"),
    (r"\zeta(s,a)", "zeta(s, a)"),
    (r"F(\varphi,k)", "elliptic_f(varphi, k**2)"),
    (r"F(\varphi|m)", "elliptic_f(varphi, m)"),
    (r"F(\varphi\backslash\alpha)", "elliptic_f(varphi, sin(alpha)**2)"),
    (r"\BesselJ{\nu}@{x}+N_\nu(x)", "besselj(nu, x) + bessely(nu, x)"),
    (r"v_{\max}", "v_max"),
]


EVERY = [*LOGIC, *FIELDS, *UPRIGHT_UNITS, *SETS, *NUMBERS, *CALCULUS, *VECTORS, *FUNCTIONS]


@pytest.mark.parametrize(("latex", "wanted"), EVERY)
def test_a_notation_of_ordinary_mathematics_is_read(latex: str, wanted: str) -> None:
    assert code(latex) == wanted


@pytest.mark.parametrize(
    "latex",
    [
        r"x\in\mathbb{R}^+", r"A\cup B\cap C", r"\mathcal{P}(A)", r"a\equiv b\;(n)", r"(1101)_2", "u_{tt}=c^2u_{xx}",
        r"\left(\frac{a}{p}\right)=1", r"(\vec a,\vec b)=0", r"\Delta u=0", r"U^*=U^{-1}", "j_l(x)", r"\zeta(s,a)",
        r"F(\varphi,k)", "A^c", r"\|x\|", r"(a,m)=1\Rightarrow a\equiv b\pmod m", "A_{ij}x_j",
    ],
)  # fmt: skip
def test_a_reading_that_others_could_doubt_is_a_warning(latex: str) -> None:
    assert warned(latex)


@pytest.mark.parametrize(
    ("latex", "wanted"),
    [
        (r"x\mapsto f(x)", None), (r"A\to B", None), ("F_x=ma_x", "Eq(F_x, m*a_x, evaluate=False)"),
        ("v_x^2+v_y^2=v^2", "Eq(v_x**2 + v_y**2, v**2, evaluate=False)"),
        (r"\mathcal{P}(A\mid B)", "Probability(A, B)"), (r"(x)_n", "RisingFactorial(x, n)"),
        (r"Q=mc\Delta T", "Eq(Q_, m*c*Delta_T, evaluate=False)"), (r"\varepsilon_{ij}", "Indexed('varepsilon', i, j)"),
        (r"\left(\frac{a}{b}\right)^2", "(a/b)**2"), ("[a,b]", "Interval(a, b, False, False)"),
    ],
)  # fmt: skip
def test_what_looks_alike_is_not_taken_for_it(latex: str, wanted: str | None) -> None:
    if wanted is None:
        with pytest.raises(FormulaError):
            code(latex)
    else:
        assert code(latex) == wanted


@pytest.mark.parametrize(
    "latex",
    [
        r"\begin{pmatrix}1\\2\end{pmatrix}+\begin{pmatrix}3\\4\\5\end{pmatrix}",
        r"\begin{pmatrix}1&2\\3&4\end{pmatrix}\begin{pmatrix}1&2&3\end{pmatrix}",
        r"\epsilon_{ijk}a_jb_k", "(AB)_{ij}", r"\frac{Df}{Dt}", r"D_{\mathbf u}f", r"\pderiv{f}{\mathbf n}",
        r"\overline{A}\cup B", r"T^{ij}", r"\{x\mid x>k,\ k\in\mathbb{Z}\}", r"\{1,3,\dots\}",
    ],
)  # fmt: skip
def test_what_sympy_has_no_words_for_is_refused(latex: str) -> None:
    with pytest.raises(FormulaError):
        code(latex)
