"""Functions that mpmath and SymPy lack: their equations, what normalises them, values known elsewhere."""

from __future__ import annotations

import pytest

pytest.importorskip("mpmath")

from mpmath import mp

from texlift.special import numbers

Q = mp.mpf("1.5")
POINT = mp.mpf("0.37")


@pytest.mark.parametrize("order", [1, 2, 5])
def test_mathieu_functions_agree_with_scipy(order: int) -> None:
    special = pytest.importorskip("scipy.special")
    assert float(numbers.mathieu_a(order, Q)) == pytest.approx(special.mathieu_a(order, 1.5))
    assert float(numbers.mathieu_b(order, mp.mpf("-2"))) == pytest.approx(special.mathieu_b(order, -2))
    at = mp.pi / 6
    assert float(numbers.mathieu_ce(order, at, Q)) == pytest.approx(special.mathieu_cem(order, 1.5, 30)[0])
    assert float(numbers.mathieu_se(order, at, Q)) == pytest.approx(special.mathieu_sem(order, 1.5, 30)[0])


def test_mathieu_functions_of_any_real_order() -> None:
    nu = mp.mpf("1.3")

    def wave(z: object) -> object:
        return numbers.mathieu_me(nu, z, Q)

    value = numbers.mathieu_lambda(nu, Q)
    assert abs(mp.diff(wave, POINT, 2) + (value - 2 * Q * mp.cos(2 * POINT)) * wave(POINT)) < 1e-12
    assert abs(wave(POINT + mp.pi) - mp.expj(nu * mp.pi) * wave(POINT)) < 1e-12
    assert abs(mp.quad(lambda z: wave(z) * wave(-z), [0, mp.pi]) - mp.pi) < 1e-12
    assert abs(numbers.mathieu_me(nu, POINT, 0) - mp.expj(nu * POINT)) < 1e-12
    both = numbers.mathieu_ce(nu, POINT, Q) + mp.mpc(0, 1) * numbers.mathieu_se(nu, POINT, Q)
    assert abs(both - wave(POINT)) < 1e-12
    with pytest.raises(ValueError, match="order"):
        numbers.mathieu_me(mp.mpc(0, 1), POINT, Q)


@pytest.mark.parametrize("m", [0, 1, 2, 3])
@pytest.mark.parametrize("nu", ["1.3", "3"])
def test_lame_functions_solve_their_equation(m: int, nu: str) -> None:
    k2 = mp.mpf("0.5")
    degree = mp.mpf(nu)
    for eigenvalue, function in ((numbers.lame_a, numbers.lame_ec), (numbers.lame_b, numbers.lame_es)):
        if function is numbers.lame_es and m == 0:
            continue

        def wave(z: object, function: object = function) -> object:
            return function(m, degree, z, k2)

        pull = degree * (degree + 1) * k2 * mp.ellipfun("sn", POINT, m=k2) ** 2
        assert abs(mp.diff(wave, POINT, 2) + (eigenvalue(m, degree, k2) - pull) * wave(POINT)) < 1e-12
        weighted = mp.quad(lambda x: mp.ellipfun("dn", x, m=k2) * wave(x) ** 2, [0, mp.ellipk(k2)])
        assert abs(weighted - mp.pi / 4) < 1e-12
    assert numbers.lame_a(0, degree, k2) < numbers.lame_a(1, degree, k2) < numbers.lame_a(2, degree, k2)


@pytest.mark.parametrize(("m", "n", "gamma2"), [(0, 2, 4), (1, 3, 2), (1, 2, -3), (2, 2, 9)])
def test_spheroidal_functions_solve_their_equation(m: int, n: int, gamma2: int) -> None:
    def wave(x: object) -> object:
        return numbers.spheroidal_ps(m, n, x, gamma2)

    value = numbers.spheroidal_lambda(m, n, gamma2)
    bent = mp.diff(lambda t: (1 - t * t) * mp.diff(wave, t), POINT)
    rest = value + gamma2 * (1 - POINT**2) - mp.mpf(m * m) / (1 - POINT**2)
    assert abs(bent + rest * wave(POINT)) < 1e-12
    assert abs(numbers.spheroidal_ps(m, n, POINT, 0) - mp.legenp(n, m, POINT, type=2)) < 1e-12
    special = pytest.importorskip("scipy.special")
    known = (special.pro_cv if gamma2 > 0 else special.obl_cv)(m, n, abs(gamma2) ** 0.5)
    assert float(value) == pytest.approx(known - gamma2)


def test_heun_functions_are_hypergeometric_where_they_should_be() -> None:
    alpha, beta, gamma = mp.mpf("0.7"), mp.mpf("1.2"), mp.mpf("0.9")
    found = numbers.heun_hl(1, alpha * beta, alpha, beta, gamma, mp.mpf("0.4"), POINT)  # DLMF 31.7.1
    assert abs(found - mp.hyp2f1(alpha, beta, gamma, POINT)) < 1e-12
    with pytest.raises(ValueError, match="disk"):
        numbers.heun_hl(2, 0, alpha, beta, gamma, 1, mp.mpf("1.5"))


def test_jacobi_symbols_are_sympys() -> None:
    sympy = pytest.importorskip("sympy")
    for a in (-7, 0, 2, 3, 10, 30):
        for n in (1, 3, 5, 9, 15, 17, 101):
            assert numbers.jacobi_symbol(a, n) == sympy.jacobi_symbol(a, n)
    with pytest.raises(ValueError, match="odd"):
        numbers.jacobi_symbol(3, 8)


def test_in_sympy_they_have_values_and_derivatives() -> None:
    sympy = pytest.importorskip("sympy")
    import pickle

    from texlift.special.symbolic import besseljzero, lame_ec, mathieu_ce

    z, n = sympy.symbols("z n")
    assert mathieu_ce(n, z, 1).n() == mathieu_ce(n, z, 1)  # letters stay
    assert float(mathieu_ce(2, sympy.Rational(1, 3), 1).n()) == pytest.approx(
        float(numbers.mathieu_ce(2, mp.mpf(1) / 3, 1))
    )
    twice = sympy.diff(mathieu_ce(2, z, 1), z, 2).subs(z, sympy.Rational(1, 3))
    equation = twice + (float(numbers.mathieu_a(2, 1)) - 2 * sympy.cos(sympy.Rational(2, 3))) * mathieu_ce(
        2, sympy.Rational(1, 3), 1
    )
    assert abs(float(equation.n())) < 1e-8
    assert str(besseljzero(0, 1).n(20)) == "2.4048255576957727686"
    assert sympy.lambdify(z, lame_ec(0, 1, z, 0), "mpmath")(0.2) == pytest.approx(2**-0.5)
    assert pickle.loads(pickle.dumps(mathieu_ce(2, z, 1))) == mathieu_ce(2, z, 1)  # noqa: S301


def test_the_code_says_where_they_are() -> None:
    from texlift.targets import convert

    for target, module in (("sympy", "texlift.special.symbolic"), ("mpmath", "texlift.special.numbers")):
        found = convert(r"\Mathieuce{n}@{z}{q}", target)
        assert found.code == "mathieu_ce(n, z, q)" and any(module in note for note in found.notes)
