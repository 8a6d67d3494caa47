"""The comparator of `texlift bench ordinary`: what means the same is the same, and nothing else is."""

from __future__ import annotations

import pytest

from texlift.bench.equality import same_code
from texlift.bench.judge import Judge
from texlift.bench.normal import normal
from texlift.bench.term import CodeError, read_code

SAME = [
    # arithmetic
    ("(x + 1)**2", "x**2 + 2*x + 1"),
    ("Rational(7, 2)", "3 + Rational(1, 2)"),
    ("Float('1.96')*s", "Rational(49, 25)*s"),
    ("30*pi/180", "pi/6"),
    ("log(x, 2)", "log(x)/log(2)"),
    ("root(x**2, 3)", "(x**2)**Rational(1, 3)"),
    ("Integer(2)**Integer(2)**n", "2**(2**n)"),
    ("factorial(n)/(factorial(k)*factorial(n - k))", "binomial(n, k)"),
    ("exp(-(2*x))", "E**(-2*x)"),
    ("Piecewise((x, Gt(x, 0)), (-x, True))", "Piecewise((x, x > 0), (-x, x <= 0))"),
    ("Piecewise((1, Contains(x, A)), (0, True))", "Piecewise((1, Contains(x, A)), (0, True))"),
    ("totient(m*n)", "totient(n*m)"),
    # names
    ("E_**2 - lambda_*x1", "Symbol('E')**2 - lamda*x_1"),
    ("hat_x*bold_a", "x_hat*a"),
    ("Function('E_')(X)", "Function('E')(X)"),
    ("Indexed('a', 0) + Indexed('a', n)", "a_0 + Function('a')(n)"),
    ("IndexedBase('a')[i, j]", "Indexed('a', i, j)"),
    ("Symbol('x', real=True)", "x"),
    # relations and logic
    ("Eq(x, y, evaluate=False)", "Eq(y, x)"),
    ("Gt(a, b)", "b < a"),
    ("And(Lt(a, b), Le(b, c))", "(b <= c) & (a < b)"),
    ("[Eq(x, 1), Eq(y, 2)]", "And(Eq(y, 2), Eq(x, 1))"),
    ("Not(Eq(Mod(a, p), 0))", "Not(Eq(Mod(a, p), 0))"),
    ("Eq(Mod(a - b, n), 0)", "Eq(Mod(b - a, n), 0)"),
    ("Eq(Mod(a, n), Mod(b, n))", "Eq(Mod(a - b, n), 0)"),
    ("Not(Eq(x, 0))", "Ne(x, 0)"),
    # binders
    ("Sum(Indexed('a', i)*x**i, (i, 0, oo))", "Sum(Indexed('a', k)*x**k, (k, 0, oo))"),
    ("Integral(c*f(t), (t, 0, x))", "c*Integral(f(u), (u, 0, x))"),
    ("Integral(x*y, (y, 0, x), (x, 0, 1))", "Integral(Integral(x*y, (y, 0, x)), (x, 0, 1))"),
    ("Limit(f(x), x, oo)", "Limit(f(t), t, oo, dir='-')"),
    ("Derivative(f(x), x, x)", "Derivative(f(x), (x, 2))"),
    ("Derivative(Derivative(f(x, y), y), x)", "Derivative(f(x, y), x, y)"),
    ("Subs(Derivative(f(t), (t, 1)), t, x)", "Derivative(f(x), x)"),
    ("Subs(Derivative(f(t), t), t, 0)", "Subs(Derivative(f(x), x), x, 0)"),
    ("Derivative(u(t, x), t) - u(t, x)", "Derivative(u(x, t), t) - u(x, t)"),
    ("Lambda(x, x**2 + 1)", "Lambda(t, 1 + t**2)"),
    ("ConditionSet(x, x**2 < 2, S.Reals)", "ConditionSet(y, Lt(y**2, 2), Reals)"),
    ("Sum(2*k, (k, 1, n))**2", "4*Sum(j, (j, 1, n))**2"),
    # sets, matrices and what has no arithmetic
    ("Interval(0, oo)", "Interval(0, oo, False, True)"),
    ("Interval.open(0, 1)", "Interval(0, 1, True, True)"),
    ("Union(A, B)", "Union(B, A)"),
    ("FiniteSet(1, x)", "FiniteSet(x, 1)"),
    ("Matrix([x, y])", "Matrix([[x], [y]])"),
    ("Matrix(2, 2, [1, 2, 3, 4])", "Matrix([[1, 2], [3, 4]])"),
    ("det(Matrix([[a, b], [c, d]]))", "a*d - b*c"),
    ("Determinant(A - lamda*Symbol('I'))", "Determinant(A - lambda_*I_)"),
    ("2*Expectation(X + Y)", "Expectation(Y + X)*2"),
    ("(A*B)**(-1)", "Inverse(A*B)"),
    ("Bra('psi')*Ket('psi')", "Bra(psi)*Ket(psi)"),
    ("Order(x**2, (x, 0))", "O(x**2)"),
]  # fmt: skip

DIFFERENT = [
    ("3*Rational(1, 2)", "Rational(7, 2)"),
    ("x**2", "x**3"),
    ("x*0 + y", "x"),
    ("sqrt(x**2)", "x"),
    ("t/R*C", "t/(R*C)"),
    ("sin(x**2)", "sin(x)**2"),
    ("Integral(log(x), (x, 1, e))", "Integral(log(x), (x, 1, E))"),
    ("E*x", "Symbol('E')*x"),
    ("i*x", "I*x"),
    ("Limit(f(x), x, 0)", "Limit(f(x), x, 0, dir='+-')"),
    ("Lt(a, b)", "Lt(b, a)"),
    ("Lt(a, b)", "Le(a, b)"),
    ("Implies(a, b)", "Implies(b, a)"),
    ("Or(a, b)", "And(a, b)"),
    ("Or(p, And(q, r))", "And(Or(p, q), r)"),
    ("Sum(f(k), (k, 0, n))", "Sum(f(k), (k, 1, n))"),
    ("Sum(k*x, (k, 1, n))", "Sum(x, (k, 1, n))"),
    ("Sum(k, (k, 1, n)) + 1", "Sum(k + 1, (k, 1, n))"),
    ("Sum(Indexed('a', i), (i, 1, n))", "Sum(Indexed('a', i), (k, 1, n))"),
    ("Integral(f(x), (x, 0, y))", "Integral(f(y), (x, 0, y))"),
    ("Derivative(f(x), x)", "Derivative(f(y), y)"),
    ("Derivative(y, x)", "Derivative(y(x), x)"),
    ("Indexed('k', B)", "k_B"),
    ("E_*X", "Function('E')(X)"),
    ("Expectation(X**2) - Expectation(X)**2", "0*X"),
    ("vec_a*vec_b", "Dot(vec_a, vec_b)"),
    ("Cross(a, b)", "Cross(b, a)"),
    ("Matrix([[1, 2]])", "Matrix([[1], [2]])"),
    ("Matrix([[1, 2], [3, 4]])*Matrix([[x], [y]])", "Matrix([[x], [y]])*Matrix([[1, 2], [3, 4]])"),
    ("Interval(0, 1)", "Interval(0, 1, False, True)"),
    ("(1, 2)", "(2, 1)"),
    ("(0, 1)", "Interval.open(0, 1)"),
    ("vec_a - a", "a - vec_a"),
    ("bar_x - x", "x"),
    ("f(x, y) - f(y, x)", "f(y, x) - f(x, y)"),
    ("g(x)*f(1)", "f(x)*g(1)"),
    ("Mod(a, n)", "Mod(n, a)"),
    ("Eq(Mod(a, n), b)", "Eq(Mod(a - b, n), 0)"),
    ("Piecewise((1, Gt(x, 0)), (0, True))", "Piecewise((1, Ge(x, 0)), (0, True))"),
    ("Piecewise((x, True), (-x, True))", "[x, -x]"),
    ("EmptySet", "0"),
    ("Eq(x, 1)", "x - 1"),
    ("x", "Eq(x, 0)"),
    ("Abs(A)", "Determinant(A)"),
]  # fmt: skip


@pytest.mark.parametrize(("left", "right"), SAME)
def test_the_same(left: str, right: str) -> None:
    assert same_code(left, right)
    assert same_code(right, left)


@pytest.mark.parametrize(("left", "right"), DIFFERENT)
def test_different(left: str, right: str) -> None:
    assert not same_code(left, right)
    assert not same_code(right, left)


@pytest.mark.parametrize(
    "code",
    [
        "__import__('os')",
        "open('x')",
        "x.__class__",
        "(lambda: 1)()",
        "[x for x in y]",
        "f(*x)",
        "exec('1')",
        "S.__class__",
        "gamma + 1",
        "N",
        "x +",
        "'a'.join(x)",
        "Sum(x, (1, 2, 3))",
    ],
)
def test_what_is_no_formula_is_not_read(code: str) -> None:
    with pytest.raises(CodeError):
        normal(read_code(code))


def test_a_judge_goes_on_after_code_it_cannot_read() -> None:
    with Judge() as judge:
        assert not judge.same("x +", ["x"])
        assert not judge.same("open('x')", ["x"])
        assert judge.same("x + y", ["x", "y + x"])
